// -- who waits has made fewer steps than others of the subgroup: it is looked at all the same where each atomic ends a turn. Near miss: the
// -- wait before it, for what one of these has stored
// model-only: it hangs
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_fewer_steps.comp:17: waits for ever: OpAtomicIAdd of 'never', which stays 0, invocation 5,0,0 of dispatch 0; nothing in the module stores to it; it does not end where it is fair, lobe, hsa or occupancy-bound
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint stored; uint never; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 3) atomicExchange(stored, i * i + i);
  if (i == 5) {
    while (atomicAdd(stored, 0) == 0) {}
    while (atomicAdd(never, 0) == 0) {}
  }
}
