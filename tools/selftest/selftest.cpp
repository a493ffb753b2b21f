#include "tools/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <set>

#include "golden/image/random.h"
#include "model/base/parallel_for.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "tools/selftest/rules.h"
#include "tools/selftest/same_in_range.h"
#include "tools/selftest/same_program.h"
#include "tools/selftest/tested_module.h"

namespace lanewise {
namespace {

// A way in which the model runs a mutant's cases: orders that Vulkan leaves open, and with observation. The slow ways take
// cases that cost at most `atMost` (Ready::cost), because small cases show the same: the last of each specialization, and the last
// `most` others.
struct Way {
  const char* name;
  Schedule::Order order;
  bool lanes, findings;
  std::uint64_t atMost;
  std::ptrdiff_t most;
  SubgroupMapping mapping = SubgroupMapping::kLinear;
};
constexpr std::uint64_t kAny = ~std::uint64_t{0};
constexpr std::ptrdiff_t kAll = std::numeric_limits<std::ptrdiff_t>::max();
constexpr Way kWays[] = {
    {"", Schedule::Order::kInOrder, false, false, kAny, kAll},
    {"findings", Schedule::Order::kInOrder, false, true, kObservedCost, 24},
    {"lanes", Schedule::Order::kInOrder, true, false, 1500, 16},
    {"lanes-reverse", Schedule::Order::kReverse, true, false, 1500, 16},
    {"reverse", Schedule::Order::kReverse, false, false, 20'000, 16},
    {"seed:1", Schedule::Order::kSeeded, false, false, 20'000, 16},
    {"interleaved subgroups", Schedule::Order::kInOrder, false, false, 20'000, 8, SubgroupMapping::kInterleaved},
};

// The cheapest cases, which a mutant runs before it is compared with the kernel.
constexpr std::size_t kFew = 4;

ModelOptions optionsOf(const Way& way) {
  ModelOptions options;
  options.schedule.order = way.order;
  options.schedule.seed = 1;
  options.profile.subgroupMapping = way.mapping;
  options.schedule.lanes = way.lanes;
  options.findings = way.findings;
  options.isValid = [](const ShaderModule&) { return true; };  // Runner::run() has asked, once for all ways
  return options;
}

// A mutant, and what is known of it.
struct Trial {
  std::shared_ptr<const ShaderModule> module;
  std::vector<bool> shows;  // by case: whether it executes the changed block, in order
  Model first{optionsOf(kWays[0])};
  std::vector<std::optional<bool>> differs;  // by specialization: from the kernel's own program
};

bool areSame(const Programs& a, const Programs& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return sameProgram(*x, *y); });
}

// How a run showed that the mutant is wrong; empty if it did not. `unsupported` is set if the model cannot run it.
std::string showing(const Ready& ready, RunResult run, bool observed, bool& unsupported) {
  if (run.error) {
    unsupported = run.error->outcome == Outcome::kUnsupported;
    return run.error->text();
  }
  if (observed)
    for (const std::string& name : kindsFound(run))
      if (!ready.findings.contains(name)) return name;
  return ready.wrong(run);
}

class Runner {
 public:
  Runner(const TestedModule& tested, const SelftestOptions& options) : tested_(tested), options_(options) {}

  void run(const Mutant& mutant, MutantResult& result) const {
    if (options_.stop != nullptr && *options_.stop) return;
    if (spirv::validate(tested_.module->name, mutant.words))
      result.fate = Fate::kInvalid;
    else
      judge(mutant, result);
    if (options_.progress == nullptr) return;
    ++options_.progress->done;
    if (result.fate == Fate::kSurvived) ++options_.progress->failed;
  }

 private:
  void judge(const Mutant& mutant, MutantResult& result) const {
    Trial trial;
    trial.module = std::make_shared<ShaderModule>(ShaderModule{.name = tested_.module->name, .words = mutant.words});
    trial.differs.resize(tested_.specializations.size());
    trial.shows = tested_.executing(mutant.instruction);
    const std::vector<std::size_t> all = casesOf(kWays[0], trial);
    const auto few = std::span(all).first(std::min(all.size(), kFew));
    if (killed(kWays[0], few, trial.first, trial, result)) return;  // most are: what follows costs more than these
    const Sameness same = mutant.rule != kBarrierWeakened && equivalent(trial) ? Sameness::kSame : sameInRange(trial.module);
    if (same != Sameness::kDifferent) {
      result.fate = same == Sameness::kSame ? Fate::kEquivalent : Fate::kExplained;
      if (same == Sameness::kInModel) result.why = "reads unwritten memory, which is 0 in the model, and 0 is right there";
      return;
    }
    if (killed(kWays[0], std::span(all).subspan(few.size()), trial.first, trial, result)) return;
    for (const Way& way : std::span(kWays).subspan(1)) {
      Model model(optionsOf(way));
      if (killed(way, casesOf(way, trial), model, trial, result)) return;
    }
    if (options_.stop != nullptr && *options_.stop) return;  // interrupted: not all of them were run
    result.fate = Fate::kSurvived;
    explainSurvivor(result, options_.subjects.empty());
  }

  // Whether the program is the same in every specialization that a quick case uses.
  bool equivalent(Trial& trial) const {
    return std::ranges::all_of(tested_.specializations, [&](const Specialization& s) {
      return areSame(s.programs, decoded(trial.first, tested_.cases[s.example]->job(trial.module), ir::Flavour::kQuick));
    });
  }

  // Whether the mutant is another program in the specialization of a case. If not, no order shows it; observation may.
  bool differs(Trial& trial, std::size_t i) const {
    const std::size_t s = tested_.specializationOf[i];
    if (!trial.differs[s])
      trial.differs[s] = !areSame(tested_.specializations[s].unwatched,
                                  decoded(trial.first, tested_.cases[i]->job(trial.module), ir::Flavour::kUnwatched));
    return *trial.differs[s];
  }

  // The weakest result over all specializations; once it is the weakest of all, no other is looked at.
  Sameness sameInRange(const std::shared_ptr<const ShaderModule>& module) const {
    Sameness least = Sameness::kSame;
    for (const Specialization& s : tested_.specializations) {
      if (least == Sameness::kDifferent) break;
      const auto after = lowered(tested_.cases[s.example]->job(module), module->name);
      if (after.size() != s.ranges.size()) return Sameness::kDifferent;
      for (std::size_t i = 0; i < after.size(); ++i)
        least = std::min(least, !after[i] ? Sameness::kDifferent
                                          : lanewise::sameInRange(s.lowered[i]->lowered.function, s.ranges[i], after[i]->lowered.function));
    }
    return least;
  }

  // The cases of a way, the cheapest first. In order: those alone that execute the changed block, which was found out in order; and one of
  // each size first, then another of each, because cases of one size show much the same.
  std::vector<std::size_t> casesOf(const Way& way, const Trial& trial) const {
    std::vector<std::size_t> able;
    const bool inOrder = way.order == Schedule::Order::kInOrder && way.mapping == SubgroupMapping::kLinear && !way.lanes;
    for (std::size_t i = 0; i < tested_.cases.size(); ++i)
      if (tested_.cases[i]->cost <= way.atMost && (trial.shows[i] || !inOrder)) able.push_back(i);
    if (way.most == kAll) return sizeBySize(able);
    std::vector<std::size_t> chosen, others;  // the last of each specialization, and the last of all
    std::set<std::size_t> specializations;
    std::ranges::reverse(able);
    for (const std::size_t i : able) (specializations.insert(tested_.specializationOf[i]).second ? chosen : others).push_back(i);
    chosen.insert(chosen.end(), others.begin(), others.begin() + std::min(way.most, std::ssize(others)));
    std::ranges::sort(chosen);
    return chosen;
  }

  std::vector<std::size_t> sizeBySize(const std::vector<std::size_t>& cases) const {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> met;
    std::vector<std::pair<std::size_t, std::size_t>> order;  // which one of its size, and the case
    for (const std::size_t i : cases) {
      const MadeCase* made = tested_.cases[i]->subject.madeCase();
      order.emplace_back(made ? met[{made->what.size.width, made->what.size.height}]++ : 0, i);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> sorted;
    for (const auto& one : order) sorted.push_back(one.second);
    return sorted;
  }

  bool killed(const Way& way, std::span<const std::size_t> cases, Model& model, Trial& trial, MutantResult& result) const {
    for (const std::size_t i : cases) {
      const Ready& ready = *tested_.cases[i];
      if (options_.stop != nullptr && *options_.stop) return false;
      if (!way.findings && !differs(trial, i)) continue;
      ++result.cases;
      bool unsupported = false;
      result.why = showing(ready, model.run(ready.job(trial.module)), way.findings, unsupported);
      if (result.why.empty()) continue;
      result.fate = unsupported ? Fate::kUnsupported : Fate::kKilled;
      result.by = ready.subject.name;
      result.way = way.name;
      result.byFinding = way.findings;
      return true;
    }
    return false;
  }

  const TestedModule& tested_;
  const SelftestOptions& options_;
};

bool chosen(const SelftestOptions& options, const Mutant& mutant, std::size_t number) {
  const bool named = options.rules.empty() || std::find(options.rules.begin(), options.rules.end(), mutant.rule) != options.rules.end();
  // Mutants are assigned by a hash, so that every part has some of every rule and place.
  return named && golden::splitMix64(7, number) % options.parts == options.part - 1;
}

Expected<std::vector<Mutant>> chosenMutants(const TestedModule& tested, const SelftestOptions& options) {
  const Expected<spirv::Module> parsed = spirv::parse(tested.module->name, tested.module->words);
  if (!parsed) return parsed.error();
  std::vector<Mutant> mutants;
  std::size_t number = 0;
  for (Mutant& m : mutantsOf(*parsed))
    if (chosen(options, m, number++)) mutants.push_back(std::move(m));
  return mutants;
}

Status testModule(const TestedModule& tested, const SelftestOptions& options, std::vector<MutantResult>& results) {
  const std::string& name = tested.module->name;
  const Expected<std::vector<Mutant>> made = chosenMutants(tested, options);
  if (!made) return made.error();
  const std::vector<Mutant>& mutants = *made;
  for (const Mutant& m : mutants) results.push_back({name, m.rule, m.place, m.source, m.change, Fate::kNotRun, {}, {}, {}, 0});
  const Runner runner(tested, options);
  parallelFor(mutants.size(), [&](std::size_t i) { runner.run(mutants[i], results[i]); });
  return {};
}

}  // namespace

const char* fateName(Fate fate) {
  constexpr const char* kNames[] = {"killed",     "survived",  "out of reach", "same result",
                                    "equivalent", "not valid", "unsupported",  "not run"};
  return kNames[static_cast<std::size_t>(fate)];
}

std::size_t SelftestResult::count(Fate fate) const {
  return static_cast<std::size_t>(std::count_if(mutants.begin(), mutants.end(), [&](const MutantResult& m) { return m.fate == fate; }));
}

Expected<SelftestResult> runSelftest(const SelftestOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Expected<std::vector<TestedModule>> modules = testedModules(options.kernels, options.subjects, options.stop);
  if (!modules) return modules.error();
  if (modules->empty()) return Error{Outcome::kBadInput, "nothing to test: kernels of broken/ are left out", "", ""};
  std::vector<std::vector<MutantResult>> results(modules->size());
  std::vector<Status> errors(modules->size());
  if (options.progress != nullptr)  // all are made here once and counted, and again when it is their turn: together they are large
    parallelFor(modules->size(), [&](std::size_t i) {
      if (const auto mutants = chosenMutants((*modules)[i], options)) options.progress->total += mutants->size();
    });
  parallelFor(modules->size(), [&](std::size_t i) { errors[i] = testModule((*modules)[i], options, results[i]); });
  SelftestResult result;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (errors[i]) return *errors[i];
    result.mutants.insert(result.mutants.end(), results[i].begin(), results[i].end());
  }
  if (result.mutants.empty() && options.parts == 1)
    return Error{Outcome::kBadInput, "these rules change no instruction of it: nothing was tested", "", ""};
  result.interrupted = result.count(Fate::kNotRun) != 0;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace lanewise
