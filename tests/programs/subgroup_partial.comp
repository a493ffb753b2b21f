// -- 21 invocations: the last subgroup is not full
// subgroup-size 8
// buffer 0 poison: 336
// expect 0 u32: 255 28 108 0 255 28 108 3000 255 28 108 6000 255 28 108 9000 255 28 108 12000 255 28 108 15000 255 28 108 18000 255 28 108 21000 255 92 108 8 255 92 108 3008 255 92 108 6008 255 92 108 9008 255 92 108 12008 255 92 108 15008 255 92 108 18008 255 92 108 21008 31 90 105 16 31 90 105 3016 31 90 105 6016 31 90 105 9016 31 90 105 12016
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
