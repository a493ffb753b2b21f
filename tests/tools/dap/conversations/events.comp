#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { float data[4]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = data[i];
  float y = x / x;
  if (i > 1u) y = 3.0;
  debugPrintfEXT("y is %f", y);
  data[i] = y;
}
