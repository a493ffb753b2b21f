// The transcendental functions of GLSL.std.450 on 16- and 32-bit floats (the only widths it allows): sine, cosine and their kin,
// exponentials, logarithms, powers.
//
// Each is computed in binary64 by argument reduction and one polynomial, with a relative error below about 2^-44, and rounded once in the
// mode: the result is the correctly rounded one for nearly every operand (toward zero, an exact result may come one place low) and well
// inside Vulkan's limits everywhere. Only +, -, *, /, sqrt and integers are used, so that every host gives the same bits.
// Where GLSL.std.450 leaves the result undefined: as the formula gives it, NaN outside the domain; atan2(0, 0) as C does; pow(x, y) is
// exp2(y * log2(x)), so NaN for x < 0, 1^infinity and infinity^0, but pow(0, 0) is the profile's choice.
// Source: GLSL.std.450 Sin .. Log2; SPIR-V environment for Vulkan, "Precision of GLSL.std.450 Instructions".
#pragma once

#include <cstddef>
#include <utility>

#include "model/scalar/float_ops.h"
#include "model/scalar/polynomials.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {
namespace precise {

inline constexpr double kPi = 0x1.921fb54442d18p+1, kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kNanDouble = fromBits<double>(kNan<double>), kInfinityDouble = fromBits<double>(kInfinity<double>);

// Horner's scheme, highest power first. Written out, because a compiler makes vector code only of a loop over lanes that has none inside.
template <std::size_t N>
constexpr double polynomial(const double (&c)[N], double x) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    double sum = c[0];
    ((sum = sum * x + c[I + 1]), ...);
    return sum;
  }
  (std::make_index_sequence<N - 1>{});
}

constexpr double magnitude(double x) noexcept {
  return fromBits<double>(magnitudeBits(x));
}

// An integer added to 1.5 * 2^52 stands in the low bits of the sum, in two's complement: rounding and conversion at once.
inline constexpr double kToInteger = 0x1.8p52;

// e^r for |r| <= ln(2)/2, times 2^n for the n in the low bits of `shifted`, -1022 <= n <= 1023.
constexpr double expReduced(double r, double shifted) noexcept {
  const double scale = fromBits<double>((bitsOf(shifted) + 1023) << 52);
  return (1.0 + (r + r * r * polynomial(kExp, r))) * scale;
}

// Beyond these every result of 16 or 32 bits is 0 or infinity.
constexpr double clampExponent(double x, double limit) noexcept {
  const double low = x < -limit ? -limit : x;
  return low > limit ? limit : low;
}

constexpr double exp(double value) noexcept {
  const double x = clampExponent(value, 700.0);
  const double shifted = x * kLog2E + kToInteger;
  const double n = shifted - kToInteger;
  const double v = expReduced((x - n * kLn2[0]) - n * kLn2[1], shifted);
  return value == kInfinityDouble ? value : v;
}

constexpr double exp2(double value) noexcept {
  const double x = clampExponent(value, 1000.0);
  const double shifted = x + kToInteger;
  const double n = shifted - kToInteger;
  const double v = expReduced((x - n) * 0x1.62e42fefa39efp-1, shifted);
  return value == kInfinityDouble ? value : v;
}

// x = m * 2^exponent, m in [sqrt(1/2), sqrt(2)). x is a positive normal number.
struct Scaled {
  double exponent;
  double m;
};

constexpr Scaled scaled(double x) noexcept {
  const std::uint64_t fromRoot = bitsOf(x) - bitsOf(0x1.6a09e667f3bcdp-1);
  const auto k = static_cast<std::int32_t>(static_cast<std::int64_t>(fromRoot) >> 52);
  return {static_cast<double>(k), fromBits<double>(bitsOf(x) - (fromRoot >> 52 << 52))};
}

// ln((1+s)/(1-s)), |s| <= (sqrt(2)-1)/(sqrt(2)+1).
constexpr double lnRatio(double s) noexcept {
  return 2.0 * s + s * (s * s) * polynomial(kLog, s * s);
}

// 2^exponent times what has the logarithm lnFraction.
constexpr double lnOf(double exponent, double lnFraction) noexcept {
  return exponent * kLn2[0] + (exponent * kLn2[1] + lnFraction);
}

// Logarithms of 0, negative numbers, infinity and NaN; `value` for all others.
constexpr double logSpecial(double x, double value) noexcept {
  const double finite = x < kInfinityDouble ? value : x;
  const double positive = x > 0.0 ? finite : kNanDouble;
  return x == 0.0 ? -kInfinityDouble : positive;
}

