// The rows of model/ir/rows/glsl.inc and pack.inc.
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/pack.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addGlslRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/glsl.inc"
#include "model/ir/rows/pack.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
