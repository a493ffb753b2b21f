#include "model/spirv/uses.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "model/spirv/abort.h"
#include "model/spirv/newer.h"
#include "model/spirv/words.h"

namespace lanewise::spirv {
namespace {

// Debug information and the like. NonSemantic.DebugPrintf prints values, but other instructions load them.
bool isSilent(InstructionSet set) {
  return isNonSemantic(set) || set == InstructionSet::kDebugPrintf;
}

// Operands that are ids: so many from the first one on.
struct Ids {
  std::size_t first = 0, count = ~std::size_t{0};
};

// Those of what most of a module is; nothing: SPIRV-Tools is asked.
std::optional<Ids> idsOf(const Instruction& inst) {
  using enum spv::Op;
  const std::size_t operands = inst.operands.size();
  switch (inst.op) {
    case OpLoad:  // else it has memory operands
      return operands == 1 ? std::optional<Ids>(Ids{}) : std::nullopt;
    case OpStore:
      return operands == 2 ? std::optional<Ids>(Ids{}) : std::nullopt;
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpCompositeConstruct:
    case OpConstantComposite:
    case OpFunctionCall:
    case OpBranch:
    case OpPhi:
    case OpReturnValue:
      return Ids{};
    case OpConstant:
    case OpConstantFalse:
    case OpConstantTrue:
    case OpFunctionEnd:
    case OpFunctionParameter:
    case OpLabel:
    case OpReturn:
    case OpString:
      return Ids{0, 0};
    case OpName:
    case OpMemberName:
    case OpDecorate:
    case OpMemberDecorate:
    case OpLine:
    case OpCompositeExtract:
    case OpSelectionMerge:
      return Ids{0, 1};
    case OpCompositeInsert:
    case OpLoopMerge:
    case OpVectorShuffle:
      return Ids{0, 2};
    case OpBranchConditional:
      return Ids{0, 3};
    case OpFunction:
    case OpTypePointer:
    case OpVariable:
      return Ids{1};
    default:  // arithmetic, comparisons, conversions, bits
      const bool isArithmetic = inst.op >= OpConvertFToU && inst.op <= OpBitCount && inst.op != OpGenericCastToPtrExplicit;
      return isArithmetic || inst.op == kAbort || !newerName(inst.op).empty() ? std::optional<Ids>(Ids{}) : std::nullopt;
  }
}

// Extended instructions that are known: behind their set and their number all operands are ids.
bool isOfKnownSet(InstructionSet set) {
  return set != InstructionSet::kNone && set != InstructionSet::kOther;
}

// SPIRV-Tools takes a microsecond for an instruction. So it gets only those of which nothing is known here, as the validator gets them, and
// what it needs for a switch: the type of the selector.
class Names {
 public:
  explicit Names(Module& module) : m_(module) {
    m_.named.reserve(m_.words.size() / 2);
    m_.namedFrom.reserve(m_.instructions.size() + 1);
    older_ = withoutNewer(unknown());
    const std::unique_ptr<spv_context_t, void (*)(spv_context)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6), spvContextDestroy);
    isParsed_ = spvBinaryParse(context.get(), this, older_.words.data(), older_.words.size(), nullptr, take, nullptr) == SPV_SUCCESS;
    passTo(m_.instructions.size());
    begin();
  }

 private:
  std::vector<std::uint32_t> unknown() {
    std::vector<std::uint32_t> kept(m_.words.begin(), m_.words.begin() + kHeaderWords);
    std::vector<bool> selects(m_.bound);
    for (const Instruction& inst : m_.instructions)
      if (inst.op == spv::Op::OpSwitch && inst.operand(0) < m_.bound) selects[inst.operand(0)] = true;
    for (std::size_t i = 0; i < m_.instructions.size(); ++i) {
      const Instruction& inst = m_.instructions[i];
      if ((isOfKnownSet(m_.setOf(inst)) || idsOf(inst)) && (inst.result == 0 || !selects[inst.result])) continue;
      given_.emplace_back(kept.size(), i);
      const std::span<const std::uint32_t> words = wordsOf(m_, inst);
      kept.insert(kept.end(), words.begin(), words.end());
    }
    return kept;
  }
  static spv_result_t take(void* names, const spv_parsed_instruction_t* inst) {
    static_cast<Names*>(names)->take(*inst);
    return SPV_SUCCESS;
  }
  void take(const spv_parsed_instruction_t& inst) {
    if (taken_ == older_.offsets.size()) return;
    const std::size_t word = older_.offsets[taken_++];
    while (next_ < given_.size() && given_[next_].first < word) ++next_;
    if (next_ == given_.size() || given_[next_].first != word || given_[next_].second < m_.namedFrom.size()) return;
    passTo(given_[next_].second);
    begin();
    for (const spv_parsed_operand_t& o : std::span(inst.operands, inst.num_operands))
      if (o.type == SPV_OPERAND_TYPE_ID || o.type == SPV_OPERAND_TYPE_SCOPE_ID || o.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID)
        m_.named.push_back(inst.words[o.offset]);
  }
  void passTo(std::size_t instruction) {
    while (m_.namedFrom.size() < instruction) pass(m_.instructions[m_.namedFrom.size()]);
  }
  // Of what SPIRV-Tools did not get. Where it stopped at something that it does not know, every operand may be an id.
  void pass(const Instruction& inst) {
    begin();
    const InstructionSet set = m_.setOf(inst);
    if (isSilent(set)) return;
    const std::span<const std::uint32_t> all = inst.operands;
    if (isOfKnownSet(set) && all.size() > 1) {
      m_.named.push_back(all[0]);
      m_.named.insert(m_.named.end(), all.begin() + 2, all.end());
    } else if (const std::optional<Ids> ids = idsOf(inst); ids || !isParsed_) {
      const auto [first, count] = ids.value_or(Ids{});
      const std::span<const std::uint32_t> own = all.subspan(std::min(first, all.size()));
      for (const std::uint32_t id : own.first(std::min(count, own.size()))) m_.named.push_back(id);  // few
    }
  }
  void begin() { m_.namedFrom.push_back(static_cast<std::uint32_t>(m_.named.size())); }