constexpr double log(double x) noexcept {
  const Scaled a = scaled(x);
  return logSpecial(x, lnOf(a.exponent, lnRatio((a.m - 1.0) / (a.m + 1.0))));
}

constexpr double log2(double x) noexcept {
  const Scaled a = scaled(x);
  return logSpecial(x, a.exponent + lnRatio((a.m - 1.0) / (a.m + 1.0)) * kLog2E);
}

// ln(1 + t) for t >= 0. What is small is not added to 1 first.
constexpr double log1p(double t) noexcept {
  const bool small = t <= 0.41;
  const Scaled a = scaled(1.0 + t);
  const double above = small ? t : a.m - 1.0, below = small ? 2.0 + t : a.m + 1.0;
  return logSpecial(1.0 + t, lnOf(small ? 0.0 : a.exponent, lnRatio(above / below)));
}

// x = quadrant * pi/2 + r, |r| <= pi/4 and a little, with the quadrant modulo 4.
struct Reduced {
  double r;
  unsigned quadrant;
};

// The value m * 2^e of a float, 2^22 <= value: the product with 2/pi modulo 4, in integers (Payne and Hanek). The window of 2/pi holds 128
// bits from weight 2^(1-e) on: bits above it give multiples of 4, those below a relative error under 2^-70.
constexpr Reduced reduceLarge(double x) noexcept {
  const int e = static_cast<int>(magnitudeBits(x) >> 52) - 1023 - 23;
  const std::uint64_t m = ((bitsOf(x) & (kMinNormal<double> - 1)) | kMinNormal<double>) >> 29;
  const int first = e - 2 + 64;
  const int word = first / 64, bit = first % 64;
  const auto window = [word, bit](int i) {
    const std::uint64_t high = kTwoOverPi[word + i] << bit;
    return bit == 0 ? high : high | kTwoOverPi[word + i + 1] >> (64 - bit);
  };
  const soft::Wide product = ((soft::Wide{window(0)} << 64) | window(1)) * m;
  const soft::Wide rounded = product + (soft::Wide{1} << 125);
  soft::Wide fraction = product - (rounded >> 126 << 126);
  const bool negative = (fraction >> 127) != 0;
  if (negative) fraction = 0 - fraction;
  const int up = 128 - soft::bitLength(fraction);
  const auto top = static_cast<std::uint64_t>(up < 128 ? fraction << up >> 64 : 0);
  const double scale = fromBits<double>(static_cast<std::uint64_t>(1023 - 62 - up) << 52);
  const double r = static_cast<double>(top >> 11) * 0x1p11 * scale * (kPi / 2.0);
  const auto quadrant = static_cast<unsigned>(rounded >> 126);
  return signOf(x) != 0 ? Reduced{negative ? r : -r, (4u - quadrant) & 3u} : Reduced{negative ? -r : r, quadrant};
}

// Nearer than this 0 the quotient is an integer of 22 bits.
inline constexpr double kFar = 0x1p22;

constexpr Reduced reduceNear(double x) noexcept {
  const double shifted = x * 0x1.45f306dc9c883p-1 + kToInteger;
  const double n = shifted - kToInteger;
  return {((x - n * kHalfPi[0]) - n * kHalfPi[1]) - n * kHalfPi[2], static_cast<unsigned>(bitsOf(shifted)) & 3u};
}

constexpr Reduced reduce(double x) noexcept {
  if (magnitude(x) >= kFar) return magnitudeBits(x) < kInfinity<double> ? reduceLarge(x) : Reduced{kNanDouble, 0};
  return reduceNear(x);
}

constexpr double sinReduced(double r) noexcept {
  return r + r * (r * r) * polynomial(kSin, r * r);
}
constexpr double cosReduced(double r) noexcept {
  return 1.0 - (r * r * 0.5 - r * r * (r * r) * polynomial(kCos, r * r));
}

// Of x, which is reduced to a. The zero's own sign where r would lose it.
constexpr double sinOf(double x, Reduced a) noexcept {
  const double v = (a.quadrant & 1u) != 0 ? cosReduced(a.r) : sinReduced(a.r);
  return x == 0.0 ? x : (a.quadrant & 2u) != 0 ? -v : v;
}
constexpr double cosOf(double, Reduced a) noexcept {
  const double v = (a.quadrant & 1u) != 0 ? sinReduced(a.r) : cosReduced(a.r);
  return ((a.quadrant + 1u) & 2u) != 0 ? -v : v;
}
constexpr double tanOf(double x, Reduced a) noexcept {
  const double s = sinReduced(a.r), c = cosReduced(a.r);
  return x == 0.0 ? x : (a.quadrant & 1u) != 0 ? -c / s : s / c;
}

