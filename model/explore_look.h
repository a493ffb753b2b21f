// Looks at one order of a dispatch (explore.h) for what a run with findings tells, at the cost of one run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/check/access_checker.h"
#include "model/check/race_checker.h"
#include "model/check/rules_checker.h"
#include "model/check/undefined_sieve.h"
#include "model/check/undefined_tracker.h"

namespace lanewise {

// By who has looked at the dispatches before.
struct SeenBefore {
  FindingsObserver accesses;
  std::optional<undefined::Tracker> undefined;  // where undefined values are followed
};

class OrderLook {
 public:
  // The job must outlive it.
  OrderLook(const Job& job, std::span<const Program* const> programs, const SeenBefore& before)
      : job_(job), seen_(before), rules_(job), races_(job), sieve_(programs) {}

  void addTo(std::vector<Observer*>& observers);
  // A name for each thing that shows, once the order has been run. `complete`: so has the job, and its outputs are looked at.
  std::set<std::string> shows(bool complete);
  // Whether there are undefined values that nobody follows.
  bool needsTracker() const;
  bool hasRaces() const { return !races_.races().empty(); }
  const race::RaceChecker& races() const { return races_; }
  // For the dispatch behind.
  SeenBefore takeSeen();

 private:
  const Job& job_;
  SeenBefore seen_;
  RulesObserver rules_;
  race::RaceChecker races_;
  undefined::Sieve sieve_;
};

}  // namespace lanewise
