#include "tools/debug/spirv_line.h"

#include <fmt/format.h>

#include "tools/debug/spirv_text.h"

namespace lanewise {

std::string spirvLine(const std::map<std::uint32_t, std::string>& texts, const spirv::Instruction& instruction, bool isCurrent) {
  const auto text = texts.find(instruction.offset);
  return fmt::format("{} {:>6}  {}", isCurrent ? ">" : " ", instruction.offset,
                     text == texts.end() ? spirv::opName(instruction.op) : text->second);
}

std::string spirvLine(const debug::Places& places, std::uint32_t pc) {
  const Program& p = places.program();
  return spirvLine(spirvTexts(p.module), p.module.instructions[p.origins[p.info[pc].origin].instruction], true);
}

}  // namespace lanewise
