// A line of the listing of a module.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/debug/places.h"

namespace lanewise {

// ">    304  OpStore %50 %57": the first word, and the text of spirv_text.h, or only the operation where there is none.
std::string spirvLine(const std::map<std::uint32_t, std::string>& texts, const spirv::Instruction& instruction, bool isCurrent);
// The module's instruction that one of the program was made from, as the current one.
std::string spirvLine(const debug::Places& places, std::uint32_t pc);

}  // namespace lanewise
