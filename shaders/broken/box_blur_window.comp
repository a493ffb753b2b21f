// broken/box-blur-window: the accumulated blur of the published pseudo-code (B7). The window begins with 2r texels, and each texel leaves
// it one iteration too early, so it never has 2r + 1. The pass over columns begins with sums of the source instead of the first pass's
// result.
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
    sum += readTexel(line, i + push.radius) - readTexel(line, i - push.radius);  // and this one leaves an iteration too early
    writeMean(texelAt(line, i), sum);
  }
}
