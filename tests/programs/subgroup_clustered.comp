// model-only: lavapipe has no clustered operations
// buffer 0 poison: 256
// subgroup-size 16
// -- sums of 2 and of 4 neighbours, the greatest of 8, and of one alone
// expect 0 u32: 1 1 5 5 9 9 13 13 17 17 21 21 25 25 29 29
// expect 0 u32: 6 6 6 6 22 22 22 22 38 38 38 38 54 54 54 54
// expect 0 u32: 7 7 7 7 7 7 7 7 15 15 15 15 15 15 15 15
// expect 0 u32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
#version 460
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = subgroupClusteredAdd(l, 2);
  o[16 + l] = subgroupClusteredAdd(l, 4);
  o[32 + l] = subgroupClusteredMax(l, 8);
  o[48 + l] = subgroupClusteredXor(l, 1);
}
