// The text of its source that a module holds: for people alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

bool isAscii(std::string_view text);

// The module with another text wherever an OpString or OpSource holds `from`, or what glslang makes of it, which spoils characters that are
// not ASCII and those behind them, line ends too: with `from` as `to` that is mended. Gap: a text of more than 256 KiB, which several
// instructions hold, stays as it is.
std::vector<std::uint32_t> withSource(std::span<const std::uint32_t> words, const std::string& from, const std::string& to);

}  // namespace lanewise