// Of any operand, and of one that is nearer than kFar: of that a compiler makes vector code.
template <double (*Of)(double, Reduced)>
constexpr double circular(double x) noexcept {
  return Of(x, reduce(x));
}
template <double (*Of)(double, Reduced)>
constexpr double circularNear(double x) noexcept {
  return Of(x, reduceNear(x));
}

// atan(t) for 0 <= t <= 1; from tan(pi/8) on as pi/4 + atan((t-1)/(t+1)).
constexpr double atanUnit(double t) noexcept {
  const bool upper = t > 0x1.a827999fcef32p-2;
  const double u = upper ? (t - 1.0) / (t + 1.0) : t;
  const double v = u + u * (u * u) * polynomial(kAtan, u * u);
  return upper ? kPi / 4.0 + v : v;
}
constexpr double atan(double x) noexcept {
  const double a = magnitude(x);
  const double v = atanUnit(a > 1.0 ? 1.0 / a : a);
  return copySign(a > 1.0 ? kPi / 2.0 - v : v, x);
}
constexpr double atan2(double y, double x) noexcept {
  const double a = magnitude(y), b = magnitude(x);
  const double low = a < b ? a : b, high = a < b ? b : a;
  const double ratio = low == high ? (high == 0.0 ? 0.0 : 1.0) : low / high;
  const double v = atanUnit(ratio);
  const double first = a > b ? kPi / 2.0 - v : v;  // the angle of (|x|, |y|)
  const double angle = copySign(signOf(x) != 0 ? kPi - first : first, y);
  return isNan(x) || isNan(y) ? kNanDouble : angle;
}

// asin(t) for |t| <= 1/2.
constexpr double asinCore(double t) noexcept {
  return t + t * (t * t) * polynomial(kAsin, t * t);
}
// Above 1/2 through asin(a) = pi/2 - 2 asin(sqrt((1-a)/2)), which is NaN beyond 1.
constexpr double asin(double x) noexcept {
  const double a = magnitude(x);
  const bool upper = a > 0.5;
  const double v = asinCore(upper ? __builtin_sqrt((1.0 - a) * 0.5) : a);
  return copySign(upper ? kPi / 2.0 - 2.0 * v : v, x);
}
constexpr double acos(double x) noexcept {
  const double a = magnitude(x);
  const bool upper = a > 0.5;
  const double v = asinCore(upper ? __builtin_sqrt((1.0 - a) * 0.5) : a);
  const double positive = upper ? 2.0 * v : kPi / 2.0 - v;
  const double negative = upper ? kPi - 2.0 * v : kPi / 2.0 + v;
  return signOf(x) != 0 ? negative : positive;
}

constexpr double sinhCore(double a) noexcept {
  return a + a * (a * a) * polynomial(kSinh, a * a);
}
constexpr double sinh(double x) noexcept {
  const double a = magnitude(x), e = exp(a);
  return copySign(a < 1.0 ? sinhCore(a) : 0.5 * e - 0.5 / e, x);
}
constexpr double cosh(double x) noexcept {
  const double e = exp(magnitude(x));
  return 0.5 * e + 0.5 / e;
}
constexpr double tanh(double x) noexcept {
  const double a = magnitude(x), s = sinhCore(a < 1.0 ? a : 1.0);
  const double small = s / __builtin_sqrt(1.0 + s * s);
  const double large = 1.0 - 2.0 / (exp(2.0 * (a > 40.0 ? 40.0 : a)) + 1.0);
  const double v = a < 1.0 ? small : large;
  return isNan(x) ? x : copySign(v, x);
}

constexpr double asinh(double x) noexcept {
  const double a = magnitude(x);
  const double v = log1p(a + a * a / (1.0 + __builtin_sqrt(1.0 + a * a)));
  return isInf(x) ? x : copySign(v, x);
}
constexpr double acosh(double x) noexcept {
  const double t = x - 1.0;
  const double v = log1p(t + __builtin_sqrt(t * (t + 2.0)));
  return x >= 1.0 ? v : kNanDouble;
}
constexpr double atanh(double x) noexcept {
  const double a = magnitude(x);
  const double v = 0.5 * log1p(2.0 * a / (1.0 - a));
  const double inside = a < 1.0 ? v : a == 1.0 ? kInfinityDouble : kNanDouble;
  return copySign(inside, x);
}

}  // namespace precise

