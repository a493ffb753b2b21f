// One direction of a box blur of RGBA8 packed in uint, every tap clamped to the row.
// small: --groups 2,9 --push i32:40,9,3 --buffer Src=u32:noise:360 --out Dst=-:1440
// large: --groups 16,512 --push i32:512,512,15 --buffer Src=u32:noise:262144 --out Dst=-:1048576
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Src { uint src[]; };
layout(binding = 1) writeonly buffer Dst { uint dst[]; };
layout(push_constant) uniform Params { int w, h, r; };
uvec4 unpack(uint c) { return uvec4(c, c >> 8, c >> 16, c >> 24) & 255u; }
uint pack(uvec4 c) { return c.x | c.y << 8 | c.z << 16 | c.w << 24; }
void main() {
  int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
  if (x >= w) return;
  uvec4 acc = uvec4(0);
  for (int d = -r; d <= r; d++) acc += unpack(src[y * w + clamp(x + d, 0, w - 1)]);
  uint n = uint(2 * r + 1);
  dst[y * w + x] = pack((acc + n / 2u) / n);
}
