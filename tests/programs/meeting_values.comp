// -- where paths meet, a value that one of them has left as it was; the second is also needed behind the meeting
// buffer 0 u32: 1 2 3 4
// buffer 1 u32: 16*0
// -- of each invocation: three times the input, and 5 more where it has bit 2; what had that bit
// expect 1 u32: 3 11 9 17 0 6 0 12
// -- 7 times that, less 1 where it has bit 1, and once more; what had that bit
// expect 1 u32: 42 154 125 237 0 0 63 119
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer X { uint xs[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i] * 3;
  if ((x & 4) != 0) {
    o[4 + i] = x;
    x += 5;
  }
  o[i] = x;
  uint y = x * 7, z = y;
  if ((y & 2) != 0) {
    o[12 + i] = y;
    z -= 1;
  }
  o[8 + i] = y + z;
}
