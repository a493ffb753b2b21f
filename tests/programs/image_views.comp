// -- views: another format, one layer of many, some layers, a level of each, written through one and read through another
// image 0 rgba8ui 2d 4x2 layers 3 levels 2 u8: 0..119
// view 1 of 0
// view 1 format r32ui base-layer 2
// view 2 of 0
// view 2 format rgba8ui base-level 1 base-layer 1 layers 2
// view 3 of 0
// view 3 base-layer 1 layers 1 levels 1
// buffer 4 poison: 32
// expect 0 u8: 0..63 4 3 2 1 8 6 4 2 12 9 6 3 16 12 8 4 80..103 4*200 108..115 4*201
// expect 4 u32: 1397903616 1465275648 1532647680 1600019712 421 212 1 60
// finding out of range (texel): OpImageWrite of 'inner[0,0,2]', outside of 2x1x2
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4) in;
layout(binding = 0, rgba8ui) uniform readonly uimage2DArray whole;
layout(binding = 1, r32ui) uniform uimage2D words;
layout(binding = 2, rgba8ui) uniform writeonly uimage2DArray inner;
layout(binding = 3) uniform utexture2DArray one;
layout(binding = 4) buffer B { uint o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  o[l] = imageLoad(words, ivec2(l, 1)).x ^ imageLoad(whole, ivec3(l, 1, 2)).x;
  imageStore(words, ivec2(l, 0), uvec4(0x01020304u * uint(l + 1)));
  if (l < 2) imageStore(inner, ivec3(l, 0, l), uvec4(200 + l));
  imageStore(inner, ivec3(0, 0, 2 + l), uvec4(1));
  if (l == 0) { ivec3 s = textureSize(one, 0); o[4] = s.x * 100 + s.y * 10 + s.z; s = imageSize(inner); o[5] = s.x * 100 + s.y * 10 + s.z; o[6] = textureQueryLevels(one); }
  if (l == 1) o[7] = texelFetch(one, ivec3(3, 1, 0), 0).x;
}
