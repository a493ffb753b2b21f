// Strings in words: SPIR-V 1.6, 2.2.1, "Literal".
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise::spirv {

// The string that starts at words[0].
std::string literalString(std::span<const std::uint32_t> words);

}  // namespace lanewise::spirv
