#include "model/base/visible.h"

namespace lanewise {

std::string visible(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool latin = c == 0xc2 && next >= 0x80 && next <= 0x9f;
    if (c == '\r' && next == '\n') continue;
    if (latin) c = next, ++i;
    if (latin || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      out += {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

}  // namespace lanewise
