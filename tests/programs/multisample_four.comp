// -- four samples a texel, filled before and read after the run: of one to sixteen bytes, in layers, normalised, fetched, written, atomic
// image 0 r32ui 2d 3x2 samples 4 u32: 0..23
// image 1 rgba8 2d 2x1 layers 2 samples 4 u8: 0..63
// image 2 rgba32ui 2d 1x1 samples 4 u32: 100..115
// image 3 r8ui 2d 3x1 samples 4 u8: 0..11
// image 4 rgba16 2d 1x2 samples 4 u16: 0..31
// buffer 5 poison: 64
// expect 0 u32: 1000 1 2 3 4 5 1001 7 8 9 10 18 1002 13 14 15 16 17 1003 19 20 21 22 23
// expect 1 u8: 0..63
// expect 2 u32: 100 101 102 103 104 105 106 107 9 8 7 6 112 113 114 115
// expect 3 u8: 0 1 2 3 4 5 6 77 8 9 10 11
// expect 4 u16: 0..31
// expect 5 u32: 0 6 12 18 13 46 63 4 115 11 21 3 2 4 5 8
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4) in;
layout(binding = 0, r32ui) uniform uimage2DMS words;
layout(binding = 1) uniform texture2DMSArray codes;
layout(binding = 2, rgba32ui) uniform uimage2DMS four;
layout(binding = 3, r8ui) uniform uimage2DMS bytes;
layout(binding = 4) uniform texture2DMS halves;
layout(binding = 5) buffer B { uint o[]; };
uint code(ivec3 at, int s, int c) { return uint(texelFetch(codes, at, s)[c] * 255.0 + 0.5); }
void main() {
  int l = int(gl_LocalInvocationIndex);
  o[l] = imageLoad(words, ivec2(0), l).x;
  if (l == 0) {
    o[4] = code(ivec3(1, 0, 0), 1, 1);
    o[5] = code(ivec3(1, 0, 1), 1, 2);
    o[6] = code(ivec3(1, 0, 1), 3, 3);
    o[7] = uint(imageSamples(words));
    o[8] = imageLoad(four, ivec2(0), 3).w;
    o[9] = imageLoad(bytes, ivec2(2, 0), 3).x;
    o[10] = uint(texelFetch(halves, ivec2(0, 1), 2).y * 65535.0 + 0.5);
    ivec2 size = imageSize(words);
    o[11] = uint(size.x);
    o[12] = uint(size.y);
    o[13] = uint(textureSamples(codes));
    o[14] = imageLoad(bytes, ivec2(2, 0), 1).x;
    o[15] = imageLoad(bytes, ivec2(2, 0), 2).x;
  }
  barrier();
  imageStore(words, ivec2(0), l, uvec4(1000 + l));
  if (l == 0) {
    imageAtomicAdd(words, ivec2(2, 1), 1, 7u);
    imageStore(four, ivec2(0), 2, uvec4(9, 8, 7, 6));
    imageStore(bytes, ivec2(1, 0), 2, uvec4(77));
  }
}
