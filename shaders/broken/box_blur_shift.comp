// broken/box-blur-shift: both coordinates of the first tap begin a radius before the texel, not only the one along the pass (B5). The pass
// over rows reads the row r above, the pass over columns the column r to the left. The picture moves by (r, r).
// Smallest: 1x2, radius 1, clamp, [255; 0]: texel (0, 0) is 255 instead of 170, because the first pass read 255 for the 0 below it.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  int line = (kVertical ? at.x : at.y) - push.radius;  // the defect: the line should be the texel's own
  writeMean(at, windowAt(max(line, 0), kVertical ? at.y : at.x));
}
