// box-blur/*/linear and linear-f32: taps two at a time through the sampler's linear filter, one invocation a texel. A sample at the edge
// between two texels is their mean, at a corner that of four: a line of 2r + 1 texels takes r samples at edges and one at the centre of the
// texel that is left, the whole window (r + 1)^2.
//
// Coordinates are unnormalized: u is in texels, u - 1/2 a multiple of 1/2 that a float holds exactly, so the filter's weight is exactly 1/2
// (or 0 at a centre) with any number of sub-texel bits, rounded or cut. The edges are the sampler's: clamped, or a border of zeros.
//
// SUMS_U32, exact: the picture holds the codes 0 to 255 as floats or halves. The mean of two or four of them is a multiple of 1/4 below 256:
// ten bits, which every rounding keeps. Times the number of texels it is their sum.
// SUMS_F32: the picture holds 0 to 1; each sample counts as often as it has texels; the sum is divided by the number of all.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(constant_id = 1) const bool kVertical = false;  // of a pass
layout(constant_id = 4) const bool kCodes = true;      // the target holds multiples of 1/255
layout(constant_id = 5) const bool kOnePass = false;   // the window at once

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

// Sample m of the r + 1 of a line that begins with texel `first`: where it lies, and how many texels it is the mean of.
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
