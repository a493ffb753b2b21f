// Four bytes an invocation, each its own access.
#version 460
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer S { uint8_t source[]; };
layout(binding = 1) writeonly buffer R { uint8_t result[]; };
void main() {
  const uint first = gl_GlobalInvocationID.x * 4;
  for (uint k = 0; k < 4; ++k) result[first + k] = uint8_t(uint(source[first + k]) / 2 + 16);
}
