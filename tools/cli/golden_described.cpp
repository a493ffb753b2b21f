#include "tools/cli/golden_described.h"
#include "model/base/caches.h"
#include "model/base/parallel_for.h"
#include "model/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/described/described_kernel.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostLines = 20;

// What the model gives for the quick set.
Expected<Recorded> recordNow(const RecordedKernel& of) {
  const Expected<std::vector<Case>> cases = casesOf(*of.kernel);
  if (!cases) return cases.error();
  std::map<std::string, Case> points;
  for (const Case& c : *cases) points.emplace(pointText(c), c);
  const std::vector<std::pair<std::string, Case>> list(points.begin(), points.end());
  std::vector<Expected<std::vector<golden::Image>>> results(list.size(), std::vector<golden::Image>());
  parallelFor(list.size(), [&](std::size_t i) {
    const Expected<golden::Image> input = inputOf(list[i].second);
    results[i] = input ? resultOnModel(*of.open, list[i].second, *input) : input.error();
  });
  Recorded out;
  const golden::Provenance now = of.kernel->provenance();
  out.date = now.date;
  out.tool = now.tool;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!results[i]) return Error{results[i].error().outcome, results[i].error().what, list[i].second.name(), results[i].error().hint};
    for (golden::Image& image : *results[i]) out.cases[list[i].first].push_back(std::move(image.bytes));
  }
  return out;
}

struct RecordedChange {
  std::vector<std::string> added, changed, removed;
  bool empty() const { return added.empty() && changed.empty() && removed.empty(); }
};

RecordedChange changeOf(const Recorded& before, const Recorded& now) {
  RecordedChange out;
  for (const auto& [name, outputs] : now.cases) {
    const auto old = before.cases.find(name);
    if (old == before.cases.end())
      out.added.push_back(name);
    else if (old->second != outputs)
      out.changed.push_back(name);
  }
  for (const auto& [name, outputs] : before.cases)
    if (!now.cases.contains(name)) out.removed.push_back(name);
  return out;
}

void print(const RecordedChange& change, std::size_t all) {
  for (const auto& [what, names] :
       {std::pair{"added", &change.added}, std::pair{"changed", &change.changed}, std::pair{"removed", &change.removed}}) {
    for (std::size_t i = 0; i < std::min(names->size(), kMostLines); ++i) fmt::print("  {} {}\n", what, visible((*names)[i]));
    if (names->size() > kMostLines) fmt::print("  ... and {} more {}\n", names->size() - kMostLines, what);
  }
  fmt::print("{} added, {} changed, {} removed, {} unchanged\n", change.added.size(), change.changed.size(), change.removed.size(),
             all - change.added.size() - change.changed.size());
}

Expected<Outcome> statusOf(const RecordedKernel& of) {
  const Expected<std::vector<Case>> cases = casesOf(*of.kernel);
  if (!cases) return cases.error();
  std::set<std::string> points;
  for (const Case& c : *cases) points.insert(pointText(c));
  const auto missing = std::ranges::count_if(points, [&](const std::string& point) { return !of.open->recorded.cases.contains(point); });
  fmt::print("{}: {} of {} cases recorded{}; recorded results are not proved\n", visible(of.open->recordedFile),
             points.size() - static_cast<std::size_t>(missing), points.size(),
             of.open->recorded.date.empty() ? "" : fmt::format(", approved on {}", of.open->recorded.date));
  return missing == 0 ? Outcome::kOk : Outcome::kGoldenTrouble;
}

Expected<Outcome> runOn(const std::string& file, GoldenCommand command) {
  const Expected<RecordedKernel> of = openRecorded(file, KeptIn{cacheFolder("sources").string()});
  if (!of) return of.error();
  if (command == GoldenCommand::kStatus) return statusOf(*of);
  const Expected<Recorded> now = recordNow(*of);
  if (!now) return now.error();
  const RecordedChange change = changeOf(of->open->recorded, *now);
  print(change, now->cases.size());
  if (command == GoldenCommand::kVerify) {
    fmt::print("{} what the model gives\n", change.empty() ? "recorded is" : "recorded is NOT");
    return change.empty() ? Outcome::kOk : Outcome::kGoldenTrouble;
  }
  if (command == GoldenCommand::kRegen) {
    fmt::print("{}\n", change.empty() ? "nothing would change" : "nothing was written: `lanewise golden approve` writes");
    return Outcome::kOk;
  }
  if (!change.empty())
    if (Status bad = writeRecorded(of->open->recordedFile, *now)) return *bad;
  fmt::print("{} in {}: what the model gives, approved by you, not proved\n", change.empty() ? "nothing to write" : "written",
             of->open->recordedFile);
  return Outcome::kOk;
}

}  // namespace

std::optional<Expected<Outcome>> goldenOfDescribed(const GoldenOptions& o, GoldenCommand command) {
  if (std::ranges::none_of(o.patterns, [](const std::string& p) { return isDescriptionFile(p); })) return {};
  if (o.patterns.size() != 1 || !o.with.empty() || o.full || !o.html.empty() || !o.folder.empty())
    return Error{Outcome::kBadInput, "a description is named alone: its results are recorded beside it", o.patterns[0],
                 "lanewise golden approve mine.toml"};
  return runOn(o.patterns[0], command);
}

}  // namespace lanewise
