#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint kEdge = 0;
layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1, rgba8ui) uniform writeonly restrict uimage2D target;
layout(push_constant) uniform Push { ivec2 size; int radius; } push;
int fold(int i, int n) {
  if (kEdge == 0u) return clamp(i, 0, n - 1);
  return i < 0 ? -1 - i : i;
}
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, push.size))) return;
  uint k = uint(2 * push.radius + 1);
  uvec4 sum = uvec4(0u);
  for (int i = -push.radius; i <= push.radius; ++i)
    sum += imageLoad(source, ivec2(fold(at.x + i, push.size.x), at.y));
  imageStore(target, at, (2u * sum + k) / (2u * k));
}
