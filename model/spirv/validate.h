// SPIR-V validation by SPIRV-Tools, against the rules of Vulkan 1.3.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/base/outcome.h"

namespace lanewise::spirv {

// Empty if the module is valid. Otherwise bad input with SPIRV-Tools' message, the instruction and its word offset; or unsupported if this
// SPIRV-Tools does not know a capability, an extension or an instruction of the module. Thread-safe.
Status validate(const std::string& name, std::span<const std::uint32_t> words);

}  // namespace lanewise::spirv
