// Sixteen steps over a buffer that is both read and written.
#version 460
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) buffer R { uint result[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  result[i] = source[i];
  for (uint k = 0; k < 16; ++k) result[i] = result[i] * 3 + source[(i + k * 4096) % source.length()];
}
