// Do two decoded programs do the same, instruction by instruction? What is compared is all that the engine reads.
#pragma once

#include "model/ir/program.h"

namespace lanewise {

bool sameProgram(const Program& a, const Program& b);

}  // namespace lanewise