  Module& m_;
  std::vector<std::pair<std::size_t, std::size_t>> given_;  // to SPIRV-Tools: the word there, and which instruction of the module it is
  OlderCopy older_;
  std::size_t taken_ = 0, next_ = 0;  // of the copy; in given_
  bool isParsed_ = true;
};

}  // namespace

void readNames(Module& module) {
  Names read(module);
}

namespace {

// The functions that an entry point may call, and its own, in the order of the module.
std::vector<FunctionRange> reachableFunctions(const Module& module, std::uint32_t entryFunction) {
  std::vector<bool> seen(module.bound);
  std::vector<std::uint32_t> functions{entryFunction};
  while (!functions.empty()) {
    const std::uint32_t id = functions.back();
    functions.pop_back();
    const FunctionRange* range = module.function(id);
    if (!range || id >= module.bound || seen[id]) continue;
    seen[id] = true;
    for (std::uint32_t i = range->first; i < range->last; ++i)
      if (module.instructions[i].op == spv::Op::OpFunctionCall) functions.push_back(module.instructions[i].operand(0));
  }
  std::vector<FunctionRange> out;
  std::ranges::copy_if(module.functions, std::back_inserter(out), [&](const FunctionRange& range) { return seen[range.id]; });
  return out;
}

}  // namespace

std::vector<const Instruction*> reachableInstructions(const Module& module, std::uint32_t entryFunction) {
  std::vector<const Instruction*> out;
  for (const FunctionRange& range : reachableFunctions(module, entryFunction))
    for (std::uint32_t i = range.first; i < range.last; ++i) out.push_back(&module.instructions[i]);
  return out;
}

std::vector<std::uint32_t> targetsOf(const Module& module, const Instruction& inst) {
  if (inst.op == spv::Op::OpBranch) return {inst.operand(0)};
  if (inst.op == spv::Op::OpBranchConditional) return {inst.operand(1), inst.operand(2)};
  if (inst.op != spv::Op::OpSwitch) return {};
  const Instruction* selector = module.definition(inst.operand(0));
  const Instruction* type = selector ? module.definition(selector->type) : nullptr;
  const std::size_t stride = (type && type->operand(0) == 64 ? 2 : 1) + 1;  // a literal and its label
  std::vector<std::uint32_t> labels{inst.operand(1)};
  for (std::size_t k = 1 + stride; k < inst.operands.size(); k += stride) labels.push_back(inst.operands[k]);
  return labels;
}

std::vector<bool> usedIds(const Module& module, std::uint32_t entryFunction) {
  std::vector<bool> used(module.bound);
  std::vector<std::uint32_t> variables;
  const auto use = [&](std::uint32_t id) {
    if (id >= module.bound || used[id]) return;
    used[id] = true;
    const Instruction* definition = module.definition(id);
    if (definition && definition->op == spv::Op::OpVariable && definition->operands.size() > 1)
      variables.push_back(definition->operands[1]);
  };
  for (const FunctionRange& range : reachableFunctions(module, entryFunction))
    for (std::uint32_t i = module.namedFrom[range.first]; i < module.namedFrom[range.last]; ++i) use(module.named[i]);
  while (!variables.empty()) {
    const std::uint32_t id = variables.back();
    variables.pop_back();
    use(id);
  }
  return used;
}

}  // namespace lanewise::spirv
