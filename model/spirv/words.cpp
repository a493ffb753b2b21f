#include "model/spirv/words.h"

#include <cstring>

namespace lanewise::spirv {

std::optional<std::vector<std::uint32_t>> wordsOfFile(std::string_view bytes) {
  if (bytes.size() % 4 != 0) return {};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (!words.empty() && words[0] == __builtin_bswap32(spv::MagicNumber))
    for (std::uint32_t& word : words) word = __builtin_bswap32(word);
  return words;
}

bool isBinary(std::string_view bytes) {
  std::uint32_t first = 0;
  if (bytes.size() < sizeof first) return false;
  std::memcpy(&first, bytes.data(), sizeof first);
  return first == spv::MagicNumber || first == __builtin_bswap32(spv::MagicNumber);
}

std::span<const std::uint32_t> wordsOf(const Module& module, const Instruction& inst) {
  const std::uint32_t* first = &module.words[inst.offset];
  return {first, inst.operands.data() + inst.operands.size()};
}

std::vector<std::uint32_t> literalWords(std::string_view text) {
  std::vector<std::uint32_t> words(text.size() / 4 + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

void appendInstruction(std::vector<std::uint32_t>& to, spv::Op op, std::initializer_list<std::uint32_t> operands,
                       std::span<const std::uint32_t> more) {
  to.push_back(static_cast<std::uint32_t>(1 + operands.size() + more.size()) << 16 | static_cast<std::uint32_t>(op));
  to.insert(to.end(), operands);
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace lanewise::spirv
