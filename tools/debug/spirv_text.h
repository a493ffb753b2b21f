// The instructions of a module as SPIRV-Tools writes them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/spirv/module.h"

namespace lanewise {

// By the instruction's first word in the module: "%sum = OpIAdd %uint %a %b". Empty: SPIRV-Tools does not know the module.
std::map<std::uint32_t, std::string> spirvTexts(const spirv::Module& module);

}  // namespace lanewise
