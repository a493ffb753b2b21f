// box-blur/double/naive: one invocation a texel sums its 2r+1 taps along the pass's direction.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  int line = kVertical ? at.x : at.y;
  int here = kVertical ? at.y : at.x;
  uvec4 sum = uvec4(0u);
  for (int i = -push.radius; i <= push.radius; ++i) sum += readTexel(line, here + i);
  writeMean(line, here, sum);
}
