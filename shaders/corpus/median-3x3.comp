// Median filter 3x3 of bytes in an image by a sorting network of 19 exchanges.
// small: --groups 2,2 --image photo=u8:noise:289:r8ui:17x17 --image median=zeros:r8ui:17x17
// large: --groups 64,64 --image photo=u8:noise:1048576:r8ui:1024x1024 --image median=zeros:r8ui:1024x1024
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0, r8ui) uniform readonly uimage2D photo;
layout(binding = 1, r8ui) uniform writeonly uimage2D median;
#define s2(a, b) { uint t = a; a = min(a, b); b = max(t, b); }
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = imageSize(photo) - 1;
  if (p.x > last.x || p.y > last.y) return;
  uint v[9];
  for (int i = 0; i < 9; i++) v[i] = imageLoad(photo, clamp(p + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), last)).r;
  s2(v[1], v[2]) s2(v[4], v[5]) s2(v[7], v[8]) s2(v[0], v[1]) s2(v[3], v[4]) s2(v[6], v[7]) s2(v[1], v[2]) s2(v[4], v[5])
  s2(v[7], v[8]) s2(v[0], v[3]) s2(v[5], v[8]) s2(v[4], v[7]) s2(v[3], v[6]) s2(v[1], v[4]) s2(v[2], v[5]) s2(v[4], v[7])
  s2(v[4], v[2]) s2(v[6], v[4]) s2(v[4], v[2])
  imageStore(median, p, uvec4(v[4]));
}
