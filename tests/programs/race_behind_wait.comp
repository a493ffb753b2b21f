// -- a barrier over all workgroups, whose second side reads what the first one stored, and nothing orders that: a run in order waits
// model-only: it hangs
// groups 2 1 1
// one-order
// max-steps 20000
// buffer 0 u32: 0 0 0 0 0
// error finding: waits for ever
// finding race_behind_wait.comp:15: waits for ever: OpAtomicIAdd of 'arrived', which stays 1, invocation 0,0,0 of dispatch 0; invocation 1,0,0 would store it at race_behind_wait.comp:14, but its workgroup has not started: 1 is resident
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer B { uint arrived, data[2], result[2]; };
void main() {
  data[gl_WorkGroupID.x] = 1;
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < 2) {}
  result[gl_WorkGroupID.x] = data[1 - gl_WorkGroupID.x];
}
