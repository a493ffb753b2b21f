// -- a lock that the second workgroup takes and does not give back. Near miss: wait_earlier_workgroup.comp, where somebody would store it
// model-only: it hangs
// one-order
// max-steps 20000
// groups 3 1 1
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_lock_kept.comp:13: waits for ever: OpAtomicExchange of 'lock', which stays 1, invocation 2,0,0 of dispatch 0; invocation 1,0,0 stored that at wait_lock_kept.comp:13, and nobody stores another value: its workgroup has ended; stores to it stand at wait_lock_kept.comp:19
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer B { uint lock; uint count; };
void main() {
  while (atomicExchange(lock, 1) == 1) {}
  memoryBarrierBuffer();
  const uint now = count + 1;
  count = now;
  memoryBarrierBuffer();
  if (now == 2) return;
  atomicExchange(lock, 0);
}
