// box-blur/single/naive: one invocation a texel, one pass over its (2r+1) x (2r+1) taps, one rounding.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(local_size_x_id = 2, local_size_y_id = 3) in;

#include "box_blur.glsl"

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  SUM sum = SUM(0);
  for (int y = at.y - push.radius; y <= at.y + push.radius; ++y) {
    int row = edgeIndex(y, push.size.y);
    if (kEdge == kZero && row < 0) continue;
    sum += windowAt(row, at.x);
  }
  writeMean(at, sum);
}
