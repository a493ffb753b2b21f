// Texels to shader values and back, for every format in model/contract/format.h.
//
// A shader value is four components of one word each: the bits of a float or of an integer, as the format's numeric format says. Components
// that a format lacks read as 0, alpha as 1; they are not stored. Words are 32 bits wide, or 64 for R64 formats (then Word is
// std::uint64_t).
// Promise: where Vulkan pins the value it is that one; the choices it leaves are TexelRules. sRGB in both directions, and the shared
// exponent, are correctly rounded whatever the rules.
// Source: Vulkan 1.3, "Fixed-Point Data Conversions", "Floating-Point Format Conversions", "Texel Output Format Conversion", "Component
// Substitution"; Khronos Data Format 1.3, 10 (11- and 10-bit floats), 13.3 (sRGB).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "model/contract/format.h"
#include "model/scalar/pack.h"
#include "model/scalar/srgb_tables.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// 11- and 10-bit floats are halves without a sign and without the lowest 4 or 5 bits of the fraction.
constexpr float decodeSmallFloat(std::uint32_t code, int bits) noexcept {
  return toFloat(Half{static_cast<std::uint16_t>(code << (15 - bits))});
}

// The float rounded to 5 bits of exponent and bits - 5 of fraction; negative values, -0 and -infinity give 0, a NaN a NaN.
template <Rounding R>
constexpr std::uint32_t encodeSmallFloat(float f, int bits) noexcept {
  constexpr bool nearest = R == Rounding::kToNearestEven;
  const int drop = 23 - (bits - 5);
  const std::uint32_t a = magnitudeBits(f), infinity = 31u << (bits - 5);
  if (isNan(f)) return infinity | 1u << (bits - 6);
  if (signOf(f) != 0) return 0;
  if (isInf(f)) return infinity;
  const std::uint32_t half = (1u << (drop - 1)) - 1 + ((a >> drop) & 1u);
  std::uint32_t code = (a - 0x38000000u + (nearest ? half : 0u)) >> drop;
  if (a < bitsOf(0x1p-14f)) {
    // Adding a float whose last place is the smallest denormal rounds to a multiple of it, as in half.h.
    const float magic = fromBits<float>(static_cast<std::uint32_t>(127 - 14 + drop) << 23);
    code = bitsOf(fromBits<float>(a) + magic) - bitsOf(magic);
    const float unit = fromBits<float>(static_cast<std::uint32_t>(127 - 14 + drop - 23) << 23);
    if (!nearest && static_cast<float>(code) * unit > f) --code;
  }
  return code < infinity ? code : nearest ? infinity : infinity - 1;
}

// E5B9G9R9: c * 2^(exponent - 24).
constexpr std::array<float, 3> decodeSharedExponent(std::uint32_t texel) noexcept {
  const float scale = fromBits<float>((127 - 24 + (texel >> 27)) << 23);
  const auto component = [&](int shift) { return static_cast<float>((texel >> shift) & 0x1ffu) * scale; };
  return {component(0), component(9), component(18)};
}

constexpr std::uint32_t encodeSharedExponent(float r, float g, float b) noexcept {
  const auto clamp = [](float c) { return c > 0.0f ? (c < 65408.0f ? c : 65408.0f) : 0.0f; };
  const double color[3] = {clamp(r), clamp(g), clamp(b)};
  const double greatest = color[0] > color[1] ? (color[0] > color[2] ? color[0] : color[2]) : (color[1] > color[2] ? color[1] : color[2]);
  int exponent = greatest < 0x1p-16 ? 0 : static_cast<int>(bitsOf(greatest) >> 52) - 1023 + 16;
  const auto code = [&](double c) {
    const double inverse = fromBits<double>(static_cast<std::uint64_t>(1023 + 24 - exponent) << 52);
    return static_cast<std::uint32_t>(c * inverse + 0.5);
  };
  if (code(greatest) == 512) ++exponent;
  return code(color[0]) | code(color[1]) << 9 | code(color[2]) << 18 | static_cast<std::uint32_t>(exponent) << 27;
}

constexpr float decodeSrgb(std::uint32_t code) noexcept {
  return fromBits<float>(kSrgbToLinear[code & 0xffu]);
}
// The nearest code; NaN and negative values give 0.
constexpr std::uint32_t encodeSrgb(float x) noexcept {
  std::uint32_t code = 0;
  for (std::uint32_t step = 128; step > 0; step /= 2) code += x >= fromBits<float>(kLinearToSrgb[code + step - 1]) ? step : 0;
  return code;
}

