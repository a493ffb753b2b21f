// -- a lock that each invocation takes: those of a subgroup go together, and who has it waits for the others. Near miss: one invocation does
// model-only: it hangs
// subgroup-size 4
// one-order
// max-steps 20000
// buffer 0 u32: 0
// error finding: waits for ever
// finding wait_lock_lanes.comp:17: waits for ever: OpAtomicCompareExchange of 'lock', which stays 1, invocation 1,0,0 of dispatch 0; invocation 0,0,0 would store it at wait_lock_lanes.comp:19
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer F { uint o; };
shared uint lock;
void main() {
  if (gl_LocalInvocationIndex == 0) lock = 0;
  barrier();
  // The others wait here for the one that has the lock.
  while (atomicCompSwap(lock, 0, 1) != 0) {}
  o += 1;
  atomicExchange(lock, 0);
}
