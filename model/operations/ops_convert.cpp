// The rows of model/ir/rows/convert.inc, and the host's own conversions of halves.
#include "model/operations/half_lanes.h"
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/convert.h"
#include "model/scalar/half.h"
#include "model/scalar/logic.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addConversionRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/convert.inc"
#undef ROW
  t.add({ir::core(OpFConvert), Scalar::kF32, Scalar::kF16}, &convertHalves<false>);
  t.add({ir::core(OpFConvert), Scalar::kF16, Scalar::kF32}, &convertHalves<true>);
  t.add({ir::kConvertToEven, Scalar::kF16, Scalar::kF32}, &convertHalves<true>);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
