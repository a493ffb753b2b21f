// -- addresses that lead nowhere: null, behind a buffer, before it, and no address at all; loads give 0, stores and atomics do nothing
// model-only: on a device such an access may do anything
// push address: 1
// buffer 0 poison: 48
// buffer 1 u32: 1 2 3 4
// expect 0 u32: 0 0 0 0 0 0 0 0 4 4 4 4
// expect 1 u32: 1 2 3 4
// finding buffer_reference_wild.comp:23: out of range (buffer): OpLoad of
// finding buffer_reference_wild.comp:24: out of range (buffer): OpStore of
// finding buffer_reference_wild.comp:25: out of range (buffer): OpAtomicIAdd of
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(push_constant) uniform P { Words p; };
layout(binding = 0) buffer O { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint64_t base = uint64_t(p);
  uint64_t where[4] = uint64_t[4](0ul, base + 16ul, base - 8ul, 0x12345678fffffffcul);
  Words wild = Words(where[l]);
  o[l] = wild.w[0];
  wild.w[1] = 9;
  o[4 + l] = atomicAdd(wild.w[0], 5u);
  o[8 + l] = p.w[3];
}
