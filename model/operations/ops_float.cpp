// Floating-point arithmetic and comparisons, round to nearest even, denormals kept (SPIR-V 1.6, 3.42.13, 3.42.15).
#include "model/operations/float_rows.h"
#include "model/operations/half_lanes.h"
#include "model/operations/ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <class T>
void addWidth(OpTable& t) {
  addRounding<kStrict, T>(t);
  addExact<kStrict, T>(t);
  row<bool, T>(t, spv::Op::OpIsNan, [](T a) { return scalar::isNan(a); });
  row<bool, T>(t, spv::Op::OpIsInf, [](T a) { return scalar::isInf(a); });
}

}  // namespace

void addFloatRows(OpTable& t) {
  addWidth<scalar::Half>(t);
  halfRow(t, spv::Op::OpFAdd, [](float a, float b) { return a + b; });
  halfRow(t, spv::Op::OpFSub, [](float a, float b) { return a - b; });
  halfRow(t, spv::Op::OpFMul, [](float a, float b) { return a * b; });
  halfRow(t, spv::Op::OpFDiv, [](float a, float b) { return a / b; });
  addWidth<float>(t);
  addWidth<double>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
