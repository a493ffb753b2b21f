// Prefix compaction: each workgroup moves its odd numbers to the front of its block, by ballots, and says how many there are.
// small: --groups 2 --buffer Input=u32:noise:512 --buffer Output=zeros:2048 --out Lengths=-:8
// large: --groups 4096 --buffer Input=u32:noise:1048576 --buffer Output=zeros:4194304 --out Lengths=-:16384
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Input { uint input_[]; };
layout(binding = 1) buffer Output { uint output_[]; };
layout(binding = 2) writeonly buffer Lengths { uint lengths[]; };
shared uint totals[256];
void main() {
  uint base = gl_WorkGroupID.x * 256u;
  uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  uint value = input_[base + lane];
  bool keep = (value & 1u) == 1u;
  uvec4 votes = subgroupBallot(keep);
  if (subgroupElect()) totals[gl_SubgroupID] = subgroupBallotBitCount(votes);
  barrier();
  uint first = 0u;
  for (uint s = 0u; s < gl_SubgroupID; s++) first += totals[s];
  if (keep) output_[base + first + subgroupBallotExclusiveBitCount(votes)] = value;
  if (lane == 255u) lengths[gl_WorkGroupID.x] = first + totals[gl_SubgroupID];
}
