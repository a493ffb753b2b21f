// Floating-point arithmetic and comparisons, round to nearest even, denormals kept (SPIR-V 1.6, 3.42.13, 3.42.15).
#include "model/exec/elementwise.h"
#include "model/exec/ops.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/round.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

template <class T>
void addWidth(OpTable& t) {
  row<T, T>(t, Op::OpFNegate, [](T a) { return scalar::fNegate(a); });
  row<T, T, T>(t, Op::OpFAdd, [](T a, T b) { return scalar::fAdd(a, b); });
  row<T, T, T>(t, Op::OpFSub, [](T a, T b) { return scalar::fSub(a, b); });
  row<T, T, T>(t, Op::OpFMul, [](T a, T b) { return scalar::fMul(a, b); });
  row<T, T, T>(t, Op::OpFDiv, [](T a, T b) { return scalar::fDiv(a, b); });
  row<T, T, T>(t, Op::OpFRem, [](T a, T b) { return scalar::fRem(a, b); });
  row<T, T, T>(t, Op::OpFMod, [](T a, T b) { return scalar::fMod(a, b); });
  row<bool, T>(t, Op::OpIsNan, [](T a) { return scalar::isNan(a); });
  row<bool, T>(t, Op::OpIsInf, [](T a) { return scalar::isInf(a); });
  row<bool, T, T>(t, Op::OpFOrdEqual, [](T a, T b) { return scalar::fOrdEqual(a, b); });
  row<bool, T, T>(t, Op::OpFUnordEqual, [](T a, T b) { return scalar::fUnordEqual(a, b); });
  row<bool, T, T>(t, Op::OpFOrdNotEqual, [](T a, T b) { return scalar::fOrdNotEqual(a, b); });
  row<bool, T, T>(t, Op::OpFUnordNotEqual, [](T a, T b) { return scalar::fUnordNotEqual(a, b); });
  row<bool, T, T>(t, Op::OpFOrdLessThan, [](T a, T b) { return scalar::fOrdLessThan(a, b); });
  row<bool, T, T>(t, Op::OpFUnordLessThan, [](T a, T b) { return scalar::fUnordLessThan(a, b); });
  row<bool, T, T>(t, Op::OpFOrdGreaterThan, [](T a, T b) { return scalar::fOrdGreaterThan(a, b); });
  row<bool, T, T>(t, Op::OpFUnordGreaterThan, [](T a, T b) { return scalar::fUnordGreaterThan(a, b); });
  row<bool, T, T>(t, Op::OpFOrdLessThanEqual, [](T a, T b) { return scalar::fOrdLessThanEqual(a, b); });
  row<bool, T, T>(t, Op::OpFUnordLessThanEqual, [](T a, T b) { return scalar::fUnordLessThanEqual(a, b); });
  row<bool, T, T>(t, Op::OpFOrdGreaterThanEqual, [](T a, T b) { return scalar::fOrdGreaterThanEqual(a, b); });
  row<bool, T, T>(t, Op::OpFUnordGreaterThanEqual, [](T a, T b) { return scalar::fUnordGreaterThanEqual(a, b); });
}

}  // namespace

void addFloatRows(OpTable& t) {
  addWidth<scalar::Half>(t);
  addWidth<float>(t);
  addWidth<double>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
