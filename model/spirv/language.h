// The language of a module's source, as OpSource names it. Nothing that is executed depends on it.
#pragma once

#include <cstdint>
#include <span>

namespace lanewise::spirv {

// Whether an instruction is an OpSource that names a language newer than the linked SPIRV-Tools.
bool namesNewerLanguage(std::span<const std::uint32_t> inst);

}  // namespace lanewise::spirv
