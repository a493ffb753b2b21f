// -- a local variable holds the loaded value: one atomic gives it. Near miss: what is added depends on what was loaded
// buffer 0 u32: 0
// buffer 1 u32: 3
// buffer 2 poison: 16
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 8
// expect 1 u32: 6
// expect 2 u32: 4*0
// finding race_update_kept.comp:22: data race: OpStore of 'bits', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_kept.comp:21
// finding race_update_kept.comp:22: data race: OpStore of 'bits', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_kept.comp:22
// finding race_update_kept.comp:25: data race: OpStore of 'other', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_kept.comp:24
// finding race_update_kept.comp:25: data race of equal values: OpStore of 'other', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_kept.comp:25
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint bits; };
layout(binding = 1) buffer B { uint other; };
layout(binding = 2) buffer C { uint seen[4]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint was = bits;
  bits = was | (1u << i);
  seen[i] = was;
  const uint old = other;
  other = old + old;
}
