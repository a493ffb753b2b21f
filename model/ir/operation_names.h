// The names of operations, for messages, traces and tables.
#pragma once

#include <cstdint>
#include <string>

#include "model/ir/ir.h"

namespace lanewise {

// "OpIAdd", "FClamp", "load", "jump". Of an atomic or a subgroup operation: of Program::codeOf.
std::string codeName(ir::Code op);

}  // namespace lanewise
