// -- a load races with a store at one place, and at another with the atomic behind that store. Near miss: a barrier before the load
// buffer 0 poison: 32
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 3 2 2 1 3 2 2 1
// finding race_behind_store.comp:16: data race: OpLoad of 'part[3]', invocation 0,0,0 of dispatch 0; against the store by 3,0,0 at race_behind_store.comp:14
// finding race_behind_store.comp:16: data race: OpLoad of 'part[1]', invocation 2,0,0 of dispatch 0; against the atomic access by 1,0,0 at race_behind_store.comp:15
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer O { uint o[]; };
shared uint part[4], kept[4];
void main() {
  const uint i = gl_LocalInvocationIndex;
  part[i] = i;
  if (i < 2) atomicAdd(part[i], 1);
  o[i] = part[3 - i];
  // Near miss.
  kept[i] = i;
  if (i < 2) atomicAdd(kept[i], 1);
  barrier();
  o[4 + i] = kept[3 - i];
}
