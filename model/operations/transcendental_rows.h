// The rows of the transcendental functions of GLSL.std.450 for a mode; see float_rows.h. The same bits on every host
// (model/scalar/transcendental.h).
#pragma once

#include "model/operations/float_rows.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

template <Mode M, class T>
void addTranscendental(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Sin), [](T x) { return scalar::sin<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Cos), [](T x) { return scalar::cos<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Tan), [](T x) { return scalar::tan<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Asin), [](T x) { return scalar::asin<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Acos), [](T x) { return scalar::acos<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Atan), [](T x) { return scalar::atan<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Sinh), [](T x) { return scalar::sinh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Cosh), [](T x) { return scalar::cosh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Tanh), [](T x) { return scalar::tanh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Asinh), [](T x) { return scalar::asinh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Acosh), [](T x) { return scalar::acosh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Atanh), [](T x) { return scalar::atanh<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Exp), [](T x) { return scalar::exp<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Exp2), [](T x) { return scalar::exp2<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Log), [](T x) { return scalar::log<M>(x); });
  row<T, T>(t, glsl(GLSLstd450Log2), [](T x) { return scalar::log2<M>(x); });
  row<T, T, T>(t, glsl(GLSLstd450Atan2), [](T y, T x) { return scalar::atan2<M>(y, x); });
}

template <PowZeroZero Z, Mode M, class T>
void addPow(OpTable& t) {
  row<T, T, T>(t, glsl(GLSLstd450Pow), [](T x, T y) { return scalar::pow<Z, M>(x, y); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
