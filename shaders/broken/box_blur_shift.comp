// broken/box-blur-shift: both coordinates of the first tap begin a radius before the texel, not the one along the pass alone (B5): the rows'
// pass reads the row r above, the columns' pass the column r to the left, and the picture moves by (r, r).
// Smallest: 1x2, radius 1, clamp, [255; 0]: texel (0, 0) is 255 instead of 170, because the rows' pass has read 255 for 0 below it.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  int line = (kVertical ? at.x : at.y) - push.radius;  // the defect: the line is the texel's own
  writeMean(at, windowAt(max(line, 0), kVertical ? at.y : at.x));
}
