// box-blur/double/naive, and the two passes of box-blur/single/two-pass: one invocation per texel adds up its 2r + 1 taps along the
// direction of the pass.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(local_size_x_id = 2, local_size_y_id = 3) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  writeMean(at, kVertical ? windowAt(at.x, at.y) : windowAt(at.y, at.x));
}
