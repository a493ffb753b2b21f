// image 0 rgb10_a2 2d 2x1 u32: 0x40100401 0xffffffff
// image 1 r11f_g11f_b10f 2d 2x1 u32: 0x781e03c0 0
// image 2 rgba8_snorm 2d 2x1 i8: 127 -127 -128 0 64 1 -1 100
// image 3 rgba16 2d 2x1 u16: 0 65535 32768 1 2 3 4 5
// image 4 rg16f 2d 2x1 u16: 0x3c00 0xc000 0x0001 0x7bff
// image 5 rgb10_a2ui 2d 2x1 u32: 0x40100401 0xffffffff
// image 6 r8ui 2d 4x1 u8: 1 2 3 255
// image 7 rg32i 2d 2x1 i32: 1 -2 3 -4
// buffer 8 poison: 256
// -- the first texel of each image
// expect 8 f32: 1 1 1 341  1 1 1 1  127 -127 -127 0  0 65535 32768 1
// expect 8 f32: 1 -2 0 1  1 1 1 1  1 0 0 1  1 -2 0 1
// -- the second
// expect 8 f32: 1023 1023 1023 1023  0 0 0 1  64 1 -1 100  2 3 4 5
// expect 8 f32: 5.96046448e-08 65504 0 1  1023 1023 1023 3  2 0 0 1  3 -4 0 1
#version 460
layout(local_size_x = 2) in;
layout(binding = 0, rgb10_a2) uniform image2D a0;
layout(binding = 1, r11f_g11f_b10f) uniform image2D a1;
layout(binding = 2, rgba8_snorm) uniform image2D a2;
layout(binding = 3, rgba16) uniform image2D a3;
layout(binding = 4, rg16f) uniform image2D a4;
layout(binding = 5, rgb10_a2ui) uniform uimage2D a5;
layout(binding = 6, r8ui) uniform uimage2D a6;
layout(binding = 7, rg32i) uniform iimage2D a7;
layout(binding = 8) buffer B { vec4 o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  ivec2 p = ivec2(l, 0);
  o[l * 8] = imageLoad(a0, p) * 1023.0; o[l * 8 + 1] = imageLoad(a1, p); o[l * 8 + 2] = imageLoad(a2, p) * 127.0; o[l * 8 + 3] = imageLoad(a3, p) * 65535.0;
  o[l * 8 + 4] = imageLoad(a4, p); o[l * 8 + 5] = vec4(imageLoad(a5, p)); o[l * 8 + 6] = vec4(imageLoad(a6, p)); o[l * 8 + 7] = vec4(imageLoad(a7, p));
}
