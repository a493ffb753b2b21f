// -- a wait for a signed count that nobody changes
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 i32: -2
// error finding: waits for ever
// finding wait_signed.comp:12: waits for ever: OpAtomicIAdd of 'slots', which stays -2, invocation 0,0,0 of dispatch 0
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int slots; };
void main() {
  while (atomicAdd(slots, 0) < 0) {}
}
