#include "tools/cli/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/subject/subject_text.h"

namespace lanewise {

std::string wayToFinding(const RunFinding& f) {
  if (f.at.empty() || f.kind == FindingKind::kNeverWritten) return "";  // no store to go to
  if (says(f.kind, finding::kEndless)) return " -e end";
  if (!says(f.kind, finding::kByRules)) return fmt::format(" -e {}", shellWord("finding " + f.at.text()));
  return fmt::format(" -e 'global {} {}' -e {}", fmt::join(f.invocation, ","), f.dispatch,
                     shellWord("until " + (f.at.line != 0 ? f.at.text() : fmt::format("word {}", f.at.word))));
}

namespace {

std::string debugCommand(const RunOptions& o, const RunSide& side) {
  std::string out = "lanewise debug " + (namesCase(o.subject.text) ? shellWord(o.subject.text) : subjectOptions(o.subject));
  if (!o.profile.empty()) out += " --profile " + shellWord(side.profile);
  if (!o.schedule.empty()) out += " --schedule " + shellWord(side.schedule);
  return side.subgroupSize == 0 ? out : fmt::format("{} --subgroup-size {}", out, side.subgroupSize);
}

// The first byte that is not as expected, where all must be.
std::string wayToWrong(const std::vector<ExpectedOutput>& expected, const RunResult& result) {
  for (const ExpectedOutput& e : expected) {
    const Resource& got = result.outputs[e.output];
    const auto [is, wants] = std::ranges::mismatch(got.bytes(), e.bytes);
    if (is == got.bytes().end() || !e.tolerances.empty()) continue;
    const auto byte = static_cast<std::uint64_t>(is - got.bytes().begin());
    return " -e end -e " + shellWord(fmt::format("writer {} {}", got.name, placeIn(got, byte)));
  }
  return "";
}

}  // namespace

void addOpenings(const RunOptions& o, const RunSide& side, const std::vector<ExpectedOutput>& expected, SideRun& run) {
  if (!side.model) return;
  const std::string command = debugCommand(o, side);
  for (const RunFinding& f : run.result.findings) {
    const std::string way = wayToFinding(f);
    run.findingOpens.push_back(way.empty() ? "" : command + way);
  }
  if (run.result.error && run.result.error->outcome == Outcome::kFinding) run.opens = command + " -e end";
  if (!run.wrong || run.wrong->empty()) return;
  const std::string way = expected.empty() ? " -e 'against golden'" : wayToWrong(expected, run.result);
  if (!way.empty()) run.opens = command + way;
}

void addOpenings(const RunOptions& o, const RunSides& sides, RunReport& report) {
  const auto named = [&](const std::string& name) {
    const auto found = std::ranges::find(report.sides, name, &SideRun::name);
    return &sides.sides[static_cast<std::size_t>(found - report.sides.begin())];
  };
  for (Difference& difference : report.differences) {
    const RunSide *a = named(difference.first), *b = named(difference.second);
    if (!a->model) std::swap(a, b);
    if (!a->model) continue;
    std::vector<std::string> others;
    if (!b->model) others.push_back(b->deviceName);
    if (b->model && a->profile != b->profile) others.push_back("profile " + b->profile);
    if (b->model && a->schedule != b->schedule) others.push_back("schedule " + b->schedule);
    if (b->model && a->subgroupSize != b->subgroupSize) others.push_back(fmt::format("subgroup-size {}", b->subgroupSize));
    if (others.size() == 1) difference.opens = debugCommand(o, *a) + " -e " + shellWord("against " + others[0]);
  }
}

}  // namespace lanewise
