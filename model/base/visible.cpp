#include "model/base/visible.h"

#include <algorithm>

namespace lanewise {
namespace {

// How many bytes the character at the beginning of a text takes in UTF-8 (RFC 3629, section 4); 0: it is none.
std::size_t characterBytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : '\0'); };
  const auto follows = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xbf; };
  const unsigned char first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  // No longer form of a character than it needs, no half of a pair of UTF-16, nothing above U+10FFFF.
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
                     (first == 0xf4 && second > 0x8f);
  if (wrong || !follows(1) || !follows(2)) return 0;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 && follows(3) ? 4 : 0;
}

}  // namespace

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = characterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string visible(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; })) return std::string(text);  // nearly always
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool latin = c == 0xc2 && next >= 0x80 && next <= 0x9f;
    if (c == '\r' && next == '\n') continue;
    if (latin) c = next, ++i;
    const std::size_t bytes = latin ? 0 : characterBytes(text.substr(i));
    if (bytes == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      out += {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
    } else {
      out += text.substr(i, bytes);
      i += bytes - 1;
    }
  }
  return out;
}

}  // namespace lanewise
