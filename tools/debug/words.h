// The words of a command.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "model/base/outcome.h"
#include "model/base/text.h"

namespace lanewise {

// "break 31 if x" -> "break", "31 if x".
std::pair<std::string, std::string> firstWord(const std::string& text);
// A number, or `usual` for an empty text. Bad input: anything else.
Expected<std::uint64_t> countOf(const std::string& text, std::uint64_t usual);

}  // namespace lanewise
