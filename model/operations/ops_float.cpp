// The rows of model/ir/rows/float.inc, and a faster form of the arithmetic of halves.
#include "model/ir/rows/joined.h"
#include "model/operations/half_lanes.h"
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/float_ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addFloatRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/float.inc"
#undef ROW
  halfRow(t, OpFAdd, [](float a, float b) { return a + b; });
  halfRow(t, OpFSub, [](float a, float b) { return a - b; });
  halfRow(t, OpFMul, [](float a, float b) { return a * b; });
  halfRow(t, OpFDiv, [](float a, float b) { return a / b; });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
