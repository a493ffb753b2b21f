// broken/box-blur-endless: the loop over the taps of a row tests y and increments x (B6). Where y lies before the end of the taps it never
// ends. Elsewhere it takes no tap at all.
// Smallest: 1x1, radius 1.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  ivec2 tap = kVertical ? ivec2(at.x, at.y - push.radius) : at - push.radius;
  int end = (kVertical ? at.y : at.x) + push.radius;
  SUM sum = SUM(0);
  while (tap.y <= end) {
    sum += fetchTexel(clamp(tap, ivec2(0), push.size - 1));
    if (kVertical) ++tap.y;
    else ++tap.x;  // the defect: the condition above is on tap.y
  }
  writeMean(at, sum);
}
