// -- words that several invocations update by loading, changing and storing. Near miss: the same by atomics
// buffer 0 u32: 0 5 0 0
// buffer 1 u32: 0 5 0 0
// model-only: what a device gives is its own business
// expect 1 u32: 255 33 8 8
// finding race_update.comp:20: data race: OpStore of 'bits', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update.comp:20
// finding race_update.comp:20: data race: OpStore of 'bits', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update.comp:20; they store different values; invocations that store at once have no order: let one of them store, or use an atomic
// finding race_update.comp:21: data race: OpStore of 'sum', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update.comp:21
// finding race_update.comp:21: data race: OpStore of 'sum', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update.comp:21; they store different values; invocations that store at once have no order: let one of them store, or use an atomic
// finding race_update.comp:22: data race: OpStore of 'most', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update.comp:22
// finding race_update.comp:22: data race: OpStore of 'most', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update.comp:22; they store different values; invocations that store at once have no order: let one of them store, or use an atomic
// finding race_update.comp:23: data race: OpStore of 'turns', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update.comp:23
// finding race_update.comp:23: data race of equal values: OpStore of 'turns', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update.comp:23; both store 1; invocations that store at once have no order: let one of them store, or use an atomic
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint bits, sum, most, turns; };
layout(binding = 1) buffer B { uint bits2, sum2, most2, turns2; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  bits |= 1u << i;
  sum += i;
  most = max(most, i + 1);
  turns++;
  // Near miss.
  atomicOr(bits2, 1u << i);
  atomicAdd(sum2, i);
  atomicMax(most2, i + 1);
  atomicAdd(turns2, 1);
}
