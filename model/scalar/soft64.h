// binary64 arithmetic in exact 128-bit integers: the modes the host does not have, and fused multiply-add where it has no instruction.
//
// A finite nonzero operand is m * 2^e with an integer m; an operation gives an exact or jammed (lowest bit set if anything was lost)
// 128-bit integer, which roundPack rounds once. Jamming is harmless: the jammed bit stays at least two places below the last place of the
// result. Source: IEEE 754-2019, 4.3 and 5.4.1; SPV_KHR_float_controls.
#pragma once

#include "model/scalar/mode.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {
namespace soft {

__extension__ using Wide = unsigned __int128;

// (negative ? -1 : 1) * mantissa * 2^exponent.
struct Exact {
  bool negative = false;
  int exponent = 0;
  Wide mantissa = 0;
};

constexpr int bitLength(Wide m) noexcept {
  const auto high = static_cast<std::uint64_t>(m >> 64), low = static_cast<std::uint64_t>(m);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

constexpr Wide shiftRightJam(Wide m, int n) noexcept {
  if (n <= 0) return m;
  if (n > 127) return m != 0 ? 1 : 0;
  return (m >> n) | ((m & ((Wide{1} << n) - 1)) != 0 ? 1u : 0u);
}

// A finite x; the mantissa of a nonzero one has exactly 53 bits.
constexpr Exact unpack(double x) noexcept {
  const std::uint64_t a = magnitudeBits(x);
  const bool negative = signOf(x) != 0;
  if (a == 0) return {negative, 0, 0};
  if (a < kMinNormal<double>) {
    const int up = 53 - bitLength(a);
    return {negative, -1074 - up, Wide{a} << up};
  }
  return {negative, static_cast<int>(a >> 52) - 1075, (a & (kMinNormal<double> - 1)) | kMinNormal<double>};
}

// m >> n rounded; n may be any integer that keeps the result below 2^64.
constexpr std::uint64_t shiftRounded(Wide m, int n, bool nearest) noexcept {
  if (n <= 0) return static_cast<std::uint64_t>(m << -n);
  const Wide jammed = n > 2 ? shiftRightJam(m, n - 2) : m << (2 - n);
  const auto quarters = static_cast<std::uint64_t>(jammed);
  const std::uint64_t kept = quarters >> 2, rest = quarters & 3;
  return kept + (nearest && (rest == 3 || (rest == 2 && (kept & 1) != 0)) ? 1 : 0);
}

// The value rounded as the mode says. Under kFlush a result is denormal if it would be with an unbounded exponent (x86's rule).
template <Mode M>
constexpr double roundPack(Exact v) noexcept {
  constexpr bool nearest = M.rounding == Rounding::kToNearestEven;
  const std::uint64_t sign = v.negative ? kSignBit<double> : 0;
  if (v.mantissa == 0) return fromBits<double>(sign);
  const int length = bitLength(v.mantissa);
  const int top = v.exponent + length - 1;  // 2^top <= |value| < 2^(top+1)
  if (top > 1023) return fromBits<double>(sign | (nearest ? kInfinity<double> : kMaxFinite<double>));
  const std::uint64_t unbounded = shiftRounded(v.mantissa, length - 53, nearest);
  if (M.denormals == Denormals::kFlush && (top < -1023 || (top == -1023 && unbounded < (std::uint64_t{1} << 53))))
    return fromBits<double>(sign);
  if (top < -1022) return fromBits<double>(sign | shiftRounded(v.mantissa, -1074 - v.exponent, nearest));
  const std::uint64_t bits = (static_cast<std::uint64_t>(top + 1022) << 52) + unbounded;
  return fromBits<double>(sign | bits);
}

// a + b with both finite; an exact zero of different signs is +0.
constexpr Exact sum(Exact a, Exact b) noexcept {
  if (a.mantissa == 0 && b.mantissa == 0) return {a.negative && b.negative, 0, 0};
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  if (a.exponent + bitLength(a.mantissa) < b.exponent + bitLength(b.mantissa)) {
    const Exact swap = a;
    a = b;
    b = swap;
  }
  // a's leading bit to place 125, then b to the same exponent: no more than the sticky bit of b is lost, far below a's last place.
  const int up = 126 - bitLength(a.mantissa);
  a.mantissa <<= up;
  a.exponent -= up;
  const int down = a.exponent - b.exponent;
  const Wide other = down >= 0 ? shiftRightJam(b.mantissa, down) : b.mantissa << -down;
  if (a.negative == b.negative) return {a.negative, a.exponent, a.mantissa + other};
  if (a.mantissa == other) return {false, 0, 0};
  const bool greater = a.mantissa > other;
  return {greater ? a.negative : b.negative, a.exponent, greater ? a.mantissa - other : other - a.mantissa};
}

constexpr bool finite(double x) noexcept {
  return magnitudeBits(x) < kInfinity<double>;
}

template <Mode M>
constexpr double add(double a, double b) noexcept {
  a = flush<M>(a), b = flush<M>(b);
  if (!finite(a) || !finite(b)) return canonical(a + b);
  return roundPack<M>(sum(unpack(a), unpack(b)));
}

constexpr Exact product(double a, double b) noexcept {
  const Exact x = unpack(a), y = unpack(b);
  return {x.negative != y.negative, x.exponent + y.exponent, x.mantissa * y.mantissa};
}

template <Mode M>
constexpr double mul(double a, double b) noexcept {
  a = flush<M>(a), b = flush<M>(b);
  if (!finite(a) || !finite(b)) return canonical(a * b);
  return roundPack<M>(product(a, b));
}

// a * b + c with one rounding.
template <Mode M>
constexpr double fma(double a, double b, double c) noexcept {
  a = flush<M>(a), b = flush<M>(b), c = flush<M>(c);
  if (!finite(a) || !finite(b)) return canonical(a * b + c);
  if (!finite(c)) return canonical(c);
  return roundPack<M>(sum(product(a, b), unpack(c)));
}

template <Mode M>
constexpr double div(double a, double b) noexcept {
  a = flush<M>(a), b = flush<M>(b);
  const Exact x = unpack(finite(a) ? a : 0.0), y = unpack(finite(b) ? b : 0.0);
  if (!finite(a) || !finite(b) || x.mantissa == 0 || y.mantissa == 0) {
    // Zeros, infinities and NaNs, where nothing is rounded; the C++ division by zero is IEEE's.
    return canonical(a / b);
  }
  const Wide numerator = x.mantissa << 74;
  const Wide quotient = numerator / y.mantissa;
  const bool inexact = quotient * y.mantissa != numerator;
  return roundPack<M>({x.negative != y.negative, x.exponent - 74 - y.exponent, quotient | (inexact ? 1u : 0u)});
}

// The host's square root is correctly rounded to nearest; toward zero differs where its square exceeds x. A root is never denormal.
template <Mode M>
constexpr double sqrt(double x) noexcept {
  x = flush<M>(x);
  const double root = __builtin_sqrt(x);
  if (M.rounding == Rounding::kToNearestEven || !finite(root) || root == 0.0) return canonical(root);
  const Exact r = unpack(root), v = unpack(x);
  const bool above = r.mantissa * r.mantissa > (v.mantissa << (v.exponent - 2 * r.exponent));
  return above ? fromBits<double>(bitsOf(root) - 1) : root;
}

}  // namespace soft
}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
