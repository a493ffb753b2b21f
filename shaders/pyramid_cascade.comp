// pyramid/energy/cascade, and with FLOATS pyramid/energy-float/cascade: cascade.glsl on words of four codes of 8 bits.
//
// A mean is computed in floats, fast, and made sure of in integers where it lies so near to the middle between two codes that the floats may
// err. Proof, for sides up to 16384 and any rounding of a device:
//   - a row's sum over its taps is exact: codes times weights below 2^14 are integers of less than 24 bits. It is `precise`, since a driver that
//     moved the bits of codes into floats about made 1 of 1000 codes wrong on the H200
//   - a weight of a column is a weight of an axis times 1 / divisor. The divisor as a float errs by 1 unit in the last place, the division
//     by 2.5, the product by 1; the three products and sums that follow by 4 together: 8.5 * 2^-23 of a mean of 255 is 0.0003 codes
//   - so a mean that is further than kSure from the middle is rounded right, kSure being 1/2048. Otherwise k = floor(mean in floats), and the
//     code is k + 1 where 2 sum - (2k + 1) divisor is 0 or more, else k. That lies between -2 and 2 divisors, |.| < 2^30, so 32 bits hold it
//     although the sum itself may have wrapped.
// FLOATS leaves that step out: near a middle either code may come out.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint kReduction = 0u;
#define REDUCTION kReduction
#include "spd_codes.glsl"
#include "pyramid_taps.glsl"

const bool kBorders = true, kCopies = false;
uint wordAt(uint bits) { return bits; }
uint bitsOf(uint word) { return word; }
uint reduceFour(uint a, uint b, uint c, uint d) { return reduceCodes(a, b, c, d); }

struct Side {
  uint first, count;
  uvec3 weight;
  vec3 factor;  // the same
  uint sum;
};

Side sideAt(uint j, uint size) {
  Taps t = tapsAt(j, size);
  return Side(t.first, t.count, t.weight, vec3(t.weight), t.sum);
}

Side sideAs(uint j, uint size, bool odd) {
  uint n = size >> 1, at = min(j, n - 1u);  // beyond the last the last
  uvec3 weight = odd ? uvec3(n - at, n, at + 1u) : uvec3(1u, 1u, 0u);
  return Side(2u * j, odd ? 3u : 2u, weight, vec3(weight), odd ? size : 2u);
}

struct Row {
  vec4 sum;
  uint best;
};

Row rowOf(uint a, uint b, uint c, Side x) {
  if (kReduction != kMean) return Row(vec4(0.0), reduceCodes(a, x.count > 1u ? b : a, x.count > 2u ? c : a, a));
  precise vec4 sum = x.factor.x * vec4(codesOf(a)) + x.factor.y * vec4(codesOf(b)) + x.factor.z * vec4(codesOf(c));
  return Row(sum, 0u);
}

const float kSure = 0.5 - 1.0 / 2048.0;

uint exactMean(vec4 mean, Row r, Row s, Row t, Side y, uint divisor) {
  uvec4 low = uvec4(mean);
  uvec4 sum = y.weight.x * uvec4(r.sum) + y.weight.y * uvec4(s.sum) + y.weight.z * uvec4(t.sum);
  return wordOf(low + uvec4(greaterThanEqual(ivec4(2u * sum - (2u * low + 1u) * divisor), ivec4(0))));
}

uint texelOf(Row r, Row s, Row t, Side x, Side y) {
  if (kReduction != kMean) return reduceCodes(r.best, y.count > 1u ? s.best : r.best, y.count > 2u ? t.best : r.best, r.best);
  uint divisor = x.sum * y.sum;
  vec3 factor = y.factor * (1.0 / float(divisor));
  precise vec4 mean = factor.x * r.sum + factor.y * s.sum + factor.z * t.sum;
  precise vec4 shifted = mean + 8388608.0;  // 2^23 and the next integer
#ifndef FLOATS
  precise vec4 away = abs(mean - (shifted - 8388608.0));
  if (max(max(away.x, away.y), max(away.z, away.w)) > kSure) return exactMean(mean, r, s, t, y, divisor);
#endif
  uvec4 codes = floatBitsToUint(shifted);  // and the exponent, which leaves the word at its upper end
  return (codes.x & 0xffu) + (codes.y << 8) + (codes.z << 16) + (codes.w << 24);
}

#define UNROLL 5
#include "repeat.glsl"
#include "cascade.glsl"
