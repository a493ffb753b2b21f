// -- near misses of reconvergence.comp: all of the subgroup meet before they add; some leave a loop and the rest stay together; lanes that
// -- took one branch together add in it; what a lane makes of a ballot that it has, wherever lanes are
// subgroup-size 8
// subgroup-dependent
// buffer 0 u32: 8*0
// buffer 1 poison: 32
// expect 0 u32: 16 23 29 34 46 49 51 52
// expect 1 u32: 3 0 4 0 7 0 8 0
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint result[]; };
layout(binding = 1) buffer C { uint counts[]; };
void main() {
  const uint lane = gl_LocalInvocationIndex;
  uint sum = 0;
  for (uint i = 0; i < 2; ++i) {
    uint one = 1;
    if ((lane & 1) == 1) one = result[lane] + 1;
    sum += subgroupAdd(one);
  }
  for (uint i = 0; i < lane; ++i) sum += subgroupAdd(1);
  if (lane >= 4) sum += subgroupAdd(2);
  result[lane] = sum;
  const uvec4 ballot = subgroupBallot(lane != 1 && lane != 5);
  uint count = 0;
  if ((lane & 1) == 0) {
    if (lane > 3) count = 1;
    count += subgroupBallotExclusiveBitCount(ballot) + subgroupBallotFindLSB(ballot) + uint(subgroupInverseBallot(ballot)) +
             uint(subgroupBallotBitExtract(ballot, 7)) + 1;
  }
  counts[lane] = count;
}
