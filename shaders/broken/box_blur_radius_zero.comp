// broken/box-blur-radius-zero: the sum begins with r + 1 times the first texel and the r - 1 texels after it. The first iteration adds the
// r-th (B8). For radius 0 that is the first texel again, counted twice.
// Smallest: 1x1, radius 0, [49]: 196 instead of 49, doubled in both passes.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "box_blur.glsl"

void main() {
  int line = int(gl_GlobalInvocationID.x);
  if (line >= lineCount()) return;
  SUM sum = readTexel(line, 0) * uint(push.radius + 1);
  for (int i = 1; i < push.radius; ++i) sum += readTexel(line, i);
  SUM leaving = SUM(0);
  for (int i = 0; i < lineLength(); ++i) {
    sum += readTexel(line, i + push.radius) - leaving;  // the defect: with radius 0 the first texel is in the sum already
    writeMean(texelAt(line, i), sum);
    leaving = readTexel(line, i - push.radius);
  }
}
