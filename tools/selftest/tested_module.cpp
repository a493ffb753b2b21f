#include "tools/selftest/tested_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "model/base/parallel_for.h"
#include "model/program/passes.h"
#include "model/spirv/parse.h"
#include "tools/selftest/executed.h"

namespace lanewise {
namespace {

std::uint64_t costOf(const Ready& ready) {
  const MadeCase& made = *ready.subject.madeCase();
  std::uint64_t bytes = made.input.bytes.size();
  for (const golden::Image& image : ready.expected->images) bytes += image.bytes.size();
  return bytes / 4 * (1 + made.what.value(kRadiusParameter));
}

Status expect(Ready& ready) {
  Expected<std::optional<Expectation>> expected = expectationOf(ready.subject);
  if (!expected) return expected.error();
  ready.expected = std::move(*expected);
  return {};
}

// A quick case: it is known to pass.
Status makeQuick(Ready& ready, const Case& c, Model& observed) {
  Expected<Subject> subject = subjectOf(c);
  if (!subject) return subject.error();
  ready.subject = std::move(*subject);
  ready.subject.job.limits.maxSteps = kSelftestSteps;
  if (Status bad = expect(ready)) return bad;
  ready.cost = costOf(ready);
  if (ready.cost <= kObservedCost) ready.findings = kindsFound(observed.run(ready.job(nullptr)));
  return {};
}

// A subject of the user, which every way runs.
Status makeOwn(Ready& ready, const Subject& subject, Model& observed) {
  ready.subject = subject;
  if (Status bad = expect(ready)) return bad;
  RunResult run = observed.run(ready.job(nullptr));
  if (run.error) return Error{run.error->outcome, "unchanged, it does not run: " + run.error->text(), subject.name, ""};
  ready.findings = kindsFound(run);
  if (!ready.expected) ready.unchanged = run.outputs;
  const std::string wrong = ready.wrong(run);
  if (wrong.empty()) return {};
  return Error{Outcome::kFinding, "unchanged, it does not pass: " + wrong, subject.name, "`lanewise check` says more"};
}

// A word of the push constants, compared with the sides and the parameters of the cases that push it.
struct PushedWord {
  bool isLength = true;  // at most a few times a side or a parameter
  bool isArea = true;    // at most a few times their product
};

// The greatest side or parameter of a case, or of all cases that a kernel allows.
std::int64_t greatestOf(const Case& c) {
  std::int64_t greatest = std::max(c.size.width, c.size.height);
  for (const std::uint32_t value : c.values) greatest = std::max<std::int64_t>(greatest, value);
  return greatest;
}
std::int64_t greatestOf(const Kernel& kernel) {
  std::int64_t greatest = kernel.largestSide;
  for (const Parameter& p : kernel.parameters) greatest = std::max<std::int64_t>(greatest, p.highest);
  return greatest;
}
std::int64_t length(std::int64_t greatest) {
  return 4 * greatest + 4;
}
std::int64_t area(std::int64_t greatest) {
  return 4 * (greatest + 1) * (greatest + 1);
}

// A push constant is taken as a length or an area if it is one in all quick cases. Then it is bounded by the greatest pictures and
// parameters that the kernels allow. Any other word may have any value.
std::map<std::uint32_t, Range> pushedWords(const TestedModule& tested) {
  std::map<std::uint32_t, PushedWord> words;
  std::int64_t most = 0;
  for (const auto& ready : tested.cases) {
    const MadeCase* made = ready->subject.madeCase();
    if (!made) return {};  // nothing is known of them
    most = std::max(most, greatestOf(*made->what.kernel));
    for (const Dispatch& d : ready->job(nullptr).dispatches) {
      if (d.module->name != tested.module->name) continue;
      for (std::uint32_t at = 0; at + 4 <= d.push.size(); at += 4) {
        std::uint32_t value = 0;
        std::memcpy(&value, d.push.data() + at, 4);
        PushedWord& word = words[at];
        word.isLength = word.isLength && value <= length(greatestOf(made->what));
        word.isArea = word.isArea && value <= area(greatestOf(made->what));
      }
    }
  }
  std::map<std::uint32_t, Range> ranges;
  for (const auto& [at, word] : words)
    if (const std::int64_t high = word.isLength ? length(most) : area(most); (word.isLength || word.isArea) && high <= Range::kMost)
      ranges[at] = {0, high};
  return ranges;
}

void findSpecializations(TestedModule& tested) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < tested.cases.size(); ++i) {
    const Job job = tested.cases[i]->job(nullptr);
    std::string key = std::to_string(job.subgroupSize);
    for (const Dispatch& d : job.dispatches) {
      key += "/" + d.module->name + "/" + d.entryPoint;
      for (const SpecConstant& s : d.spec) key += fmt::format(",{}={}", s.id, s.value);
    }
    const auto [at, isNew] = seen.try_emplace(key, tested.specializations.size());
    tested.specializationOf.push_back(at->second);
    if (isNew) tested.specializations.emplace_back().example = i;
  }
  const std::map<std::uint32_t, Range> push = pushedWords(tested);
  parallelFor(tested.specializations.size(), [&](std::size_t number) {
    Specialization& s = tested.specializations[number];
    const Job job = tested.cases[s.example]->job(nullptr);
    Model model;
    s.programs = decoded(model, job, ir::Flavour::kQuick);
    s.unwatched = decoded(model, job, ir::Flavour::kUnwatched);
    s.lowered = lowered(job, tested.module->name);
    KnownInputs known;
    known.push = push;
    for (const auto& l : s.lowered) {
      if (l == nullptr) continue;
      std::ranges::copy(l->lowered.localSize, known.localSize.begin());
      s.ranges.emplace_back(l->lowered.function, known);
    }
  });
}

