// -- the first workgroup waits for the second, which starts when the first has ended
// model-only: it waits for another workgroup
// groups 2 1 1
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_later_workgroup.comp:14: waits for ever: OpAtomicIAdd of 'flag', which stays 0, invocation 0,0,0 of dispatch 0; invocation 4,0,0 would store it at wait_later_workgroup.comp:16, but its workgroup has not started: 1 is resident; it ends where progress is fair, and does not where it is lobe, hsa or occupancy-bound; Vulkan promises none
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint flag; uint count; };
void main() {
  if (gl_WorkGroupID.x == 0)
    while (atomicAdd(flag, 0) == 0) {}
  else if (gl_LocalInvocationIndex == 0)
    atomicExchange(flag, 1);
  atomicAdd(count, 1);
}