namespace detail {

// One of the functions above between two conversions.
template <Mode M, double (*F)(double), class T>
constexpr T throughDouble(T x) noexcept {
  static_assert(!std::is_same_v<T, double>, "GLSL.std.450 allows 16- and 32-bit floats only");
  return canonical(narrow<T, M>(F(widen(flush<M>(x)))));
}

}  // namespace detail

template <Mode M = kStrict, class T>
constexpr T sin(T x) noexcept {
  return detail::throughDouble<M, precise::circular<precise::sinOf>>(x);
}
template <Mode M = kStrict, class T>
constexpr T cos(T x) noexcept {
  return detail::throughDouble<M, precise::circular<precise::cosOf>>(x);
}
template <Mode M = kStrict, class T>
constexpr T tan(T x) noexcept {
  return detail::throughDouble<M, precise::circular<precise::tanOf>>(x);
}

// The same where isNear(x).
constexpr float sinNear(float x) noexcept {
  return detail::throughDouble<kStrict, precise::circularNear<precise::sinOf>>(x);
}
constexpr float cosNear(float x) noexcept {
  return detail::throughDouble<kStrict, precise::circularNear<precise::cosOf>>(x);
}
constexpr float tanNear(float x) noexcept {
  return detail::throughDouble<kStrict, precise::circularNear<precise::tanOf>>(x);
}
constexpr bool isNear(float x) noexcept {
  return magnitudeBits(x) < bitsOf(static_cast<float>(precise::kFar));
}

template <Mode M = kStrict, class T>
constexpr T asin(T x) noexcept {
  return detail::throughDouble<M, precise::asin>(x);
}
template <Mode M = kStrict, class T>
constexpr T acos(T x) noexcept {
  return detail::throughDouble<M, precise::acos>(x);
}
template <Mode M = kStrict, class T>
constexpr T atan(T x) noexcept {
  return detail::throughDouble<M, precise::atan>(x);
}
template <Mode M = kStrict, class T>
constexpr T sinh(T x) noexcept {
  return detail::throughDouble<M, precise::sinh>(x);
}
template <Mode M = kStrict, class T>
constexpr T cosh(T x) noexcept {
  return detail::throughDouble<M, precise::cosh>(x);
}
template <Mode M = kStrict, class T>
constexpr T tanh(T x) noexcept {
  return detail::throughDouble<M, precise::tanh>(x);
}
template <Mode M = kStrict, class T>
constexpr T asinh(T x) noexcept {
  return detail::throughDouble<M, precise::asinh>(x);
}
template <Mode M = kStrict, class T>
constexpr T acosh(T x) noexcept {
  return detail::throughDouble<M, precise::acosh>(x);
}
template <Mode M = kStrict, class T>
constexpr T atanh(T x) noexcept {
  return detail::throughDouble<M, precise::atanh>(x);
}
template <Mode M = kStrict, class T>
constexpr T exp(T x) noexcept {
  return detail::throughDouble<M, precise::exp>(x);
}
template <Mode M = kStrict, class T>
constexpr T exp2(T x) noexcept {
  return detail::throughDouble<M, precise::exp2>(x);
}
template <Mode M = kStrict, class T>
constexpr T log(T x) noexcept {
  return detail::throughDouble<M, precise::log>(x);
}
template <Mode M = kStrict, class T>
constexpr T log2(T x) noexcept {
  return detail::throughDouble<M, precise::log2>(x);
}

template <Mode M = kStrict, class T>
constexpr T atan2(T y, T x) noexcept {
  static_assert(!std::is_same_v<T, double>, "GLSL.std.450 allows 16- and 32-bit floats only");
  return canonical(narrow<T, M>(precise::atan2(widen(flush<M>(y)), widen(flush<M>(x)))));
}

template <PowZeroZero Z = PowZeroZero::kOne, Mode M = kStrict, class T>
constexpr T pow(T base, T exponent) noexcept {
  static_assert(!std::is_same_v<T, double>, "GLSL.std.450 allows 16- and 32-bit floats only");
  const double x = widen(flush<M>(base)), y = widen(flush<M>(exponent));
  constexpr T zeroZero = Z == PowZeroZero::kOne ? constant<T>(1.0) : Z == PowZeroZero::kZero ? constant<T>(0.0) : fromBits<T>(kNan<T>);
  return x == 0.0 && y == 0.0 ? zeroZero : canonical(narrow<T, M>(precise::exp2(y * precise::log2(x))));
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
