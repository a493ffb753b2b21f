// Core arithmetic, comparisons and conversions with other choices than the strict ones.
#include "model/ir/rows/joined.h"
#include "model/operations/instantiate.h"
#include "model/scalar/convert.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/half.h"
#include "model/scalar/joined.h"
#include "model/scalar/logic.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addArithmeticChoices(OpTable& t, const Choices& c) {
#define ROW(code, types, varies, facts, ...) addChosenRow<types, ir::varies>(t, c, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/convert.inc"
#include "model/ir/rows/float.inc"
#include "model/ir/rows/integer.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
