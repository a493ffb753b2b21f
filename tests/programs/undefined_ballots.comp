// -- what a subgroup asks of a ballot or of one lane has no result: no bit, a bit beyond it, different ones, a fifth lane of a quad. Near
// -- misses: the same of what is there, and a result that is not used
// buffer 0 u32: 0 1 32 0..7
// buffer 1 poison: 192
// buffer 2 poison: 224
// subgroup-size 32
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// -- what the model gives: the subgroup's size, -1, no bit; each what it asks for
// expect 1 u32: 8*32 8*0xffffffff 8*0 0..7 8*0 4*0 4*4
// -- the lowest bit of 1, the highest of 32, bit 31 of 1, lane 1, whether it is lane 5, lane 1 of each quad, the other side
// expect 2 u32: 8*0 8*5 8*0 8*1 5*0 1 2*0 4*1 4*5 8*7
// finding undefined_ballots.comp:28: undefined value: OpStore of 'result[0]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformBallotFindLSB at undefined_ballots.comp:28, undefined where no bit is set
// finding undefined_ballots.comp:29: undefined value: OpStore of 'result[8]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformBallotFindMSB at undefined_ballots.comp:29, undefined where no bit is set
// finding undefined_ballots.comp:30: undefined value: OpStore of 'result[16]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformBallotBitExtract at undefined_ballots.comp:30, undefined for a bit beyond the subgroup
// finding undefined_ballots.comp:31: undefined value: OpStore of 'result[24]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformBroadcast at undefined_ballots.comp:31, undefined where the lane, or the ballot, is not the same for all of a subgroup
// finding undefined_ballots.comp:32: undefined value: OpStore of 'result[32]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformInverseBallot at undefined_ballots.comp:32, undefined where the lane, or the ballot, is not the same for all of a subgroup
// finding undefined_ballots.comp:33: undefined value: OpStore of 'result[40]', an output of the job, invocation 0,0,0 of dispatch 0; from OpGroupNonUniformQuadBroadcast at undefined_ballots.comp:33, undefined for an index above 3
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { uint zero, one, many, lane[8]; };
layout(binding = 1) buffer B { uint result[]; };
layout(binding = 2) buffer C { uint near[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  result[i] = subgroupBallotFindLSB(uvec4(zero));
  result[8 + i] = subgroupBallotFindMSB(uvec4(0, one, one, one));
  result[16 + i] = uint(subgroupBallotBitExtract(uvec4(one), many));
  result[24 + i] = subgroupBroadcast(i, lane[i]);
  result[32 + i] = uint(subgroupInverseBallot(uvec4(lane[i])));
  result[40 + i] = subgroupQuadBroadcast(i, many);
  // Near misses.
  near[i] = subgroupBallotFindLSB(uvec4(one));
  near[8 + i] = subgroupBallotFindMSB(uvec4(many));
  near[16 + i] = uint(subgroupBallotBitExtract(uvec4(one), 31u));
  near[24 + i] = subgroupBroadcast(i, one);
  near[32 + i] = uint(subgroupInverseBallot(uvec4(many)));
  near[40 + i] = subgroupQuadBroadcast(i, one);
  const uint unused = subgroupBallotFindLSB(uvec4(zero));
  near[48 + i] = zero == 0u ? 7u : unused;
}
