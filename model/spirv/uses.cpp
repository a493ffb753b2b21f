#include "model/spirv/uses.h"

#include <algorithm>

namespace lanewise::spirv {
namespace {

// Operands that are literals, of instructions that name variables: those from `ids` on, or only the one at `skipped`.
struct Literals {
  spv::Op op;
  std::uint8_t ids;
  std::uint8_t skipped;
};
constexpr std::uint8_t kAll = 255, kNone = 255;
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

bool isId(const Instruction& inst, std::size_t operand) {
  for (const Literals& l : kLiterals)
    if (l.op == inst.op) return operand < l.ids && operand != l.skipped;
  return true;
}

}  // namespace

std::vector<const Instruction*> reachableInstructions(const Module& module, std::uint32_t entryFunction) {
  std::vector<bool> seen(module.bound);
  std::vector<std::uint32_t> functions{entryFunction};
  std::vector<const Instruction*> out;
  while (!functions.empty()) {
    const std::uint32_t id = functions.back();
    functions.pop_back();
    const FunctionRange* range = module.function(id);
    if (!range || id >= module.bound || seen[id]) continue;
    seen[id] = true;
    for (std::uint32_t i = range->first; i < range->last; ++i) {
      out.push_back(&module.instructions[i]);
      if (out.back()->op == spv::Op::OpFunctionCall) functions.push_back(out.back()->operand(0));
    }
  }
  std::sort(out.begin(), out.end());  // one vector holds them: in its order
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
  for (const Instruction* inst : reachableInstructions(module, entryFunction))
    for (std::size_t o = 0; o < inst->operands.size(); ++o)
      if (isId(*inst, o)) use(inst->operands[o]);
  while (!variables.empty()) {
    const std::uint32_t id = variables.back();
    variables.pop_back();
    use(id);
  }
  return used;
}

}  // namespace lanewise::spirv