// The code of a magnitude in [0, 1] by the rules; `bits` is the width of max, the largest code.
constexpr std::uint32_t normalisedCode(float x, int bits, NormEncode rule) noexcept {
  const std::int32_t max = unormMax(bits);
  if (rule == NormEncode::kNearestEven)
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(detail::nearestInteger(x * static_cast<float>(max))));
  const int places = bits + 4;
  const auto q = static_cast<std::uint64_t>(x * static_cast<float>(1 << places));
  return static_cast<std::uint32_t>((2 * q * static_cast<std::uint64_t>(max) + (std::uint64_t{1} << places) - 1) >> (places + 1));
}
// x in [low, 1], where low is 0 or -1; a NaN as the rules say.
constexpr float clampStored(float x, float low, NanStore nan) noexcept {
  const float raised = x > low ? x : low;
  const float clamped = raised < 1.0f ? raised : 1.0f;
  const float forNan = nan == NanStore::kLargest ? 1.0f : nan == NanStore::kLowest ? low : 0.0f;
  return isNan(x) ? forNan : clamped;
}
// A float to a normalised code of 1 to 16 bits.
constexpr std::uint32_t storeUnorm(float x, int bits, const TexelRules& rules) noexcept {
  return normalisedCode(clampStored(x, 0.0f, rules.nan), bits, rules.encode);
}
constexpr std::uint32_t storeSnorm(float x, int bits, const TexelRules& rules) noexcept {
  const float clamped = clampStored(x, -1.0f, rules.nan);
  const std::uint32_t code = normalisedCode(fromBits<float>(magnitudeBits(clamped)), bits - 1, rules.encode);
  return signOf(clamped) != 0 ? 0 - code : code;
}
// c / max, correctly rounded. Where there are fused operations, a product and what it lacks say the same sooner (for every code of up to 16
// bits: tests/model/scalar/isa_test.cpp).
constexpr float ratio(float c, float max) noexcept {
#if defined(__FMA__) || defined(__AVX512F__)
  if (!std::is_constant_evaluated()) {
    const float inverse = 1.0f / max, near = c * inverse;
    return __builtin_fmaf(__builtin_fmaf(-near, max, c), inverse, near);
  }
#endif
  return c / max;
}
constexpr float loadUnorm(std::uint32_t code, int bits, NormDecode rule) noexcept {
  const float max = static_cast<float>(unormMax(bits));
  const float c = static_cast<float>(static_cast<std::int32_t>(code));
  return rule == NormDecode::kDivide ? ratio(c, max) : c * (1.0f / max);
}
constexpr float loadSnorm(std::int32_t code, int bits, NormDecode rule) noexcept {
  const float max = static_cast<float>(snormMax(bits));
  const float c = static_cast<float>(code);
  const float v = rule == NormDecode::kDivide ? ratio(c, max) : c * (1.0f / max);
  return v < -1.0f ? -1.0f : v;
}

namespace detail {

// Texels of up to 16 bytes as two little-endian words; no component crosses from one into the other.
struct TexelWords {
  std::uint64_t word[2] = {0, 0};
};

// Copies of a fixed size are single instructions; every texel has one of these sizes.
inline void copyTexel(void* to, const void* from, std::size_t bytes) noexcept {
  switch (bytes) {
    case 1:
      std::memcpy(to, from, 1);
      break;
    case 2:
      std::memcpy(to, from, 2);
      break;
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, 16);
  }
}

