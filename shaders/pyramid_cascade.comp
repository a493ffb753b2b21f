// pyramid/energy/cascade, and with FLOATS pyramid/energy-float/cascade: cascade.glsl on words of four 8-bit codes.
//
// Where the pipeline is made for one size, of less than 2^24 texels, a mean is computed in integers (dividedBy): the divisor is the same
// for all texels of a level, and so a constant. Otherwise it is computed in floats. Where it is then so near to the middle between two
// codes that the floats may select the wrong one, integers decide. Proof, for sides up to 16384 and any rounding of a device:
//   - The sum of a row over its taps is exact. Each tap is 1024 + code; the sum begins with -1024 times its weights. Weights are at most
//     2^13, their sum at most 2^14: products and partial sums are integers of at most 2^24.
//   - The weight of a row is that of its axis times 1 / divisor. The divisor as a float errs by 1 unit in the last place, the division by
//     2.5, the product by 1. The three products and sums that follow err by 4 together. 8.5 * 2^-23 of a mean of 255 is 0.0003 codes.
//   - So a mean that is further than 1/2048 from the middle is rounded right. Otherwise k = floor(mean in floats), and the code is k + 1 if
//     2 sum - (2k + 1) divisor is 0 or more, else k. That lies between -2 and 2 divisors, |.| < 2^30, so 32 bits hold it although the sum
//     itself may have wrapped.
// FLOATS leaves out that decision: near a middle either code may come out.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(constant_id = 0) const uint kReduction = 0u;
#define REDUCTION kReduction
#include "spd_codes.glsl"
#include "pyramid_taps.glsl"

const bool kBorders = true, kCopies = false;
uint wordAt(uint bits) { return bits; }
uint bitsOf(uint word) { return word; }
uint reduceFour(uint a, uint b, uint c, uint d) { return reduceCodes(a, b, c, d); }

bool inIntegers();  // the sums and means

struct Side {
  uint first, count;
  uvec3 weight;
  vec3 share;  // the weights as floats
  uint sum;    // of the weights
};

Side sideAt(uint j, uint size) {
  Taps t = tapsAt(j, size);
  return Side(t.first, t.count, t.weight, vec3(t.weight), t.sum);
}

// A texel beyond the last has the weights of the last.
Side sideAs(uint j, uint size, bool odd) {
  if (!odd) return Side(2u * j, 2u, uvec3(1u, 1u, 0u), vec3(1.0, 1.0, 0.0), 2u);
  uint n = size >> 1, at = min(j, n - 1u);
  float all = float(n), place = float(at);  // one conversion, not three
  return Side(2u * j, 3u, uvec3(n - at, n, at + 1u), vec3(all - place, all, place + 1.0), size);
}

struct Row {
  uvec4 whole;  // the sum of what shiftsOf makes, if in integers
  vec4 sum;     // else
  uint best;
};

// 1024 + each code, out of halves whose last ten bits are the code: two conversions of two, faster than four of integers.
vec4 floatsOf(uint word) {
  vec2 even = unpackHalf2x16((word & 0x00ff00ffu) | 0x64006400u), odd = unpackHalf2x16(((word >> 8) & 0x00ff00ffu) | 0x64006400u);
  return vec4(even.x, odd.x, even.y, odd.y);
}

// The codes, each with those above it. Sums of these are right modulo 2^32; texelOf parts them.
uvec4 shiftsOf(uint word) { return uvec4(word) >> uvec4(0u, 8u, 16u, 24u); }

Row rowOf(uint a, uint b, uint c, Side x) {
  if (kReduction != kMean) return Row(uvec4(0u), vec4(0.0), reduceCodes(a, x.count > 1u ? b : a, x.count > 2u ? c : a, a));
  if (inIntegers()) return Row(x.weight.x * shiftsOf(a) + x.weight.y * shiftsOf(b) + x.weight.z * shiftsOf(c), vec4(0.0), 0u);
  vec3 w = x.share;
  vec4 bias = vec4(-1024.0 * (w.x + w.y + w.z));  // exact: x.sum
  return Row(uvec4(0u), fma(vec4(w.z), floatsOf(c), fma(vec4(w.y), floatsOf(b), fma(vec4(w.x), floatsOf(a), bias))), 0u);
}

