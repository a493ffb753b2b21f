#include "model/state/subgroup_results.h"

#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"

namespace lanewise {
namespace {

using Arguments = std::span<const DescribedOperand>;

// Whether a ballot has a bit of a lane of the subgroup.
bool hasBit(const Batch& batch, Arguments ballot, std::uint32_t lane) {
  const std::uint32_t size = batch.env->subgroupSize;
  for (std::uint32_t word = 0; word < ballot.size() && 32 * word < size; ++word) {
    const std::uint64_t counts = size - 32 * word >= 32 ? 0xffffffffu : (1u << size % 32) - 1;
    if ((bitsOf(batch, ballot[word], lane) & counts) != 0) return true;
  }
  return false;
}

// The lanes of subgroups in which some ask for something else than others.
LaneMask lanesThatDiffer(const Batch& batch, Arguments asked, const LaneMask& lanes) {
  LaneMask out;
  forSubgroups(batch, [&](std::uint32_t, const LaneMask& subgroup) {
    const LaneMask own = subgroup & lanes;
    bool differ = false;
    forLanes(own, [&](std::uint32_t lane) {
      differ = differ || std::ranges::any_of(asked, [&](const DescribedOperand& o) {
                 return o.slot.step != 0 && bitsOf(batch, o, lane) != bitsOf(batch, o, lowestLane(own));
               });
    });
    if (differ) out = out | own;
  });
  return out;
}

template <class Has>
LaneMask lanesBut(const LaneMask& lanes, const Has& has) {
  LaneMask out;
  forLanes(lanes, [&](std::uint32_t lane) {
    if (!has(lane)) out.set(lane);
  });
  return out;
}

}  // namespace

LaneMask lanesWithoutResult(const Batch& batch, std::uint32_t pc, const LaneMask& lanes) {
  const Program& program = *batch.env->program;
  const Arguments arguments = program.argumentsOf(pc);
  const ir::Facts& facts = ir::factsOf(program.codeOf(pc));
  const auto isBelow = [&](std::uint64_t end) {
    return lanesBut(lanes, [&, end](std::uint32_t lane) { return bitsOf(batch, arguments.back(), lane) < end; });
  };
  switch (facts.defined) {
    case ir::Definedness::kBitOfSubgroup:
      return isBelow(batch.env->subgroupSize);
    case ir::Definedness::kLaneOfQuad:
      return isBelow(4);
    case ir::Definedness::kAnyBit:
      return lanesBut(lanes, [&](std::uint32_t lane) { return hasBit(batch, arguments, lane); });
    case ir::Definedness::kOneForSubgroup:
      return lanesThatDiffer(batch, facts.makes == ir::Makes::kOfOne ? arguments.subspan(1) : arguments, lanes);
    default:
      return {};
  }
}

}  // namespace lanewise
