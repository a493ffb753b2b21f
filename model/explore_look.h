// Looks at one order of a dispatch (explore.h) for what a run with findings tells, at the cost of one run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/check/access_checker.h"
#include "model/check/race_checker.h"
#include "model/check/rules_checker.h"
#include "model/check/undefined_sieve.h"

namespace lanewise {

class OrderLook {
 public:
  // The job must outlive it. `before`: it has seen the dispatches before.
  OrderLook(const Job& job, std::span<const Program* const> programs, const FindingsObserver& before)
      : job_(job), accesses_(before), rules_(job), races_(job), undefined_(programs) {}

  void addTo(std::vector<Observer*>& observers) { observers.insert(observers.end(), {&accesses_, &rules_, &races_, &undefined_}); }
  // A name for each thing that shows, once the order has been run.
  std::set<std::string> shows();
  // Whether there are undefined values, which only a second run follows.
  bool hasUndefined() const;
  bool hasRaces() const { return !races_.races().empty(); }
  const race::RaceChecker& races() const { return races_; }
  const FindingsObserver& accesses() const { return accesses_; }

 private:
  const Job& job_;
  FindingsObserver accesses_;
  RulesObserver rules_;
  race::RaceChecker races_;
  undefined::Sieve undefined_;
};

bool isRace(const RunFinding& finding);

}  // namespace lanewise
