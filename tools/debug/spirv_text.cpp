#include "tools/debug/spirv_text.h"

#include <algorithm>
#include <charconv>
#include <spirv-tools/libspirv.hpp>
#include <sstream>

#include "model/spirv/language.h"
#include "model/spirv/words.h"

namespace lanewise {

// SPIRV-Tools says of each instruction at which byte it is.
std::map<std::uint32_t, std::string> spirvTexts(const spirv::Module& module) {
  const spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string all;
  const std::uint32_t options =
      SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET;
  std::vector<std::uint32_t> words(module.words.begin(), module.words.end());
  for (const spirv::Instruction& inst : module.instructions)
    if (spirv::namesNewerLanguage(spirv::wordsOf(module, inst)))
      words[inst.offset + 1] = static_cast<std::uint32_t>(spv::SourceLanguage::Unknown);
  if (!tools.Disassemble(words, &all, options)) all.clear();
  std::map<std::uint32_t, std::string> out;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kMark = " ; 0x";
    const std::size_t mark = line.rfind(kMark);
    std::uint32_t byte = 0;
    if (mark == std::string::npos ||
        std::from_chars(line.data() + mark + kMark.size(), line.data() + line.size(), byte, 16).ec != std::errc{})
      continue;
    const std::size_t begin = std::min(line.find_first_not_of(' '), mark);
    const std::size_t end = line.find_last_not_of(' ', mark) + 1;  // some versions align what follows
    out[byte / 4] = line.substr(begin, std::max(begin, end) - begin);
  }
  return out;
}

}  // namespace lanewise
