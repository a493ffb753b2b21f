#include "tools/run/embedded_source.h"

#include "model/spirv/parse.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostWords = 0xffff;

// The operand where an instruction's text begins.
std::size_t textOperand(spv::Op op) {
  return op == spv::Op::OpString ? 0 : op == spv::Op::OpSource ? 3 : std::string::npos;
}

}  // namespace

std::vector<std::uint32_t> withSource(std::span<const std::uint32_t> words, const std::string& from, const std::string& to) {
  std::vector<std::uint32_t> out(words.begin(), words.end());
  const Expected<spirv::Module> module = spirv::parse("", out);
  if (!module || module->instructions.empty()) return out;
  out.resize(module->instructions[0].offset);
  for (const spirv::Instruction& inst : module->instructions) {
    const std::span<const std::uint32_t> own = spirv::wordsOf(*module, inst);
    const std::size_t at = textOperand(inst.op);
    std::string text = at < inst.operands.size() ? spirv::literalString(inst.operands.subspan(at)) : "";
    const std::size_t place = text.find(from);
    if (at < inst.operands.size() && place != std::string::npos) {
      const auto first = own.end() - static_cast<std::ptrdiff_t>(inst.operands.size() - at);
      std::vector<std::uint32_t> operands(own.begin() + 1, first);
      const std::vector<std::uint32_t> literal = spirv::literalWords(text.replace(place, from.size(), to));
      operands.insert(operands.end(), literal.begin(), literal.end());
      if (operands.size() < kMostWords) {
        spirv::appendInstruction(out, inst.op, {}, operands);
        continue;
      }
    }
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

}  // namespace lanewise
