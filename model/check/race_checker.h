// Finds data races: two invocations use one place, one of them writes, they are not both atomics in each other's scope, and the memory
// model does not order them. This is decided by happens-before (race_sync.h) and not by results, so every schedule shows it.
//
// Source: Vulkan 1.3, appendix "Memory Model", "Data Race". For modules without the Vulkan memory model, ir/order.h says how theirs is
// read: memory that is not `coherent` is private to its invocation, and no barrier inside of a dispatch orders it for another.
//
// Promise: each pair of source lines is reported once, by its first occurrence. Everything that it reports is a race of the memory model in
// this run. Gaps: paths that this run did not take. If a place has more than kMostUses users since its last write, the first of them are
// forgotten; this can hide a race, and it is counted. Also the gaps of race_sync.h.
#pragma once

#include <map>
#include <vector>

#include "model/check/race.h"
#include "model/check/race_segment.h"
#include "model/check/race_shadow.h"
#include "model/check/race_suspects.h"
#include "model/check/race_sync.h"
#include "model/check/referee.h"

namespace lanewise::race {

inline constexpr std::size_t kMostUses = 4096;

class RaceChecker final : public Observer {
 public:
  // The job must outlive it, and so must `only`: places outside of it are not checked.
  explicit RaceChecker(const Job& job, const Suspects* only = nullptr);

  std::uint32_t watches() const override {
    return watch::kDispatch | watch::kWorkgroup | watch::kBarrier | watch::kAccess | watch::kValues;
  }
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

  const std::vector<Race>& races() const { return races_; }
  // The number of forgotten users of places.
  std::uint64_t forgotten() const { return forgotten_; }
  const Segment& segment() const { return segment_; }
  // What the axioms say of its races, and of some pairs that it calls ordered.
  const Refereed& refereed() const { return referee_.told(); }

 private:
  // The current access: one lane of it, at one cell.
  struct Now {
    const AccessEvent& event;
    const Means& means;
    std::uint32_t execution = 0, lane = 0;
    AccessKind kind{};
    const LaneRun& run;
    std::uint64_t values = 0;  // the position of the lane's bytes in the event's
    std::uint64_t byte = 0;
    bool* reported = nullptr;  // a lane is reported once per access, even if it has several cells
  };
  // The instructions that a batch has executed since it last synchronised.
  struct Interval {
    std::uint32_t number = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> executions;  // pc and index
  };

  void beginDispatch(const Environment& env);
  void beginWorkgroup(const Environment& env);
  void look(const AccessEvent& event, const Means& means);
  std::uint32_t executionOf(const AccessEvent& event, const Means& means);
  const Means& meansOf(const Executed& e) const { return segment_.means(e.dispatch, e.pc); }
  Shadow& shadowOf(const AccessEvent& event, const LaneRun& run);
  void use(const Now& now, Cell& cell);
  void read(const Now& now, Cell& cell);
  void write(const Now& now, Cell& cell);
  void atomic(const Now& now, Cell& cell);
  void add(const Now& now, std::vector<Uses>& to, bool write);
  void against(const Now& now, const std::vector<Uses>& uses, bool write);
  bool replaces(const Now& now, std::uint32_t execution, std::uint32_t lane) const;
  bool ordered(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write) const;
  void check(const Now& now, Use use, bool write);
  void tell(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write, bool equal);
  bool equalValues(const Now& now, std::uint32_t execution, std::uint32_t lane) const;
  bool leftItsValue(const Now& now) const;
  Referee::Location locationOf(const AccessEvent& event, const LaneRun& run, std::uint64_t byte) const;
  void referee(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write, bool raced);
  Referee::Access accessOf(const Executed& e, std::uint32_t lane, const Means& means, const Referee::Location& at) const;
  Party partyOf(const Executed& e, std::uint32_t lane, const Means& means) const;

  const Job& job_;
  const Suspects* only_;
  Sync sync_;
  Segment segment_;
  std::vector<Shadow> resources_;
  std::vector<Shadow> workgroups_;                // by slot
  std::vector<std::vector<Interval>> intervals_;  // by slot and batch
  std::vector<Executed> executions_{Executed{}};
  std::vector<std::size_t> since_{0};  // by execution: Referee::now() when it was first
  Referee referee_;
  std::uint64_t forgotten_ = 0;
  // By dispatch, source place and whether it writes, of the two accesses in ascending order; then the variable.
  std::map<std::array<std::uint32_t, 7>, std::size_t> raceOf_;
  std::vector<Race> races_;
};

}  // namespace lanewise::race
