// box-blur/*/linear and linear-f32: one invocation per texel reads taps two at a time through the sampler's linear filter. A sample at the
// edge between two texels is their mean, at a corner the mean of four. A line of 2r + 1 texels takes r samples at edges and one at the
// centre of the texel that is left. The whole window takes (r + 1)^2.
//
// Coordinates are unnormalized: u is in texels. u - 1/2 is a multiple of 1/2, which a float holds exactly. So the weight is exactly 1/2 (or
// 0 at a centre) with any number of sub-texel bits, rounded or truncated. The sampler handles the edges: clamped, or a border of zeros.
//
// SUMS_U32, exact: the picture holds the codes 0 to 255 as floats or halves. The mean of two or four of them is a multiple of 1/4 below
// 256: ten bits, which every rounding keeps. Multiplied by the number of texels it is their sum.
// SUMS_F32: the picture holds 0 to 1. A sample is multiplied by its number of texels, and the sum is divided by the number of all.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(constant_id = 1) const bool kVertical = false;  // the direction of a pass
layout(constant_id = 4) const bool kCodes = true;      // the target holds multiples of 1/255
layout(constant_id = 5) const bool kOnePass = false;   // the whole window in one pass

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform writeonly restrict image2D target;

// As in box_blur.glsl.
layout(push_constant) uniform Push {
  ivec2 size;
  int radius;
  int segment;
  uint divisor;
  uint factor;
  uint shift;
} push;

#ifdef SUMS_U32
#define SUM uvec4
SUM summed(vec4 mean, float texels) { return uvec4(texels * mean + 0.5); }

vec4 meanOf(SUM sum) {
  uvec4 high, low;
  umulExtended(2u * sum + push.divisor, uvec4(push.factor), high, low);
  return vec4(high >> push.shift) * (kCodes ? 1.0 / 255.0 : 1.0);
}
#else
#define SUM vec4
SUM summed(vec4 mean, float texels) { return texels * mean; }

vec4 meanOf(SUM sum) {
  vec4 mean = sum / float(push.divisor);
  return kCodes ? floor(255.0 * clamp(mean, 0.0, 1.0) + 0.5) * (1.0 / 255.0) : mean;
}
#endif

// For sample m of the r + 1 samples of a line that begins with texel `first`: its position, and how many texels it averages.
float placeOf(int first, int m) { return float(first + 2 * m) + (m < push.radius ? 1.0 : 0.5); }
float texelsOf(int m) { return m < push.radius ? 2.0 : 1.0; }

SUM sampled(vec2 place, float texels) { return summed(textureLod(source, place, 0.0), texels); }

SUM rowSum(int first, float y, float rows) {
  SUM sum = SUM(0);
  for (int m = 0; m <= push.radius; ++m) sum += sampled(vec2(placeOf(first, m), y), rows * texelsOf(m));
  return sum;
}

SUM columnSum(float x, int first) {
  SUM sum = SUM(0);
  for (int m = 0; m <= push.radius; ++m) sum += sampled(vec2(x, placeOf(first, m)), texelsOf(m));
  return sum;
}

SUM windowSum(ivec2 first) {
  SUM sum = SUM(0);
  for (int m = 0; m <= push.radius; ++m) sum += rowSum(first.x, placeOf(first.y, m), texelsOf(m));
  return sum;
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy), first = at - push.radius;
  if (at.x >= push.size.x || at.y >= push.size.y) return;
  vec2 centre = vec2(at) + 0.5;
  SUM sum = kOnePass ? windowSum(first) : kVertical ? columnSum(centre.x, first.y) : rowSum(first.x, centre.y, 1.0);
  imageStore(target, at, meanOf(sum));
}
