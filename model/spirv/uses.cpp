#include "model/spirv/uses.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <memory>

#include "model/spirv/newer.h"

namespace lanewise::spirv {
namespace {

// Debug information and the like. NonSemantic.DebugPrintf prints values, but other instructions load them.
bool isSilent(InstructionSet set) {
  return isNonSemantic(set) || set == InstructionSet::kDebugPrintf;
}

// The ids that the instructions at some words of a module name. SPIRV-Tools says which operands are ids and which are literals; it gets the
// module as the validator does.
class Named {
 public:
  Named(const Module& module, std::span<const Instruction* const> instructions) : older_(withoutNewer(module.words)) {
    for (const Instruction* inst : instructions)
      if (!isSilent(module.setOf(*inst))) wanted_[inst->offset] = inst;
    const std::unique_ptr<spv_context_t, void (*)(spv_context)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6), spvContextDestroy);
    const bool parsed =
        spvBinaryParse(context.get(), this, older_.words.data(), older_.words.size(), nullptr, take, nullptr) == SPV_SUCCESS;
    if (parsed) return;
    // Where SPIRV-Tools stopped at something that it does not know, every operand may be an id.
    for (std::size_t i = taken_; i < older_.offsets.size(); ++i)
      if (const auto at = wanted_.find(older_.offsets[i]); at != wanted_.end())
        ids_.insert(ids_.end(), at->second->operands.begin(), at->second->operands.end());
  }
  const std::vector<std::uint32_t>& ids() const { return ids_; }

 private:
  static spv_result_t take(void* named, const spv_parsed_instruction_t* inst) {
    static_cast<Named*>(named)->take(*inst);
    return SPV_SUCCESS;
  }
  void take(const spv_parsed_instruction_t& inst) {
    const std::size_t index = taken_++;
    if (index >= older_.offsets.size() || !wanted_.contains(older_.offsets[index])) return;
    for (const spv_parsed_operand_t& o : std::span(inst.operands, inst.num_operands))
      if (o.type == SPV_OPERAND_TYPE_ID || o.type == SPV_OPERAND_TYPE_SCOPE_ID || o.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID)
        ids_.push_back(inst.words[o.offset]);
  }

  OlderCopy older_;
  std::unordered_map<std::size_t, const Instruction*> wanted_;  // by their words
  std::size_t taken_ = 0;                                       // instructions of the copy
  std::vector<std::uint32_t> ids_;
};

}  // namespace

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
  const std::vector<const Instruction*> reachable = reachableInstructions(module, entryFunction);
  const Named named(module, reachable);
  for (const std::uint32_t id : named.ids()) use(id);
  while (!variables.empty()) {
    const std::uint32_t id = variables.back();
    variables.pop_back();
    use(id);
  }
  return used;
}

}  // namespace lanewise::spirv
