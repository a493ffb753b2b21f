// -- a lock that each invocation of a subgroup takes in its turn: the one that has it waits for the others to leave the loop
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_spin_lock.comp:13: waits for ever: OpAtomicCompareExchange of 'lock', which stays 1
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint lock; uint count; };
void main() {
  // The others wait here for the one that has the lock.
  while (atomicCompSwap(lock, 0, 1) != 0) {}
  atomicAdd(count, 1);
  atomicExchange(lock, 0);
}
