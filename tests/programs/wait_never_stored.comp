// -- a flag that nothing stores
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_never_stored.comp:12: waits for ever: OpAtomicIAdd of 'flag', which stays 0, invocation 0,0,0 of dispatch 0; nothing in the module stores to it; it does not end where it is fair, lobe, hsa or occupancy-bound
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint flag; uint count; };
void main() {
  while (atomicAdd(flag, 0) == 0) {}
  atomicAdd(count, 1);
}
