#include "tools/selftest/selftest.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "golden/random.h"
#include "model/model.h"
#include "model/spirv/validate.h"

namespace lanewise {
namespace {

// Of one invocation. The quick cases' longest takes some 100 000.
constexpr std::uint64_t kMaxSteps = 2'000'000;

// A quick case, its input and its answer, made once for all mutants.
struct Ready {
  Case what;
  golden::Image input;
  Expectation expected;
};

using Programs = std::vector<std::shared_ptr<const Program>>;

// All dispatches of a case decoded; empty where that fails.
Programs decoded(Model& model, const Job& job) {
  Programs programs;
  for (const Dispatch& d : job.dispatches) {
    const auto program = model.program(d, job.subgroupSize != 0 ? job.subgroupSize : model.profile().subgroupSize);
    if (!program) return {};
    programs.push_back(*program);
  }
  return programs;
}

bool sameInstruction(const Instr& a, const Instr& b) {
  const auto parts = [](const Instr& i) {
    return std::tie(i.run, i.dst, i.a, i.b, i.c, i.stepA, i.stepB, i.stepC, i.groups, i.imm, i.extra, i.target, i.otherwise);
  };
  return parts(a) == parts(b);
}

bool sameAccess(const ir::Access& a, const ir::Access& b) {
  return a.space == b.space && a.resource == b.resource && a.offset == b.offset && a.type == b.type && a.scope == b.scope &&
         a.semantics == b.semantics;
}

bool sameImageAccess(const ir::ImageAccess& a, const ir::ImageAccess& b) {
  return a.resource == b.resource && a.component == b.component && a.components == b.components && a.coordinates == b.coordinates &&
         a.atomic == b.atomic && a.scope == b.scope && a.semantics == b.semantics;
}

// Do two programs do the same, instruction by instruction? What is compared is all that the engine reads.
bool sameProgram(const Program& a, const Program& b) {
  const auto same = [](const auto& x, const auto& y, auto equal) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal); };
  const auto operand = [](const Operand& x, const Operand& y) { return x.offset == y.offset && x.step == y.step; };
  const auto table = [](const SwitchTable& x, const SwitchTable& y) { return x.cases == y.cases && x.otherwise == y.otherwise; };
  const auto op = [](const InstrInfo& x, const InstrInfo& y) { return x.op == y.op && x.type == y.type; };
  return same(a.code, b.code, sameInstruction) && same(a.info, b.info, op) && same(a.operands, b.operands, operand) &&
         same(a.switches, b.switches, table) && same(a.accesses, b.accesses, sameAccess) &&
         same(a.imageAccesses, b.imageAccesses, sameImageAccess) && a.constants == b.constants && a.invocations == b.invocations;
}

// The kernels that run one module, and their quick cases, the cheapest first.
struct Subject {
  std::string module;
  std::shared_ptr<const ShaderModule> original;
  std::vector<Ready> cases;
  std::vector<std::pair<std::size_t, Programs>> specializations;  // for each that a case asks for: the cheapest case, its programs
};

std::uint64_t cost(const Case& c) {
  return std::uint64_t{c.size.width} * c.size.height * (1 + c.value("radius"));
}

void findSpecializations(Subject& subject) {
  Model model;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < subject.cases.size(); ++i) {
    const Ready& ready = subject.cases[i];
    const Job job = ready.what.kernel->plan(ready.what, subject.original, ready.input);
    std::string key = std::to_string(job.subgroupSize);
    for (const Dispatch& d : job.dispatches) {
      key += "/" + d.entryPoint;
      for (const SpecConstant& s : d.spec) key += fmt::format(",{}={}", s.id, s.value);
    }
    if (seen.insert(key).second) subject.specializations.emplace_back(i, decoded(model, job));
  }
}

Expected<Subject> subjectOf(const std::string& module, const std::vector<const Kernel*>& kernels) {
  Subject subject{module, kernelModule(*kernels[0]), {}, {}};
  for (const Kernel* kernel : kernels) {
    const Expected<std::vector<Case>> cases = casesOf(*kernel);
    if (!cases) return cases.error();
    for (const Case& c : *cases) subject.cases.push_back({c, {}, {}});
  }
  std::stable_sort(subject.cases.begin(), subject.cases.end(), [](const Ready& a, const Ready& b) { return cost(a.what) < cost(b.what); });
  for (Ready& ready : subject.cases) {
    Expected<golden::Image> input = inputOf(ready.what);
    if (!input) return input.error();
    ready.input = std::move(*input);
    Expected<Expectation> expected = expectationOf(ready.what, ready.input);
    if (!expected) return expected.error();
    ready.expected = std::move(*expected);
  }
  findSpecializations(subject);
  return subject;
}

// How a run showed that it is wrong; empty if it did not. `unsupported` is set where the model cannot say.
std::string showing(const Ready& ready, RunResult run, bool& unsupported) {
  if (run.error) {
    unsupported = run.error->outcome == Outcome::kUnsupported;
    return run.error->text();
  }
  const Expected<std::vector<golden::Image>> got = imagesOf(run, ready.expected);
  if (!got) return got.error().text();
  const Expected<std::optional<OutputDiff>> wrong = firstDifference(ready.what, ready.expected, *got);
  if (!wrong) return wrong.error().text();
  return *wrong ? fmt::format("{} components differ", (*wrong)->diff.beyond) : "";
}

