// broken/box-blur-window: the accumulated blur of the published pseudo-code (B7): the window at first has 2r texels, and the texel that
// leaves it is the one that has just been in its middle's reach, so it never has 2r + 1. The columns begin with sums of the source instead
// of the rows' result.
// Smallest: 1x1, radius 1, clamp, [255]: 170 instead of 255.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "box_blur.glsl"

layout(set = 0, binding = 2) uniform utexture2D original;

void main() {
  int line = int(gl_GlobalInvocationID.x);
  if (line >= lineCount()) return;
  SUM sum = SUM(0);
  for (int i = -push.radius; i < push.radius; ++i)  // the defect: the window lacks its last texel
    sum += texelFetch(original, texelAt(line, max(edgeIndex(i, lineLength()), 0)), 0);
  for (int i = 0; i < lineLength(); ++i) {
    sum += readTexel(line, i + push.radius) - readTexel(line, i - push.radius);  // and this one leaves a turn too early
    writeMean(texelAt(line, i), sum);
  }
}
