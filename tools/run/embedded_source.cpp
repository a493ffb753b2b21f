#include "tools/run/embedded_source.h"

#include <algorithm>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

#include "model/spirv/literal.h"

namespace lanewise {
namespace {

constexpr std::size_t kHeaderWords = 5, kMostWords = 0xffff;

// Where an instruction's text begins; 0 if it has none.
std::size_t textIn(std::span<const std::uint32_t> inst) {
  switch (static_cast<spv::Op>(inst[0] & 0xffff)) {
    case spv::Op::OpString:
      return 2;
    case spv::Op::OpSource:
      return inst.size() > 4 ? 4 : 0;
    default:
      return 0;
  }
}

}  // namespace

std::vector<std::uint32_t> withSource(std::span<const std::uint32_t> words, const std::string& from, const std::string& to) {
  std::vector<std::uint32_t> out(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kHeaderWords)));
  for (std::size_t at = kHeaderWords, count = 0; at < words.size(); at += count) {
    count = std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at);
    const std::span<const std::uint32_t> inst = words.subspan(at, count);
    const std::size_t first = textIn(inst);
    std::string text = first == 0 ? std::string() : spirv::literalString(inst.subspan(first));
    const std::size_t place = first == 0 ? std::string::npos : text.find(from);
    if (place != std::string::npos) text.replace(place, from.size(), to);
    const std::size_t size = first + text.size() / 4 + 1;
    if (place == std::string::npos || size > kMostWords) {
      out.insert(out.end(), inst.begin(), inst.end());
      continue;
    }
    out.push_back(static_cast<std::uint32_t>(size) << 16 | (inst[0] & 0xffff));
    out.insert(out.end(), inst.begin() + 1, inst.begin() + static_cast<std::ptrdiff_t>(first));
    out.resize(out.size() + size - first);
    std::memcpy(&out[out.size() - (size - first)], text.data(), text.size());
  }
  return out;
}

}  // namespace lanewise
