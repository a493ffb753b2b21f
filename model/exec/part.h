// A part of a dispatch: workgroups that follow each other in the schedule, and the state of those of them that have begun.
//
// A run in order has one part, the whole dispatch. Parts that run side by side (parallel.h) share the resources and nothing else.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "model/exec/lone_code.h"
#include "model/exec/turns.h"
#include "model/exec/wait_watch.h"
#include "model/exec/weak_state.h"
#include "model/state/observers.h"

namespace lanewise {

// The steps that a lane may make beside other parts or workgroups: whoever makes more runs in order, where the job's own limit counts.
inline constexpr std::uint64_t kMostSideBySide = std::uint64_t{1} << 24;

// What all workgroups of a dispatch have in common.
struct DispatchRun {
  std::shared_ptr<const Program> program;
  Environment environment;  // without workgroup, slot and observers
  Schedule schedule;
  std::uint64_t workgroups = 0;
  const std::vector<Instr>* code = nullptr;  // nullptr: the program's, quiet or observed, as the observers want it
  std::uint64_t resident = 1;                // how many are resident, and how many memory has room for
  std::uint64_t room = 1;
  std::uint64_t maxMemory = 0;           // bytes that looking for waits may take
  const TurnChooser* chooser = nullptr;  // nullptr: the schedule chooses
};

// What was seen to wait: lanes of one batch, and what for. `words` may be empty: then it waits for nothing, and runs for ever.
struct Wait {
  std::uint32_t dispatch = 0;
  Turn turn;
  Extent3 workgroup;
  std::uint32_t pc = 0;  // a place of its loop
  LaneMask lanes;
  std::vector<WaitedWord> words;
  bool proved = false;
};

// A value: it can be copied and kept.
struct Part {
  std::uint64_t next = 0, end = 0;        // positions in the schedule: of the next workgroup to open, and behind the last
  std::vector<std::uint64_t> ahead;       // others that were opened before their time, descending, all of them behind `next`
  std::vector<WorkgroupState> residents;  // the slots for resident workgroups, of which some may be free
  std::uint32_t running = 0;              // how many of them are not
  std::uint64_t turns = 0;                // how many it has had
  std::optional<Turn> turn;               // that has begun and not ended
  // Who was seen to wait, how often; and the first such proof since which nothing else has run.
  std::uint64_t proofs = 0, firstOfSeries = 1;
  std::vector<std::vector<std::uint64_t>> askAt;  // by slot and batch: the steps after which it is looked at; 0: not yet known
  WeakState weak;                                 // of a schedule with weak memory
  bool finished() const { return running == 0 && next == end; }
  // Whether the workgroup at a place of the schedule was opened.
  bool hasOpened(std::uint64_t place) const { return place < next || std::ranges::binary_search(ahead, place, std::greater()); }
};

// Opens the workgroup at a place of the schedule in a free slot.
void openWorkgroup(Part& part, std::uint64_t place, WorkgroupState& slot, const DispatchRun& dispatch);
// The bytes of the registers and the lane memory of a workgroup's batches, with those of a lane that runs alone; and of its whole state.
std::uint64_t registerBytes(const Program& program);
std::uint64_t stateBytes(const Program& program);
// What the batches of the resident in a slot need to run, except for observers. `env`: of the dispatch.
Environment environmentIn(const WorkgroupState& resident, std::uint32_t slot, Environment env);

// Runs a part. All that it is given must outlive it.
class PartRunner {
 public:
  PartRunner(Part& part, const DispatchRun& dispatch, Observers& observers);
  // Opens workgroups until no slot is free or none is left.
  void fillSlots();
  // Continues the turn that has begun, or takes the next one. Errors: a finding where a batch faulted, or waits and nobody who is promised
  // a turn ends that.
  Status takeTurn();
  // After such an error: what waits. After one at the step limit: what it may have waited for. Otherwise empty.
  const std::optional<Wait>& wait() const { return wait_; }
  // True where the last turn stopped at an access that was refused (claims.h): the next one goes on with it.
  bool wasRefused() const { return refused_; }
  // True where the chooser named no turn.
  bool hasNoTurn() const { return noTurn_; }

 private:
  // Opens the workgroup at a place of the schedule in a free slot.
  void open(std::uint64_t place, std::uint32_t slot);
  // The steps after which a batch is looked at next, having been at `last`; the limit: no more.
  std::uint64_t nextAsk(std::uint64_t last) const;
  // A turn begins, or goes on: its batch is looked at when it is time.
  void setAsk(const Turn& turn);
  void attach(std::uint32_t slot, Observers& observers);
  // Stale memory; nullptr where there is none, or somebody is looked at, for whom settle() has made all visible.
  WeakMemory* weak() { return looksAhead_ ? nullptr : part_.weak.get(); }
  Status runTurn(Observers& observers);
  // part_waits.cpp
  Status ask(bool again);
  Status watchAlone(std::uint32_t slot, const WaitWatch& watch, Observers& observers);
  Status standAside(const WaitWatch& watch, const Turn& turn, bool again);
  bool isChanged(const WaitedWord& word) const;
  std::optional<std::pair<std::uint64_t, Turn>> lastFreedBefore(std::uint64_t proof, std::uint32_t only) const;
  Status nobodyElse();
  Status nobodyWithin(const TurnFacts& facts);
  bool openAnother();
  std::optional<std::uint64_t> placeToOpen();
  std::uint64_t lowestUnopened();
  std::uint64_t highestOpened();
  std::optional<std::uint32_t> lowestSlot();
  TurnFacts turnFacts();
  Status stuck(const Turn& turn);
  Status settle(std::uint32_t slot, Observers& observers);
  Status openBarrier(WorkgroupState& w);
  Error faultError(const WorkgroupState& w, const Batch& batch) const;

  Part& part_;
  const DispatchRun& dispatch_;
  Observers& observers_;
  std::deque<Environment> environments_;  // by slot
  Turns turns_;
  std::uint64_t unopened_ = 0;                                     // all workgroups below that index were opened
  std::optional<std::uint64_t> highest_;                           // the index of the last that was; empty: nobody has asked
  LoneRun ofLane_;                                                 // of a lane that runs alone (lanes.h)
  std::map<std::pair<std::uint32_t, std::uint32_t>, Wait> waits_;  // by slot and batch: the last proof
  std::optional<Wait> wait_;
  bool refused_ = false, noTurn_ = false, looksAhead_ = false;
};

}  // namespace lanewise
