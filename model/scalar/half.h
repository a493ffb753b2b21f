// binary16 to and from binary32 and binary64, in integer and float operations that a compiler turns into vector code.
//
// Every value is rounded once, to nearest even or toward zero; denormals are kept; overflow gives infinity (nearest) or the largest finite
// number (toward zero); infinity stays. NaN: mode.h.
// Source: SPIR-V OpFConvert, OpQuantizeToF16; GLSL.std.450 PackHalf2x16; Vulkan, "Floating-Point Format Conversions".
#pragma once

#include "model/scalar/mode.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// Exact.
constexpr float toFloat(Half h) noexcept {
  const std::uint32_t a = h.bits & 0x7fffu;
  const std::uint32_t sign = static_cast<std::uint32_t>(h.bits & 0x8000u) << 16;
  const std::uint32_t normal = (a << 13) + 0x38000000u;
  const std::uint32_t special = (a << 13) | 0x7f800000u | (a > 0x7c00u ? 0x400000u : 0u);
  const std::uint32_t denormal = bitsOf(static_cast<float>(static_cast<std::int32_t>(a)) * 0x1p-24f);
  return fromBits<float>(sign | (a >= 0x7c00u ? special : a >= 0x400u ? normal : denormal));
}

constexpr double toDouble(Half h) noexcept {
  return static_cast<double>(toFloat(h));
}

template <Rounding R = Rounding::kToNearestEven>
constexpr Half halfFromFloat(float f) noexcept {
  constexpr bool nearest = R == Rounding::kToNearestEven;
  const std::uint32_t u = bitsOf(f);
  const std::uint32_t a = u & 0x7fffffffu;
  const std::uint32_t normal = (a - 0x38000000u + (nearest ? 0xfffu + ((a >> 13) & 1u) : 0u)) >> 13;
  // One unit in the last place of 0.5 is the smallest half denormal: adding 0.5 rounds to a multiple of it.
  std::uint32_t denormal = bitsOf(fromBits<float>(a) + 0.5f) - 0x3f000000u;
  if constexpr (!nearest)
    denormal -= static_cast<float>(static_cast<std::int32_t>(denormal & 0xffffu)) * 0x1p-24f > fromBits<float>(a) ? 1u : 0u;
  const std::uint32_t huge = nearest || a == 0x7f800000u ? 0x7c00u : 0x7bffu;
  const std::uint32_t nan = 0x7e00u | ((a >> 13) & 0x3ffu);
  std::uint32_t h = a < 0x38800000u ? denormal : normal;
  h = a >= (nearest ? 0x477ff000u : 0x47800000u) ? huge : h;
  h = a > 0x7f800000u ? nan : h;
  return Half{static_cast<std::uint16_t>(h | ((u >> 16) & 0x8000u))};
}

template <Rounding R = Rounding::kToNearestEven>
constexpr Half halfFromDouble(double d) noexcept {
  constexpr bool nearest = R == Rounding::kToNearestEven;
  const std::uint64_t u = bitsOf(d);
  const std::uint64_t a = u & 0x7fffffffffffffffu;
  const std::uint64_t normal = (a - (std::uint64_t{1008} << 52) + (nearest ? (std::uint64_t{1} << 41) - 1 + ((a >> 42) & 1u) : 0u)) >> 42;
  // As above, with 2^28, whose last place in binary64 is the smallest half denormal.
  std::uint64_t denormal = bitsOf(fromBits<double>(a) + 0x1p28) - bitsOf(0x1p28);
  if constexpr (!nearest)
    denormal -= static_cast<double>(static_cast<std::int32_t>(denormal & 0xffffu)) * 0x1p-24 > fromBits<double>(a) ? 1u : 0u;
  const std::uint64_t huge = nearest || a == kInfinity<double> ? 0x7c00u : 0x7bffu;
  const std::uint64_t nan = 0x7e00u | ((a >> 42) & 0x3ffu);
  std::uint64_t h = a < bitsOf(0x1p-14) ? denormal : normal;
  h = a >= (nearest ? bitsOf(65520.0) : bitsOf(65536.0)) ? huge : h;
  h = a > kInfinity<double> ? nan : h;
  return Half{static_cast<std::uint16_t>(h | ((u >> 48) & 0x8000u))};
}

// OpQuantizeToF16: x rounded to a half, as a float. A magnitude too large for a half gives infinity in either direction of rounding. Where
// the half would be denormal "the result may be either +0 or -0": here the zero of x's sign.
template <Rounding R = Rounding::kToNearestEven>
constexpr float quantizeToF16(float x) noexcept {
  const float q = toFloat(halfFromFloat<R>(x));
  const std::uint32_t a = magnitudeBits(x), h = magnitudeBits(q);
  const std::uint32_t flushed = h < bitsOf(0x1p-14f) ? 0u : h;
  const std::uint32_t result = a >= bitsOf(65536.0f) && a < kInfinity<float> ? kInfinity<float> : flushed;
  return fromBits<float>(signOf(x) | result);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