Row rowOfLane(Row r, uint lane) {
  if (kReduction != kMean) return Row(uvec4(0u), vec4(0.0), subgroupShuffle(r.best, lane));
  if (inIntegers()) return Row(subgroupShuffle(r.whole, lane), vec4(0.0), 0u);
  return Row(uvec4(0u), subgroupShuffle(r.sum, lane), 0u);
}

const float kBits = 8388608.0;  // 2^23: the distance to the next float is 1
const float kSure = 0.5 - 1.0 / 2048.0;

uint exactMean(vec4 mean, Row r, Row s, Row t, Side y, uint divisor) {
  uvec4 low = uvec4(mean);
  uvec4 sum = y.weight.x * uvec4(r.sum) + y.weight.y * uvec4(s.sum) + y.weight.z * uvec4(t.sum);
  return wordOf(low + uvec4(greaterThanEqual(ivec4(2u * sum - (2u * low + 1u) * divisor), ivec4(0))));
}

// floor(sum / D + 1/2) for a divisor D of 2 to 2^24 - 1 and a sum of at most 255 D: one product. With n = sum + floor(D / 2), below 256 D
// and 2^32, it is floor(n / D). Let 2^s < D <= 2^(s + 1), and 2^(32 + s) = F D + R with R < D. F and F + 1 fit 32 bits.
//   - R = 0: n F / 2^(32 + s) is n / D.
//   - R > D / 2: n (F + 1) / 2^(32 + s) exceeds n / D by n (D - R) / (D 2^(32 + s)), which is less than the 1 / D to the next integer,
//     because n (D - R) < 128 D D < 128 * 2^(s + 1) * 2^24 = 2^(32 + s).
//   - else (n + 1) F / 2^(32 + s) is less than (n + 1) / D, by at most 1 / D in the same way: no integer lies between it and n / D.
uint dividedBy(uvec4 sum, uint divisor) {
  uint shift = uint(findMSB(divisor - 1u)), rest = 1u << shift, factor = 0u;
#define DIGIT                            \
  rest <<= 8;                            \
  factor = factor << 8 | rest / divisor; \
  rest %= divisor;
  DIGIT DIGIT DIGIT DIGIT
  uint more = divisor >> 1;
  if (rest > divisor >> 1)
    ++factor;
  else if (rest != 0u)
    ++more;
  uvec4 high, low;
  umulExtended(sum + more, uvec4(factor), high, low);
  return wordOf(high >> shift);
}

uint texelOf(Row r, Row s, Row t, Side x, Side y) {
  if (kReduction != kMean) return reduceCodes(r.best, y.count > 1u ? s.best : r.best, y.count > 2u ? t.best : r.best, r.best);
  uint divisor = x.sum * y.sum;
  if (inIntegers()) {
    uvec4 sum = y.weight.x * r.whole + y.weight.y * s.whole + y.weight.z * t.whole;
    return dividedBy(uvec4(sum.xyz - (sum.yzw << 8), sum.w), divisor);  // sums of single codes are below 2^32
  }
  vec3 factor = y.share * (1.0 / float(divisor));
  precise vec4 mean = fma(vec4(factor.z), t.sum, fma(vec4(factor.y), s.sum, factor.x * r.sum));
#ifdef FLOATS
  precise vec4 sum = mean + 256.5;
  uvec4 codes = floatBitsToUint(sum) & 0x7f8000u;  // below it 15 bits are the fraction, in whatever direction a device rounds
  return codes.x >> 15 | codes.y >> 7 | codes.z << 1 | codes.w << 9;
#else
  precise vec4 shifted = mean + kBits;
  precise vec4 code = shifted - kBits;
  precise vec4 away = abs(mean - code);
  if (max(max(away.x, away.y), max(away.z, away.w)) > kSure) return exactMean(mean, r, s, t, y, divisor);
  precise vec2 halves = fma(vec2(256.0), code.yw, shifted.xz);  // two codes in the low bits of each
  return (floatBitsToUint(halves.x) & 0xffffu) | floatBitsToUint(halves.y) << 16;
#endif
}

#define UNROLL 5
#include "repeat.glsl"
#include "cascade.glsl"

bool inIntegers() { return kKnown && kSizeX * kSizeY < 1u << 24; }
