// The language of a module's source, as OpSource names it. Nothing that is executed depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanewise::spirv {

// Whether an instruction is an OpSource that names a language newer than the linked SPIRV-Tools.
bool namesNewerLanguage(std::span<const std::uint32_t> inst);
// Its number, where it is one of those.
std::optional<std::uint32_t> newerLanguage(std::string_view name);

}  // namespace lanewise::spirv
