// -- updates for which atomics are an extension's: a sum of floats, a 64-bit count; and bits of words, unsigned and signed. Near misses:
// -- bits by atomics; atomics_float.comp and atomics_64.comp
// buffer 0 f32: 0 0
// buffer 0 u64: 0
// buffer 0 u32: 0 0
// buffer 1 u32: 0 0
// model-only: what a device gives is its own business
// expect 1 u32: 0x03020100 0
// finding race_update_wide.comp:23: data race: OpStore of 'sum', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_wide.comp:23
// finding race_update_wide.comp:23: data race: OpStore of 'sum', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_wide.comp:23
// finding race_update_wide.comp:24: data race: OpStore of 'count', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_wide.comp:24
// finding race_update_wide.comp:24: data race of equal values: OpStore of 'count', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_wide.comp:24
// finding race_update_wide.comp:26: data race: OpStore of 'bits', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_wide.comp:26
// finding race_update_wide.comp:26: data race: OpStore of 'bits', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_wide.comp:26
// finding race_update_wide.comp:27: data race: OpStore of 'more', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_wide.comp:27
// finding race_update_wide.comp:27: data race: OpStore of 'more', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_wide.comp:27
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { float sum, unused; uint64_t count; uint bits; int more; };
layout(binding = 1) buffer B { uint bits2, more2; };
void main() {
  sum += 0.5 * float(gl_LocalInvocationIndex);
  count += 1ul;
  const int i = int(gl_LocalInvocationIndex);
  bits = bitfieldInsert(bits, uint(i), 8 * i, 8);
  more = bitfieldInsert(more, i, 8 * i, 8);
  // Near miss.
  atomicAnd(bits2, ~(255u << (8 * i)));
  atomicOr(bits2, uint(i) << (8 * i));
}
