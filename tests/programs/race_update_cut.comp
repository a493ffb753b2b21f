// -- an update of 16 bits of which only 8 go on: no atomic of their word does that
// buffer 0 u16: 0x100 0x100
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u16: 2 2
// finding race_update_cut.comp:15: data race: OpStore of 'halves[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0
// finding race_update_cut.comp:15: data race: OpStore of 'halves[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0
#version 460
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint16_t halves[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  halves[i / 2] = uint16_t(uint8_t(halves[i / 2])) | uint16_t(1u << (i % 2));
}
