// Finds the places that may have a data race, at low cost. race_checker.h then checks only those in a second run. Most runs need none.
//
// It applies the rules of RaceChecker (race_sync.h) but keeps less. For the loads of a place since its last store, and for its atomics, it
// keeps one mark each. A mark identifies the user as long as that was one invocation, or one batch between two synchronisations, or, in
// workgroup memory, anybody since the last barrier. If a mark does not decide, a race is assumed.
//
// Promise: every place for which RaceChecker reports a race is among suspects(). The reverse need not hold.
#pragma once

#include <array>

#include "model/check/race_phases.h"
#include "model/check/race_rows.h"
#include "model/check/race_segment.h"
#include "model/check/race_suspects.h"
#include "model/check/race_sync.h"

namespace lanewise::race {

class Sieve final : public Observer {
 public:
  // The job must outlive it. `level`: of the code of its loops, at most the host's.
  explicit Sieve(const Job& job, HostLevel level = hostLevel());

  std::uint32_t watches() const override { return watch::kDispatch | watch::kWorkgroup | watch::kBarrier | watch::kAccess; }
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;
  bool needsLoads(std::uint32_t resource) const override { return resource != kPushConstants && !segment_.isReadOnly(resource); }

  // Where a run ended within a phase of a workgroup, all that was accessed in it counts.
  const Suspects& suspects();

 private:
  // What a program does to workgroup memory.
  struct WorkgroupUse {
    bool canAge = true;       // a barrier orders all accesses before it
    bool agesAlone = true;    // and does so whatever its semantics make available and visible
    bool hasPhases = true;    // all barriers of the workgroup do so
    bool hasAtomics = false;  // of any memory: without them a fence orders nothing
  };
  // Instructions with the same meaning for later accesses; a load and a store of one variable too.
  struct Kind {
    Means means;
    bool loads = false, stores = false;
  };
  // A period: the accesses with one meaning that a batch made between two synchronisations; or those of anybody.
  struct Period {
    Executed at;
    std::uint32_t kind = 0;  // in kinds_
    bool anybody = false;
  };
  // The periods of one memory, by ascending number. They are dropped together.
  struct Periods {
    std::uint32_t first = 1;
    std::vector<Period> list;
    std::vector<std::uint32_t> anybody;                // by kind since `since`; index 0: several kinds
    std::vector<std::array<std::uint32_t, 2>> latest;  // by kind: the last period that began, and the one before
    std::uint32_t since = 1;                           // earlier periods are ordered before all later accesses

    std::uint32_t next() const { return first + static_cast<std::uint32_t>(list.size()); }
    const Period& of(Mark m) const { return list[periodOf(m) - first]; }
    void drop();
  };
  struct Current {
    std::uint32_t interval = 0, number = 0;
  };
  // The state for a resident workgroup.
  struct Group {
    MarkShadow shadow;
    std::uint32_t words = 0;  // at least so many in its one page
    Periods periods;
    std::uint32_t phase = 0;                    // of workgroup memory
    std::vector<std::vector<Current>> current;  // by batch and kind
    bool notes = false;                         // whether accesses are noted until the phase is over
    Phase noted;
  };
  // The current access.
  struct Now;
  // Lanes of the current access at cells of one page, which are handled together.
  struct Lanes {
    Marks* marks = nullptr;
    std::uint64_t firstByte = 0, bytes = 0;  // of the page
    std::uint32_t unit = 0;                  // bytes of a cell
    std::uint32_t count = 0, cells[kMaxLanes], lanes[kMaxLanes];
    bool takes(const LaneRun& run);
  };
  // Whether a use is ordered before an access: for all its lanes, either the same invocation or as race_sync.h says.
  enum class Verdict : std::uint8_t { kAll, kSame, kAsk, kNone };

  void beginDispatch(const Environment& env);
  void beginWorkgroup(const Environment& env);
  void barrierReleased(const BarrierReleased& at);
  static WorkgroupUse workgroupUse(const Program& program);
  void note(const AccessEvent& event);
  void endPhase(Group& group);
  void judgeNoted(Group& group);
  void suspectNoted(Group& group);
  void look(const AccessEvent& event);
  std::uint32_t kindOf(const AccessEvent& event, const Means& means);
  std::uint32_t periodNow(const AccessEvent& event, std::uint32_t kind, const Executed& now, Periods& periods);
  std::uint32_t anybody(Periods& periods, std::uint32_t kind, const Now& now);
  Verdict judge(const Now& now, const Period& before, bool wrote) const;
  bool isOrdered(const Now& now, Mark before, bool wrote, std::uint32_t lane) const;
  void mark(const Now& now, Mark& m, std::uint32_t lane);
  void look(const Now& now, Marks& marks, std::uint32_t cell, std::uint32_t lane, std::uint64_t byte);
  bool lookAtRow(const Now& now, MarkShadow& shadow, const LaneRun& run);
  bool lookAtOne(const Now& now, MarkShadow& shadow, const LaneRun& run);
  template <class At>
  void lookAtAll(const Now& now, const At& at, std::uint64_t firstByte, std::uint32_t unit);
  void lookAtLanes(const Now& now);
  void lookAtEach(const Now& now, MarkShadow& shadow, const LaneRun& run);
  void lookAt(const Now& now, MarkShadow& shadow, const LaneRun& run);
  void suspectAll();

  HostLevel level_;
  Sync sync_;
  Segment segment_;
  Suspects suspects_;
  bool all_ = false;  // all places are suspected: nothing more is checked
  std::vector<Kind> kinds_{Kind{}};
  std::vector<std::vector<std::uint32_t>> kindsOf_;  // by dispatch and pc; 0: not yet known
  std::vector<MarkShadow> resources_;                // by resource
  Periods periods_;                                  // of resources
  std::vector<Group> groups_;                        // by slot
  Lanes lanes_;
  WorkgroupUse use_;  // of the dispatch that began last
  CleanPhases clean_;
  mutable bool asked_ = false;  // whether synchronisation had to be asked, or a place is suspected
};

}  // namespace lanewise::race
