// -- A 64-bit number compared with a sign-extended 32-bit one: two constants and a variable below them.
// differs lavapipe before 25.0: a constant below a sign-extended negative number is taken for true (Mesa 22.3.6)
// buffer 0 i32: -425940696
// buffer 1 poison: 28
// expect 1 u32: 0 0 1 1 0 1 0
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer I { int i[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  int64_t v = int64_t(i[0]);
  o[0] = uint(2L < v);
  o[1] = uint(2L <= v);
  o[2] = uint(2L > v);
  o[3] = uint(v < 2L);
  o[4] = uint(v > 2L);
  o[5] = uint(-2000000000L < v);
  o[6] = uint(5000000000L < v);
}
