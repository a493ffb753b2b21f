#include "tools/selftest/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "model/spirv/words.h"
#include "tools/selftest/rules.h"
#include "tools/selftest/source_lines.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spv::Op;

// The index in the module of an operand's word.
std::uint32_t operandAt(const Instruction& in, std::size_t i) {
  return in.offset + 1 + (in.type != 0 ? 1u : 0u) + (in.result != 0 ? 1u : 0u) + static_cast<std::uint32_t>(i);
}

class Mutator {
 public:
  explicit Mutator(const spirv::Module& module) : module_(module), text_(module) {}

  std::vector<Mutant> run() {
    for (const spirv::FunctionRange& f : module_.functions) {
      line_ = {};
      for (std::uint32_t i = f.first; i < f.last; ++i) {
        const Instruction& in = module_.instructions[i];
        if (in.source.line != 0) line_ = in.source;
        mutate(in);
      }
    }
    return std::move(mutants_);
  }

 private:
  void mutate(const Instruction& in) {
    for (const OpcodeRule& rule : opcodeRules())
      if (rule.from == in.op) replaceOpcode(in, rule);
    if (module_.setOf(in) == spirv::InstructionSet::kGlsl) mutateExtended(in);
    for (const SwapRule& rule : swapRules())
      if (rule.op == in.op && rule.second < in.operands.size() && in.operands[rule.first] != in.operands[rule.second]) swap(in, rule);
    for (const DropRule& rule : dropRules())
      if (rule.op == in.op) drop(in, rule.name);
    for (const LiteralRule& rule : literalRules())
      if (rule.op == in.op && rule.operand < in.operands.size()) changeLiteral(in, rule);
    for (const ConstantRule& rule : constantRules())
      for (std::uint32_t i = rule.first; rule.op == in.op && i <= rule.last && i < in.operands.size(); ++i)
        changeConstant(in, i, rule.name);
    for (const SemanticsRule& rule : semanticsRules())
      if (rule.op == in.op) weaken(in, rule);
    for (const PlainRule& rule : plainRules())
      if (rule.atomic == in.op) makePlain(in, rule);
  }

  void add(const Instruction& in, const char* rule, std::string change, std::vector<std::uint32_t> words) {
    InstructionPlace place = module_.placeOf(in, line_);
    const auto instruction = static_cast<std::uint32_t>(&in - module_.instructions.data());
    mutants_.push_back({rule, std::move(place), text_.at(line_), std::move(change), instruction, std::move(words)});
  }

  void replaceOpcode(const Instruction& in, const OpcodeRule& rule) {
    std::vector<std::uint32_t> words = module_.words;
    words[in.offset] = (words[in.offset] & 0xffff0000u) | static_cast<std::uint32_t>(rule.to);
    add(in, rule.name, fmt::format("{} becomes {}", spirv::opName(rule.from), spirv::opName(rule.to)), std::move(words));
  }

  void mutateExtended(const Instruction& in) {
    for (const ExtendedRule& rule : extendedRules())
      if (static_cast<std::uint32_t>(rule.from) == in.operand(1)) {
        std::vector<std::uint32_t> words = module_.words;
        words[operandAt(in, 1)] = static_cast<std::uint32_t>(rule.to);
        add(in, rule.name, fmt::format("GLSL.std.450 {} becomes {}", static_cast<int>(rule.from), static_cast<int>(rule.to)),
            std::move(words));
      }
    for (std::uint32_t i = 2; i < in.operands.size(); ++i) changeConstant(in, i, "constant");
  }

  void swap(const Instruction& in, const SwapRule& rule) {
    std::vector<std::uint32_t> words = module_.words;
    std::swap(words[operandAt(in, rule.first)], words[operandAt(in, rule.second)]);
    add(in, rule.name, fmt::format("operands {} and {} of {} change places", rule.first, rule.second, spirv::opName(in.op)),
        std::move(words));
  }

  void drop(const Instruction& in, const char* rule) {
    std::vector<std::uint32_t> words = module_.words;
    for (std::size_t i = 0; i < spirv::wordsOf(module_, in).size(); ++i)
      words[in.offset + i] = 1u << 16 | static_cast<std::uint32_t>(Op::OpNop);
    add(in, rule, fmt::format("{} is left out", spirv::opName(in.op)), std::move(words));
  }

  void changeLiteral(const Instruction& in, const LiteralRule& rule) {
    std::vector<std::uint32_t> words = module_.words;
    std::uint32_t& word = words[operandAt(in, rule.operand)];
    const std::uint32_t before = word;
    word = before ^ 1u;
    add(in, rule.name, fmt::format("index {} of {} becomes {}", before, spirv::opName(in.op), before ^ 1u), std::move(words));
  }

