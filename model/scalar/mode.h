// The float formats of SPIR-V as bits, the modes an instruction can run in, and the two things every mode needs: one NaN and flushing.
//
// Promise: whatever computes returns the same NaN (quiet, positive, no payload), because the bits of a NaN result depend on operand order,
// which a compiler may swap. Whatever only moves bits (negate, abs, min, max, select) keeps them. Conversions between float widths keep
// sign and the payload's leading bits, and make the NaN quiet, as x86 does. Assumed of the host: IEEE 754 binary32 and binary64 at
// round-to-nearest, denormals on, no contraction (cmake/compiler.cmake). The inline namespace keeps copies compiled for different
// instruction sets apart, so that a linker cannot mix them. Source: SPIR-V environment for Vulkan, "Precision and Operation of SPIR-V
// Instructions"; SPV_KHR_float_controls.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "model/contract/profile.h"

#if defined(LANEWISE_ISA)
// named by the build
#elif defined(__AVX512F__)
#define LANEWISE_ISA avx512
#elif defined(__AVX2__)
#define LANEWISE_ISA avx2
#else
#define LANEWISE_ISA base
#endif

namespace lanewise::scalar {

// An IEEE 754 binary16 value, as its bits.
struct Half {
  std::uint16_t bits = 0;
};

// How an instruction rounds and treats denormals. A template argument: each mode is its own function.
struct Mode {
  Rounding rounding = Rounding::kToNearestEven;
  Denormals denormals = Denormals::kPreserve;
  friend constexpr bool operator==(const Mode&, const Mode&) = default;
};
inline constexpr Mode kStrict{};
inline constexpr Mode kFlushing{Rounding::kToNearestEven, Denormals::kFlush};
inline constexpr Mode kTruncating{Rounding::kTowardZero, Denormals::kPreserve};
inline constexpr Mode kTruncatingFlushing{Rounding::kTowardZero, Denormals::kFlush};

template <class T>
struct FloatFormat;
template <>
struct FloatFormat<Half> {
  using Bits = std::uint16_t;
  static constexpr int kFraction = 10, kBias = 15;
};
template <>
struct FloatFormat<float> {
  using Bits = std::uint32_t;
  static constexpr int kFraction = 23, kBias = 127;
};
template <>
struct FloatFormat<double> {
  using Bits = std::uint64_t;
  static constexpr int kFraction = 52, kBias = 1023;
};

template <class T>
using BitsOf = typename FloatFormat<T>::Bits;
template <class T>
inline constexpr BitsOf<T> kSignBit = static_cast<BitsOf<T>>(BitsOf<T>{1} << (sizeof(T) * 8 - 1));
template <class T>
inline constexpr BitsOf<T> kMinNormal = static_cast<BitsOf<T>>(BitsOf<T>{1} << FloatFormat<T>::kFraction);
template <class T>
inline constexpr BitsOf<T> kInfinity = static_cast<BitsOf<T>>(kSignBit<T> - kMinNormal<T>);
template <class T>
inline constexpr BitsOf<T> kNan = static_cast<BitsOf<T>>(kInfinity<T> | (kMinNormal<T> >> 1));
template <class T>
inline constexpr BitsOf<T> kMaxFinite = static_cast<BitsOf<T>>(kInfinity<T> - 1);

inline namespace LANEWISE_ISA {

template <class T>
constexpr BitsOf<T> bitsOf(T x) noexcept {
  return std::bit_cast<BitsOf<T>>(x);
}
template <class T>
constexpr T fromBits(BitsOf<T> bits) noexcept {
  return std::bit_cast<T>(bits);
}
template <class T>
constexpr BitsOf<T> magnitudeBits(T x) noexcept {
  return static_cast<BitsOf<T>>(bitsOf(x) & static_cast<BitsOf<T>>(~kSignBit<T>));
}
template <class T>
constexpr BitsOf<T> signOf(T x) noexcept {
  return static_cast<BitsOf<T>>(bitsOf(x) & kSignBit<T>);
}

// OpIsNan, OpIsInf.
template <class T>
constexpr bool isNan(T x) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return x != x;
  } else {
    return magnitudeBits(x) > kInfinity<T>;
  }
}
template <class T>
constexpr bool isInf(T x) noexcept {
  return magnitudeBits(x) == kInfinity<T>;
}

// x, or the one NaN.
template <class T>
constexpr T canonical(T x) noexcept {
  return isNan(x) ? fromBits<T>(kNan<T>) : x;
}

// x, or the zero of its sign if x is denormal and the mode flushes. The same for operands and results.
template <Mode M, class T>
constexpr T flush(T x) noexcept {
  if constexpr (M.denormals == Denormals::kPreserve) {
    return x;
  } else {
    return magnitudeBits(x) < kMinNormal<T> ? fromBits<T>(signOf(x)) : x;
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
