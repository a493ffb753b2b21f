// Float operations whose mode is known only while a program runs: those of atomics and subgroup operations.
#pragma once

#include "model/ir/program.h"
#include "model/scalar/float_ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

template <class T>
const scalar::Mode& modeOf(const FloatRules& rules) {
  if constexpr (sizeof(T) == 2) return rules.mode16;
  if constexpr (sizeof(T) == 4) return rules.mode32;
  return rules.mode64;
}

// `use` with the mode of T's width as a template argument.
template <class T, class Use>
T inMode(const FloatRules& rules, const Use& use) {
  const scalar::Mode& m = modeOf<T>(rules);
  if (m == scalar::kStrict) return use.template operator()<scalar::kStrict>();
  if (m == scalar::kFlushing) return use.template operator()<scalar::kFlushing>();
  if (m == scalar::kTruncating) return use.template operator()<scalar::kTruncating>();
  return use.template operator()<scalar::kTruncatingFlushing>();
}

template <class T>
T fAddBy(const FloatRules& rules, T a, T b) {
  return inMode<T>(rules, [&]<scalar::Mode M>() { return scalar::fAdd<M>(a, b); });
}
template <class T>
T fMulBy(const FloatRules& rules, T a, T b) {
  return inMode<T>(rules, [&]<scalar::Mode M>() { return scalar::fMul<M>(a, b); });
}

// Chooses one of two values: nothing is rounded, and a mode that flushes does so before.
template <class T>
T fMinBy(const FloatRules& rules, T a, T b) {
  if (modeOf<T>(rules).denormals == Denormals::kFlush) a = scalar::flush<scalar::kFlushing>(a), b = scalar::flush<scalar::kFlushing>(b);
  if (rules.minMax == MinMax::kNumber) return scalar::fMin(a, b);
  return rules.minMax == MinMax::kSecond ? scalar::fMin<MinMax::kSecond>(a, b) : scalar::fMin<MinMax::kNumberSecond>(a, b);
}
template <class T>
T fMaxBy(const FloatRules& rules, T a, T b) {
  if (modeOf<T>(rules).denormals == Denormals::kFlush) a = scalar::flush<scalar::kFlushing>(a), b = scalar::flush<scalar::kFlushing>(b);
  if (rules.minMax == MinMax::kNumber) return scalar::fMax(a, b);
  return rules.minMax == MinMax::kSecond ? scalar::fMax<MinMax::kSecond>(a, b) : scalar::fMax<MinMax::kNumberSecond>(a, b);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
