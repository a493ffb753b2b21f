// broken/box-blur-centres: taps two at a time through a linear filter, but at texel centres, where nothing is mixed (B3). The samples, two
// texels apart, leave out every second texel. The last one, meant for a single texel, lies at an edge and mixes two.
// Smallest: 2x1, radius 1, clamp, [255, 0]: texel 0 is 191 instead of 170.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(constant_id = 1) const bool kVertical = false;
layout(constant_id = 4) const bool kCodes = true;
layout(set = 0, binding = 0) uniform sampler2D source;  // unnormalized coordinates
layout(set = 0, binding = 1) uniform writeonly restrict image2D target;
layout(push_constant) uniform Push {
  ivec2 size;
  int radius;
} push;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  int here = kVertical ? at.y : at.x;
  vec4 sum = vec4(0.0);
  for (int m = 0; m <= push.radius; ++m) {
    float along = m < push.radius ? float(here - push.radius + 2 * m) + 0.5 : float(here + push.radius);  // the defect: half a texel early
    sum += textureLod(source, kVertical ? vec2(float(at.x) + 0.5, along) : vec2(along, float(at.y) + 0.5), 0.0);
  }
  imageStore(target, at, floor(sum / float(push.radius + 1) + 0.5) * (kCodes ? 1.0 / 255.0 : 1.0));
}
