#include "tools/run/embedded_source.h"

#include <algorithm>

#include "model/spirv/parse.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostWords = 0xffff;

// The operand where an instruction's text begins.
std::size_t textOperand(spv::Op op) {
  return op == spv::Op::OpString ? 0 : op == spv::Op::OpSource ? 3 : std::string::npos;
}

// As glslang 11 to 15 writes a text that begins at this byte of a literal: a byte of more than 7 bits sets all bits behind it in its word,
// because it is shifted there as a negative number.
std::string asGlslangWrites(std::string text, std::size_t begin) {
  text.resize(text.size() + (4 - (begin + text.size()) % 4) % 4);
  bool negative = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((begin + i) % 4 == 0) negative = false;
    if (negative) text[i] = '\xff';
    negative = negative || static_cast<signed char>(text[i]) < 0;
  }
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

struct LiteralPart {
  std::size_t begin = std::string::npos, bytes = 0;
};

// Where a literal holds a text, as it is or as glslang writes it.
LiteralPart partWith(const std::string& literal, const std::string& text) {
  if (const std::size_t begin = literal.find(text); begin != std::string::npos) return {begin, text.size()};
  if (isAscii(text)) return {};
  for (std::size_t rest = 0; rest < 4; ++rest) {
    const std::string written = asGlslangWrites(text, rest);
    for (std::size_t begin = literal.find(written); begin != std::string::npos; begin = literal.find(written, begin + 1))
      if (begin % 4 == rest) return {begin, written.size()};
  }
  return {};
}

}  // namespace

bool isAscii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<signed char>(c) < 0; });
}

std::vector<std::uint32_t> withSource(std::span<const std::uint32_t> words, const std::string& from, const std::string& to) {
  std::vector<std::uint32_t> out(words.begin(), words.end());
  const Expected<spirv::Module> module = spirv::parse("", out);
  if (!module || module->instructions.empty()) return out;
  out.resize(module->instructions[0].offset);
  for (const spirv::Instruction& inst : module->instructions) {
    const std::span<const std::uint32_t> own = spirv::wordsOf(*module, inst);
    const std::size_t at = textOperand(inst.op);
    std::string text = at < inst.operands.size() ? spirv::literalString(inst.operands.subspan(at)) : "";
    const LiteralPart part = partWith(text, from);
    if (at < inst.operands.size() && part.begin != std::string::npos) {
      const auto first = own.end() - static_cast<std::ptrdiff_t>(inst.operands.size() - at);
      std::vector<std::uint32_t> operands(own.begin() + 1, first);
      const std::vector<std::uint32_t> literal = spirv::literalWords(text.replace(part.begin, part.bytes, to));
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
