// What every exact double-pass box blur shares: the pictures, the direction of a pass, reading along it, and the one rounding.
// A pass computes T = floor((2 * sum + k) / (2k)) with k = 2 * radius + 1 along each line; k is odd, so there is never a tie.
#include "edges.glsl"

// false: along rows, a line is a row; true: along columns, a line is a column.
layout(constant_id = 1) const bool kVertical = false;

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1, rgba8ui) uniform writeonly restrict uimage2D target;
layout(push_constant) uniform Push {
  ivec2 size;  // of both pictures, in texels
  int radius;
} push;

int lineCount() { return kVertical ? push.size.x : push.size.y; }
int lineLength() { return kVertical ? push.size.y : push.size.x; }

ivec2 texelAt(int line, int i) { return kVertical ? ivec2(line, i) : ivec2(i, line); }

// The texel that stands at position i of a line, which may lie outside.
uvec4 readTexel(int line, int i) {
  int inside = edgeIndex(i, lineLength());
  if (kEdge == kZero && inside < 0) return uvec4(0u);
  return imageLoad(source, texelAt(line, inside));
}

// The sum of the window around position 0.
uvec4 firstWindow(int line) {
  uvec4 sum = uvec4(0u);
  for (int i = -push.radius; i <= push.radius; ++i) sum += readTexel(line, i);
  return sum;
}

void writeMean(int line, int i, uvec4 sum) {
  uint k = 2u * uint(push.radius) + 1u;
  imageStore(target, texelAt(line, i), (2u * sum + k) / (2u * k));
}
