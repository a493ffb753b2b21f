// image 0 rgba8 2d 4x2 u8: 0..31
// image 1 rgba32f 2d 4x2 f32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 -1 0.25 1e3 -3 1 2 3 4 5 6 7 8 9 10 11 12
// image 2 r32ui 2d 4x2 u32: 1..8
// image 3 rgba16f 2d 4x2 u16: 0x3c00 0x4000 0x4200 0x4400 0x0001 0x5bff 0xc000 0x3555 24*0x3800
// image 4 rgba8i 2d 4x2 i8: -16..15
// image 5 rgba16ui 2d 4x2 u16: 1..32
// image 6 r32i 2d 4x2 i32: -4..3
// image 7 rgba8 2d 4x2
// image 8 rgba32f 2d 4x2
// image 9 r32ui 2d 4x2
// image 10 rgba16f 2d 4x2
// image 11 rgba8i 2d 4x2
// image 12 rgba16ui 2d 4x2
// image 13 r32i 2d 4x2
// expect 7 u8: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// expect 8 f32: definition
// expect 9 u32: 20 18 16 14 12 10 8 6
// expect 10 f16: definition
// expect 11 i8: 12 11 14 13 8 7 10 9 4 3 6 5 0 -1 2 1 -4 -5 -2 -3 -8 -9 -6 -7 -12 -13 -10 -11 -16 -17 -14 -15
// expect 12 u16: 59 61 63 65 51 53 55 57 43 45 47 49 35 37 39 41 27 29 31 33 19 21 23 25 11 13 15 17 3 5 7 9
// expect 13 i32: -14 -12 -10 -8 -6 -4 -2 0
#version 460
layout(local_size_x = 4, local_size_y = 2) in;
layout(binding = 0, rgba8) uniform readonly image2D a0;
layout(binding = 1, rgba32f) uniform readonly image2D a1;
layout(binding = 2, r32ui) uniform readonly uimage2D a2;
layout(binding = 3, rgba16f) uniform readonly image2D a3;
layout(binding = 4, rgba8i) uniform readonly iimage2D a4;
layout(binding = 5, rgba16ui) uniform readonly uimage2D a5;
layout(binding = 6, r32i) uniform readonly iimage2D a6;
layout(binding = 7, rgba8) uniform writeonly image2D b0;
layout(binding = 8, rgba32f) uniform writeonly image2D b1;
layout(binding = 9, r32ui) uniform writeonly uimage2D b2;
layout(binding = 10, rgba16f) uniform writeonly image2D b3;
layout(binding = 11, rgba8i) uniform writeonly iimage2D b4;
layout(binding = 12, rgba16ui) uniform writeonly uimage2D b5;
layout(binding = 13, r32i) uniform writeonly iimage2D b6;
void main() {
  ivec2 p = ivec2(gl_LocalInvocationID.xy), q = ivec2(3 - p.x, 1 - p.y);
  imageStore(b0, p, imageLoad(a0, q).wzyx);
  imageStore(b1, p, imageLoad(a1, q) + 0.5 + imageLoad(a3, p));
  imageStore(b2, p, imageLoad(a2, q) * 3 + uint(imageLoad(a6, p).x));
  imageStore(b3, p, imageLoad(a3, q) * 2 + imageLoad(a1, p) * 0.125);
  imageStore(b4, p, imageLoad(a4, q).yxwz - 1);
  imageStore(b5, p, imageLoad(a5, q) * 2 + 1);
  imageStore(b6, p, imageLoad(a6, q) - int(imageLoad(a2, p).x) + imageLoad(a4, p).x);
}
