// The rows of model/ir/rows/transcendental.inc.
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addTranscendentalRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/transcendental.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
