// The texels of the exact energy pyramids (docs/contracts.md, 6). A texel is one word, its four 8-bit codes. Every level is rounded to
// codes, so the result depends neither on the dispatch plan nor on the order of additions. A mean of 2x2 codes is computed from sums in the
// two halves of a word. The tables in the binding "Curve" convert sRGB, not the device's own conversion.
#include "pyramid.glsl"
#include "wide.glsl"

#define VALUE uint
#define WAITING uint
#define TAP uint
#define STORE(l, at, value) imageStore(levels[l], ivec2(at), uvec4(value))

const uint kMean = 0u;
const uint kMin = 1u;
const uint kMax = 2u;
layout(constant_id = 0) const uint kReduction = kMean;

// `source` is the level that is read. Levels 1 to 6 are those above it. All are viewed as R32_UINT.
layout(set = 0, binding = 0, r32ui) uniform writeonly restrict uimage2D levels[7];
layout(set = 0, binding = 2) uniform usampler2D source;
// The light of each code, in units of 2^-24 of full light, and for each k the least light that is stored as the code k + 1.
layout(set = 0, binding = 1) restrict readonly buffer Curve {
  uint decode[256];
  uint threshold[255];
} curve;

uint packed(uvec4 codes) { return codes.r | codes.g << 8 | codes.b << 16 | codes.a << 24; }
uvec4 unpacked(uint word) { return uvec4(word, word >> 8, word >> 16, word >> 24) & 255u; }

uint readBase(uvec2 at) { return texelFetch(source, ivec2(at), 0).x; }

struct Quad {
  uint a, b, c, d;
};
// The coordinate is the corner that the four texels share, so rounding it cannot select another four.
Quad readQuad(uvec2 at) {
  uvec4 words = textureGather(source, vec2(2u * at + 1u) / vec2(push.size));
  return Quad(words.x, words.y, words.z, words.w);
}
uint keep(uint word) { return word; }
uint kept(uint word) { return word; }

// The values that are averaged: light where codes are sRGB, else the codes.
uvec4 lightOf(uint word) {
  uvec4 codes = unpacked(word);
  if (!kSrgb) return codes;
  return uvec4(curve.decode[codes.r], curve.decode[codes.g], curve.decode[codes.b], codes.a);
}

// The number of thresholds that are at most sum / divisor.
uint srgbCode(uvec2 sum, uint divisor) {
  uint code = 0u;
  for (uint bit = 128u; bit > 0u; bit >>= 1)
    if (wideAtMost(wideProduct(curve.threshold[code + bit - 1u], divisor), sum)) code += bit;
  return code;
}

// The same where the products of the divisor and light fit 32 bits.
uint narrowSrgbCode(uint sum, uint divisor) {
  uint code = 0u;
  for (uint bit = 128u; bit > 0u; bit >>= 1)
    if (divisor * curve.threshold[code + bit - 1u] <= sum) code += bit;
  return code;
}

uint extremeOf(uint first, uint second) {
  uvec4 a = unpacked(first), b = unpacked(second);
  return packed(kReduction == kMin ? min(a, b) : max(a, b));
}

uint reduceQuad(uint a, uint b, uint c, uint d) {
  if (kReduction != kMean) return extremeOf(extremeOf(a, b), extremeOf(c, d));
  if (kSrgb) {
    uvec4 sum = lightOf(a) + lightOf(b) + lightOf(c) + lightOf(d);
    return packed(uvec4(narrowSrgbCode(sum.r, 4u), narrowSrgbCode(sum.g, 4u), narrowSrgbCode(sum.b, 4u), (sum.a + 2u) >> 2));
  }
  const uint kHalves = 0x00ff00ffu;
  uint even = (a & kHalves) + (b & kHalves) + (c & kHalves) + (d & kHalves) + 0x00020002u;
  uint odd = (a >> 8 & kHalves) + (b >> 8 & kHalves) + (c >> 8 & kHalves) + (d >> 8 & kHalves) + 0x00020002u;
  return (even >> 2 & kHalves) | (odd >> 2 & kHalves) << 8;
}

uint meanOf(Quad q) { return reduceQuad(q.a, q.b, q.c, q.d); }
