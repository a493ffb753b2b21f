// The rows of model/ir/rows/logic.inc.
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/logic.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addLogicRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/logic.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
