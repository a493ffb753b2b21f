// -- What leaves a loop is executed in the round that leaves it: only those that leave together add together.
// model-only: which lanes add together there is the device's choice, unless lanes always meet again
// unoptimised: spirv-opt moves what leaves the loop behind it, where all of them add together
// subgroup-size 8
// one-order
// buffer 0 u32: 3 1 2 3 1 1 2 0
// buffer 1 poison: 128
// expect 1 u32: 2 3 2 2 3 3 2 1 11 9 10 11 9 9 10 8
// -- The same of a function that returns from its loop; and behind the call.
// expect 1 u32: 2 3 2 2 3 3 2 1 8*8
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { uint key[]; };
layout(binding = 1) buffer B { uint o[]; };
uint together(uint mine) {
  for (;;) {
    const uint one = subgroupBroadcastFirst(mine);
    if (one == mine) return subgroupAdd(1u);
  }
}
void main() {
  const uint i = gl_LocalInvocationIndex, mine = key[i];
  uint count = 0;
  for (;;) {
    const uint one = subgroupBroadcastFirst(mine);
    if (one == mine) {
      count = subgroupAdd(1u);
      break;
    }
  }
  o[i] = count;
  // Near miss: behind the loop all add together.
  uint rounds = 0;
  while (rounds < mine) ++rounds;
  o[8 + i] = subgroupAdd(1u) + rounds;
  o[16 + i] = together(mine);
  o[24 + i] = subgroupAdd(1u);
}
