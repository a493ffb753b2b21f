// -- a value from a lane that is not active, or is none. Near misses: the sum that only the first lane uses; a shuffle among all
// buffer 0 poison: 96
// subgroup-size 8
// model-only: undefined values
// expect 0 u32: 28 0 0 0 0 0 0 0 1 0 3 2 5 4 7 6 1 2 3 4 5 6 7 0
// finding undefined_shuffle.comp:19: undefined value: OpStore of 'o[23]', an output of the job, invocation 7,0,0 of dispatch 0; from OpGroupNonUniformShuffleDown at undefined_shuffle.comp:19, which reads a lane that is not active
#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer O { uint o[]; };
void main() {
  const uint i = gl_SubgroupInvocationID;
  // Near misses.
  uint sum = i;
  for (uint step = 4; step > 0; step /= 2) sum += subgroupShuffleDown(sum, step);
  o[i] = i == 0 ? sum : 0;
  o[8 + i] = subgroupShuffleXor(i, 1);
  o[16 + i] = subgroupShuffleDown(i, 1);
}
