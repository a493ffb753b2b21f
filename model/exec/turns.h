// What runs next. The schedule alone decides: the result is a pure function of its token and the state.
//
// A turn is one batch of one resident workgroup, until it is done, waits at a control barrier, or has passed a switch point (SwitchPoint)
// of the schedule. The orders in order, reverse, seeded and last run one workgroup after another, and in each one batch after another from
// barrier to barrier. Interleave picks any batch that is ready, at every switch point; recorded turns name it. Only "in order" has batches
// of several subgroups.
//
// Of what was seen to wait (wait_watch.h) nothing is picked before others, as far as the schedule's model of progress promises them a turn.
//
// Within a turn nothing is left to choose. Of the strands of a batch the one furthest behind runs (state/control.h): this rule is what
// makes them meet where structured control flow says, so it belongs to how control flow is executed and is the same under every schedule.
// It shows only where invocations of one subgroup race. Then it is one of the allowed orders, and the schedules in which lanes run alone
// (lanes.h) have the others: there the schedule's order of lanes decides. tests/model/exec/strands_test.cpp shows both.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

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

// What the schedule knows of a dispatch: how many turns there were, how many workgroups, and those of them that have not ended.
struct TurnFacts {
  std::uint64_t turns = 0;
  // Where somebody waits, the only slot that is promised a turn; kAnySlot: no limit.
  static constexpr std::uint32_t kAnySlot = 0xffffffffu;
  std::uint32_t only = kAnySlot;
  std::uint32_t dispatch = 0;
};

// Says who has the next turn. It counts who is ready, so that a turn is found among thousands of residents without a look at each.
class Turns {
 public:
  // The batches of this slot may be other ones, or have another status, when the next turn is asked for.
  void changed(std::uint32_t slot) {
    if (!sums_.empty()) changed_.push_back(slot);  // else all are counted then
  }
  // Empty where no batch is ready, or all that are wait.
  std::optional<Turn> next(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents);

 private:
  std::optional<Turn> anyTurn(std::uint64_t seed, std::uint64_t turns, std::span<const WorkgroupState> residents) const;
  std::optional<Turn> recordedTurn(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents) const;
  void count(std::span<const WorkgroupState> residents);

  std::vector<std::uint32_t> changed_;                         // slots to be counted again
  std::vector<std::uint32_t> ready_;                           // by slot: the batches that are
  std::vector<std::uint64_t> sums_;                            // of ready_: a Fenwick tree
  std::vector<std::uint64_t> places_;                          // by slot: under which place it is in byPlace_
  std::set<std::pair<std::uint64_t, std::uint32_t>> byPlace_;  // the slots with any, by their workgroup's place in the schedule
};

// Somebody outside of the run who says what runs next, in place of Turns. Empty: the run stops there. What it names is ready.
using TurnChooser = std::function<std::optional<Turn>(std::span<const WorkgroupState> residents)>;

// The subgroup of a turn, as Schedule::Turns numbers it.
std::uint64_t subgroupOf(const WorkgroupState& workgroup, std::uint32_t batch);

// It can run, and was not seen to wait.
bool isReady(const Batch& batch);
// It can run, but was seen to wait.
bool waits(const Batch& batch);
// The latest of the proofs that lanes of a waiting batch wait.
std::uint64_t lastProof(const Batch& batch);

// The bits of SwitchPoint at which a turn ends.
std::uint8_t switchesAt(const Schedule& schedule);

}  // namespace lanewise