constexpr std::uint64_t lowBits(int n) noexcept {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

constexpr bool isInteger(NumericFormat n) noexcept {
  return n == NumericFormat::kUint || n == NumericFormat::kSint;
}

// A 32-bit integer held inside what `bits` can say.
constexpr std::uint64_t saturated(NumericFormat n, std::uint64_t value, int bits) noexcept {
  if (bits > 31) return value;
  const auto low = static_cast<std::uint32_t>(value), max = static_cast<std::uint32_t>(lowBits(bits));
  if (n == NumericFormat::kUint) return low > max ? max : low;
  const auto v = static_cast<std::int32_t>(low), high = static_cast<std::int32_t>(max >> 1);
  return static_cast<std::uint64_t>(v > high ? high : v < -high - 1 ? -high - 1 : v);
}

// The 32-bit float bits of component i (3 is alpha) whose code is `code`.
constexpr std::uint32_t decodeComponent(NumericFormat numeric, const TexelRules& rules, std::uint32_t code, int bits, int i) noexcept {
  switch (numeric) {
    case NumericFormat::kSnorm:
      return bitsOf(loadSnorm(static_cast<std::int32_t>(code << (32 - bits)) >> (32 - bits), bits, rules.decode));
    case NumericFormat::kSfloat:
      return bits == 16 ? bitsOf(toFloat(Half{static_cast<std::uint16_t>(code)})) : code;
    case NumericFormat::kUfloat:
      return bitsOf(decodeSmallFloat(code, bits));
    case NumericFormat::kSrgb:
      if (i < 3) return bitsOf(decodeSrgb(code));
      [[fallthrough]];
    default:
      return bitsOf(loadUnorm(code, bits, rules.decode));
  }
}

template <Rounding R>
constexpr std::uint32_t encodeFloat(NumericFormat numeric, std::uint32_t value, int bits) noexcept {
  if (numeric == NumericFormat::kUfloat) return encodeSmallFloat<R>(fromBits<float>(value), bits);
  return bits == 16 ? halfFromFloat<R>(fromBits<float>(value)).bits : value;
}

constexpr std::uint32_t encodeComponent(NumericFormat numeric, const TexelRules& rules, std::uint32_t value, int bits, int i) noexcept {
  switch (numeric) {
    case NumericFormat::kSnorm:
      return storeSnorm(fromBits<float>(value), bits, rules);
    case NumericFormat::kSfloat:
    case NumericFormat::kUfloat:
      return rules.half == Rounding::kToNearestEven ? encodeFloat<Rounding::kToNearestEven>(numeric, value, bits)
                                                    : encodeFloat<Rounding::kTowardZero>(numeric, value, bits);
    case NumericFormat::kSrgb:
      if (i < 3) return encodeSrgb(fromBits<float>(value));
      [[fallthrough]];
    default:
      return storeUnorm(fromBits<float>(value), bits, rules);
  }
}

}  // namespace detail

// The shader value of the texel at `texel`, which has info.texelBytes bytes.
template <class Word = std::uint32_t>
std::array<Word, 4> decodeTexel(const FormatInfo& info, const TexelRules& rules, const std::byte* texel) noexcept {
  detail::TexelWords words;
  detail::copyTexel(words.word, texel, info.texelBytes);
  std::array<Word, 4> out = {0, 0, 0, detail::isInteger(info.numeric) ? Word{1} : Word{0x3f800000u}};
  if (info.numeric == NumericFormat::kSharedExponent) {
    const std::array<float, 3> rgb = decodeSharedExponent(static_cast<std::uint32_t>(words.word[0]));
    for (std::size_t i = 0; i < 3; ++i) out[i] = bitsOf(rgb[i]);
    return out;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const int bits = info.layout.bits[i], shift = info.layout.shift[i];
    if (bits == 0) continue;
    const std::uint64_t code = (words.word[shift / 64] >> (shift % 64)) & detail::lowBits(bits);
    if (info.numeric == NumericFormat::kUint) {
      out[i] = static_cast<Word>(code);
    } else if (info.numeric == NumericFormat::kSint) {
      out[i] = static_cast<Word>(static_cast<std::int64_t>(code << (64 - bits)) >> (64 - bits));
    } else {
      out[i] = detail::decodeComponent(info.numeric, rules, static_cast<std::uint32_t>(code), bits, static_cast<int>(i));
    }
  }
  return out;
}

// Stores the shader value as one texel; bits of the texel that belong to no component become 0.
template <class Word>
void encodeTexel(const FormatInfo& info, const TexelRules& rules, const std::array<Word, 4>& value, std::byte* texel) noexcept {
  detail::TexelWords words;
  if (info.numeric == NumericFormat::kSharedExponent) {
    const auto component = [&](std::size_t i) { return fromBits<float>(static_cast<std::uint32_t>(value[i])); };
    words.word[0] = encodeSharedExponent(component(0), component(1), component(2));
    detail::copyTexel(texel, words.word, info.texelBytes);
    return;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const int bits = info.layout.bits[i], shift = info.layout.shift[i];
    if (bits == 0) continue;
    std::uint64_t code = static_cast<std::uint64_t>(value[i]);
    if (!detail::isInteger(info.numeric)) {
      code = detail::encodeComponent(info.numeric, rules, static_cast<std::uint32_t>(code), bits, static_cast<int>(i));
    } else if (rules.saturateIntegers) {
      code = detail::saturated(info.numeric, code, bits);
    }
    words.word[shift / 64] |= (code & detail::lowBits(bits)) << (shift % 64);
  }
  detail::copyTexel(texel, words.word, info.texelBytes);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
