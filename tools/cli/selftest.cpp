// `lanewise selftest`: the kill rate, and every survivor.
#include "tools/selftest/selftest.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <map>
#include <nlohmann/json.hpp>

#include "golden/file.h"
#include "tools/cli/commands.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/lists.h"
#include "tools/sweep/plan.h"

namespace lanewise {
namespace {

void printTable(const SelftestResult& result, std::string MutantResult::*column) {
  std::map<std::string, std::map<Fate, std::size_t>> rows;
  for (const MutantResult& m : result.mutants) ++rows[m.*column][m.fate];
  for (auto& [name, fates] : rows) {
    const std::size_t survived = fates[Fate::kSurvived] + fates[Fate::kExplained], counted = fates[Fate::kKilled] + survived;
    fmt::print("{:<32} {:>5} of {:>5} killed ({:.1f} %), {} survived", name, fates[Fate::kKilled], counted,
               counted == 0 ? 100.0 : 100.0 * static_cast<double>(fates[Fate::kKilled]) / static_cast<double>(counted), survived);
    fmt::print("; not counted: {} equivalent, {} not valid, {} unsupported\n", fates[Fate::kEquivalent], fates[Fate::kInvalid],
               fates[Fate::kUnsupported]);
  }
  fmt::print("\n");
}

void printSurvivors(const SelftestResult& result) {
  for (const Fate fate : {Fate::kExplained, Fate::kSurvived})
    for (const MutantResult& m : result.mutants)
      if (m.fate == fate)
        fmt::print("{}: {} {}: {} ({} runs){}{}\n", fate == Fate::kSurvived ? "SURVIVED" : "survived, rightly", m.module, m.place, m.change,
                   m.cases, m.why.empty() ? "" : ": ", m.why);
}

Status writeJson(const SelftestResult& result, const std::string& file) {
  nlohmann::ordered_json json = {{"schema", "lanewise-selftest-1"}, {"version", LANEWISE_VERSION}, {"seconds", result.seconds}};
  for (const MutantResult& m : result.mutants)
    json["mutants"].push_back({{"module", m.module},
                               {"rule", m.rule},
                               {"place", m.place},
                               {"change", m.change},
                               {"fate", fateName(m.fate)},
                               {"by", m.by},
                               {"why", m.why},
                               {"cases", m.cases}});
  return golden::writeTextFile(file, json.dump(1) + "\n");
}

}  // namespace

Expected<Outcome> runSelftestCommand(const SelftestCommandOptions& o) {
  SelftestOptions options;
  Expected<std::vector<const Kernel*>> kernels = selectKernels(o.patterns);
  if (!kernels) return kernels.error();
  options.kernels = std::move(*kernels);
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
  const Expected<SelftestResult> result = runSelftest(options);
  if (!result) return result.error();
  printSurvivors(*result);
  fmt::print("\n");
  printTable(*result, &MutantResult::rule);
  printTable(*result, &MutantResult::module);
  const std::size_t counted = result->counted(), killed = result->count(Fate::kKilled), open = result->count(Fate::kSurvived);
  fmt::print("{}: {} mutants, {} counted, {} killed ({:.1f} %), {} survived rightly, {} survived and nobody says why; {:.1f} s\n",
             result->interrupted ? "INTERRUPTED"
             : open == 0         ? "PASSED"
                                 : "FAILED",
             result->mutants.size(), counted, killed,
             counted == 0 ? 100.0 : 100.0 * static_cast<double>(killed) / static_cast<double>(counted), result->count(Fate::kExplained),
             open, result->seconds);
  if (!o.json.empty())
    if (Status bad = writeJson(*result, o.json)) return *bad;
  if (result->interrupted) return Outcome::kInterrupted;
  return open == 0 ? Outcome::kOk : Outcome::kFinding;
}

}  // namespace lanewise
