// A part of a dispatch: workgroups that follow each other in the schedule, and the state of those of them that have begun.
//
// A run in order has one part, the whole dispatch. Parts that run side by side (parallel.h) share the resources and nothing else.
#pragma once

#include "model/exec/turns.h"
#include "model/state/observers.h"

namespace lanewise {

// What all workgroups of a dispatch have in common.
struct DispatchRun {
  std::shared_ptr<const Program> program;
  Environment environment;  // without workgroup, slot and observers
  Schedule schedule;
  std::uint64_t workgroups = 0;
  const std::vector<Instr>* code = nullptr;  // nullptr: the program's, quiet or observed, as the observers want it
};

// A value: it can be copied and kept.
struct Part {
  std::uint64_t next = 0, end = 0;        // positions in the schedule: of the next workgroup to open, and behind the last
  std::vector<WorkgroupState> residents;  // the slots for resident workgroups, of which some may be free
  std::uint32_t running = 0;              // how many of them are not
  std::uint64_t turns = 0;                // how many it has had
  std::optional<Turn> turn;               // that has begun and not ended
  bool finished() const { return running == 0 && next == end; }
};

// Opens the part's next workgroup in a free slot.
void openWorkgroup(Part& part, WorkgroupState& slot, const DispatchRun& dispatch);
// The bytes of a resident workgroup's state.
std::uint64_t stateBytes(const Program& program);
// What the batches of a resident need to run, except for observers.
Environment environmentOf(const Part& part, std::uint32_t slot, const DispatchRun& dispatch);

// Runs a part. All that it is given must outlive it.
class PartRunner {
 public:
  PartRunner(Part& part, const DispatchRun& dispatch, Observers& observers);
  // Opens workgroups until no slot is free or none is left.
  void fillSlots();
  // Continues the turn that has begun, or takes the next one. Errors: a finding where a batch faulted.
  Status takeTurn();
  // After an error: true where an access was refused (Fault::kClaimed). The turn can go on with that access.
  bool wasRefused();
  // True after a fault at the step limit, but the lanes may have made fewer steps than were counted (ir::Function::countsMore).
  bool countedMore() const { return countedMore_; }

 private:
  void attach(std::uint32_t slot);
  Status settle(std::uint32_t slot);
  Status openBarrier(WorkgroupState& w);
  Error faultError(const WorkgroupState& w, const Batch& batch) const;

  Part& part_;
  const DispatchRun& dispatch_;
  Observers& observers_;
  std::vector<Environment> environments_;  // by slot
  bool countedMore_ = false;
};

}  // namespace lanewise
