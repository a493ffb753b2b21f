// -- a word that 5000 workgroups read, and that the last stores when the others have: it races with the first, which is forgotten then.
// -- Near miss: race_many_users.comp, of fewer
// buffer 0 poison: 20000
// buffer 1 u32: 1 0
// groups 5000 1 1
// model-only: what a device gives is its own business
// expect 1 u32: 5 4999
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer S { uint seen[5000]; };
layout(binding = 1) coherent buffer C { uint word, count; };
void main() {
  const uint g = gl_WorkGroupID.x;
  seen[g] = word;
  memoryBarrierBuffer();
  if (g != 0 && atomicAdd(count, 1) == 4998) {
    memoryBarrierBuffer();
    word = 5;
  }
}
