// GLSL.std.450 pack and unpack instructions, and the normalised codes they share with texels.
//
// Promise: a float becomes the code roundEven(fl(max * clamp(x))) (all measured devices; the tie is Round's open choice); NaN gives 0
// unsigned and, as clamp(NaN, -1, 1) = -1, the lowest code signed. A code becomes c/max correctly rounded or c times the rounded 1/max, as
// the profile says. Halves: half.h. Source: GLSL.std.450 PackSnorm4x8 .. UnpackDouble2x32; Vulkan, "Conversion From Normalized Fixed-Point
// to Floating-Point".
#pragma once

#include "model/scalar/float_ops.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// The largest code of `bits` bits.
constexpr std::int32_t unormMax(int bits) noexcept {
  return static_cast<std::int32_t>((std::uint32_t{1} << bits) - 1);
}
constexpr std::int32_t snormMax(int bits) noexcept {
  return unormMax(bits - 1);
}

// 1 to 16 bits.
template <int Bits>
constexpr std::uint32_t encodeUnorm(float x) noexcept {
  const float low = x > 0.0f ? x : 0.0f;
  const float clamped = low < 1.0f ? low : 1.0f;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(detail::nearestInteger(clamped * static_cast<float>(unormMax(Bits)))));
}
template <int Bits>
constexpr std::int32_t encodeSnorm(float x) noexcept {
  const float low = x > -1.0f ? x : -1.0f;
  const float clamped = low < 1.0f ? low : 1.0f;
  return static_cast<std::int32_t>(detail::nearestInteger(clamped * static_cast<float>(snormMax(Bits))));
}

template <int Bits, NormDecode R = NormDecode::kDivide>
constexpr float decodeUnorm(std::uint32_t code) noexcept {
  constexpr float max = static_cast<float>(unormMax(Bits));
  const float c = static_cast<float>(static_cast<std::int32_t>(code));
  return R == NormDecode::kDivide ? c / max : c * (1.0f / max);
}
// The lowest code, -max - 1, is -1 too.
template <int Bits, NormDecode R = NormDecode::kDivide>
constexpr float decodeSnorm(std::int32_t code) noexcept {
  constexpr float max = static_cast<float>(snormMax(Bits));
  const float c = static_cast<float>(code);
  const float v = R == NormDecode::kDivide ? c / max : c * (1.0f / max);
  return v < -1.0f ? -1.0f : v;
}

constexpr std::uint32_t packUnorm4x8(float x, float y, float z, float w) noexcept {
  return encodeUnorm<8>(x) | encodeUnorm<8>(y) << 8 | encodeUnorm<8>(z) << 16 | encodeUnorm<8>(w) << 24;
}
constexpr std::uint32_t packSnorm4x8(float x, float y, float z, float w) noexcept {
  const auto code = [](float c) { return static_cast<std::uint32_t>(encodeSnorm<8>(c)) & 0xffu; };
  return code(x) | code(y) << 8 | code(z) << 16 | code(w) << 24;
}
constexpr std::uint32_t packUnorm2x16(float x, float y) noexcept {
  return encodeUnorm<16>(x) | encodeUnorm<16>(y) << 16;
}
constexpr std::uint32_t packSnorm2x16(float x, float y) noexcept {
  return (static_cast<std::uint32_t>(encodeSnorm<16>(x)) & 0xffffu) | static_cast<std::uint32_t>(encodeSnorm<16>(y)) << 16;
}
template <Rounding R = Rounding::kToNearestEven>
constexpr std::uint32_t packHalf2x16(float x, float y) noexcept {
  return halfFromFloat<R>(x).bits | static_cast<std::uint32_t>(halfFromFloat<R>(y).bits) << 16;
}
// The first component is the low word.
constexpr double packDouble2x32(std::uint32_t low, std::uint32_t high) noexcept {
  return fromBits<double>(low | std::uint64_t{high} << 32);
}

// Component i of what is unpacked, alone: a loop over lanes becomes vector code.
template <NormDecode R = NormDecode::kDivide>
constexpr float unpackUnorm4x8At(std::uint32_t p, std::uint32_t i) noexcept {
  return decodeUnorm<8, R>((p >> 8 * (i & 3)) & 0xffu);
}
template <NormDecode R = NormDecode::kDivide>
constexpr float unpackSnorm4x8At(std::uint32_t p, std::uint32_t i) noexcept {
  return decodeSnorm<8, R>(static_cast<std::int32_t>(p << (24 - 8 * (i & 3))) >> 24);
}
template <NormDecode R = NormDecode::kDivide>
constexpr float unpackUnorm2x16At(std::uint32_t p, std::uint32_t i) noexcept {
  return decodeUnorm<16, R>((p >> 16 * (i & 1)) & 0xffffu);
}
template <NormDecode R = NormDecode::kDivide>
constexpr float unpackSnorm2x16At(std::uint32_t p, std::uint32_t i) noexcept {
  return decodeSnorm<16, R>(static_cast<std::int32_t>(p << (16 - 16 * (i & 1))) >> 16);
}
template <Mode M = kStrict>
constexpr float unpackHalf2x16At(std::uint32_t p, std::uint32_t i) noexcept {
  return toFloat(flush<M>(Half{static_cast<std::uint16_t>(p >> 16 * (i & 1))}));
}
constexpr std::uint32_t unpackDouble2x32At(double d, std::uint32_t i) noexcept {
  return static_cast<std::uint32_t>(bitsOf(d) >> 32 * (i & 1));
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
