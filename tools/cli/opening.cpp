#include "tools/cli/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/amber/parse.h"
#include "tools/subject/subject.h"
#include "tools/subject/subject_text.h"

namespace lanewise {

std::string wayToFinding(const RunFinding& f, std::span<const RunFinding> all) {
  if (f.at.empty() || f.kind == FindingKind::kNeverWritten) return "";                                // no store to go to
  if (says(f.kind, finding::kEndless) || f.kind == FindingKind::kDivergentBarrier) return " -e end";  // they end the run
  if (!says(f.kind, finding::kByRules)) {
    const auto isThere = [&](const RunFinding& other) { return other.at.text() == f.at.text(); };
    const auto isAlike = [&](const RunFinding& other) { return isThere(other) && other.kind == f.kind; };
    std::string name = f.at.text();
    if (std::ranges::count_if(all, isThere) > 1) name += fmt::format(" {}", findingName(f.kind));
    if (std::ranges::count_if(all, isAlike) > 1) name += fmt::format(" {}", fmt::join(f.invocation, ","));
    return fmt::format(" -e {}", shellWord("finding " + name));
  }
  return fmt::format(" -e 'global {} {}' -e {}", fmt::join(f.invocation, ","), f.dispatch,
                     shellWord("until " + (f.at.line != 0 ? f.at.text() : fmt::format("word {}", f.at.word))));
}

namespace {

// `--out WHERE=FILE:SHAPE` as the commands take it that write no files: WHERE=-:SHAPE.
std::string withoutFile(const std::string& out) {
  const std::size_t file = out.find('=') + 1;  // npos + 1 is 0: there is none
  const std::size_t shape = out[file] == '@' ? out.size() : std::min(out.find(':', file), out.size());
  return file == 0 ? out : out.substr(0, file) + "-" + out.substr(shape);
}

std::string debugCommand(const RunOptions& o, const RunSide& side) {
  SubjectArguments subject = o.subject;
  if (!namesModule(subject.text) || amber::isScriptFile(subject.text)) subject.module.run.outs.clear();  // they hold their outputs
  for (std::string& one : subject.module.run.outs) one = withoutFile(one);
  std::string out = "lanewise debug " + (namesCase(subject.text) ? shellWord(subject.text) : subjectOptions(subject));
  if (!o.profile.empty()) out += " --profile " + shellWord(side.profile);
  if (!o.schedule.empty()) out += " --schedule " + shellWord(side.schedule);
  return side.subgroupSize == 0 ? out : fmt::format("{} --subgroup-size {}", out, side.subgroupSize);
}

}  // namespace

void addOpenings(const RunOptions& o, const RunSide& side, bool isExpectOption, SideRun& run) {
  if (!side.model) return;
  const std::string command = debugCommand(o, side);
  for (const RunFinding& f : run.result.findings) {
    const std::string way = wayToFinding(f, run.result.findings);
    run.findingOpens.push_back(way.empty() ? "" : command + way);
  }
  if (run.result.error && run.result.error->outcome == Outcome::kFinding) run.opens = command + " -e end";
  if (!run.wrong || run.wrong->empty()) return;
  if (!isExpectOption) run.opens = command + " -e 'against golden'";
  if (!run.wrongAt.empty()) run.opens = command + " -e end -e " + shellWord("writer " + run.wrongAt);
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
