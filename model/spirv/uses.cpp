#include "model/spirv/uses.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <memory>

#include "model/spirv/newer.h"
#include "model/spirv/words.h"

namespace lanewise::spirv {
namespace {

// Debug information and the like. NonSemantic.DebugPrintf prints values, but other instructions load them.
bool isSilent(InstructionSet set) {
  return isNonSemantic(set) || set == InstructionSet::kDebugPrintf;
}

// Of what most of a module is: every operand is an id.
bool takesOnlyIds(spv::Op op, std::size_t operands) {
  using enum spv::Op;
  switch (op) {
    case OpLoad:
      return operands == 1;  // else it has memory operands
    case OpStore:
      return operands == 2;
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpCompositeConstruct:
    case OpFunctionCall:
      return true;
    default:  // arithmetic, comparisons, conversions, bits
      return op >= OpConvertFToU && op <= OpBitCount && op != OpGenericCastToPtrExplicit;
  }
}

// SPIRV-Tools says which operands are ids and which are literals; it gets the module as the validator does, but for what takes only ids.
class Names {
 public:
  explicit Names(Module& module) : m_(module), older_(withoutNewer(module.words)) {
    leaveOut();
    const std::unique_ptr<spv_context_t, void (*)(spv_context)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6), spvContextDestroy);
    const bool parsed =
        spvBinaryParse(context.get(), this, older_.words.data(), older_.words.size(), nullptr, take, nullptr) == SPV_SUCCESS;
    // Where SPIRV-Tools stopped at something that it does not know, every operand may be an id.
    while (!parsed && m_.namedFrom.size() < m_.instructions.size()) {
      const Instruction& inst = next();
      begin();
      if (!isSilent(m_.setOf(inst))) m_.named.insert(m_.named.end(), inst.operands.begin(), inst.operands.end());
    }
    while (m_.namedFrom.size() < m_.instructions.size()) pass();
    begin();
  }

 private:
  // SPIRV-Tools takes a microsecond for an instruction. It asks for the type of a switch's selector.
  void leaveOut() {
    OlderCopy kept;
    kept.words.assign(older_.words.begin(), older_.words.begin() + kHeaderWords);
    std::vector<bool> selects(m_.bound);
    for (const Instruction& inst : m_.instructions)
      if (inst.op == spv::Op::OpSwitch && inst.operand(0) < m_.bound) selects[inst.operand(0)] = true;
    std::size_t index = 0, original = 0;
    for (std::size_t at = kHeaderWords; at < older_.words.size(); ++index) {
      const std::span inst = std::span(older_.words).subspan(at, older_.words[at] >> 16);
      at += inst.size();
      while (original < m_.instructions.size() && m_.instructions[original].offset < older_.offsets[index]) ++original;
      const Instruction* const same = original < m_.instructions.size() ? &m_.instructions[original] : nullptr;
      const bool isSame = same && same->offset == older_.offsets[index] && std::ranges::equal(inst, wordsOf(m_, *same));
      if (isSame && takesOnlyIds(same->op, same->operands.size()) && (same->result == 0 || !selects[same->result])) continue;
      kept.words.insert(kept.words.end(), inst.begin(), inst.end());
      kept.offsets.push_back(older_.offsets[index]);
    }
    older_ = std::move(kept);
  }
  static spv_result_t take(void* names, const spv_parsed_instruction_t* inst) {
    static_cast<Names*>(names)->take(*inst);
    return SPV_SUCCESS;
  }
  void take(const spv_parsed_instruction_t& inst) {
    const std::size_t index = taken_++;
    if (index >= older_.offsets.size()) return;
    while (m_.namedFrom.size() < m_.instructions.size() && next().offset < older_.offsets[index]) pass();
    if (m_.namedFrom.size() == m_.instructions.size() || next().offset != older_.offsets[index]) return;
    const bool isSaid = !isSilent(m_.setOf(next()));
    begin();
    for (const spv_parsed_operand_t& o : std::span(inst.operands, isSaid ? inst.num_operands : 0))
      if (o.type == SPV_OPERAND_TYPE_ID || o.type == SPV_OPERAND_TYPE_SCOPE_ID || o.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID)
        m_.named.push_back(inst.words[o.offset]);
  }
  // What SPIRV-Tools did not get: debug information, or what takes only ids.
  void pass() {
    const Instruction& inst = next();
    begin();
    if (takesOnlyIds(inst.op, inst.operands.size())) m_.named.insert(m_.named.end(), inst.operands.begin(), inst.operands.end());
  }
  const Instruction& next() const { return m_.instructions[m_.namedFrom.size()]; }
  void begin() { m_.namedFrom.push_back(static_cast<std::uint32_t>(m_.named.size())); }

  Module& m_;
  OlderCopy older_;
  std::size_t taken_ = 0;  // instructions of the copy
};

}  // namespace

void readNames(Module& module) {
  Names read(module);
}

std::vector<const Instruction*> reachableInstructions(const Module& module, std::uint32_t entryFunction) {
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
  std::vector<const Instruction*> out;
  for (const FunctionRange& range : module.functions)
    for (std::uint32_t i = range.first; seen[range.id] && i < range.last; ++i) out.push_back(&module.instructions[i]);
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
  for (const Instruction* inst : reachableInstructions(module, entryFunction))
    for (const std::uint32_t id : module.namedBy(*inst)) use(id);
  while (!variables.empty()) {
    const std::uint32_t id = variables.back();
    variables.pop_back();
    use(id);
  }
  return used;
}

}  // namespace lanewise::spirv
