#include "model/explore_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check/race_text.h"

namespace lanewise {

void OrderLook::addTo(std::vector<Observer*>& observers) {
  observers.insert(observers.end(), {&seen_.accesses, &rules_, &races_});
  if (seen_.undefined)
    observers.push_back(&*seen_.undefined);
  else
    observers.push_back(&sieve_);
}

std::set<std::string> OrderLook::shows(bool complete) {
  std::vector<RunFinding> all = complete ? seen_.accesses.finish(true) : seen_.accesses.soFar();
  std::ranges::move(rules_.finish(), std::back_inserter(all));
  for (const race::Race& r : races_.races()) all.push_back(race::findingOf(job_, races_.segment(), r));
  if (seen_.undefined) all = seen_.undefined->finish(complete, std::move(all));
  std::set<std::string> names;
  for (const RunFinding& f : all)
    names.insert(fmt::format("{} {} {} {}", findingName(f.kind), f.at.text(), f.otherAt.text(), f.object.variable));
  return names;
}

bool OrderLook::needsTracker() const {
  if (seen_.undefined) return false;
  return sieve_.seen() || std::ranges::count(seen_.accesses.soFar(), FindingKind::kUninitialised, &RunFinding::kind) != 0;
}

SeenBefore OrderLook::takeSeen() {
  seen_.accesses.forgetWorkgroups();
  if (seen_.undefined) seen_.undefined->forgetWorkgroups();
  return std::move(seen_);
}

}  // namespace lanewise
