// -- atomics on texels of every shape, of several layers and slices, signed and unsigned, out of range, with one texel for many lanes
// image 0 r32ui 2d 4x2 u32: 8*100
// image 1 r32i 1d 4x1 i32: 5 -5 7 -7
// image 2 r32ui 3d 2x2x2 u32: 8*0
// image 3 r32ui 2d 2x1 layers 2 u32: 1 2 3 4
// image 4 r32i cube 1x1 i32: 6*-1
// buffer 5 poison: 256
// expect 0 u32: 212 220 228 236 468 476 484 492
// expect 1 i32: 10 11 -38 -37
// expect 2 u32: 0 1 2 3 4 5 6 7
// expect 3 u32: 1 2 3 4
// expect 4 i32: 56 57 58 59 60 61
// expect 5 u32: 8*255 1 2 4294967256 4294967257 52*0
// finding out of range (texel): OpAtomicIAdd of 'plane[0,2]', outside of 4x2x1
// finding out of range (texel): OpAtomicXor of 'layers[0,0,2]', outside of 2x1x2
// finding out of range (texel): OpAtomicSMax of 'cube[0,0,6]', outside of 1x1x6
#version 460
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimage2D plane;
layout(binding = 1, r32i) uniform iimage1D row;
layout(binding = 2, r32ui) uniform uimage3D volume;
layout(binding = 3, r32ui) uniform uimage2DArray layers;
layout(binding = 4, r32i) uniform iimageCube cube;
layout(binding = 5) buffer B { uint o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  imageAtomicAdd(plane, ivec2(l & 3, l >> 5), uint(l));
  imageAtomicAdd(plane, ivec2(l & 3, 2), 1u);
  imageAtomicMin(row, ivec2(l & 3, 0).x, l - 40);
  imageAtomicOr(volume, ivec3(l & 1, (l >> 1) & 1, (l >> 2) & 1), 1u << (l >> 3));
  imageAtomicXor(layers, ivec3(l & 1, 0, (l >> 1) & 3), uint(l));
  imageAtomicMax(cube, ivec3(0, 0, l & 7), l);
  barrier();
  memoryBarrierImage();
  o[l] = l < 8 ? imageAtomicCompSwap(volume, ivec3(l & 1, (l >> 1) & 1, (l >> 2) & 1), 0xffu, uint(l)) : l < 10 ? imageAtomicAnd(layers, ivec3(l & 1, 0, 0), 0xfu) : l < 12 ? uint(imageAtomicExchange(row, l - 10, l)) : 0u;
}
