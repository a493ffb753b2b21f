#include "tools/check/subgroup_use.h"

#include <algorithm>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>

#include "model/ir/operation_info.h"

namespace lanewise {
namespace {

// Whether a barrier, an atomic, or what an access makes available or visible, may be of subgroups. That needs no capability. A scope that a
// specialization may choose may be theirs.
bool hasSubgroupScope(std::span<const std::uint32_t> words) {
  constexpr std::uint32_t kSubgroup = 3;
  std::set<std::uint32_t> scopes;
  for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    const std::uint32_t length = words[at] >> 16;
    if (at + length > words.size()) return true;
    if (op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantOp ||
        (op == spv::Op::OpConstant && length == 4 && words[at + 3] == kSubgroup))
      scopes.insert(words[at + 2]);
    if (op == spv::Op::OpControlBarrier && (scopes.contains(words[at + 1]) || scopes.contains(words[at + 2]))) return true;
    if (op == spv::Op::OpMemoryBarrier && scopes.contains(words[at + 1])) return true;
    const ir::AtomicUse atomic = ir::factsOf(op).atomic;
    if (atomic != ir::AtomicUse::kNone && scopes.contains(words[at + (atomic == ir::AtomicUse::kStores ? 2 : 4)])) return true;
    constexpr std::uint32_t kMakes = 0x318;  // memory, or texels, available or visible
    using enum spv::Op;
    const std::uint32_t bits = op == OpStore ? 3 : op == OpLoad || op == OpImageWrite ? 4 : op == OpImageRead ? 5 : length;
    for (std::uint32_t i = bits + 1; i < length && (words[at + bits] & kMakes) != 0; ++i)
      if (scopes.contains(words[at + i])) return true;
  }
  return false;
}

}  // namespace

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
  const auto isOfGroups = [&](std::uint32_t word) {
    const auto c = static_cast<Capability>(word);
    return (c >= Capability::GroupNonUniform && c <= Capability::GroupNonUniformQuad) || std::ranges::count(kOfGroups, c) != 0;
  };
  return std::ranges::any_of(job.dispatches, [&](const Dispatch& d) {
    if (d.module && hasSubgroupScope(d.module->words)) return true;
    constexpr std::uint32_t kCapability = 2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability);
    for (std::size_t at = 5; d.module && at + 1 < d.module->words.size() && d.module->words[at] == kCapability; at += 2)
      if (isOfGroups(d.module->words[at + 1])) return true;
    return false;
  });
}

}  // namespace lanewise
