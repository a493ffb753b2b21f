// A box of five by five words of a storage buffer, which is 512 wide.
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy), last = ivec2(512, gl_NumWorkGroups.y * 16) - 1;
  uint sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
      const ivec2 p = clamp(at + ivec2(x, y), ivec2(0), last);
      sum += source[p.y * 512 + p.x] & 0xff;
    }
  result[at.y * 512 + at.x] = (sum + 12) / 25;
}
