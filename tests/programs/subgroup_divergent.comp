// subgroup-size 8
// groups 2 1 1
// buffer 0 poison: 2048
// expect 0 u32: definition
// expect 0 u32: 256*2812782503
// finding never written '0', 1024 bytes of 2048, first o[64].x
// finding subgroup_divergent.comp:26: depends on reconvergence: OpGroupNonUniformIAdd
// finding subgroup_divergent.comp:31: depends on reconvergence: OpGroupNonUniformIAdd
#version 460
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uvec4 o[]; };
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_GlobalInvocationID.x;
  uvec4 r = uvec4(0);
  if (l % 3 != 1) {
    r.x = subgroupAdd(l);
    r.y = subgroupBallot(l > 10).x * 16 + uint(subgroupElect());
    for (uint i = 0; i < l % 5; ++i) {
      r.z += subgroupMax(l + i);
      if ((l + i) % 4 == 2) break;
      r.z += subgroupExclusiveAdd(1u) * 100;
    }
    r.z += subgroupAdd(1u) * 100000;
  } else {
    r.x = subgroupMin(l * 2);
    r.y = subgroupBroadcastFirst(l) + 1000 * uint(subgroupAll(l > 12));
  }
  switch (l & 3) { case 0: r.w = subgroupAdd(l); break; case 1: r.w = subgroupMax(l); case 2: r.w += subgroupInclusiveAdd(1u); break; default: r.w = subgroupBallot(true).x; }
  r.w += subgroupAdd(1u) << 20;
  o[g] = r;
}
