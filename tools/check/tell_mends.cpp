// tellMends() of check.h.
#include <algorithm>
#include <map>
#include <set>

#include "model/base/parallel_for.h"
#include "model/mend.h"
#include "tools/check/check.h"

namespace lanewise {

void tellMends(CheckResult& result, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
               const CheckLimits& limits) {
  struct Raced {
    CheckFinding* race;
    const CheckWay* way;
    MendRuns* runs;
  };
  std::vector<Raced> races;
  std::set<std::string> keys;
  std::map<std::pair<std::size_t, std::uint32_t>, MendRuns> jobs;  // by index and subgroup size
  for (CheckFinding& f : result.findings)
    if (f.finding.missing != MissingOrder::kNone && (keys.size() < kMostMends || keys.contains(raceKey(f)))) {
      keys.insert(raceKey(f));
      const auto way = std::ranges::find(ways, f.way, &CheckWay::name);
      if (way == ways.end() || !way->mend || (limits.stop && *limits.stop)) continue;
      const std::pair key(f.job, way->subgroupSize);
      if (!jobs.contains(key))
        if (const Expected<CheckJob> job = makeJob(f.job)) jobs.try_emplace(key, jobIn(*way, job->job));
      if (const auto runs = jobs.find(key); runs != jobs.end()) races.push_back({&f, &*way, &runs->second});
    }
  parallelFor(races.size(), [&](std::size_t i) {
    if (limits.stop && *limits.stop) return;
    const auto [race, way, runs] = races[i];
    const std::string mend = way->mend(*runs, race->finding);
    if (limits.stop && *limits.stop) return;
    race->finding.mend = mend;
    race->says = race->finding.text();
  });
  tellOnce(result.findings);
}

}  // namespace lanewise
