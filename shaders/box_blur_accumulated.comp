// box-blur/double/accumulated-x1: one invocation walks a row or a column and keeps the window's sum, two reads a texel.
// Groups of 64: at 1024x1024 the model takes 54 ms with them, 66 with 32, 55 with 128; lavapipe and SwiftShader do not care.
// Unsigned sums may pass below zero between the two updates: they wrap, and the total is right again.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "box_blur.glsl"

void main() {
  int line = int(gl_GlobalInvocationID.x);
  if (line >= lineCount()) return;
  uvec4 sum = firstWindow(line);
  for (int i = 0; i < lineLength(); ++i) {
    writeMean(line, i, sum);
    sum += readTexel(line, i + push.radius + 1) - readTexel(line, i - push.radius);
  }
}
