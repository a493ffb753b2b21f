#include "tools/check/subgroup_use.h"

#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/spirv/declarations.h"
#include "model/spirv/parse.h"

namespace lanewise {
namespace {

using Operands = std::span<const std::uint32_t>;

Operands behind(Operands all, std::size_t first) {
  return all.subspan(std::min(first, all.size()));
}

// The scopes to which memory operands make available or visible: what follows the alignment.
Operands memoryScopes(Operands mask) {
  const bool isAligned = !mask.empty() && (mask[0] & static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned)) != 0;
  return behind(mask, isAligned ? 2 : 1);
}

// The same of image operands: the last ones.
Operands texelScopes(Operands mask) {
  using Mask = spv::ImageOperandsMask;
  const auto has = [&](Mask m) { return std::size_t{!mask.empty() && (mask[0] & static_cast<std::uint32_t>(m)) != 0}; };
  const std::size_t count = has(Mask::MakeTexelAvailable) + has(Mask::MakeTexelVisible);
  return behind(mask, mask.size() - std::min(count, mask.size()));
}

// The scopes that an instruction names.
Operands scopesOf(const spirv::Instruction& inst) {
  const Operands w = inst.operands;
  const ir::Facts& facts = ir::factsOf(inst.op);
  if (facts.memoryOperands != 0) return memoryScopes(behind(w, facts.memoryOperands));
  if (facts.imageOperands != 0) return texelScopes(behind(w, facts.imageOperands));
  if (!facts.order || facts.order->scope >= w.size()) return {};
  const std::size_t first = facts.order->executes ? 0 : facts.order->scope;
  return w.subspan(first, facts.order->scope + 1 - first);
}

// Whether a barrier, an atomic, or what an access makes available or visible, is of subgroups. That needs no capability.
bool hasSubgroupScope(const spirv::Module& module, std::span<const SpecConstant> spec) {
  const Expected<spirv::Declarations> declarations = spirv::readDeclarations(module, spec);
  if (!declarations) return true;
  return std::ranges::any_of(module.instructions, [&](const spirv::Instruction& inst) {
    return std::ranges::any_of(
        scopesOf(inst), [&](std::uint32_t id) { return declarations->number(id) == static_cast<std::uint64_t>(spv::Scope::Subgroup); });
  });
}

}  // namespace

bool loadsAtomically(const Job& job) {
  return std::ranges::any_of(job.dispatches, [](const Dispatch& d) {
    if (!d.module) return false;
    const Expected<spirv::Module> module = spirv::parse(d.module->name, d.module->words);
    return !module || std::ranges::count(module->instructions, spv::Op::OpAtomicLoad, &spirv::Instruction::op) != 0;
  });
}

bool usesSubgroups(const Job& job) {
  using spv::Capability;
  constexpr Capability kOfGroups[] = {Capability::Groups,
                                      Capability::SubgroupDispatch,
                                      Capability::SubgroupBallotKHR,
                                      Capability::SubgroupVoteKHR,
                                      Capability::SubgroupShuffleINTEL,
                                      Capability::SubgroupBufferBlockIOINTEL,
                                      Capability::GroupNonUniformPartitionedNV,
                                      Capability::GroupNonUniformRotateKHR,
                                      Capability::GroupUniformArithmeticKHR,
                                      Capability::ComputeDerivativeGroupQuadsNV,
                                      Capability::ComputeDerivativeGroupLinearNV};
  const auto isOfGroups = [&](Capability c) {
    return (c >= Capability::GroupNonUniform && c <= Capability::GroupNonUniformQuad) || std::ranges::count(kOfGroups, c) != 0;
  };
  return std::ranges::any_of(job.dispatches, [&](const Dispatch& d) {
    if (!d.module) return false;
    const Expected<spirv::Module> module = spirv::parse(d.module->name, d.module->words);
    return !module || std::ranges::any_of(module->capabilities, isOfGroups) || hasSubgroupScope(*module, d.spec);
  });
}

}  // namespace lanewise
