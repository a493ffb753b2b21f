// What the exact energy pyramids share (golden's "energy": contracts, 6): how texels of one level become one of the next.
//
// A texel travels as a word, its four 8-bit codes; every level is rounded to codes, so the result depends neither on the schedule nor on
// the order of anything. Means of 2x2 codes are sums in two halves of a word; windows of an odd side (up to 3x3) are weighted sums, in 64
// bits where 32 do not hold them. sRGB: channels 0 to 2 go through the tables of the binding "Curve", channel 3 does not.
#include "wide.glsl"

const uint kMean = 0u;
const uint kMin = 1u;
const uint kMax = 2u;
layout(constant_id = 0) const uint kReduction = kMean;
layout(constant_id = 1) const bool kSrgb = false;
layout(constant_id = 2) const uint kLevels = 1u;  // that a dispatch makes

// The level that is read, and those that are written.
layout(set = 0, binding = 0, rgba8ui) uniform restrict uimage2D levels[7];
// Units of 2^-24 of full light for each code, and the units from which on a light is stored as the code k + 1.
layout(set = 0, binding = 1) restrict readonly buffer Curve {
  uint decode[256];
  uint threshold[255];
} curve;
layout(push_constant) uniform Push {
  uvec2 size;  // of the level that is read
  uint tiles;  // that the dispatch has work for; it may have more groups
} push;

// Groups are counted along x, then y: a dispatch may need more than an axis takes.
uint groupHere() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uint packed(uvec4 codes) { return codes.r | codes.g << 8 | codes.b << 16 | codes.a << 24; }
uvec4 unpacked(uint word) { return uvec4(word, word >> 8, word >> 16, word >> 24) & 255u; }

uint readBase(uvec2 at) { return packed(imageLoad(levels[0], ivec2(at))); }

// The codes as what is averaged, and back: the code of sum / divisor.
uvec4 lightOf(uint word) {
  uvec4 codes = unpacked(word);
  if (!kSrgb) return codes;
  return uvec4(curve.decode[codes.r], curve.decode[codes.g], curve.decode[codes.b], codes.a);
}

// How many thresholds are at most sum / divisor.
uint srgbCode(uvec2 sum, uint divisor) {
  uint code = 0u;
  for (uint bit = 128u; bit > 0u; bit >>= 1)
    if (wideAtMost(wideProduct(curve.threshold[code + bit - 1u], divisor), sum)) code += bit;
  return code;
}

// The same where four times a threshold and the sum fit 32 bits.
uint srgbCodeOfFour(uint sum) {
  uint code = 0u;
  for (uint bit = 128u; bit > 0u; bit >>= 1)
    if (4u * curve.threshold[code + bit - 1u] <= sum) code += bit;
  return code;
}

uint extremeOf(uvec4 quad) {
  uvec4 a = unpacked(quad.x), b = unpacked(quad.y), c = unpacked(quad.z), d = unpacked(quad.w);
  return packed(kReduction == kMin ? min(min(a, b), min(c, d)) : max(max(a, b), max(c, d)));
}

// One texel from four of equal weight.
uint reduceQuad(uvec4 quad) {
  if (kReduction != kMean) return extremeOf(quad);
  if (kSrgb) {
    uvec4 sum = lightOf(quad.x) + lightOf(quad.y) + lightOf(quad.z) + lightOf(quad.w);
    return packed(uvec4(srgbCodeOfFour(sum.r), srgbCodeOfFour(sum.g), srgbCodeOfFour(sum.b), (sum.a + 2u) >> 2));
  }
  uvec4 even = quad & 0x00ff00ffu, odd = (quad >> 8) & 0x00ff00ffu;
  uint low = (even.x + even.y + even.z + even.w + 0x00020002u) >> 2, high = (odd.x + odd.y + odd.z + odd.w + 0x00020002u) >> 2;
  return (low & 0x00ff00ffu) | (high & 0x00ff00ffu) << 8;
}
