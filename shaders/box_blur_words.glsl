// What the two passes of box-blur/double/scan-slide share. A texel is a word of four codes. Two channels share a word of sums, 16 bits
// each. A sum over more texels than a window carries from the lower into the upper half and wraps, but the difference of two is right
// modulo 2^32. The sum of a window fits 16 bits for radii up to 128.
//
// A mean is floor((2s + k) / 2k) = floor((s + r) / k), k = 2r + 1. With factor = ceil(2^24 / k) it is the highest byte of (s + r) * factor:
// factor * k is greater than 2^24 by less than k. For radii up to 127, (s + r) * k is below 2^24 and the product below 2^32.
#extension GL_EXT_samplerless_texture_functions : require
#include "edges.glsl"

layout(set = 0, binding = 0) uniform utexture2D source;  // both pictures are viewed as R32_UINT
layout(set = 0, binding = 1, r32ui) uniform writeonly restrict uimage2D target;

layout(push_constant) uniform Push {
  ivec2 size;  // of both pictures, in texels
  int radius;
  int segment;  // rows that an invocation handles
  uint divisor;
  uint factor;
  uint bias;  // radius * factor
} push;

uvec2 pairsOf(uint word) { return uvec2(word, word >> 8) & 0x00ff00ffu; }

uint meansOf(uvec2 sums) {
  uvec2 low = (sums & 0xffffu) * push.factor + push.bias, high = (sums >> 16) * push.factor + push.bias;
  return low.x >> 24 | (low.y >> 24) << 8 | (high.x >> 24) << 16 | (high.y >> 24) << 24;
}

// The texel at a position of a row or a column. The position may lie outside of the picture.
uint readRow(int x, int y) {
  int inside = edgeIndex(x, push.size.x);
  if (kEdge == kZero && inside < 0) return 0u;
  return texelFetch(source, ivec2(inside, y), 0).x;
}

uint readColumn(int x, int y) {
  int inside = edgeIndex(y, push.size.y);
  if (kEdge == kZero && inside < 0) return 0u;
  return texelFetch(source, ivec2(x, inside), 0).x;
}
