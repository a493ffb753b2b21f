// GLSL.std.450: the instructions that act on each component alone. The geometric ones are formulas (program/lower_extended.cpp).
#include "model/operations/float_rows.h"
#include "model/operations/ops.h"
#include "model/operations/pack_rows.h"
#include "model/scalar/integer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <class T>
void addFloat(OpTable& t) {
  addGlslRounding<kStrict, T>(t);
  addGlslExact<kStrict, T>(t);
  addMinMax<MinMax::kNumber, kStrict, T>(t);
  addFma<false, kStrict, T>(t);
  addRound<Ties::kEven, kStrict, T>(t);
  addMix<Mix::kWeights, kStrict, T>(t);
  addSmoothStep<SmoothStep::kSquareFirst, kStrict, T>(t);
  addFract<Fract::kSubtract, kStrict, T>(t);
  addInverseSqrt<InverseSqrt::kCorrect, kStrict, T>(t);
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
  addHalfPacking<Rounding::kToNearestEven>(t);
  addUnpackNorm<NormDecode::kDivide>(t);
  row<U, float, float, float, float>(t, glsl(GLSLstd450PackUnorm4x8),
                                     [](float x, float y, float z, float w) { return scalar::packUnorm4x8(x, y, z, w); });
  row<U, float, float, float, float>(t, glsl(GLSLstd450PackSnorm4x8),
                                     [](float x, float y, float z, float w) { return scalar::packSnorm4x8(x, y, z, w); });
  row<U, float, float>(t, glsl(GLSLstd450PackUnorm2x16), [](float x, float y) { return scalar::packUnorm2x16(x, y); });
  row<U, float, float>(t, glsl(GLSLstd450PackSnorm2x16), [](float x, float y) { return scalar::packSnorm2x16(x, y); });
  row<double, U, U>(t, glsl(GLSLstd450PackDouble2x32), [](U low, U high) { return scalar::packDouble2x32(low, high); });
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
