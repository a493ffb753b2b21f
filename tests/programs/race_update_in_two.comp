// -- an update that no atomic does, in two statements: a barrier between would lose all updates but one.
// -- Near miss for the mend: one invocation alone stores
// buffer 0 u32: 0 0
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 3 1
// finding race_update_in_two.comp:16: data race: OpStore of 'sum', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_in_two.comp:15
// finding race_update_in_two.comp:16: data race: OpStore of 'sum', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_in_two.comp:16
// finding race_update_in_two.comp:19: data race: OpStore of 'most', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_in_two.comp:18
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) coherent buffer A { uint sum, most; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint was = sum;
  sum = 3 * was + i;
  // Near miss: all load, and one stores.
  was = most;
  if (i == 0) most = was + 1;
}
