// -- shifts of one value that together are a rotation, and others that are not
// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
// buffer 0 u32: 0x80000001 0x12345678 0 0xdeadbeef
// buffer 1 u32: 1 0x00ff00ff 0xffffffff 0x0badf00d
// buffer 2 poison: 176
// -- of each invocation: rotations by 7, 25, 31 and 16, and one by 5 plus its own shift;
// -- then no rotations of 32 bits: 31 bits, two values, a difference, a sign, and two of 64 bits
// expect 2 u32: definition
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint xs[]; };
layout(binding = 1) buffer B { uint ys[]; };
layout(binding = 2) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i], y = ys[i], at = 11 * i;
  uint up = x << 5;
  o[at] = x << 7 | x >> 25;
  o[at + 1] = x >> 7 | x << 25;
  o[at + 2] = (x << 31) + (x >> 1);
  o[at + 3] = (x >> 16) ^ (x << 16);
  o[at + 4] = (up | x >> 27) + up;
  o[at + 5] = x << 7 | x >> 24;
  o[at + 6] = x << 7 | y >> 25;
  o[at + 7] = (x << 9) - (x >> 23);
  o[at + 8] = x << 7 | uint(int(x) >> 25);
  uint64_t both = packUint2x32(uvec2(x, y));
  o[at + 9] = uint(both << 32 | both >> 32);
  o[at + 10] = uint((both << 20 | both >> 12) >> 32);
}
