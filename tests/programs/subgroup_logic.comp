// -- products of floats; conjunctions and exclusive disjunctions of booleans
// subgroup-size 8
// buffer 0 poison: 192
// expect 0 f32: 2 1 2 1 2 1 2 1 1 1 1 1 1 1 1 1
// expect 0 u32: 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0
// expect 0 u32: 1 1 1 0 0 0 1 1 1 1 1 1 1 1 1 1
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer O { float f[16]; uint u[32]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  float x = l % 2 == 0 ? 2.0 : 0.5;
  f[l] = subgroupInclusiveMul(x);
  f[8 + l] = subgroupMul(x);
  u[l] = uint(subgroupInclusiveAnd(l < 5));
  u[8 + l] = uint(subgroupAnd(l < 5));
  u[16 + l] = uint(subgroupInclusiveXor(l % 3 == 0));
  u[24 + l] = uint(subgroupXor(l % 3 == 0));
}
