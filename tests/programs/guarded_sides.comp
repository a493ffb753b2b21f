// -- sides of branches that are so small that all lanes could compute them. Near misses: no lane divides by 0, shifts too far or loads
// -- outside; on the side that it does not take it would
// buffer 0 u32: 0 1 2 3 40 0 5 6
// buffer 1 poison: 96
// -- 60 divided by the number, or 100; 1 shifted by it, or 200; and 300
// expect 1 u32: 100 1 300 60 2 300 30 4 300 20 8 300 1 200 300 100 1 300 12 32 300 10 64 300
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer I { uint number[]; };
layout(binding = 1) writeonly buffer O { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex, n = number[i];
  uint quotient = 100, shifted = 200, loaded = 300;
  if (n != 0) quotient = 60 / n;
  if (n < 32) shifted = 1u << n;
  if (n == 77) loaded = number[1000];
  result[3 * i] = quotient;
  result[3 * i + 1] = shifted;
  result[3 * i + 2] = loaded;
}
