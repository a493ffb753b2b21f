// -- SPV_AMD_shader_fragment_mask: each sample has a fragment of its own, so its four bits of the mask are its number
// model-only: an extension of AMD's devices
// image 0 r32ui 2d 2x2 samples 4 u32: 0..15
// image 1 r32ui 2d 2x1 layers 2 samples 8 u32: 100..131
// buffer 2 poison: 48
// expect 2 u32: 4*0x3210  8 9 10 11  0x76543210 131 0x76543210 0
// finding out of range (texel): OpFragmentFetchAMD of 'layers[1,0,2]', outside of 2x1x2
#version 460
#extension GL_AMD_shader_fragment_mask : require
layout(local_size_x = 4) in;
layout(binding = 0) uniform usampler2DMS plane;
layout(binding = 1) uniform usampler2DMSArray layers;
layout(binding = 2) buffer B { uint o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  ivec2 at = ivec2(l & 1, l >> 1);
  o[l] = fragmentMaskFetchAMD(plane, at);
  o[4 + l] = fragmentFetchAMD(plane, at, bitfieldExtract(o[l], 8, 4)).x;
  if (l == 0)
    for (int layer = 1; layer < 3; ++layer) {
      o[6 + 2 * layer] = fragmentMaskFetchAMD(layers, ivec3(1, 0, layer));
      o[7 + 2 * layer] = fragmentFetchAMD(layers, ivec3(1, 0, layer), o[6 + 2 * layer] >> 28).x;
    }
}
