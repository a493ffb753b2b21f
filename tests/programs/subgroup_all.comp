// subgroup-size 8
// buffer 0 poison: 5120
// expect 0 u32: definition
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint b = l * 40;
  uint x = l * 2654435761u >> 20;
  int n = int(x) - 2000;
  o[b] = gl_SubgroupInvocationID + gl_SubgroupID * 100 + gl_SubgroupSize * 1000;
  o[b + 1] = uint(subgroupElect()); o[b + 2] = uint(subgroupAll(l < 24)); o[b + 3] = uint(subgroupAny(l == 9)); o[b + 4] = uint(subgroupAllEqual(l / 8)) + 2 * uint(subgroupAllEqual(l));
  uvec4 ballot = subgroupBallot((x & 1) == 1);
  o[b + 5] = ballot.x; o[b + 6] = ballot.y + subgroupBallotBitCount(ballot); o[b + 7] = subgroupBallotInclusiveBitCount(ballot); o[b + 8] = subgroupBallotExclusiveBitCount(ballot);
  o[b + 9] = ballot.x != 0 ? subgroupBallotFindLSB(ballot) + 100 * subgroupBallotFindMSB(ballot) : 0; o[b + 10] = uint(subgroupInverseBallot(ballot)) + 2 * uint(subgroupBallotBitExtract(ballot, 3));
  o[b + 11] = subgroupBroadcast(x, 5); o[b + 12] = subgroupBroadcastFirst(x);
  o[b + 13] = subgroupAdd(x); o[b + 14] = subgroupMul(x | 1); o[b + 15] = subgroupMin(x); o[b + 16] = subgroupMax(x); o[b + 17] = subgroupAnd(x | 0xf0); o[b + 18] = subgroupOr(x); o[b + 19] = subgroupXor(x);
  o[b + 20] = uint(subgroupMin(n)); o[b + 21] = uint(subgroupMax(n)); o[b + 22] = subgroupInclusiveAdd(x); o[b + 23] = subgroupExclusiveAdd(x); o[b + 24] = subgroupInclusiveMul(x | 1); o[b + 25] = subgroupExclusiveMul(x | 1);
  o[b + 26] = uint(subgroupInclusiveMin(n)); o[b + 27] = uint(subgroupExclusiveMax(n)); o[b + 28] = subgroupExclusiveMin(x) ^ subgroupExclusiveAnd(x); o[b + 29] = subgroupInclusiveXor(x) + subgroupExclusiveOr(x);
  o[b + 30] = subgroupShuffle(x, (gl_SubgroupInvocationID * 3 + 1) % 8); o[b + 31] = subgroupShuffleXor(x, 5); o[b + 32] = 0;
  uint up = subgroupShuffleUp(x, 3); if (gl_SubgroupInvocationID >= 3) o[b + 32] = up;
  uint d = subgroupShuffleDown(x, 2); o[b + 33] = gl_SubgroupInvocationID < 6 ? d : 0;
  o[b + 34] = subgroupQuadBroadcast(x, 2); o[b + 35] = subgroupQuadSwapHorizontal(x); o[b + 36] = subgroupQuadSwapVertical(x); o[b + 37] = subgroupQuadSwapDiagonal(x);
  o[b + 38] = gl_SubgroupEqMask.x + (gl_SubgroupGeMask.x & 0xff) * 3; o[b + 39] = gl_SubgroupLtMask.x * 7 + gl_SubgroupLeMask.x + (gl_SubgroupGtMask.x & 0xff) * 1000;
}
