// image 0 r32ui 1d 8 u32: 1..8
// image 1 r32ui 2d 2x2 layers 3 u32: 10..21
// image 2 r32ui 3d 2x2x3 u32: 30..41
// image 3 r32ui 2d 2x2 layers 6 u32: 50..73
// image 4 r32ui 1d 4 layers 3 u32: 80..91
// buffer 5 poison: 128
// -- of each shape a texel, the size, a texel outside (0), stores inside and outside, and atomics
// expect 0 u32: 6 0 11 2 5 6 7 99
// expect 1 u32: 10 11 12 13 14 15 98 17 18 19 20 1000
// expect 2 u32: 31 31 32 33 34 97 36 37 38 39 40 41
// expect 3 u32: 50 51 52 53 7 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 96 73
// expect 4 u32: 80 81 82 83 84 85 86 87 167 89 90 95
// expect 5 u32: 6 19 40 69 86 8 223 223 22 43 0 0 0 0 0 0 1 21 30 54 88 2 3 4 0 0 0 0 0 0 0 0
// finding out of range (texel): OpImageRead of 'a[8]', outside of 8x1x1, invocation 0,0,0 of dispatch 0 (6 times)
// finding out of range (texel): OpImageWrite of 'a[8]', outside of 8x1x1, invocation 0,0,0 of dispatch 0 (4 times)
#version 460
layout(local_size_x = 1) in;
layout(binding = 0, r32ui) uniform uimage1D a;
layout(binding = 1, r32ui) uniform uimage2DArray b;
layout(binding = 2, r32ui) uniform uimage3D c;
layout(binding = 3, r32ui) uniform uimageCube d;
layout(binding = 4, r32ui) uniform uimage1DArray e;
layout(binding = 5) buffer B { uint o[]; };
void main() {
  o[0] = imageLoad(a, 5).x; o[1] = imageLoad(b, ivec3(1, 0, 2)).x; o[2] = imageLoad(c, ivec3(0, 1, 2)).x; o[3] = imageLoad(d, ivec3(1, 1, 4)).x; o[4] = imageLoad(e, ivec2(2, 1)).x;
  o[5] = imageSize(a); ivec3 s = imageSize(b); o[6] = s.x * 100 + s.y * 10 + s.z; s = imageSize(c); o[7] = s.x * 100 + s.y * 10 + s.z;
  ivec2 t = imageSize(d); o[8] = t.x * 10 + t.y; t = imageSize(e); o[9] = t.x * 10 + t.y;
  o[10] = imageLoad(a, 8).x; o[11] = imageLoad(a, -1).x; o[12] = imageLoad(b, ivec3(0, 0, 3)).x; o[13] = imageLoad(c, ivec3(0, 2, 0)).x; o[14] = imageLoad(d, ivec3(0, 0, 6)).x; o[15] = imageLoad(e, ivec2(0, -1)).x;
  imageStore(a, 7, uvec4(99)); imageStore(b, ivec3(0, 1, 1), uvec4(98)); imageStore(c, ivec3(1, 0, 1), uvec4(97)); imageStore(d, ivec3(0, 1, 5), uvec4(96)); imageStore(e, ivec2(3, 2), uvec4(95));
  imageStore(a, 8, uvec4(1)); imageStore(b, ivec3(2, 0, 0), uvec4(1)); imageStore(c, ivec3(0, 0, 3), uvec4(1)); imageStore(e, ivec2(4, 0), uvec4(1));
  o[16] = imageAtomicAdd(a, 0, 5u); o[17] = imageAtomicMax(b, ivec3(1, 1, 2), 1000u); o[18] = imageAtomicCompSwap(c, ivec3(0, 0, 0), 30u, 31u); o[19] = imageAtomicExchange(d, ivec3(0, 0, 1), 7u);
  o[20] = imageAtomicXor(e, ivec2(0, 2), 0xffu); o[21] = imageAtomicAnd(a, 1, 1u); o[22] = imageAtomicOr(a, 2, 8u); o[23] = imageAtomicMin(a, 3, 2u);
  for (int i = 24; i < 32; ++i) o[i] = 0;
}
