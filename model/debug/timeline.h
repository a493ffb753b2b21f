// A run that can be brought to any of its moments: forwards by going on, backwards from the nearest copy of the state and forwards again.
//
// A moment is (dispatch, workgroups opened, step): before the step-th instruction that the engine executes since the last workgroup of the
// dispatch was opened. Where one workgroup is resident at a time, that is its own step. A run is the same every time, so a moment is a
// plain value that stays good. What lies before the workgroup that is asked for runs unwatched.
//
// Memory: copies of the state stand at distances that double when the bytes that the caller allows are full, and one where the search
// before this began; without any the run starts anew. Gap: a copy has all resources, and not the pages alone that were written.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "model/exec/execution.h"

namespace lanewise::debug {

struct Time {
  std::uint32_t dispatch = 0;
  std::uint64_t opened = 0;  // workgroups of the dispatch
  std::uint64_t step = 0;
  friend auto operator<=>(const Time&, const Time&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
};

// Copies of the state: how many bytes they may take, and at first how far apart they stand, in steps of one workgroup and in workgroups.
struct Keeping {
  std::uint64_t bytes = std::uint64_t{256} << 20;
  std::uint64_t steps = 1 << 16, groups = 64;
};

// What a search found: an instruction, for a lane.
struct Hit {
  Time time;
  std::uint32_t reason = 0;  // the seeker's own
  Extent3 group;
  std::uint32_t slot = 0, batch = 0, lane = 0, pc = 0;
  LaneMask lanes;                        // all that it is a hit for
  bool isAccess = false;                 // it is one by what the instruction does
  std::vector<std::byte> before, after;  // of an access of that lane
};

// What is looked for. It is told of every instruction in the order in which they run; an answer is a hit at that instruction.
class Seeker {
 public:
  virtual ~Seeker() = default;
  // A stretch of the run begins; of a search backwards each lies before the one before. `fromStart`: it is the first of the run in which
  // something may be found.
  virtual void begin(bool fromStart) { static_cast<void>(fromStart); }
  // The stretch ends. A hit of a later stretch that only now is known to be one, with its time.
  virtual std::optional<Hit> end() { return {}; }
  // Bits of watch::Kind besides kBefore.
  virtual std::uint32_t watches() const { return 0; }
  // False where accesses and moments alone can be hits, each by itself: then whole workgroups are searched without stopping anywhere.
  virtual bool needsInstructions() const { return true; }
  // What it wants then.
  virtual std::uint32_t watchesWorkgroups() const { return watches(); }
  virtual std::optional<Hit> before(const InstructionEvent&) { return {}; }
  virtual std::optional<Hit> access(const AccessEvent&) { return {}; }
  virtual std::optional<Hit> moment(const Moment&) { return {}; }
  // Of what is being told; set by whoever tells.
  Time now;
};

class Timeline {
 public:
  // How the run is started, each time that it starts anew.
  using Starter = std::function<Expected<Execution>()>;
  static Expected<Timeline> open(Starter starter, Keeping keeping);

  Time time() const { return at_; }
  // The run is over: by its end, or by `fault`.
  bool atEnd() const { return ended_; }
  const Status& fault() const { return fault_; }
  Execution& execution() { return *now_; }
  std::size_t snapshots() const { return snapshots_.size() + (near_ ? 1 : 0); }

  // To a moment, or to the first instruction behind it; at the end of the run to that. Never an error but at the start of a new run.
  Status goTo(Time time);
  Status goToEnd();
  // The first hit behind now and before `limit`; where there is none the run stands there, or at its end. A hit of an access at this very
  // instruction counts where `accessHere`. The run then stands at the hit, before the instruction.
  Expected<std::optional<Hit>> forward(Seeker& seeker, bool accessHere, Time limit = {~0u, 0, 0});
  // The last hit before now, not before `lowest`; where there is none the run stays where it is.
  Expected<std::optional<Hit>> backward(Seeker& seeker, Time lowest);
  // All hits of the run from its start to its end, while this one stays where it is.
  Expected<std::vector<Hit>> every(Seeker& seeker) const;

 private:
  class Walk;
  Timeline() = default;
  void walk(Walk& walk);
  Status rewind(Time time);
  std::uint64_t room();
  void keep();

  Starter starter_;
  Keeping keeping_;
  std::unique_ptr<Execution> now_;
  Time at_;
  bool ended_ = false;
  Status fault_;
  std::map<Time, Execution> snapshots_;
  std::optional<std::pair<Time, Execution>> near_;
};

}  // namespace lanewise::debug
