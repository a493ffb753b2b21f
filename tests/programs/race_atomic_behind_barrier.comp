// -- an atomic behind a barrier with no fence between them, and one before a barrier. Near miss: the last atomic, between fences
// buffer 0 u32: 0 0 0 0 0 0 0 0 0 0 0 0
// buffer 1 u32: 0 0 0 0 0 0 0 0
// model-only: what a device gives is its own business
// expect 0 u32: 1 2 3 4 1 1 1 1 1 2 3 4
// expect 1 u32: 1 1 1 1 1 2 3 4
// finding race_atomic_behind_barrier.comp:18: data race: OpAtomicIAdd of 'a[3]', invocation 0,0,0 of dispatch 0; against the store by 3,0,0 at race_atomic_behind_barrier.comp:15; first it is 3, then 4; the barrier at race_atomic_behind_barrier.comp:17 stands between them, but what was released behind the first is not acquired before the second
// finding race_atomic_behind_barrier.comp:22: data race: OpLoad of 'b[3]', invocation 0,0,0 of dispatch 0; against the atomic access by 3,0,0 at race_atomic_behind_barrier.comp:19; it read 1; the barrier at race_atomic_behind_barrier.comp:20 stands between them, but orders no buffers
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) coherent buffer T { uint a[4]; uint b[4]; uint c[4]; };
layout(binding = 1) buffer O { uint o[8]; };
void main() {
  uint i = gl_LocalInvocationIndex, j = 3 - i;
  a[i] = i;
  memoryBarrierBuffer();
  barrier();
  atomicAdd(a[j], 1);
  atomicAdd(b[i], 1);
  barrier();
  memoryBarrierBuffer();
  o[i] = b[j];
  c[i] = i;
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();
  atomicAdd(c[j], 1);
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();
  o[4 + i] = c[i];
}
