// What runs next. The schedule alone decides: the result is a pure function of its token and the state.
//
// A turn is one batch of one resident workgroup, until it is done, waits at a control barrier, or has passed a switch point (SwitchPoint)
// of the schedule. The orders in order, reverse, seeded and last run one workgroup after another, and in each one batch after another from
// barrier to barrier. Interleave picks any batch that is ready, at every switch point. Only "in order" has batches of several subgroups.
//
// Within a turn nothing is left to choose: of the strands of a batch the one furthest behind runs (state/control.h), so that lanes meet
// again as early as structured control flow lets them. Lanes that run alone take turns by the schedule's order (lanes.h).
#pragma once

#include <optional>
#include <span>

#include "model/contract/schedule.h"
#include "model/state/batch.h"

namespace lanewise {

// A resident workgroup: a value without pointers into other objects.
struct WorkgroupState {
  std::shared_ptr<const Program> program;  // of the batches' registers; nullptr: the slot was never used
  bool running = false;                    // false: the slot is free
  std::uint64_t place = 0;                 // in the schedule of its dispatch
  Extent3 id;
  std::vector<std::byte> memory;
  std::vector<Batch> batches;
  std::uint32_t next = 0;  // position in the schedule of the next batch, counted from the last barrier
};

struct Turn {
  std::uint32_t slot = 0, batch = 0;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// `turns`: the number of turns so far. Empty where no batch is ready.
std::optional<Turn> nextTurn(const Schedule& schedule, std::uint64_t turns, std::span<const WorkgroupState> residents);

// The bits of SwitchPoint at which a turn ends.
std::uint8_t switchesAt(const Schedule& schedule);

}  // namespace lanewise
