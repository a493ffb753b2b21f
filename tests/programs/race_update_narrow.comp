// -- bytes that two invocations update each. Near misses: the same by atomics of the word; bytes in shared, which as words nobody clears
// buffer 0 u8: 8*0
// buffer 1 u32: 0 0
// buffer 1 u32: 16*0
// model-only: what a device gives is its own business
// one-order
// expect 1 u32: 0x03030303 0x03030303 8*1 8*0
// finding race_update_narrow.comp:21: data race: OpStore of 'bytes[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_narrow.comp:21: data race: OpStore of 'bytes[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
// finding race_update_narrow.comp:25: data race: OpStore of 'own[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_narrow.comp:25: data race of equal values: OpStore of 'own[0]', invocation 1,0,0 of dispatch 0
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer A { uint8_t bytes[]; };
layout(binding = 1) buffer B { uint words[]; };
shared uint8_t own[16];
void main() {
  const uint i = gl_LocalInvocationIndex;
  bytes[i / 2] |= uint8_t(1u << (i % 2));
  atomicOr(words[i / 8], (1u << (i % 2)) << (8 * (i / 2 % 4)));
  own[i] = uint8_t(0);
  barrier();
  own[i / 2] += uint8_t(1);
  barrier();
  words[2 + i] = own[i];
}
