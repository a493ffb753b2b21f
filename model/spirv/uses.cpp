#include "model/spirv/uses.h"

#include <algorithm>

namespace lanewise::spirv {
namespace {

// The literal operands of instructions that name variables: those from `ids` on, or only the one at `skipped`.
struct Literals {
  spv::Op op;
  std::uint32_t ids;
  std::uint32_t skipped;
};
constexpr std::uint32_t kAll = 0xffffffffu, kNone = 0xffffffffu;
constexpr Literals kLiterals[] = {
    {spv::Op::OpLoad, 1, kNone},
    {spv::Op::OpStore, 2, kNone},
    {spv::Op::OpCopyMemory, 2, kNone},
    {spv::Op::OpCopyMemorySized, 3, kNone},
    {spv::Op::OpArrayLength, 1, kNone},
    {spv::Op::OpCompositeExtract, 1, kNone},
    {spv::Op::OpCompositeInsert, 2, kNone},
    {spv::Op::OpVectorShuffle, 2, kNone},
    {spv::Op::OpSwitch, 1, kNone},
    {spv::Op::OpBranchConditional, 3, kNone},
    {spv::Op::OpLoopMerge, 0, kNone},
    {spv::Op::OpSelectionMerge, 0, kNone},
    {spv::Op::OpExtInst, kAll, 1},
    {spv::Op::OpImageSampleImplicitLod, kAll, 2},
    {spv::Op::OpImageSampleExplicitLod, kAll, 2},
    {spv::Op::OpImageFetch, kAll, 2},
    {spv::Op::OpImageGather, kAll, 3},
    {spv::Op::OpImageDrefGather, kAll, 3},
    {spv::Op::OpImageSampleDrefExplicitLod, kAll, 3},
    {spv::Op::OpImageRead, kAll, 2},
    {spv::Op::OpImageWrite, kAll, 3},
    {spv::Op::OpImageSparseFetch, kAll, 2},
    {spv::Op::OpImageSparseRead, kAll, 2},
    {spv::Op::OpImageSparseSampleExplicitLod, kAll, 2},
};

const Literals& literalsOf(spv::Op op) {
  static constexpr Literals kNoLiterals{spv::Op::OpNop, kAll, kNone};
  const auto* const found = std::ranges::find(kLiterals, op, &Literals::op);
  return found == std::end(kLiterals) ? kNoLiterals : *found;
}

// Debug information and the like. NonSemantic.DebugPrintf prints values, but other instructions load them.
bool isSilent(InstructionSet set) {
  return isNonSemantic(set) || set == InstructionSet::kDebugPrintf;
}

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
  for (const Instruction* inst : reachableInstructions(module, entryFunction)) {
    if (isSilent(module.setOf(*inst))) continue;
    const Literals& literals = literalsOf(inst->op);
    for (std::size_t o = 0; o < inst->operands.size() && o < literals.ids; ++o)
      if (o != literals.skipped) use(inst->operands[o]);
  }
  while (!variables.empty()) {
    const std::uint32_t id = variables.back();
    variables.pop_back();
    use(id);
  }
  return used;
}

}  // namespace lanewise::spirv
