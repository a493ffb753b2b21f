// broken/box-blur-count-divisor: the means of taps two at a time, and their sum divided by the number of samples (B4). So the last tap, a
// sample of its own, weighs as much as a pair. Here the pairs are averaged in integers, so that only the divisor is wrong.
// Smallest: 2x1, radius 1, clamp, [255, 0]: texel 0 is 128 instead of 170.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  int line = kVertical ? at.x : at.y, here = kVertical ? at.y : at.x;
  SUM twice = SUM(0);  // each sample counts double
  uint count = 0u;
  int i = here - push.radius;
  for (; i < here + push.radius; i += 2, ++count) twice += readTexel(line, i) + readTexel(line, i + 1);
  twice += 2u * readTexel(line, i);
  ++count;
  imageStore(target, at, (twice + count) / (2u * count));  // the defect: the divisor is 2r + 1 where each tap weighs one
}
