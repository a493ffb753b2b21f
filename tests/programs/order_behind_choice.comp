// -- lanes that wait for others inside a choice are not overtaken by those that did not make it: behind it an atomic, and stores to one
// -- place, are in the order of lanes, in batches of any width
// buffer 0 poison: 512
// buffer 1 u32: 0 0
// buffer 2 u32: 64*0
// one-order
// model-only: whose atomic is first is the device's own
// expect 0 u32: 0..127
// expect 1 u32: 128 127
// expect 2 u32: 0..63
// finding order_behind_choice.comp:22: data race: OpLoad of 'b[63]', invocation 0,0,0 of dispatch 0; against the store by 63,0,0 at order_behind_choice.comp:21; it read 63; no barrier of the workgroup orders them, and 'b' is not coherent (64 times)
// finding order_behind_choice.comp:25: data race: OpStore of 'last', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at order_behind_choice.comp:25; they store different values; invocations that store at once have no order: let one of them store, or use an atomic (127 times)
#version 450
layout(local_size_x = 128) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) buffer Counts { uint next, last; };
layout(binding = 2) buffer Exchanged { uint b[]; };
void main() {
  uint l = gl_LocalInvocationIndex, v = 0u;
  if (l < 64u) {
    b[l] = l;
    v = b[63u - l];
  }
  o[l] = atomicAdd(next, v < 64u ? 1u : 2u);
  last = l;
}
