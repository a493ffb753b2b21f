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
#include <tuple>
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

// What the schedule knows of a dispatch besides its residents.
struct TurnFacts {
  std::uint64_t turns = 0;  // how many there were
  // Where somebody waits, the only slot that is promised a turn; kAnySlot: no limit.
  static constexpr std::uint32_t kAnySlot = 0xffffffffu;
  std::uint32_t only = kAnySlot;
  std::uint32_t dispatch = 0;
};

// Says who has the next turn. It keeps who runs, is ready and waits, so that each is found among thousands of residents without a look at
// all of them.
class Turns {
 public:
  // `residents` may grow, and has to outlive it.
  Turns(const Schedule& schedule, const Extent3& groups, const std::vector<WorkgroupState>& residents)
      : schedule_(schedule), groups_(groups), residents_(residents) {}
  // The batches of this slot may be other ones, or have another status, when something is asked for next.
  void changed(std::uint32_t slot) {
    if (slot < slots_.size()) changed_.push_back(slot);  // else it is looked at then
  }
  // Empty where no batch is ready, or all that are wait.
  std::optional<Turn> next(const TurnFacts& facts);
  // A slot in which no workgroup runs: the first.
  std::optional<std::uint32_t> firstFree();
  // The index of the lowest workgroup that runs, and its slot.
  std::optional<std::pair<std::uint64_t, std::uint32_t>> lowestRunning();
  bool anyWaits();
  // Of those that wait, in all slots or in one, the latest proof before this one, and whose it is.
  std::optional<std::pair<std::uint64_t, Turn>> lastProofBefore(std::uint64_t proof, std::uint32_t only);

 private:
  // Of a slot, as it was when it was last looked at.
  struct Slot {
    bool running = false;
    std::uint32_t ready = 0;  // how many batches are; of an order that does not switch, whether one is
    std::uint64_t place = 0, index = 0;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> proofs;  // and their batches
  };
  using Proof = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  // and how far slot and batch are from the last that can be
  void look();
  void look(std::uint32_t slot);
  void addReady(std::uint32_t slot, std::uint64_t more);
  std::optional<Turn> anyTurn(std::uint64_t turns) const;
  std::optional<Turn> recordedTurn(const TurnFacts& facts) const;

  const Schedule& schedule_;
  Extent3 groups_;
  const std::vector<WorkgroupState>& residents_;
  std::vector<std::uint32_t> changed_;  // slots to be looked at again
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> sums_;                            // of their `ready`: a Fenwick tree
  std::set<std::uint32_t> free_;                               // those in which no workgroup runs
  std::set<std::pair<std::uint64_t, std::uint32_t>> byPlace_;  // those with any ready, by their workgroup's place in the schedule
  std::set<std::pair<std::uint64_t, std::uint32_t>> byIndex_;  // those that run, by their workgroup's index
  std::set<Proof> proofs_;
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
