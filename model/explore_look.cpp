#include "model/explore_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check/race_text.h"

namespace lanewise {

std::set<std::string> OrderLook::shows() {
  std::vector<RunFinding> all = accesses_.soFar();
  std::ranges::move(rules_.finish(), std::back_inserter(all));
  for (const race::Race& r : races_.races()) all.push_back(race::findingOf(job_, races_.segment(), r));
  std::set<std::string> names;
  for (const RunFinding& f : all)
    names.insert(fmt::format("{} {} {} {}", findingName(f.kind), f.at.text(), f.otherAt.text(), f.object.variable));
  return names;
}

bool OrderLook::hasUndefined() const {
  return undefined_.seen() || std::ranges::count(accesses_.soFar(), FindingKind::kUninitialised, &RunFinding::kind) != 0;
}

bool isRace(const RunFinding& f) {
  return f.kind == FindingKind::kRace || f.kind == FindingKind::kRaceOfEqualValues;
}

}  // namespace lanewise
