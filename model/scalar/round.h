// OpFAdd, OpFSub, OpFMul, OpFDiv, OpFNegate, square root, fused multiply-add and OpFConvert of 16-, 32- and 64-bit floats in every mode.
//
// Promise: each is correctly rounded in the mode's direction (the specification leaves FDiv 2.5 ULP and Sqrt about 4; the model gives the
// one right result), and flushes as x86 with DAZ and FTZ does, which is what SwiftShader and NVIDIA were measured to do (a result counts as
// denormal if rounding with an unbounded exponent leaves it below the smallest normal).
// Proof for 16 and 32 bits. The result comes from a binary64 value that is exact, or rounded to odd (53 >= p + 2 bits: rounding again is as
// if from the exact value), or the nearest binary64 of a quotient or root: those lie at least a relative 2^-(2p+2) from every (p+1)-bit
// number they do not equal, more than the 2^-53 by which the binary64 is off for p <= 24, so it lies on the same side of every rounding
// boundary. binary16 to nearest goes through binary32 in the same way (24 >= 2*11 + 2, Figueroa). The binary64 operations of modes the host
// does not have are in soft64.h.
// Source: SPIR-V environment for Vulkan, "Precision of Core SPIR-V Instructions"; SPV_KHR_float_controls; GLSL.std.450 Fma, Sqrt.
#pragma once

#include "model/scalar/half.h"
#include "model/scalar/soft64.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

template <class T>
constexpr double widen(T x) noexcept {
  if constexpr (std::is_same_v<T, Half>) {
    return toDouble(x);
  } else {
    return static_cast<double>(x);
  }
}

// d rounded to T (Half or float), given that d is exact or on the exact value's side of every rounding boundary of T.
template <class T, Mode M>
constexpr T narrow(double d) noexcept {
  constexpr bool nearest = M.rounding == Rounding::kToNearestEven;
  constexpr int least = 1 - FloatFormat<T>::kBias;  // 2^least is the smallest normal
  const double magnitude = fromBits<double>(magnitudeBits(d));
  T r;
  if constexpr (std::is_same_v<T, Half>) {
    r = halfFromDouble<M.rounding>(d);
  } else {
    const float f = static_cast<float>(d);
    const bool away = !nearest && static_cast<double>(fromBits<float>(magnitudeBits(f))) > magnitude;
    r = fromBits<float>(bitsOf(f) - (away ? 1u : 0u));
  }
  if constexpr (M.denormals == Denormals::kFlush) {
    constexpr double smallest = fromBits<double>(static_cast<std::uint64_t>(1023 + least) << 52);
    constexpr double below = fromBits<double>(static_cast<std::uint64_t>(1023 + least - FloatFormat<T>::kFraction - 2) << 52);
    r = magnitude < (nearest ? smallest - below : smallest) ? fromBits<T>(signOf(r)) : r;
  }
  return r;
}

// a + b rounded to odd: the exact sum if it is a binary64, else the one of its two neighbours whose last bit is set.
constexpr double addToOdd(double a, double b) noexcept {
  const double s = a + b;
  const bool ordered = magnitudeBits(a) >= magnitudeBits(b);
  const double high = ordered ? a : b, low = ordered ? b : a;
  const double error = low - (s - high);  // exact (Dekker); NaN if anything is infinite
  const bool inexact = error < 0.0 || error > 0.0;
  const bool outward = (error > 0.0) == (s > 0.0);
  const std::uint64_t bits = bitsOf(s);
  const std::uint64_t odd = (bits & 1u) != 0 ? bits : outward ? bits + 1 : bits - 1;
  return fromBits<double>(inexact ? odd : bits);
}

// Flips the sign, of a NaN too; a mode that flushes does it here as well.
template <Mode M = kStrict, class T>
constexpr T fNegate(T x) noexcept {
  return flush<M>(fromBits<T>(static_cast<BitsOf<T>>(bitsOf(x) ^ kSignBit<T>)));
}

