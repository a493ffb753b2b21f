// photo/bilinear: one texel of the scaled picture, read at (x + 1/2) * W / w - 1/2, a fraction with the denominator 2w. An axis has two taps
// with integer weights that sum to 2w, clamped at the edges. The result is rounded once. Sides are at most 16384, so positions fit 31 bits.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "wide.glsl"

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1, rgba8ui) uniform writeonly restrict uimage2D target;

// The two taps on one axis. The upper one has the weight `weight` of `unit`, the lower one the rest.
struct Sample {
  int lower, upper;
  uint weight, unit;
};

Sample sampleAt(uint x, uint from, uint to) {
  uint doubled = (2u * x + 1u) * from;  // (position + 1/2) * 2 * to
  uint unit = 2u * to;
  bool before = doubled < to;  // left of the first texel's centre, by less than one texel
  uint ahead = doubled + (before ? unit : 0u) - to;
  int lower = before ? -1 : int(ahead / unit);
  int last = int(from) - 1;
  return Sample(clamp(lower, 0, last), clamp(lower + 1, 0, last), ahead % unit, unit);
}

void main() {
  uvec2 at = texelHere();
  if (!isInside(at)) return;
  Sample x = sampleAt(at.x, push.from.x, push.size.x), y = sampleAt(at.y, push.from.y, push.size.y);
  uvec4 above = (x.unit - x.weight) * imageLoad(source, ivec2(x.lower, y.lower)) + x.weight * imageLoad(source, ivec2(x.upper, y.lower));
  uvec4 below = (x.unit - x.weight) * imageLoad(source, ivec2(x.lower, y.upper)) + x.weight * imageLoad(source, ivec2(x.upper, y.upper));
  uvec2 divisor = wideProduct(x.unit, y.unit);
  uvec4 mean;
  for (int c = 0; c < 4; ++c)
    mean[c] = wideRoundedCode(wideAdd(wideProduct(y.unit - y.weight, above[c]), wideProduct(y.weight, below[c])), divisor);
  imageStore(target, ivec2(at), mean);
}
