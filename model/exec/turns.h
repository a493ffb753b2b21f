// What runs next. The schedule alone decides: a pure function of its token and the state.
//
// A turn is one batch of one resident workgroup, until it is done, waits at a control barrier, or has passed a switch point of the
// schedule's (SwitchPoint). In order, reverse, seeded and last run workgroup after workgroup, and in it batch after batch from barrier to
// barrier; interleave picks any batch that is ready, at every switch point. In order alone a batch may be several subgroups.
#pragma once

#include <optional>
#include <span>

#include "model/contract/schedule.h"
#include "model/state/batch.h"

namespace lanewise {

// A workgroup that is resident: a value that points into no other.
struct WorkgroupState {
  std::shared_ptr<const Program> program;  // whose registers the batches have; nullptr: never used
  bool running = false;                    // otherwise the slot is free
  std::uint64_t place = 0;                 // in the schedule of its dispatch
  Extent3 id;
  std::vector<std::byte> memory;
  std::vector<Batch> batches;
  std::uint32_t next = 0;  // position in the schedule of the batch that is next since the last barrier
};

struct Turn {
  std::uint32_t slot = 0, batch = 0;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// `turns`: how many there were. Nothing where no batch is ready.
std::optional<Turn> nextTurn(const Schedule& schedule, std::uint64_t turns, std::span<const WorkgroupState> residents);

// Bits of SwitchPoint at which a turn ends.
std::uint8_t switchesAt(const Schedule& schedule);

}  // namespace lanewise
