// Whether two decoded programs do the same, instruction by instruction. Compares everything that the engine reads.
#pragma once

#include "model/ir/program.h"

namespace lanewise {

bool sameProgram(const Program& a, const Program& b);

}  // namespace lanewise
