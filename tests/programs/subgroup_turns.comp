// -- Lanes take turns of a loop in which some skip the subgroup operation: each turn is one meeting, whoever would be there first.
// buffer 0 poison: 128
// subgroup-size 8
// subgroup-dependent
// expect 0 u32: 7 7 7 12 7 7 7 7 7 7 7 12 7 7 7 7 7 7 7 12 7 7 7 7 7 7 7 12 7 7 7 7
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint result[]; };
void main() {
  const uint lane = gl_SubgroupInvocationID;
  uint sum = 0;
  for (uint turn = 0; turn < 8; ++turn) {
    if (turn == lane) continue;
    const uint met = subgroupAdd(1u);  // the seven others
    if (met == 7u) ++sum;
    if (lane == 3u && turn == 2u) sum += met - 2u;
  }
  result[gl_LocalInvocationIndex] = sum;
}
