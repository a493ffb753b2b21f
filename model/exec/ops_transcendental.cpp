// The transcendental functions of GLSL.std.450 on 16- and 32-bit floats: the same bits on every host (model/scalar/transcendental.h).
#include <spirv/unified1/GLSL.std.450.h>

#include "model/exec/elementwise.h"
#include "model/exec/ops.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

constexpr ir::Code glsl(GLSLstd450 number) {
  return ir::kGlsl + static_cast<ir::Code>(number);
}

template <class T>
void addWidth(OpTable& t) {
  row<T, T>(t, glsl(GLSLstd450Sin), [](T x) { return scalar::sin(x); });
  row<T, T>(t, glsl(GLSLstd450Cos), [](T x) { return scalar::cos(x); });
  row<T, T>(t, glsl(GLSLstd450Tan), [](T x) { return scalar::tan(x); });
  row<T, T>(t, glsl(GLSLstd450Asin), [](T x) { return scalar::asin(x); });
  row<T, T>(t, glsl(GLSLstd450Acos), [](T x) { return scalar::acos(x); });
  row<T, T>(t, glsl(GLSLstd450Atan), [](T x) { return scalar::atan(x); });
  row<T, T>(t, glsl(GLSLstd450Sinh), [](T x) { return scalar::sinh(x); });
  row<T, T>(t, glsl(GLSLstd450Cosh), [](T x) { return scalar::cosh(x); });
  row<T, T>(t, glsl(GLSLstd450Tanh), [](T x) { return scalar::tanh(x); });
  row<T, T>(t, glsl(GLSLstd450Asinh), [](T x) { return scalar::asinh(x); });
  row<T, T>(t, glsl(GLSLstd450Acosh), [](T x) { return scalar::acosh(x); });
  row<T, T>(t, glsl(GLSLstd450Atanh), [](T x) { return scalar::atanh(x); });
  row<T, T>(t, glsl(GLSLstd450Exp), [](T x) { return scalar::exp(x); });
  row<T, T>(t, glsl(GLSLstd450Exp2), [](T x) { return scalar::exp2(x); });
  row<T, T>(t, glsl(GLSLstd450Log), [](T x) { return scalar::log(x); });
  row<T, T>(t, glsl(GLSLstd450Log2), [](T x) { return scalar::log2(x); });
  row<T, T, T>(t, glsl(GLSLstd450Atan2), [](T y, T x) { return scalar::atan2(y, x); });
  row<T, T, T>(t, glsl(GLSLstd450Pow), [](T x, T y) { return scalar::pow(x, y); });
}

}  // namespace

void addTranscendentalRows(OpTable& t) {
  addWidth<scalar::Half>(t);
  addWidth<float>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
