// -- what Vulkan leaves open of texels, where each choice of a profile gives other bytes: a code decoded, a float between
// -- two codes, a NaN, a float between two halves, an integer that does not fit
// model-only: a device may choose
// image 0 rgba8 2d 1x1 u8: 3 6 7 12
// image 1 rgba8 2d 1x1
// image 2 rgba8_snorm 2d 1x1
// image 3 r16f 2d 1x1
// image 4 rgba8ui 2d 1x1
// buffer 5 f32: 0.0805 1.0009
// buffer 5 u32: 0x7fc00000
// buffer 6 poison: 16
// expect 1 u8: 21 0 255 0
// expect 2 i8: 0 0 127 127
// expect 3 u16: 0x3c01
// expect 4 u8: 255 44 0 1
// expect 6 f32: 0.0117647061 0.0235294122 0.0274509806 0.0470588244
#version 460
layout(local_size_x = 1) in;
layout(binding = 0, rgba8) uniform readonly image2D codes;
layout(binding = 1, rgba8) uniform writeonly image2D encoded;
layout(binding = 2, rgba8_snorm) uniform writeonly image2D nans;
layout(binding = 3, r16f) uniform writeonly image2D halves;
layout(binding = 4, rgba8ui) uniform writeonly uimage2D integers;
layout(binding = 5) readonly buffer In { float x[]; };
layout(binding = 6) writeonly buffer Out { vec4 decoded; };
void main() {
  decoded = imageLoad(codes, ivec2(0));
  imageStore(encoded, ivec2(0), vec4(x[0], 0, 1, 0));
  imageStore(nans, ivec2(0), vec4(x[2], x[2], 1, 1));
  imageStore(halves, ivec2(0), vec4(x[1], 0, 0, 1));
  imageStore(integers, ivec2(0), uvec4(300, 44, 0, 1));
}
