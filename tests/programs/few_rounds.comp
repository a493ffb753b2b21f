// -- loops of a few rounds, which are executed one behind the other where nobody watches; one that is left early, and one of 17
// buffer 0 u32: 3 5
// buffer 1 poison: 32
// -- of x: 3 * (0 + x + 2x + 3x); 500, and 1 more than its place for each bit; ((2x + 7) * 2 + 4) * 2 + 1;
// -- 1700 * x, and how many of 0, x, 2x, 3x are below 10
// expect 1 u32: 54 503 61 5104
// expect 1 u32: 90 504 77 8502
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) readonly buffer X { uint xs[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, x = xs[lane];
  uint a[4], sum = 0, k = 0, bits = 0, last = x, below = 0, sum17 = 0;
  for (uint i = 0; i < 4; ++i) a[i] = x * i;
  for (uint i = 0; i < 4; ++i)
    for (uint j = 0; j < 3; ++j) sum += a[i] * j;
  do
    if ((x >> k & 1) != 0) bits += k + 1;
  while (++k < 5);
  for (int i = 7; i >= 0; i -= 3) last = last * 2 + uint(i);
  for (uint i = 0; i < 4; ++i) {
    if (x * i >= 10) break;
    ++below;
  }
  for (int i = 0; i < 17; ++i) sum17 += x;
  o[4 * lane] = sum;
  o[4 * lane + 1] = 100 * k + bits;
  o[4 * lane + 2] = last;
  o[4 * lane + 3] = below + 100 * sum17;
}
