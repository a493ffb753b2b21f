// broken/box-blur-edges: nearest samples at i / n, which is the edge between two texels and not a centre (B11). Where i / n * n is less
// than i in floats, texel i - 1 is read.
// Smallest: 22x1, radius 0: texel 13 is its left neighbour.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(constant_id = 1) const bool kVertical = false;
layout(constant_id = 4) const bool kCodes = true;
layout(set = 0, binding = 0) uniform sampler2D source;  // normalized coordinates
layout(set = 0, binding = 1) uniform writeonly restrict image2D target;
layout(push_constant) uniform Push {
  ivec2 size;
  int radius;
} push;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  vec4 sum = vec4(0.0);
  for (int i = -push.radius; i <= push.radius; ++i) {
    precise vec2 place = vec2(kVertical ? at + ivec2(0, i) : at + ivec2(i, 0)) / vec2(push.size);  // the defect: half a texel early
    sum += textureLod(source, place, 0.0);
  }
  imageStore(target, at, floor(sum / float(2 * push.radius + 1) + 0.5) * (kCodes ? 1.0 / 255.0 : 1.0));
}
