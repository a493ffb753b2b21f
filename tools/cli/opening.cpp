#include "tools/cli/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/amber/parse.h"
#include "tools/run/finding_names.h"
#include "tools/subject/subject.h"
#include "tools/subject/subject_text.h"
#include "tools/sweep/debug_command.h"

namespace lanewise {

std::vector<std::string> wayToFinding(const RunFinding& f, std::span<const RunFinding> all) {
  if (f.at.empty() || f.kind == FindingKind::kNeverWritten) return {};                              // no store to go to
  if (says(f.kind, finding::kEndless) || f.kind == FindingKind::kDivergentBarrier) return {"end"};  // they end the run
  const std::vector<std::string> names = findingNames(f);
  std::size_t level = 0;  // of the first name that no other one has
  const auto hasIt = [&](const RunFinding& other) {
    const std::vector<std::string> own = findingNames(other);
    return level < own.size() && own[level] == names[level];
  };
  while (level + 1 < names.size() && std::ranges::count_if(all, hasIt) > 1) ++level;
  return {"finding " + names[level]};
}

namespace {

// `--out WHERE=FILE:SHAPE` as the commands take it that write no files: WHERE=-:SHAPE.
std::string withoutFile(const std::string& out) {
  const std::size_t file = out.find('=') + 1;  // npos + 1 is 0: there is none
  const std::size_t shape = out[file] == '@' ? out.size() : std::min(out.find(':', file), out.size());
  return file == 0 ? out : out.substr(0, file) + "-" + out.substr(shape);
}

}  // namespace

std::string opening(const RunOptions& o, const RunSide& side, const std::vector<std::string>& commands) {
  SubjectArguments subject = o.subject;
  if (!namesModule(subject.text) || amber::isScriptFile(subject.text)) subject.module.run.outs.clear();  // they hold their outputs
  for (std::string& one : subject.module.run.outs) one = withoutFile(one);
  const DebugWay way{o.profile.empty() ? "" : side.profile, o.schedule.empty() ? "" : side.schedule, side.subgroupSize};
  return debugCommand(subjectOptions(subject), way, commands);
}

void addOpenings(const RunOptions& o, const RunSide& side, bool isExpectOption, SideRun& run) {
  if (!side.model) return;
  for (const RunFinding& f : run.result.findings) {
    const std::vector<std::string> way = wayToFinding(f, run.result.findings);
    run.findingOpens.push_back(way.empty() ? "" : opening(o, side, way));
  }
  if (run.result.error && run.result.error->outcome == Outcome::kFinding) run.opens = opening(o, side, {"end"});
  if (!run.wrong || run.wrong->empty()) return;
  if (!isExpectOption) run.opens = opening(o, side, {"against golden"});
  if (!run.wrongAt.empty()) run.opens = opening(o, side, {"end", "writer " + run.wrongAt});
}

namespace {

// Where two sides part; empty where the debugger has no such command.
std::string openingBetween(const RunOptions& o, const RunSide* a, const RunSide* b) {
  if (!a->model) std::swap(a, b);
  if (!a->model) return "";
  std::vector<std::string> others;
  if (!b->model) others.push_back(b->deviceName);
  if (b->model && a->profile != b->profile) others.push_back("profile " + b->profile);
  if (b->model && a->schedule != b->schedule) others.push_back("schedule " + b->schedule);
  if (b->model && a->subgroupSize != b->subgroupSize) others.push_back(fmt::format("subgroup-size {}", b->subgroupSize));
  return others.size() == 1 ? opening(o, *a, {"against " + others[0]}) : "";
}

}  // namespace

void addOpenings(const RunOptions& o, const RunSides& sides, RunReport& report) {
  const std::vector<SideRun>& runs = report.sides;
  const auto numberOf = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(runs, name, &SideRun::name) - runs.begin());
  };
  std::vector<std::size_t> alike;  // of each side the first one with its bytes
  for (const SideRun& run : runs)
    alike.push_back(
        static_cast<std::size_t>(std::ranges::find_if(runs, [&](const SideRun& one) { return sameBytes(one, run); }) - runs.begin()));
  for (Difference& d : report.differences) {
    const std::size_t first = numberOf(d.first), second = numberOf(d.second);
    d.opens = openingBetween(o, &sides.sides[first], &sides.sides[second]);
    // Else two others that part in the same way.
    for (std::size_t a = 0; a < runs.size(); ++a)
      for (std::size_t b = 0; b < runs.size() && d.opens.empty(); ++b)
        if (alike[a] == alike[first] && alike[b] == alike[second] && !runs[a].result.error && !runs[b].result.error)
          d.opens = openingBetween(o, &sides.sides[a], &sides.sides[b]);
  }
}

}  // namespace lanewise
