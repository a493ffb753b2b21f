// -- what atomics change is loaded or stored by none: before atomicMax(), of a flag, and a first value. Near miss: all are atomics
// buffer 0 u32: 3*0
// buffer 1 u32: 3*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 1 u32: 13 1 4
// finding race_mixed.comp:16: data race: OpAtomicUMax of 'most', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_mixed.comp:17: data race: OpAtomicOr of 'flag', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_mixed.comp:18: data race: OpAtomicIAdd of 'count', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) coherent buffer A { uint most, flag, count; };
layout(binding = 1) coherent buffer B { uint most2, flag2, count2; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (10 + i > most) atomicMax(most, 10 + i);
  if (i == 0) flag = 1; else atomicOr(flag, 0);
  if (i == 0) count = 1; else atomicAdd(count, 1);
  // Near miss.
  if (10 + i > atomicOr(most2, 0)) atomicMax(most2, 10 + i);
  if (i == 0) atomicExchange(flag2, 1); else atomicOr(flag2, 0);
  atomicAdd(count2, 1);
}
