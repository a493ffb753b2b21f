// The transcendental functions of GLSL.std.450 with other choices than the strict ones.
#include "model/operations/instantiate.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addTranscendentalChoices(OpTable& t, const Choices& c) {
#define ROW(code, types, varies, facts, ...) addChosenRow<types, ir::varies>(t, c, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/transcendental.inc"
#undef ROW
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
