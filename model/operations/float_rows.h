// The rows of floating-point operations, for a mode (rounding and denormals) and the open choices of Profile: written once, made strict
// in ops_float.cpp and ops_glsl.cpp for every instruction set, and with other choices in choices_*.cpp.
// Source: SPIR-V 1.6, 3.42.13, 3.42.15; GLSL.std.450; SPV_KHR_float_controls.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include "model/operations/elementwise.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/round.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

using scalar::kStrict;
using scalar::Mode;

constexpr ir::Code glsl(GLSLstd450 number) {
  return ir::kGlsl + static_cast<ir::Code>(number);
}

// Core operations that round.
template <Mode M, class T>
void addRounding(OpTable& t) {
  using spv::Op;
  row<T, T, T>(t, Op::OpFAdd, [](T a, T b) { return scalar::fAdd<M>(a, b); });
  row<T, T, T>(t, Op::OpFSub, [](T a, T b) { return scalar::fSub<M>(a, b); });
  row<T, T, T>(t, Op::OpFMul, [](T a, T b) { return scalar::fMul<M>(a, b); });
  row<T, T, T>(t, Op::OpFDiv, [](T a, T b) { return scalar::fDiv<M>(a, b); });
  row<T, T, T>(t, Op::OpFRem, [](T a, T b) { return scalar::fRem<M>(a, b); });
  row<T, T, T>(t, Op::OpFMod, [](T a, T b) { return scalar::fMod<M>(a, b); });
}

// Core operations whose results are exact: of a mode, only the denormals matter. OpIsNan and OpIsInf do not even see those.
template <Mode M, class T>
void addExact(OpTable& t) {
  using spv::Op;
  row<T, T>(t, Op::OpFNegate, [](T a) { return scalar::fNegate<M>(a); });
  row<bool, T, T>(t, Op::OpFOrdEqual, [](T a, T b) { return scalar::fOrdEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordEqual, [](T a, T b) { return scalar::fUnordEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFOrdNotEqual, [](T a, T b) { return scalar::fOrdNotEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordNotEqual, [](T a, T b) { return scalar::fUnordNotEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFOrdLessThan, [](T a, T b) { return scalar::fOrdLessThan<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordLessThan, [](T a, T b) { return scalar::fUnordLessThan<M>(a, b); });
  row<bool, T, T>(t, Op::OpFOrdGreaterThan, [](T a, T b) { return scalar::fOrdGreaterThan<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordGreaterThan, [](T a, T b) { return scalar::fUnordGreaterThan<M>(a, b); });
  row<bool, T, T>(t, Op::OpFOrdLessThanEqual, [](T a, T b) { return scalar::fOrdLessThanEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordLessThanEqual, [](T a, T b) { return scalar::fUnordLessThanEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFOrdGreaterThanEqual, [](T a, T b) { return scalar::fOrdGreaterThanEqual<M>(a, b); });
  row<bool, T, T>(t, Op::OpFUnordGreaterThanEqual, [](T a, T b) { return scalar::fUnordGreaterThanEqual<M>(a, b); });
}

// The same two kinds of GLSL.std.450.
template <Mode M, class T>
void addGlslRounding(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Radians), [](T x) { return scalar::radians<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Degrees), [](T x) { return scalar::degrees<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Sqrt), [](T x) { return scalar::sqrt<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Modf), [](T x) { return scalar::modf<M>(x).fract; });
  row<T, T, std::int32_t>(t, glsl(GLSLstd450Ldexp), [](T x, std::int32_t e) { return scalar::ldexp<M>(x, e); });
}

template <Mode M, class T>
void addGlslExact(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450RoundEven), [](T x) { return scalar::roundEven<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Trunc), [](T x) { return scalar::trunc<M>(x); });
  row<T, T>(t, glsl(GLSLstd450FAbs), [](T x) { return scalar::fAbs<M>(x); });
  row<T, T>(t, glsl(GLSLstd450FSign), [](T x) { return scalar::fSign<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Floor), [](T x) { return scalar::floor<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Ceil), [](T x) { return scalar::ceil<M>(x); });
  row<T, T>(t, glsl(GLSLstd450ModfStruct), [](T x) { return scalar::modf<M>(x).whole; });
  row<T, T>(t, glsl(GLSLstd450Frexp), [](T x) { return scalar::frexp<M>(x).significand; });
  row<std::int32_t, T>(t, glsl(GLSLstd450FrexpStruct), [](T x) { return scalar::frexp<M>(x).exponent; });
  row<T, T, T>(t, glsl(GLSLstd450Step), [](T edge, T x) { return scalar::step<M>(edge, x); });
}

// Those that Vulkan leaves a choice in, named after Profile's fields.
template <MinMax R, Mode M, class T>
void addMinMax(OpTable& t) {
  row<T, T, T>(t, glsl(GLSLstd450FMin), [](T a, T b) { return scalar::fMin<R, M>(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450FMax), [](T a, T b) { return scalar::fMax<R, M>(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450NMin), [](T a, T b) { return scalar::nMin<R, M>(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450NMax), [](T a, T b) { return scalar::nMax<R, M>(a, b); });
  row<T, T, T, T>(t, glsl(GLSLstd450FClamp), [](T x, T low, T high) { return scalar::fClamp<R, M>(x, low, high); });
  row<T, T, T, T>(t, glsl(GLSLstd450NClamp), [](T x, T low, T high) { return scalar::nClamp<R, M>(x, low, high); });
}
template <bool Fused, Mode M, class T>
void addFma(OpTable& t) {
  if constexpr (Fused)
    row<T, T, T, T>(t, glsl(GLSLstd450Fma), [](T a, T b, T c) { return scalar::fmaFused<M>(a, b, c); });
  else
    row<T, T, T, T>(t, glsl(GLSLstd450Fma), [](T a, T b, T c) { return scalar::fmaSeparate<M>(a, b, c); });
}
template <Ties R, Mode M, class T>
void addRound(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Round), [](T x) { return scalar::round<R, M>(x); });
}
template <Mix R, Mode M, class T>
void addMix(OpTable& t) {
  row<T, T, T, T>(t, glsl(GLSLstd450FMix), [](T x, T y, T a) { return scalar::fMix<R, M>(x, y, a); });
}
template <SmoothStep R, Mode M, class T>
void addSmoothStep(OpTable& t) {
  row<T, T, T, T>(t, glsl(GLSLstd450SmoothStep), [](T e0, T e1, T x) { return scalar::smoothStep<R, M>(e0, e1, x); });
}
template <Fract R, Mode M, class T>
void addFract(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Fract), [](T x) { return scalar::fract<R, M>(x); });
}
template <InverseSqrt R, Mode M, class T>
void addInverseSqrt(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450InverseSqrt), [](T x) { return scalar::inverseSqrt<R, M>(x); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
