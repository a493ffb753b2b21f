// Comparisons, minimum and maximum, rounding to integers, and the arithmetic formulas of GLSL.std.450 on 16-, 32- and 64-bit floats.
//
// Promise: what the specification calls correct or correctly rounded is; a formula (FMod, FMix, SmoothStep, Degrees ..) is evaluated as
// written, each operation rounded in the mode. Open choices are template arguments named after Profile's fields.
// Source: SPIR-V 1.6, 3.52 "Relational and Logical"; GLSL.std.450; SPIR-V environment for Vulkan, "Precision of GLSL.std.450 Instructions".
#pragma once

#include "model/scalar/round.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// A type of the host that compares as T does.
template <class T>
constexpr auto real(T x) noexcept {
  if constexpr (std::is_same_v<T, Half>) {
    return toFloat(x);
  } else {
    return x;
  }
}

// The T nearest to c.
template <class T>
constexpr T constant(double c) noexcept {
  return fConvert<T>(c);
}

// --- Comparisons ----------------------------------------------------------------------------------------------------------------------

template <Mode M = kStrict, class T>
constexpr bool fOrdEqual(T a, T b) noexcept {
  return real(flush<M>(a)) == real(flush<M>(b));
}
template <Mode M = kStrict, class T>
constexpr bool fOrdLessThan(T a, T b) noexcept {
  return real(flush<M>(a)) < real(flush<M>(b));
}
template <Mode M = kStrict, class T>
constexpr bool fOrdLessThanEqual(T a, T b) noexcept {
  return real(flush<M>(a)) <= real(flush<M>(b));
}
template <Mode M = kStrict, class T>
constexpr bool fOrdNotEqual(T a, T b) noexcept {
  return fOrdLessThan<M>(a, b) || fOrdLessThan<M>(b, a);
}
template <Mode M = kStrict, class T>
constexpr bool fOrdGreaterThan(T a, T b) noexcept {
  return fOrdLessThan<M>(b, a);
}
template <Mode M = kStrict, class T>
constexpr bool fOrdGreaterThanEqual(T a, T b) noexcept {
  return fOrdLessThanEqual<M>(b, a);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordEqual(T a, T b) noexcept {
  return !fOrdNotEqual<M>(a, b);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordNotEqual(T a, T b) noexcept {
  return !fOrdEqual<M>(a, b);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordLessThan(T a, T b) noexcept {
  return !fOrdLessThanEqual<M>(b, a);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordGreaterThan(T a, T b) noexcept {
  return !fOrdLessThanEqual<M>(a, b);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordLessThanEqual(T a, T b) noexcept {
  return !fOrdLessThan<M>(b, a);
}
template <Mode M = kStrict, class T>
constexpr bool fUnordGreaterThanEqual(T a, T b) noexcept {
  return !fOrdLessThan<M>(a, b);
}

// --- Minimum and maximum ----------------------------------------------------------------------------------------------------------------

// One operand, its bits unchanged.
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T fMin(T a, T b) noexcept {
  a = flush<M>(a), b = flush<M>(b);
  bool first = real(a) < real(b);
  if constexpr (R != MinMax::kSecond) first = first || isNan(b);
  if constexpr (R == MinMax::kNumber) first = first || (real(a) == real(b) && signOf(a) != 0);
  return first ? a : b;
}
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T fMax(T a, T b) noexcept {
  a = flush<M>(a), b = flush<M>(b);
  bool first = real(a) > real(b);
  if constexpr (R != MinMax::kSecond) first = first || isNan(b);
  if constexpr (R == MinMax::kNumber) first = first || (real(a) == real(b) && signOf(a) == 0);
  return first ? a : b;
}
// min(max(x, low), high).
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T fClamp(T x, T low, T high) noexcept {
  return fMin<R, M>(fMax<R, M>(x, low), high);
}

// Never the NaN of one operand, whatever the profile says of FMin.
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T nMin(T a, T b) noexcept {
  return fMin < R == MinMax::kSecond ? MinMax::kNumberSecond : R, M > (a, b);
}
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T nMax(T a, T b) noexcept {
  return fMax < R == MinMax::kSecond ? MinMax::kNumberSecond : R, M > (a, b);
}
template <MinMax R = MinMax::kNumber, Mode M = kStrict, class T>
constexpr T nClamp(T x, T low, T high) noexcept {
  return nMin<R, M>(nMax<R, M>(x, low), high);
}

// --- Sign -------------------------------------------------------------------------------------------------------------------------------

template <Mode M = kStrict, class T>
constexpr T fAbs(T x) noexcept {
  return flush<M>(fromBits<T>(magnitudeBits(x)));
}
template <class T>
constexpr T copySign(T x, T sign) noexcept {
  return fromBits<T>(static_cast<BitsOf<T>>(magnitudeBits(x) | signOf(sign)));
}
// 1, 0 or -1; +0 for either zero and for NaN.
template <Mode M = kStrict, class T>
constexpr T fSign(T x) noexcept {
  const auto v = real(flush<M>(x));
  return constant<T>(v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0);
}

// --- Rounding to integers ---------------------------------------------------------------------------------------------------------------

namespace detail {

// x rounded to an integer, ties to even, sign kept; x itself from 2^fraction on. F is float or double.
template <class F>
constexpr F nearestInteger(F x) noexcept {
  constexpr F big = fromBits<F>(
      static_cast<BitsOf<F>>(static_cast<BitsOf<F>>(FloatFormat<F>::kBias + FloatFormat<F>::kFraction) << FloatFormat<F>::kFraction));
  const F a = fromBits<F>(magnitudeBits(x));
  const F r = (a + big) - big;
  return a < big ? copySign(r, x) : x;
}

}  // namespace detail

template <Mode M = kStrict, class T>
constexpr T roundEven(T x) noexcept {
  return canonical(constant<T>(detail::nearestInteger(real(flush<M>(x)))));
}
template <Mode M = kStrict, class T>
constexpr T floor(T x) noexcept {
  const auto v = real(flush<M>(x));
  const auto r = detail::nearestInteger(v);
  return canonical(copySign(constant<T>(r > v ? r - 1 : r), x));
}
template <Mode M = kStrict, class T>
constexpr T ceil(T x) noexcept {
  const auto v = real(flush<M>(x));
  const auto r = detail::nearestInteger(v);
  return canonical(copySign(constant<T>(r < v ? r + 1 : r), x));
}
template <Mode M = kStrict, class T>
constexpr T trunc(T x) noexcept {
  const auto v = fAbs(real(flush<M>(x)));
  const auto r = detail::nearestInteger(v);
  return canonical(copySign(constant<T>(r > v ? r - 1 : r), x));
}
template <Ties R = Ties::kEven, Mode M = kStrict, class T>
constexpr T round(T x) noexcept {
  if constexpr (R == Ties::kEven) {
    return roundEven<M>(x);
  } else {
    const auto v = fAbs(real(flush<M>(x)));
    const auto r = detail::nearestInteger(v);
    return canonical(copySign(constant<T>(v - r == static_cast<decltype(v)>(0.5) ? r + 1 : r), x));
  }
}

// x - floor(x).
template <Fract R = Fract::kSubtract, Mode M = kStrict, class T>
constexpr T fract(T x) noexcept {
  const T f = fSub<M>(x, floor<M>(x));
  constexpr T belowOne = fromBits<T>(static_cast<BitsOf<T>>(bitsOf(constant<T>(1.0)) - 1));
  return R == Fract::kBelowOne && !(real(f) < real(belowOne)) ? belowOne : f;
}

// GLSL.std.450 ModfStruct: both parts have the sign of x; the fraction of an infinity is 0.
template <class T>
struct ModfParts {
  T fract;
  T whole;
};
template <Mode M = kStrict, class T>
constexpr ModfParts<T> modf(T x) noexcept {
  const T whole = trunc<M>(x);
  const T rest = isInf(x) ? T{} : fSub<M>(x, whole);
  return {canonical(copySign(rest, x)), whole};
}

// GLSL.std.450 FrexpStruct: x = significand * 2^exponent, significand in [0.5, 1) or 0. Infinities and NaNs ("undefined"): themselves and
// 0.
template <class T>
struct FrexpParts {
  T significand;
  std::int32_t exponent;
};
template <Mode M = kStrict, class T>
constexpr FrexpParts<T> frexp(T value) noexcept {
  using F = FloatFormat<T>;
  const T x = flush<M>(value);
  const BitsOf<T> a = magnitudeBits(x);
  if (a == 0 || a >= kInfinity<T>) return {canonical(x), 0};
  // How far a denormal's leading bit stands below the place of the hidden one.
  const int up = a < kMinNormal<T> ? std::countl_zero(a) - (static_cast<int>(sizeof(T)) * 8 - 1 - F::kFraction) : 0;
  const BitsOf<T> m = static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(a << up) & (kMinNormal<T> - 1));
  const int biased = a < kMinNormal<T> ? 1 - up : static_cast<int>(a >> F::kFraction);
  const auto half = static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(F::kBias - 1) << F::kFraction);
  return {fromBits<T>(static_cast<BitsOf<T>>(signOf(x) | half | m)), biased - F::kBias + 1};
}

// x * 2^exponent with one rounding.
template <Mode M = kStrict, class T>
constexpr T ldexp(T x, std::int32_t exponent) noexcept {
  const int e = exponent < -2300 ? -2300 : exponent > 2300 ? 2300 : exponent;
  if constexpr (std::is_same_v<T, double>) {
    const double v = flush<M>(x);
    if (!soft::finite(v)) return canonical(v);
    soft::Exact exact = soft::unpack(v);
    exact.exponent += e;
    return soft::roundPack<M>(exact);
  } else {
    // Within 2^-400 and 2^400 a binary64 holds every product exactly, and beyond it the result is 0 or infinity all the same.
    const int within = e < -400 ? -400 : e > 400 ? 400 : e;
    const double scale = fromBits<double>(static_cast<std::uint64_t>(1023 + within) << 52);
    return canonical(narrow<T, M>(widen(flush<M>(x)) * scale));
  }
}

// --- Formulas ----------------------------------------------------------------------------------------------------------------------------

// OpFRem: x - y*trunc(x/y). OpFMod: x - y*floor(x/y). Each operation rounded, as the measured devices do.
template <Mode M = kStrict, class T>
constexpr T fRem(T x, T y) noexcept {
  return fSub<M>(x, fMul<M>(y, trunc<M>(fDiv<M>(x, y))));
}
template <Mode M = kStrict, class T>
constexpr T fMod(T x, T y) noexcept {
  return fSub<M>(x, fMul<M>(y, floor<M>(fDiv<M>(x, y))));
}

// 0 if x < edge, else 1 (also for NaN).
template <Mode M = kStrict, class T>
constexpr T step(T edge, T x) noexcept {
  return constant<T>(fOrdLessThan<M>(x, edge) ? 0.0 : 1.0);
}

template <SmoothStep R = SmoothStep::kSquareFirst, Mode M = kStrict, class T>
constexpr T smoothStep(T edge0, T edge1, T x) noexcept {
  const T ratio = fDiv<M>(fSub<M>(x, edge0), fSub<M>(edge1, edge0));
  const T t = fClamp<MinMax::kNumber, M>(ratio, constant<T>(0.0), constant<T>(1.0));
  const T last = fSub<M>(constant<T>(3.0), fMul<M>(constant<T>(2.0), t));
  return R == SmoothStep::kSquareFirst ? fMul<M>(fMul<M>(t, t), last) : fMul<M>(t, fMul<M>(t, last));
}

template <Mix R = Mix::kWeights, Mode M = kStrict, class T>
constexpr T fMix(T x, T y, T a) noexcept {
  if constexpr (R == Mix::kWeights) {
    return fAdd<M>(fMul<M>(x, fSub<M>(constant<T>(1.0), a)), fMul<M>(y, a));
  } else if constexpr (R == Mix::kDelta) {
    return fAdd<M>(x, fMul<M>(fSub<M>(y, x), a));
  } else {
    return fmaFused<M>(fSub<M>(y, x), a, x);
  }
}

// x times the nearest T to 180/pi, pi/180.
template <Mode M = kStrict, class T>
constexpr T degrees(T x) noexcept {
  return fMul<M>(x, constant<T>(57.29577951308232));
}
template <Mode M = kStrict, class T>
constexpr T radians(T x) noexcept {
  return fMul<M>(x, constant<T>(0.017453292519943295));
}

// 16 and 32 bits: correctly rounded (through binary64; checked for all mantissas) or 1/sqrt(x), each rounded. 64 bits, where the
// specification states no accuracy: always the latter.
template <InverseSqrt R = InverseSqrt::kCorrect, Mode M = kStrict, class T>
constexpr T inverseSqrt(T x) noexcept {
  if constexpr (R == InverseSqrt::kReciprocal || std::is_same_v<T, double>) {
    return fDiv<M>(constant<T>(1.0), sqrt<M>(x));
  } else {
    return canonical(narrow<T, M>(1.0 / __builtin_sqrt(widen(flush<M>(x)))));
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
