// One result of those functions that have several, or several forms, as rows of operations name them (model/ir/rows).
#pragma once

#include "model/scalar/float_ops.h"
#include "model/scalar/integer.h"
#include "model/scalar/pack.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// The second members of OpIAddCarry, OpISubBorrow, OpUMulExtended and OpSMulExtended; the first are iAdd, iSub and iMul.
template <class T>
constexpr T carry(T a, T b) noexcept {
  return iAddCarry(a, b).second;
}
template <class T>
constexpr T borrow(T a, T b) noexcept {
  return iSubBorrow(a, b).second;
}
template <class T>
constexpr T uMulHigh(T a, T b) noexcept {
  return uMulExtended(a, b).second;
}
template <class T>
constexpr T sMulHigh(T a, T b) noexcept {
  return sMulExtended(a, b).second;
}

template <Mode M = kStrict, class T>
constexpr T modfFract(T x) noexcept {
  return modf<M>(x).fract;
}
template <Mode M = kStrict, class T>
constexpr T modfWhole(T x) noexcept {
  return modf<M>(x).whole;
}
template <Mode M = kStrict, class T>
constexpr T frexpSignificand(T x) noexcept {
  return frexp<M>(x).significand;
}
template <Mode M = kStrict, class T>
constexpr std::int32_t frexpExponent(T x) noexcept {
  return frexp<M>(x).exponent;
}

// GLSL.std.450 Fma as Profile::fusedMultiplyAdd says.
template <bool Fused, Mode M = kStrict, class T>
constexpr T fma(T a, T b, T c) noexcept {
  if constexpr (Fused) {
    return fmaFused<M>(a, b, c);
  } else {
    return fmaSeparate<M>(a, b, c);
  }
}

// OpFConvert with an FPRoundingMode: of M only the denormals count.
template <class To, Mode M = kStrict, Mode In = M, class From>
constexpr To fConvertToEven(From x) noexcept {
  return fConvert<To, Mode{Rounding::kToNearestEven, M.denormals}, In>(x);
}
template <class To, Mode M = kStrict, Mode In = M, class From>
constexpr To fConvertToZero(From x) noexcept {
  return fConvert<To, Mode{Rounding::kTowardZero, M.denormals}, In>(x);
}

// Component i of what is unpacked (pack.h), alone: a loop over lanes becomes vector code.
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
