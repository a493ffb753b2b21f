// broken/box-blur-wrap: a position left of the picture is computed in unsigned integers, wraps, and is clamped to the opposite edge (B1).
// Wrong for every texel nearer than the radius to the left or upper edge, unless both edges look alike.
// Smallest: 2x1, radius 1, clamp, [255, 0]: texel 0 is 85 instead of 170.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  uint here = kVertical ? at.y : at.x, last = uint(lineLength()) - 1u;
  SUM sum = SUM(0);
  for (int offset = -push.radius; offset <= push.radius; ++offset) {
    int i = int(min(here + uint(offset), last));  // the defect: below 0 this is a huge number
    sum += fetchTexel(kVertical ? ivec2(at.x, i) : ivec2(i, at.y));
  }
  writeMean(at, sum);
}
