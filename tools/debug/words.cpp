#include "tools/debug/words.h"

#include <fmt/format.h>

#include <charconv>

namespace lanewise {

std::pair<std::string, std::string> firstWord(const std::string& text) {
  const std::string all = trimmed(text);
  const std::size_t end = std::min(all.find_first_of(" \t"), all.size());
  return {all.substr(0, end), trimmed(all.substr(end))};
}

Expected<std::uint64_t> countOf(const std::string& text, std::uint64_t usual) {
  if (text.empty()) return usual;
  std::uint64_t n = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (bad != std::errc{} || end != text.data() + text.size())
    return Error{Outcome::kBadInput, fmt::format("'{}' is no number", text), "", ""};
  return n;
}

}  // namespace lanewise
