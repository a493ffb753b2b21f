// merged() of check.h, and which findings are equal.
#include "tools/check/check.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanewise {
namespace {

using What = CheckFinding::What;

// Equal findings have the same. A line that loads and stores has two races with itself, which may be mended in different ways: with
// `ofTwoStores` it is that of two stores.
struct Identity {
  std::string key;
  bool ofTwoStores = false;
  auto operator<=>(const Identity&) const = default;
};
Identity identityOf(const CheckFinding& f) {
  return {f.key(), f.finding.twoStores && sameLine(f.finding.at, f.finding.otherAt)};
}

// Of equal findings of one job the first is kept, with the count of the run that has most of them.
std::vector<CheckFinding> ofOneJob(std::vector<CheckFinding> findings) {
  std::vector<CheckFinding> out;
  std::map<Identity, std::size_t> known;
  std::map<std::pair<Identity, std::string>, std::uint64_t> counts;  // by way
  for (CheckFinding& f : findings) {
    const std::uint64_t count = counts[{identityOf(f), f.way}] += f.count;
    const auto [it, fresh] = known.try_emplace(identityOf(f), out.size());
    if (fresh) out.push_back(std::move(f));
    out[it->second].count = std::max(out[it->second].count, count);
  }
  return out;
}

}  // namespace

std::string raceKey(CheckFinding race) {
  if (race.finding.kind == FindingKind::kRaceOfEqualValues) race.finding.kind = FindingKind::kRace;
  return race.key();
}

void tellOnce(std::vector<CheckFinding>& findings) {
  std::map<std::string, std::string> mends;  // of those that are not of two stores, by key
  for (const CheckFinding& f : findings)
    if (Identity own = identityOf(f); !own.ofTwoStores) mends.emplace(std::move(own.key), f.finding.mend);
  // The other race of the same line, by its key.
  const auto otherOf = [&](const CheckFinding& f, const std::string& key) {
    return identityOf(f).ofTwoStores ? mends.find(key) : mends.end();
  };
  std::erase_if(findings, [&](const CheckFinding& f) {
    const auto other = otherOf(f, raceKey(f));
    return other != mends.end() && other->second == f.finding.mend;
  });
  for (CheckFinding& f : findings) f.alsoLoads = otherOf(f, f.key()) != mends.end();
}

CheckResult merged(std::vector<CheckResult> parts) {
  CheckResult all;
  std::map<Identity, std::size_t> known;
  for (CheckResult& part : parts) {
    for (CheckFinding& f : ofOneJob(std::move(part.findings))) {
      const auto [it, fresh] = known.try_emplace(identityOf(f), all.findings.size());
      if (fresh)
        all.findings.push_back(std::move(f));
      else
        all.findings[it->second].count += f.count;
    }
    all.depends.merge(part.depends);
    all.unable.merge(part.unable);
    for (const auto& [device, jobs] : part.excused) all.excused[device] += jobs;
    for (const auto& [axis, runs] : part.tried) all.tried[axis] += runs;
    all.failed.merge(part.failed);
    all.ran.merge(part.ran);
    std::ranges::move(part.leftOut, std::back_inserter(all.leftOut));
    all.waiting.merge(part.waiting);
    std::ranges::move(part.unread, std::back_inserter(all.unread));
    if (part.coverage) addTo(all.coverage ? *all.coverage : all.coverage.emplace(), *part.coverage);
    all.cut += part.cut;
    all.large += part.large;
    all.forgottenUses += part.forgottenUses;
    add(all.refereed, part.refereed);
    all.orderFree += part.orderFree;
    all.spared += part.spared;
    add(all.certificate, part.certificate);
    all.runs += part.runs;
    all.unsupported += part.unsupported;
  }
  // That bytes depend on something is mostly what the others lead to.
  std::ranges::stable_sort(all.findings, {}, [](const CheckFinding& f) {
    const InstructionPlace& at = f.finding.at;
    return std::tuple(f.what == What::kDependence, at.empty(), at.file, at.line, at.line == 0 ? at.word : 0);
  });
  return all;
}

}  // namespace lanewise