template <Mode M = kStrict, class T>
constexpr T fAdd(T a, T b) noexcept {
  if constexpr (M == kStrict && std::is_same_v<T, Half>) {
    return canonical(halfFromFloat(toFloat(a) + toFloat(b)));
  } else if constexpr (M == kStrict) {
    return canonical(a + b);
  } else if constexpr (std::is_same_v<T, double>) {
    return soft::add<M>(a, b);
  } else {
    return canonical(narrow<T, M>(addToOdd(widen(flush<M>(a)), widen(flush<M>(b)))));
  }
}

template <Mode M = kStrict, class T>
constexpr T fSub(T a, T b) noexcept {
  return fAdd<M>(a, fNegate(b));
}

template <Mode M = kStrict, class T>
constexpr T fMul(T a, T b) noexcept {
  if constexpr (M == kStrict && std::is_same_v<T, Half>) {
    return canonical(halfFromFloat(toFloat(a) * toFloat(b)));
  } else if constexpr (M == kStrict) {
    return canonical(a * b);
  } else if constexpr (std::is_same_v<T, double>) {
    return soft::mul<M>(a, b);
  } else {
    return canonical(narrow<T, M>(widen(flush<M>(a)) * widen(flush<M>(b))));
  }
}

template <Mode M = kStrict, class T>
constexpr T fDiv(T a, T b) noexcept {
  if constexpr (M == kStrict && std::is_same_v<T, Half>) {
    return canonical(halfFromFloat(toFloat(a) / toFloat(b)));
  } else if constexpr (M == kStrict) {
    return canonical(a / b);
  } else if constexpr (std::is_same_v<T, double>) {
    return soft::div<M>(a, b);
  } else {
    return canonical(narrow<T, M>(widen(flush<M>(a)) / widen(flush<M>(b))));
  }
}

template <Mode M = kStrict, class T>
constexpr T sqrt(T x) noexcept {
  if constexpr (M == kStrict && std::is_same_v<T, Half>) {
    return canonical(halfFromFloat(__builtin_sqrtf(toFloat(x))));
  } else if constexpr (M == kStrict && std::is_same_v<T, float>) {
    return canonical(__builtin_sqrtf(x));
  } else if constexpr (std::is_same_v<T, double>) {
    return soft::sqrt<M>(x);
  } else {
    return canonical(narrow<T, M>(__builtin_sqrt(widen(flush<M>(x)))));
  }
}

// a * b + c with one rounding: GLSL.std.450 Fma where the profile fuses it, OpFmaKHR.
template <Mode M = kStrict, class T>
constexpr T fmaFused(T a, T b, T c) noexcept {
  if constexpr (std::is_same_v<T, double>) {
#if defined(__FMA__) || defined(__AVX512F__)
    if (M == kStrict && !std::is_constant_evaluated()) return canonical(__builtin_fma(a, b, c));
#endif
    return soft::fma<M>(a, b, c);
  } else {
#if defined(__FMA__) || defined(__AVX512F__)
    if constexpr (M == kStrict && std::is_same_v<T, float>) return canonical(__builtin_fmaf(a, b, c));
#endif
    const double product = widen(flush<M>(a)) * widen(flush<M>(b));  // exact
    return canonical(narrow<T, M>(addToOdd(product, widen(flush<M>(c)))));
  }
}

// GLSL.std.450 Fma where the profile does not fuse it: OpFMul, then OpFAdd.
template <Mode M = kStrict, class T>
constexpr T fmaSeparate(T a, T b, T c) noexcept {
  if constexpr (M == kStrict && !std::is_same_v<T, Half>) return canonical(a * b + c);
  return fAdd<M>(fMul<M>(a, b), c);
}
// OpFAdd of a and b, then of c.
template <Mode M = kStrict, class T>
constexpr T fAddThree(T a, T b, T c) noexcept {
  if constexpr (M == kStrict && !std::is_same_v<T, Half>) return canonical(a + b + c);
  return fAdd<M>(fAdd<M>(a, b), c);
}

// OpFConvert. M is the mode of the result's width, In that of the operand's.
template <class To, Mode M = kStrict, Mode In = M, class From>
constexpr To fConvert(From x) noexcept {
  x = flush<In>(x);
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, double>) {
    return widen(x);
  } else if constexpr (std::is_same_v<From, Half>) {
    return toFloat(x);
  } else {
    return narrow<To, M>(widen(x));
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
