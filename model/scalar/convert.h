// Integers to floats and floats to integers, of every width: OpConvertSToF, OpConvertUToF, OpConvertFToS, OpConvertFToU.
//
// Promise: to a float correctly rounded in the mode's direction; to an integer truncated, and outside its range what the profile's
// FloatToInteger says (for 8- and 16-bit integers the rule is applied at 32 bits and truncated, but kSaturate at their own width).
// Source: SPIR-V 1.6, "Conversion Instructions"; SPIR-V environment for Vulkan ("conversions between types": correctly rounded).
#pragma once

#include <limits>

#include "model/scalar/round.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

// OpConvertSToF and OpConvertUToF, by the signedness of I.
template <class T, Mode M = kStrict, class I>
constexpr T convertIToF(I i) noexcept {
  static_assert(std::is_integral_v<I>);
  constexpr bool nearest = M.rounding == Rounding::kToNearestEven;
  if constexpr (std::is_same_v<T, Half>) {
    return halfFromDouble<M.rounding>(static_cast<double>(i));  // what binary64 cannot hold is far beyond the largest half
  } else if constexpr (nearest || std::numeric_limits<I>::digits <= FloatFormat<T>::kFraction + 1) {
    return static_cast<T>(i);
  } else {
    // Clear the bits below the last place; then the conversion is exact.
    const bool negative = i < 0;
    const std::uint64_t wide = static_cast<std::uint64_t>(i);
    const std::uint64_t magnitude = negative ? 0 - wide : wide;
    const int extra = 64 - std::countl_zero(magnitude) - (FloatFormat<T>::kFraction + 1);
    const T value = static_cast<T>(extra > 0 ? magnitude >> extra << extra : magnitude);
    return negative ? -value : value;
  }
}

namespace detail {

// The largest F below 2^digits, the first value out of I's range.
template <class I, class F>
constexpr F largestInside() noexcept {
  constexpr int digits = std::numeric_limits<I>::digits;
  constexpr auto limit = static_cast<BitsOf<F>>(static_cast<BitsOf<F>>(FloatFormat<F>::kBias + digits) << FloatFormat<F>::kFraction);
  return fromBits<F>(static_cast<BitsOf<F>>(limit - 1));
}

// x truncated, for -2^digits (or 0) <= x < 2^digits; the nearest end outside, 0 for NaN. No conversion here is undefined in C++.
template <class I, class F>
constexpr I truncateClamped(F x) noexcept {
  constexpr F high = largestInside<I, F>();
  constexpr F low = static_cast<F>(std::numeric_limits<I>::min());
  F inside = x < high ? x : high;
  inside = inside > low ? inside : low;
  I i = static_cast<I>(inside);
  i = x > high ? std::numeric_limits<I>::max() : i;
  return x == x ? i : I{0};
}

}  // namespace detail

// OpConvertFToS and OpConvertFToU, by the signedness of I.
template <class I, FloatToInteger C = FloatToInteger::kSaturate, class T>
constexpr I convertFToI(T value) noexcept {
  static_assert(std::is_integral_v<I>);
  if constexpr (std::is_same_v<T, Half>) {
    return convertFToI<I, C>(toFloat(value));
  } else if constexpr (C == FloatToInteger::kSaturate) {
    return detail::truncateClamped<I>(value);
  } else if constexpr (sizeof(I) < 4) {
    return static_cast<I>(convertFToI<std::conditional_t<std::is_signed_v<I>, std::int32_t, std::uint32_t>, C>(value));
  } else if constexpr (std::is_signed_v<I>) {
    constexpr T high = detail::largestInside<I, T>();
    return value <= high ? detail::truncateClamped<I>(value) : std::numeric_limits<I>::min();
  } else if constexpr (C == FloatToInteger::kAllOnes) {
    constexpr T high = detail::largestInside<I, T>();
    return value > T{-1} && value <= high ? detail::truncateClamped<I>(value) : std::numeric_limits<I>::max();
  } else {
    using S = std::make_signed_t<I>;
    constexpr T half = static_cast<T>(std::numeric_limits<S>::max() / 2 + 1) * T{2};
    constexpr I top = static_cast<I>(std::numeric_limits<S>::min());
    const I below = static_cast<I>(convertFToI<S, C>(value));
    const I above = static_cast<I>(static_cast<I>(convertFToI<S, C>(value - half)) + top);
    const I positive = value >= half ? above : below;
    return signOf(value) != 0 ? I{0} : positive;
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