  // The module's words with one operand set to another constant of the same type. If there is no such constant, it is added before the old
  // one.
  std::vector<std::uint32_t> withConstant(std::uint32_t at, const Instruction& old, std::uint32_t bits) const {
    std::vector<std::uint32_t> words = module_.words;
    for (const Instruction& in : module_.instructions)
      if (in.op == Op::OpConstant && in.type == old.type && in.operand(0) == bits) {
        words[at] = in.result;
        return words;
      }
    words[at] = words[3]++;  // the bound
    const std::uint32_t fresh[] = {4u << 16 | static_cast<std::uint32_t>(Op::OpConstant), old.type, words[at], bits};
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(old.offset), std::begin(fresh), std::end(fresh));
    return words;
  }

  void changeConstant(const Instruction& in, std::uint32_t operand, const char* rule) {
    const Instruction* old = module_.definition(in.operands[operand]);
    if (old == nullptr || old->op != Op::OpConstant || old->operands.size() != 1) return;
    const Instruction* type = module_.definition(old->type);
    if (type == nullptr || type->operand(0) != 32) return;
    const std::uint32_t before = old->operands[0];
    std::uint32_t after = before + 1;
    std::string text = fmt::format("{} becomes {}", before, after);
    if (type->op == Op::OpTypeFloat) {
      const float value = std::bit_cast<float>(before);
      const float other = value == 0 ? 1.0f : value * 1.5f;
      after = std::bit_cast<std::uint32_t>(other);
      text = fmt::format("{} becomes {}", value, other);
    }
    add(in, rule, fmt::format("in {} {}", spirv::opName(in.op), text), withConstant(operandAt(in, operand), *old, after));
  }

  void weaken(const Instruction& in, const SemanticsRule& rule) {
    const Instruction* old = rule.operand < in.operands.size() ? module_.definition(in.operands[rule.operand]) : nullptr;
    if (old == nullptr || old->op != Op::OpConstant || old->operands[0] == 0) return;
    add(in, rule.name, fmt::format("the memory semantics of {} become none", spirv::opName(in.op)),
        withConstant(operandAt(in, rule.operand), *old, 0));
  }

  void makePlain(const Instruction& in, const PlainRule& rule) {
    std::vector<std::uint32_t> words = module_.words;
    const std::uint32_t sum = words[3]++;
    const std::uint32_t pointer = in.operand(0), value = in.operand(3);
    const std::uint32_t fresh[] = {4u << 16 | static_cast<std::uint32_t>(Op::OpLoad),
                                   in.type,
                                   in.result,
                                   pointer,
                                   5u << 16 | static_cast<std::uint32_t>(rule.plain),
                                   in.type,
                                   sum,
                                   in.result,
                                   value,
                                   3u << 16 | static_cast<std::uint32_t>(Op::OpStore),
                                   pointer,
                                   sum};
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(in.offset);
    const auto length = static_cast<std::ptrdiff_t>(spirv::wordsOf(module_, in).size());
    words.insert(words.erase(at, at + length), std::begin(fresh), std::end(fresh));
    add(in, rule.name, fmt::format("{} becomes a load, {} and a store", spirv::opName(in.op), spirv::opName(rule.plain)), std::move(words));
  }

  const spirv::Module& module_;
  SourceLines text_;
  spirv::SourceLine line_;
  std::vector<Mutant> mutants_;
};

// A change without its numbers: the copies of an unrolled line differ only in these.
std::string withoutNumbers(const Mutant& m) {
  std::string text = m.rule + m.place.text() + " " + m.change;
  text.erase(std::remove_if(text.begin() + static_cast<std::ptrdiff_t>((m.rule + m.place.text()).size()), text.end(),
                            [](char c) { return c >= '0' && c <= '9'; }),
             text.end());
  return text;
}

// Of more than kCopies equal changes, keeps kCopies that are evenly spaced, with the first and the last.
std::vector<Mutant> withFewCopies(std::vector<Mutant> mutants) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < mutants.size(); ++i) alike[withoutNumbers(mutants[i])].push_back(i);
  std::vector<char> keep(mutants.size(), 0);
  for (const auto& [text, at] : alike)
    for (std::size_t i = 0, n = std::min(at.size(), kCopies); i < n; ++i) keep[at[n == 1 ? 0 : i * (at.size() - 1) / (n - 1)]] = 1;
  std::vector<Mutant> kept;
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (keep[i]) kept.push_back(std::move(mutants[i]));
  return kept;
}

}  // namespace

std::vector<Mutant> mutantsOf(const spirv::Module& module) {
  return withFewCopies(Mutator(module).run());
}

std::vector<MutationKind> mutationKinds() {
  return {{"operator", "an arithmetic, logical, subgroup or atomic operation becomes another"},
          {"comparison", "a comparison gains or loses equality, is reversed, or changes its signedness; min becomes max"},
          {"rounding", "floor becomes ceil, round becomes floor, a conversion changes its signedness"},
          {"operands", "two operands are exchanged: of a subtraction, a selection, a branch"},
          {"constant", "one use of a constant becomes the next number"},
          {"index", "an index into a vector, array or block is off by one"},
          {"store dropped", "a store is left out"},
          {"barrier dropped", "a barrier is left out"},
          {kBarrierWeakened, "the memory semantics of a barrier or atomic become none"},
          {"atomic made plain", "an atomic becomes a load, the operation and a store"}};
}

}  // namespace lanewise
