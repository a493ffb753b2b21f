// Which words of lane memory an instruction uses that loads, stores or fills function or private variables (kind::LaneMemory), as its
// registers say before it runs. That costs less than an AccessEvent with a place for each lane.
#pragma once

#include "model/ir/program.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"

namespace lanewise {

// Calls use(lanes, first word, words): once if all lanes use the same words, else for one lane after another. What is out of range is left
// out, since it touches nothing.
template <class Use>
void forEachLocal(const Batch& batch, std::uint32_t pc, const LaneMask& lanes, const Use& use) {
  const Program& program = *batch.env->program;
  const InstrInfo& info = program.info[pc];
  const auto& local = program.code[pc].as<kind::LaneMemory>();
  if (info.op == ir::kLocalFill) return use(lanes, local.firstWord, local.leaves * local.leafWords);
  const auto operands = program.operandsOf(pc);
  const DescribedOperand& index = operands[0];
  const std::uint32_t words = isWide(operands[1].type) ? 2 : 1;  // of a load the result, of a store the value
  const auto indexOf = [&](std::uint32_t lane) { return static_cast<std::uint32_t>(bitsOf(batch, index.slot, false, lane)); };
  if (index.slot.step == 0) {
    const std::uint32_t all = indexOf(0);
    if (all < local.leaves) use(lanes, local.firstWord + all * local.leafWords, words);
    return;
  }
  forLanes(lanes, [&](std::uint32_t lane) {
    const std::uint32_t own = indexOf(lane);
    if (own >= local.leaves) return;
    use(oneLane(lane), local.firstWord + own * local.leafWords, words);
  });
}

}  // namespace lanewise
