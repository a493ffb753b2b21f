// -- each invocation stores a byte of its own: into a byte that is no race, into its part of a word it is one
// buffer 0 poison: 8
// buffer 1 u32: 0 0
// expect 0 u8: 0..7
// model-only: what a device gives is its own business
// finding race_bytes.comp:17: data race: OpStore of 'words[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_bytes.comp:17: data race: OpStore of 'words[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint8_t bytes[]; };
layout(binding = 1) buffer B { uint words[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  bytes[i] = uint8_t(i);
  words[i / 4] |= i << 8 * (i % 4);
}
