// -- bytes that two invocations update each. Near miss: the same by atomics of the word
// buffer 0 u8: 8*0
// buffer 1 u32: 0 0
// model-only: what a device gives is its own business
// expect 1 u32: 0x03030303 0x03030303
// finding race_update_narrow.comp:16: data race: OpStore of 'bytes[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_narrow.comp:16: data race: OpStore of 'bytes[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer A { uint8_t bytes[]; };
layout(binding = 1) buffer B { uint words[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  bytes[i / 2] |= uint8_t(1u << (i % 2));
  atomicOr(words[i / 8], (1u << (i % 2)) << (8 * (i / 2 % 4)));
}
