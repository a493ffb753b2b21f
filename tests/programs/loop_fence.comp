// -- subgroups make different numbers of turns of a loop with a memory barrier: 8 invocations each add 1 in each turn
// buffer 0 u32: 8*0
// model-only: lavapipe 22.3.6 stops subgroups when others have left the loop (docs/device-deviations.md)
// expect 0 u32: 0 8 16 24 32 40 48 56
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer O { uint count[]; };
void main() {
  uint subgroup = gl_LocalInvocationIndex / 8;
  for (uint k = 0; k < subgroup; ++k) { memoryBarrierBuffer(); atomicAdd(count[subgroup], 1); }
}
