// GLSL.std.450, without its transcendental functions, with other choices than the strict ones.
#include "model/operations/instantiate.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/pack.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addGlslChoices(OpTable& t, const Choices& c) {
#define ROW(code, types, varies, facts, ...) addChosenRow<types, ir::varies>(t, c, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/glsl.inc"
#include "model/ir/rows/pack.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
