// -- 21 invocations: the last subgroup is not full
// subgroup-size 8
// buffer 0 poison: 336
// expect 0 u32: definition
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 21) in;
layout(binding = 0) buffer B { uvec4 o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uvec4 b = subgroupBallot(true);
  o[l] = uvec4(b.x, subgroupAdd(l), subgroupBallotBitCount(b) + uint(subgroupAll(l < 50)) * 100, subgroupMin(l) + subgroupExclusiveAdd(3u) * 1000);
}
