// Reads texels inside, outside, clamped, scattered and at one place, and stores them as bits and as texels; some lanes do not store, some
// several times to one texel. The test gives other formats of the same kind (images_test.cpp).
#version 450
layout(local_size_x = WIDE, local_size_y = HIGH) in;
layout(binding = 0, FROM) uniform readonly IMAGE from;
layout(binding = 1, INTO) uniform writeonly IMAGE into;
layout(binding = 2) buffer Bits { uvec4 bits[]; };
uvec4 bitsOf(vec4 v) { return floatBitsToUint(v); }
uvec4 bitsOf(uvec4 v) { return v; }
uvec4 bitsOf(ivec4 v) { return uvec4(v); }
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(from);
  uint at = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * (WIDE * HIGH) + gl_LocalInvocationIndex;
  bits[at * 6] = bitsOf(imageLoad(from, p));
  bits[at * 6 + 1] = bitsOf(imageLoad(from, p + ivec2(-3, 2)));
  bits[at * 6 + 2] = bitsOf(imageLoad(from, clamp(p + ivec2(2, -1), ivec2(0), size - 1)));
  bits[at * 6 + 3] = bitsOf(imageLoad(from, ivec2(p.y * 5 % max(size.x, 1), p.x * 3 % max(size.y, 1))));
  bits[at * 6 + 4] = bitsOf(imageLoad(from, ivec2(gl_WorkGroupID.xy) * 7));
  bits[at * 6 + 5] = uvec4(size, imageSize(into));
  imageStore(into, p + ivec2(1, 0), imageLoad(from, p));
  if (p.x % 3 == 1) imageStore(into, ivec2(p.x / 4, p.y + 1), imageLoad(from, p.yx));
}
