// broken/box-blur-remainder-x4: the accumulated blur, four texels per iteration, with the published defect of its remainder loop (B2):
// there the window moves by the offsets of the last texel of a full iteration. Wrong exactly where the length of a line is 2 or 3 modulo 4.
// Smallest: 2x1, radius 1, clamp, [255, 0]: texel 1 is 170 instead of 85.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "box_blur.glsl"

const int kUnroll = 4;

void main() {
  int line = int(gl_GlobalInvocationID.x);
  if (line >= lineCount()) return;
  uvec4 sum = windowAt(line, 0);
  int i = 0;
  for (; i + kUnroll <= lineLength(); i += kUnroll) {
    for (int j = i; j < i + kUnroll; ++j) {
      writeMean(texelAt(line, j), sum);
      sum += readTexel(line, j + push.radius + 1) - readTexel(line, j - push.radius);
    }
  }
  for (; i < lineLength(); ++i) {
    writeMean(texelAt(line, i), sum);
    int last = i + kUnroll - 1;  // the defect: the window that moves is the one around i
    sum += readTexel(line, last + push.radius + 1) - readTexel(line, last - push.radius);
  }
}
