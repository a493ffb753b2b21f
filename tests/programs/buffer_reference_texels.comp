// -- a buffer by its address and as texels: all stores come before the loads
// model-only: the invocations race, and what a device makes of it is its own business
// races
// subgroup-size 128
// push address: 0
// buffer 0 u32: 128*0
// view 1 of 0 format r32ui
// buffer 2 poison: 512
// expect 0 u32: 1..128
// expect 2 u32: 65..128 1..64
// finding buffer_reference_texels.comp:23: data race: OpImageRead of 'texels[64]', invocation 0,0,0 of dispatch 0; against the store by 64,0,0 at buffer_reference_texels.comp:22
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(push_constant) uniform Push { Words words; };
layout(binding = 0) buffer A { uint unused[]; };
layout(binding = 1, r32ui) uniform readonly uimageBuffer texels;
layout(binding = 2) buffer B { uint o[]; };
void main() {
  const uint l = gl_LocalInvocationIndex;
  words.w[l] = l + 1;
  o[l] = imageLoad(texels, int((l + 64) % 128)).x;
}
