// -- What 64-bit atomics change is loaded by none. Near miss: all are atomics.
// buffer 0 u64: 2*0
// groups 4 1 1
// model-only: what a race gives on a device is its own business
// expect 0 u64: 13 13
// finding race_mixed_wide.comp:14: data race: OpLoad of 'most', invocation 1,0,0 of dispatch 0; against the atomic access by 0,0,0
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint64_t most, most2; };
void main() {
  const uint64_t own = 10 + gl_WorkGroupID.x;
  if (own > most) atomicMax(most, own);
  // Near miss.
  if (own > atomicOr(most2, 0ul)) atomicMax(most2, own);
}
