// Small things of text, and bytes as text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// Without the blanks, tabs and ends of lines around it.
std::string trimmed(std::string_view text);

// A file's name without "./" in front, as findings name it.
std::string_view withoutDot(std::string_view file);

// RFC 4648, section 4, with padding; reading it the padding may be missing. Nothing where the text is no base64.
std::string base64(std::span<const std::byte> bytes);
std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace lanewise
