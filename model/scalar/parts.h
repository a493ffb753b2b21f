// One result of those functions that have several, or several forms, as rows of operations name them (model/ir/rows).
#pragma once

#include "model/scalar/float_ops.h"
#include "model/scalar/integer.h"

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

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
