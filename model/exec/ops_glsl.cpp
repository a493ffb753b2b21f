// GLSL.std.450: the instructions that act on each component alone. The geometric ones are formulas (program/lower_extended.cpp).
#include <spirv/unified1/GLSL.std.450.h>

#include "model/exec/elementwise.h"
#include "model/exec/ops.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/integer.h"
#include "model/scalar/pack.h"
#include "model/scalar/round.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

constexpr ir::Code glsl(GLSLstd450 number) {
  return ir::kGlsl + static_cast<ir::Code>(number);
}

template <class T>
void addFloat(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Round), [](T x) { return scalar::round(x); });
  row<T, T>(t, glsl(GLSLstd450RoundEven), [](T x) { return scalar::roundEven(x); });
  row<T, T>(t, glsl(GLSLstd450Trunc), [](T x) { return scalar::trunc(x); });
  row<T, T>(t, glsl(GLSLstd450FAbs), [](T x) { return scalar::fAbs(x); });
  row<T, T>(t, glsl(GLSLstd450FSign), [](T x) { return scalar::fSign(x); });
  row<T, T>(t, glsl(GLSLstd450Floor), [](T x) { return scalar::floor(x); });
  row<T, T>(t, glsl(GLSLstd450Ceil), [](T x) { return scalar::ceil(x); });
  row<T, T>(t, glsl(GLSLstd450Fract), [](T x) { return scalar::fract(x); });
  row<T, T>(t, glsl(GLSLstd450Radians), [](T x) { return scalar::radians(x); });
  row<T, T>(t, glsl(GLSLstd450Degrees), [](T x) { return scalar::degrees(x); });
  row<T, T>(t, glsl(GLSLstd450Sqrt), [](T x) { return scalar::sqrt(x); });
  row<T, T>(t, glsl(GLSLstd450InverseSqrt), [](T x) { return scalar::inverseSqrt(x); });
  row<T, T>(t, glsl(GLSLstd450Modf), [](T x) { return scalar::modf(x).fract; });
  row<T, T>(t, glsl(GLSLstd450ModfStruct), [](T x) { return scalar::modf(x).whole; });
  row<T, T>(t, glsl(GLSLstd450Frexp), [](T x) { return scalar::frexp(x).significand; });
  row<std::int32_t, T>(t, glsl(GLSLstd450FrexpStruct), [](T x) { return scalar::frexp(x).exponent; });
  row<T, T, std::int32_t>(t, glsl(GLSLstd450Ldexp), [](T x, std::int32_t e) { return scalar::ldexp(x, e); });
  row<T, T, T>(t, glsl(GLSLstd450FMin), [](T a, T b) { return scalar::fMin(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450FMax), [](T a, T b) { return scalar::fMax(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450NMin), [](T a, T b) { return scalar::nMin(a, b); });
  row<T, T, T>(t, glsl(GLSLstd450NMax), [](T a, T b) { return scalar::nMax(a, b); });
  row<T, T, T, T>(t, glsl(GLSLstd450FClamp), [](T x, T low, T high) { return scalar::fClamp(x, low, high); });
  row<T, T, T, T>(t, glsl(GLSLstd450NClamp), [](T x, T low, T high) { return scalar::nClamp(x, low, high); });
  row<T, T, T>(t, glsl(GLSLstd450Step), [](T edge, T x) { return scalar::step(edge, x); });
  row<T, T, T, T>(t, glsl(GLSLstd450SmoothStep), [](T e0, T e1, T x) { return scalar::smoothStep(e0, e1, x); });
  row<T, T, T, T>(t, glsl(GLSLstd450FMix), [](T x, T y, T a) { return scalar::fMix(x, y, a); });
  row<T, T, T, T>(t, glsl(GLSLstd450Fma), [](T a, T b, T c) { return scalar::fmaSeparate(a, b, c); });
}

template <class S>
void addInteger(OpTable& t) {
  using U = std::make_unsigned_t<S>;
  row<S, S>(t, glsl(GLSLstd450SAbs), [](S x) { return scalar::sAbs(x); });
  row<S, S>(t, glsl(GLSLstd450SSign), [](S x) { return scalar::sSign(x); });
  row<U, U, U>(t, glsl(GLSLstd450UMin), [](U a, U b) { return scalar::uMin(a, b); });
  row<U, U, U>(t, glsl(GLSLstd450UMax), [](U a, U b) { return scalar::uMax(a, b); });
  row<S, S, S>(t, glsl(GLSLstd450SMin), [](S a, S b) { return scalar::sMin(a, b); });
  row<S, S, S>(t, glsl(GLSLstd450SMax), [](S a, S b) { return scalar::sMax(a, b); });
  row<U, U, U, U>(t, glsl(GLSLstd450UClamp), [](U x, U low, U high) { return scalar::uClamp(x, low, high); });
  row<S, S, S, S>(t, glsl(GLSLstd450SClamp), [](S x, S low, S high) { return scalar::sClamp(x, low, high); });
  row<S, U>(t, glsl(GLSLstd450FindILsb), [](U x) { return static_cast<S>(scalar::findILsb(x)); });
  row<S, U>(t, glsl(GLSLstd450FindUMsb), [](U x) { return static_cast<S>(scalar::findUMsb(x)); });
  row<S, S>(t, glsl(GLSLstd450FindSMsb), [](S x) { return static_cast<S>(scalar::findSMsb(x)); });
}

void addPacking(OpTable& t) {
  using U = std::uint32_t;
  row<U, float, float, float, float>(t, glsl(GLSLstd450PackUnorm4x8),
                                     [](float x, float y, float z, float w) { return scalar::packUnorm4x8(x, y, z, w); });
  row<U, float, float, float, float>(t, glsl(GLSLstd450PackSnorm4x8),
                                     [](float x, float y, float z, float w) { return scalar::packSnorm4x8(x, y, z, w); });
  row<U, float, float>(t, glsl(GLSLstd450PackUnorm2x16), [](float x, float y) { return scalar::packUnorm2x16(x, y); });
  row<U, float, float>(t, glsl(GLSLstd450PackSnorm2x16), [](float x, float y) { return scalar::packSnorm2x16(x, y); });
  row<U, float, float>(t, glsl(GLSLstd450PackHalf2x16), [](float x, float y) { return scalar::packHalf2x16(x, y); });
  row<double, U, U>(t, glsl(GLSLstd450PackDouble2x32), [](U low, U high) { return scalar::packDouble2x32(low, high); });
  row<float, U, U>(t, glsl(GLSLstd450UnpackUnorm4x8), [](U p, U i) { return scalar::unpackUnorm4x8(p)[i & 3]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackSnorm4x8), [](U p, U i) { return scalar::unpackSnorm4x8(p)[i & 3]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackUnorm2x16), [](U p, U i) { return scalar::unpackUnorm2x16(p)[i & 1]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackSnorm2x16), [](U p, U i) { return scalar::unpackSnorm2x16(p)[i & 1]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackHalf2x16), [](U p, U i) { return scalar::unpackHalf2x16(p)[i & 1]; });
  row<U, double, U>(t, glsl(GLSLstd450UnpackDouble2x32), [](double d, U i) { return scalar::unpackDouble2x32(d)[i & 1]; });
}

}  // namespace

void addGlslRows(OpTable& t) {
  addFloat<scalar::Half>(t);
  addFloat<float>(t);
  addFloat<double>(t);
  addInteger<std::int8_t>(t);
  addInteger<std::int16_t>(t);
  addInteger<std::int32_t>(t);
  addInteger<std::int64_t>(t);
  addPacking(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
