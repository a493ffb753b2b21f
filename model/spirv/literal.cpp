#include "model/spirv/literal.h"

namespace lanewise::spirv {

std::string literalString(std::span<const std::uint32_t> words) {
  std::string text;
  for (std::uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>((word >> shift) & 0xff);
      if (c == '\0') return text;
      text.push_back(c);
    }
  return text;
}

}  // namespace lanewise::spirv
