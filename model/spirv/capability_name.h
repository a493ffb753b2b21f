// The names of capabilities, which SPIRV-Tools has only in its disassembler.
#pragma once

#include <spirv/unified1/spirv.hpp11>
#include <string>

namespace lanewise::spirv {

// "Int64ImageEXT"; newer ones too. Its number, if no name is known.
std::string capabilityName(spv::Capability capability);

}  // namespace lanewise::spirv
