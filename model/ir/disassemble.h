// A decoded program as text: one line an instruction, for people.
#pragma once

#include <string>

#include "model/ir/program.h"

namespace lanewise {

// "  12 box.comp:31  v  %5120 = OpIAdd i32 %4096 u%64": index, source line, v for varying or u for uniform, slots by byte offset.
std::string disassemble(const Program& program);

}  // namespace lanewise
