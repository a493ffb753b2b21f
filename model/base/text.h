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

// "A, B or C"; nothing of nothing.
std::string eitherOf(const std::vector<std::string>& names);

// Whether a file is named by the end of its path: "shaders/blur.comp" by "blur.comp", and by itself.
bool endsWithFile(std::string_view path, std::string_view file);

// As a shell takes it for one word: in quotes if the shell would change anything of it, as `it's` or `a{1,2}`.
std::string shellWord(const std::string& word);

// RFC 4648, section 4, with padding; reading it the padding may be missing. Nothing where the text is no base64.
std::string base64(std::span<const std::byte> bytes);
std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace lanewise
