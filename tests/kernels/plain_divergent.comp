// Loops of different length, and no memory but for the result.
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 1) writeonly buffer R { uint result[]; };
void main() {
  const vec2 c = vec2(gl_GlobalInvocationID.xy) / 128 - vec2(2, 1);
  vec2 z = vec2(0);
  uint turn = 0;
  for (; turn < 64 && dot(z, z) < 4; ++turn) z = vec2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
  result[gl_GlobalInvocationID.y * 512 + gl_GlobalInvocationID.x] = turn;
}
