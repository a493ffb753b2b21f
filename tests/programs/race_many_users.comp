// -- a word that 699 workgroups read before the last of them stores it, and that one reads unordered. Near miss: one where all are ordered
// buffer 0 poison: 2800
// buffer 1 u32: 1 0 1 0
// groups 700 1 1
// model-only: what a device gives is its own business
// expect 1 u32: 5 699 6 700
// finding race_many_users.comp:18: data race: OpStore of 'word', invocation 699,0,0 of dispatch 0; against the load by 0,0,0 at race_many_users.comp:14
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer S { uint seen[700]; };
layout(binding = 1) coherent buffer C { uint word, count, word2, count2; };
void main() {
  const uint g = gl_WorkGroupID.x;
  seen[g] = word;
  memoryBarrierBuffer();
  if (g != 0 && atomicAdd(count, 1) == 698) {
    memoryBarrierBuffer();
    word = 5;
  }
  // Near miss.
  seen[g] += word2;
  memoryBarrierBuffer();
  if (atomicAdd(count2, 1) == 699) {
    memoryBarrierBuffer();
    word2 = 6;
  }
}
