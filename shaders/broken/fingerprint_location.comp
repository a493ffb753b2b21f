// broken/fingerprint-location: the fingerprint histogram with the published location: two cells a side, or one where a side is 1, each W / 2
// or H / 2 texels. That is right only for even sides. kJoinedByOr: its parts are joined by OR, as the published CPU version does, instead
// of added.
// Smallest, 2x3, texel (0, 2): the location is 4 and carries into blue: bucket 4 or, with blue of 32..63, 8, instead of 2 or 6 (P1). White
// counts in bucket 2048 of 2048 (P2). OR gives bucket 4 for both (P3). 3x2, texel (2, 0): counts in the lower row's cell;
// 1x2: the lower texel in cell 1 instead of 2 (P4).
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"

layout(constant_id = 3) const bool kJoinedByOr = false;

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1) restrict buffer Histogram { uint counts[2048]; } histogram;

void main() {
  uvec2 at = texelHere();
  if (!isInside(at)) return;
  uvec4 texel = imageLoad(source, ivec2(at));
  uint colour = (texel.r >> 5) << 8 | (texel.g >> 5) << 5 | (texel.b >> 5) << 2;
  uvec2 cells = min(uvec2(2u), push.size), part = push.size / cells;
  uint location = at.y / part.y * cells.x + at.x / part.x;  // the defect: halves are rounded down
  atomicAdd(histogram.counts[kJoinedByOr ? colour | location : colour + location], 1u);
}