// Specialization by specialization, so that each is decoded once and forgotten.
void findExecuted(TestedModule& tested) {
  const Expected<spirv::Module> parsed = spirv::parse(tested.module->name, tested.module->words);
  if (!parsed) return;
  tested.blockOf = blocksOf(*parsed);
  tested.executed.resize(tested.cases.size());
  parallelFor(tested.specializations.size(), [&](std::size_t s) {
    Model model;
    for (std::size_t i = 0; i < tested.cases.size(); ++i)
      if (tested.specializationOf[i] == s)
        tested.executed[i] = executedBlocks(model, tested.cases[i]->job(nullptr), tested.module->name, tested.blockOf);
  });
}

}  // namespace

Job Ready::job(const std::shared_ptr<const ShaderModule>& changed) const {
  Job job = subject.job;
  for (Dispatch& d : job.dispatches)
    if (changed != nullptr && d.module->name == changed->name) d.module = changed;
  return job;
}

std::string Ready::wrong(RunResult& run) const {
  if (expected) {
    const Expected<Judged> judged = judge(*expected, run);
    if (!judged) return judged.error().text();
    return judged->wrong ? fmt::format("{} components differ", judged->wrong->diff.beyond) : "";
  }
  for (std::size_t i = 0; i < unchanged.size(); ++i)
    if (run.outputs[i].bytes() != unchanged[i].bytes()) return fmt::format("other bytes in {}", unchanged[i].name);
  return "";
}

std::vector<bool> TestedModule::executing(std::uint32_t instruction) const {
  std::vector<bool> all(cases.size(), true);
  for (std::size_t i = 0; i < cases.size(); ++i) all[i] = executed[i][blockOf[instruction]];
  return all;
}

Programs decoded(Model& model, const Job& job, ir::Flavour flavour) {
  Programs programs;
  for (const Dispatch& d : job.dispatches) {
    const auto program = model.program(d, job.subgroupSize != 0 ? job.subgroupSize : model.profile().subgroupSize, flavour);
    if (!program) return {};
    programs.push_back(*program);
  }
  return programs;
}

std::vector<std::unique_ptr<const LoweredModule>> lowered(const Job& job, const std::string& module) {
  std::vector<std::unique_ptr<const LoweredModule>> all;
  for (const Dispatch& d : job.dispatches) {
    if (d.module->name != module) continue;
    auto& one = all.emplace_back();
    auto made = std::make_unique<LoweredModule>();
    Expected<spirv::Module> parsed = spirv::parse(module, d.module->words);
    if (!parsed) continue;
    made->module = std::move(*parsed);
    LowerOptions options;
    options.entryPoint = d.entryPoint;
    options.spec = d.spec;
    options.subgroupSize = job.subgroupSize != 0 ? job.subgroupSize : options.profile.subgroupSize;
    Expected<Lowered> form = lower(made->module, options);
    if (!form) continue;
    made->lowered = std::move(*form);
    ir::promoteLocals(made->lowered.function);
    one = std::move(made);
  }
  return all;
}

std::set<std::string> kindsFound(const RunResult& run) {
  std::set<std::string> names;
  for (const RunFinding& f : run.findings) {
    // Without its word, which a mutant changes.
    names.insert(fmt::format("{} {}:{} {} {}", findingName(f.kind), f.at.file, f.at.line, f.instruction, f.object.text()));
  }
  return names;
}

Expected<std::vector<TestedModule>> testedModules(const std::vector<const Kernel*>& kernels, std::span<const Subject> subjects,
                                                  const std::atomic<bool>* stop) {
  const auto stopped = [&] { return stop != nullptr && *stop; };
  const Error interrupted{Outcome::kInterrupted, "no mutant was run yet", "", ""};
  std::vector<Case> quick;
  for (const Kernel* kernel : kernels) {
    if (kernel->broken() || kernelModule(*kernel) == nullptr) continue;
    const Expected<std::vector<Case>> cases = casesOf(*kernel);
    if (!cases) return cases.error();
    quick.insert(quick.end(), cases->begin(), cases->end());
  }
  std::vector<std::shared_ptr<Ready>> all;
  for (std::size_t i = 0; i < quick.size() + subjects.size(); ++i) all.push_back(std::make_shared<Ready>());
  ModelOptions options;
  options.findings = true;
  Model observed(options);
  std::vector<Status> errors(all.size());
  parallelFor(all.size(), [&](std::size_t i) {
    if (stopped()) return;
    errors[i] = i < quick.size() ? makeQuick(*all[i], quick[i], observed) : makeOwn(*all[i], subjects[i - quick.size()], observed);
  });
  for (const Status& bad : errors)
    if (bad) return *bad;
  if (stopped()) return interrupted;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->cost < b->cost; });
  std::map<std::string, TestedModule> byName;
  for (const auto& ready : all) {
    std::map<std::string, std::shared_ptr<const ShaderModule>> run;
    for (const Dispatch& d : ready->job(nullptr).dispatches) run[d.module->name] = d.module;
    for (const auto& [name, module] : run) {
      byName[name].module = module;
      byName[name].cases.push_back(ready);
    }
  }
  std::vector<TestedModule> modules;
  for (auto& [name, tested] : byName) modules.push_back(std::move(tested));
  parallelFor(modules.size(), [&](std::size_t i) {
    if (!stopped()) findSpecializations(modules[i]);
    if (!stopped()) findExecuted(modules[i]);
  });
  if (stopped()) return interrupted;
  return modules;
}

}  // namespace lanewise