class Runner {
 public:
  Runner(const Subject& subject, const SelftestOptions& options) : subject_(subject), options_(options) {}

  void run(const Mutant& mutant, MutantResult& result) const {
    if (options_.stop != nullptr && *options_.stop) return;
    judge(mutant, result);
    if (options_.done != nullptr) ++*options_.done;
  }

 private:
  void judge(const Mutant& mutant, MutantResult& result) const {
    if (spirv::validate(subject_.module, mutant.words)) {
      result.fate = Fate::kInvalid;
      return;
    }
    auto module = std::make_shared<ShaderModule>();
    module->name = subject_.original->name;
    module->words = mutant.words;
    if (equivalent(mutant, module)) {
      result.fate = Fate::kEquivalent;
      return;
    }
    ModelOptions forward, backward;
    backward.schedule.order = Schedule::Order::kReverse;
    for (const ModelOptions& how : {forward, backward})
      if (killed(how, module, result)) return;
    result.fate = Fate::kSurvived;
    result.why = survivorReason(result);
    if (!result.why.empty()) result.fate = Fate::kExplained;
  }

  // In every specialization that a quick case asks for. What a weaker barrier allows is not in the program: it is never the same.
  bool equivalent(const Mutant& mutant, const std::shared_ptr<const ShaderModule>& module) const {
    if (mutant.rule == "barrier weakened") return false;
    Model model;
    for (const auto& [index, before] : subject_.specializations) {
      const Ready& ready = subject_.cases[index];
      const Programs after = decoded(model, ready.what.kernel->plan(ready.what, module, ready.input));
      const auto same = [](const auto& x, const auto& y) { return sameProgram(*x, *y); };
      if (!std::equal(before.begin(), before.end(), after.begin(), after.end(), same)) return false;
    }
    return true;
  }

  bool killed(const ModelOptions& how, const std::shared_ptr<const ShaderModule>& module, MutantResult& result) const {
    Model model(how);
    for (const Ready& ready : subject_.cases) {
      if (options_.stop != nullptr && *options_.stop) return false;
      Job job = ready.what.kernel->plan(ready.what, module, ready.input);
      job.limits.maxSteps = kMaxSteps;
      ++result.cases;
      bool unsupported = false;
      result.why = showing(ready, model.run(job), unsupported);
      if (result.why.empty()) continue;
      result.fate = unsupported ? Fate::kUnsupported : Fate::kKilled;
      result.by = ready.what.name();
      return true;
    }
    return false;
  }

  const Subject& subject_;
  const SelftestOptions& options_;
};

bool chosen(const SelftestOptions& options, const Mutant& mutant, std::size_t number) {
  const bool named = options.rules.empty() || std::find(options.rules.begin(), options.rules.end(), mutant.rule) != options.rules.end();
  // Dealt out by a hash, so that every part has something of every rule and place.
  return named && golden::splitMix64(7, number) % options.parts == options.part - 1;
}

Status testModule(const std::string& name, const std::vector<const Kernel*>& kernels, const SelftestOptions& options, SelftestResult& all) {
  const Expected<Subject> subject = subjectOf(name, kernels);
  if (!subject) return subject.error();
  const Expected<spirv::Module> parsed = spirv::parse(name, subject->original->words);
  if (!parsed) return parsed.error();
  std::vector<Mutant> mutants;
  std::size_t number = 0;
  for (Mutant& m : mutantsOf(*parsed))
    if (chosen(options, m, number++)) mutants.push_back(std::move(m));
  std::vector<MutantResult> results(mutants.size());
  for (std::size_t i = 0; i < mutants.size(); ++i)
    results[i] = {name, mutants[i].rule, mutants[i].place, mutants[i].change, Fate::kNotRun, {}, {}, 0};
  const Runner runner(*subject, options);
  tbb::parallel_for(std::size_t{0}, mutants.size(), [&](std::size_t i) { runner.run(mutants[i], results[i]); });
  all.mutants.insert(all.mutants.end(), results.begin(), results.end());
  return {};
}

}  // namespace

const char* fateName(Fate fate) {
  constexpr const char* kNames[] = {"killed", "survived", "explained", "equivalent", "not valid", "unsupported", "not run"};
  return kNames[static_cast<std::size_t>(fate)];
}

std::size_t SelftestResult::count(Fate fate) const {
  return static_cast<std::size_t>(std::count_if(mutants.begin(), mutants.end(), [&](const MutantResult& m) { return m.fate == fate; }));
}

Expected<SelftestResult> runSelftest(const SelftestOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::string, std::vector<const Kernel*>> modules;
  for (const Kernel* kernel : options.kernels)
    if (!kernel->broken() && kernelModule(*kernel) != nullptr) modules[kernel->module].push_back(kernel);
  SelftestResult result;
  for (const auto& [name, kernels] : modules)
    if (Status bad = testModule(name, kernels, options, result)) return *bad;
  result.interrupted = result.count(Fate::kNotRun) != 0;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace lanewise
