// The names of operations, for messages, traces and tables.
#pragma once

#include <cstdint>
#include <string>

#include "model/ir/ir.h"

namespace lanewise {

// "OpIAdd", "FClamp", "load", "jump". `bits`: of an atomic or subgroup operation, whose SPIR-V opcode is in the low 16.
std::string codeName(ir::Code op, std::uint64_t bits = 0);

}  // namespace lanewise
