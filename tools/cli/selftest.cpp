// `lanewise selftest`: the kill rate, and every survivor.
#include "tools/selftest/selftest.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "model/base/file.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/progress.h"
#include "tools/cli/write_report.h"
#include "tools/selftest/reasons.h"
#include "tools/selftest/tested_module.h"
#include "tools/subject/comma_lists.h"
#include "tools/sweep/plan.h"

namespace lanewise {
namespace {

double percent(std::size_t part, std::size_t of) {
  return of == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
}

void printTable(const SelftestResult& result, std::string MutantResult::*column) {
  std::map<std::string, SelftestResult> rows;
  for (const MutantResult& m : result.mutants) rows[m.*column].mutants.push_back(m);
  for (const auto& [name, row] : rows) {
    fmt::print("{:<40} {:>5} of {:>5} killed ({:.1f} %)", name, row.count(Fate::kKilled), row.wrong(),
               percent(row.count(Fate::kKilled), row.wrong()));
    for (std::size_t i = 1; i < 8; ++i)
      if (const auto fate = static_cast<Fate>(i); row.count(fate) != 0) fmt::print(", {} {}", row.count(fate), fateName(fate));
    fmt::print("\n");
  }
  fmt::print("\n");
}

// What killed a mutant: the ordinary run, or only another schedule or a finding.
void printWays(const SelftestResult& result) {
  std::map<std::string, std::size_t> ways;
  for (const MutantResult& m : result.mutants)
    if (m.fate == Fate::kKilled) ++ways[m.byFinding ? "by findings" : "in schedule " + (m.way.empty() ? "in-order" : m.way)];
  fmt::print("killed");
  for (const auto& [way, count] : ways) fmt::print(" {}: {};", way, count);
  fmt::print("\n");
}

// One line for all modules that share a place and a change.
void printSurvivors(const SelftestResult& result) {
  for (const Fate fate : {Fate::kSameResult, Fate::kExplained, Fate::kSurvived}) {
    std::map<std::string, std::map<std::string, std::size_t>> lines;
    for (const MutantResult& m : result.mutants)
      if (m.fate == fate)
        ++lines[fmt::format("{}: {}{}{} | {}", m.place.text(), m.change, m.why.empty() ? "" : ": ", m.why, m.source)][m.module];
    for (const auto& [line, modules] : lines) {
      fmt::print("{}: {} [{}", fate == Fate::kSurvived ? "SURVIVED" : fateName(fate), line, modules.begin()->first);
      fmt::print("{}]\n", modules.size() > 1 ? fmt::format(" and {} more", modules.size() - 1) : "");
    }
  }
}

// The quick cases of a kernel that was not named may find what survived in a module that it runs too.
void printOthers(const SelftestResult& result, std::span<const Kernel* const> tested) {
  std::set<std::string> open;
  for (const MutantResult& m : result.mutants)
    if (m.fate == Fate::kSurvived) open.insert(m.module);
  for (const Kernel& k : kernels())
    if (!tested.empty() && !k.broken() && open.contains(k.module + ".comp") && std::ranges::find(tested, &k) == tested.end())
      fmt::print("note: {} runs {}.comp too, and was not among these: its quick cases may find more\n", k.name, k.module);
}

void printVerdict(const SelftestResult& r, bool passed) {
  const std::size_t killed = r.count(Fate::kKilled), open = r.count(Fate::kSurvived);
  fmt::print("{}: {} mutants; {} same as the kernel, {} not valid, {} unsupported\n",
             r.interrupted ? "INTERRUPTED"
             : passed      ? "PASSED"
                           : "FAILED",
             r.mutants.size(), r.count(Fate::kEquivalent) + r.count(Fate::kSameResult), r.count(Fate::kInvalid),
             r.count(Fate::kUnsupported));
  fmt::print("kill rate {:.1f} %: {} of {} wrong mutants; {} survived with a known reason, {} without; {:.1f} s\n",
             percent(killed, r.wrong()), killed, r.wrong(), r.count(Fate::kExplained), open, r.seconds);
}

Status writeJson(const SelftestResult& result, const std::string& file) {
  nlohmann::ordered_json json = {{"schema", "lanewise-selftest-1"}, {"version", LANEWISE_VERSION}, {"seconds", result.seconds}};
  for (const MutantResult& m : result.mutants)
    json["mutants"].push_back({{"module", m.module},
                               {"rule", m.rule},
                               {"place", m.place.text()},
                               {"source", m.source},
                               {"change", m.change},
                               {"fate", fateName(m.fate)},
                               {"by", m.by},
                               {"way", m.way},
                               {"why", m.why},
                               {"cases", m.cases}});
  return writeTextFile(file, json.dump(1) + "\n");
}

// Kernels are tested by their quick cases; a case, a capsule and a module each by itself.
Status addSubjects(const SelftestCommandOptions& o, SelftestOptions& options) {
  Expected<Selection> selected = selectSubjects(o.texts, o.subject);
  if (!selected) return selected.error();
  if (!selected->kernels.empty() && !o.subject.kernel.with.empty())
    return Error{Outcome::kBadInput, "all quick cases of a kernel test it", "--with", "name one case"};
  options.kernels = std::move(selected->kernels);
  options.held = std::move(selected->held);
  const auto add = [&](SubjectArguments a) -> Status {
    if (a.module.maxSteps == 0) a.module.maxSteps = kSelftestSteps;
    Expected<Subject> subject = openSubject(a);
    if (!subject) return subject.error();
    if (subject->module())
      fmt::print(
          "note: {}: nothing says what its results have to be: found is what changes its bytes on the model, or gives a finding or an "
          "error\n",
          subject->name);
    options.subjects.push_back(std::move(*subject));
    return {};
  };
  for (const Case& c : selected->cases)
    if (Status bad = add({.text = c.name(), .module = {.maxSteps = o.subject.module.maxSteps}})) return bad;
  for (const std::string& file : selected->files) {
    SubjectArguments a = o.subject;
    a.text = file;
    if (Status bad = add(std::move(a))) return bad;
  }
  return {};
}

}  // namespace

Expected<Outcome> runSelftestCommand(const SelftestCommandOptions& given) {
  if (Status bad = canBeWritten({{"--json", given.json}})) return *bad;
  SelftestCommandOptions o = given;
  o.subject.kernel.stop = &catchInterrupt();
  SelftestOptions options;
  if (Status bad = addSubjects(o, options)) return *bad;
  if (!o.rules.empty()) {
    Expected<std::vector<std::string>> rules = parseNames("--rules", o.rules);
    if (!rules) return rules.error();
    for (const std::string& rule : *rules) {
      const auto kinds = mutationKinds();
      if (std::none_of(kinds.begin(), kinds.end(), [&](const MutationKind& k) { return rule == k.name; }))
        return Error{Outcome::kBadInput, fmt::format("no such rule: '{}'", rule), "--rules", "see `lanewise selftest --help`"};
    }
    options.rules = std::move(*rules);
  }
  if (!o.part.empty()) {
    const Expected<Shard> part = parseShard(o.part);
    if (!part) return Error{part.error().outcome, part.error().what, "--part", part.error().hint};
    options.part = part->index;
    options.parts = part->count;
  }
  options.stop = &catchInterrupt();
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Progress progress;
  options.progress = &progress;
  const Expected<SelftestResult> result = [&] {
    const ProgressDisplay display(progress, "mutants", "survived");
    return runSelftest(options);
  }();
  if (!result) return result.error();
  printSurvivors(*result);
  fmt::print("\n");
  printTable(*result, &MutantResult::rule);
  printTable(*result, &MutantResult::module);
  printWays(*result);
  const bool complete = o.texts.empty() && o.rules.empty() && o.part.empty() && !result->interrupted;
  const std::vector<std::string> problems =
      options.subjects.empty() && reasonsFit() ? reasonProblems(reasons(), *result, complete) : std::vector<std::string>();
  for (const std::string& problem : problems) fmt::print("tools/selftest/reasons_*.cpp: {}\n", problem);
  const bool passed = result->count(Fate::kSurvived) == 0 && problems.empty();
  printOthers(*result, options.kernels);
  printVerdict(*result, passed);
  if (!o.json.empty())
    if (Status bad = writeJson(*result, o.json)) return *bad;
  if (result->interrupted) return Outcome::kInterrupted;
  return passed ? Outcome::kOk : Outcome::kFinding;
}

}  // namespace lanewise
