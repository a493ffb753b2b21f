#include "model/model.h"

#include <tbb/task_arena.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <tuple>

#include "model/base/parallel_for.h"
#include "model/check/access_checker.h"
#include "model/check/index_teller.h"
#include "model/check/race_checker.h"
#include "model/check/race_sieve.h"
#include "model/check/race_text.h"
#include "model/check/rules_checker.h"
#include "model/check/undefined_sieve.h"
#include "model/check/undefined_tracker.h"
#include "model/compiled_programs.h"
#include "model/exec/idle_workgroups.h"
#include "model/ir/together.h"
#include "model/program/decode.h"
#include "model/spirv/validate.h"
#include "model/wait_report.h"

namespace lanewise {
namespace {

Reruns reruns(const ModelOptions& first) {
  return [first](const Job& job, const Schedule& schedule, Observer& observer) -> Rerun {
    ModelOptions options = first;
    options.schedule = schedule;
    options.findings = false;
    Model model(options);
    Expected<Execution> execution = model.start(job);
    if (!execution) return {};
    const Status error = execution->run(observer);
    return {true, error, error && execution->wait() && execution->wait()->proved};
  };
}

// Tells what a run waited for, as a finding of its own, or behind that of the step limit.
void tellWait(RunResult& result, const RunFinding& wait, bool proved) {
  if (proved) {
    *result.error = {Outcome::kFinding, wait.text(), "", ""};
    result.findings.push_back(wait);
    return;
  }
  const auto limit = std::ranges::find(result.findings, FindingKind::kStepLimit, &RunFinding::kind);
  if (limit != result.findings.end()) limit->other = wait.other;
  result.error->hint += "; " + wait.other;
}

// How the program of a dispatch is decoded. `together`: from so many workgroups on, small ones share a batch, or lanes run together that
// the schedule has one by one (`lanes`); 0: never.
struct How {
  std::uint32_t subgroupSize = 0;
  ir::Flavour flavour = ir::Flavour::kQuick;
  std::uint64_t together = 0;
  bool lanes = false;
  bool everyIndex = false;
  bool isTogether(const Dispatch& d) const { return together != 0 && !lanes && isWorthTogether(d.groups, together); }
  bool separatesLanes(const Dispatch& d) const { return lanes && (together == 0 || workgroupsIn(d.groups) < together); }
};

// What decides a decoded program.
using ProgramKey = std::tuple<std::uint64_t, std::uint64_t, std::string, std::vector<std::pair<std::uint32_t, std::uint64_t>>,
                              std::uint32_t, ir::Flavour, bool, bool, bool>;

// The hashes of modules: to hash a hundred KiB takes longer than a small dispatch. Thread-safe.
class ModuleHashes {
 public:
  XXH128_hash_t of(const std::shared_ptr<const ShaderModule>& module) {
    {
      const std::lock_guard lock(mutex_);
      // The module itself, and not another one where it was.
      if (const auto known = known_.find(module.get()); known != known_.end() && known->second.module.lock() == module)
        return known->second.hash;
    }
    const XXH128_hash_t hash = XXH3_128bits(module->words.data(), module->words.size() * sizeof(std::uint32_t));
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMost) std::erase_if(known_, [](const auto& entry) { return entry.second.module.expired(); });
    if (known_.size() < kMost) known_.insert_or_assign(module.get(), Known{module, hash});
    return hash;
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct Known {
    std::weak_ptr<const ShaderModule> module;
    XXH128_hash_t hash;
  };
  std::mutex mutex_;
  std::map<const ShaderModule*, Known> known_;
};

ProgramKey keyOf(const Dispatch& d, const How& how, ModuleHashes& hashes) {
  const XXH128_hash_t hash = hashes.of(d.module);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> spec;
  for (const SpecConstant& s : d.spec) spec.emplace_back(s.id, s.value);
  return {hash.low64,  hash.high64,       d.entryPoint,          std::move(spec), how.subgroupSize,
          how.flavour, how.isTogether(d), how.separatesLanes(d), how.everyIndex};
}

std::vector<const Program*> programsOf(const Execution& execution, const Job& job) {
  std::vector<const Program*> all;
  for (std::uint32_t d = 0; d < job.dispatches.size(); ++d) all.push_back(&execution.programOf(d));
  return all;
}

// What one run with no race proves of all others: only atomics and clocks can tell them apart, and what is undefined.
bool isOrderFree(std::span<const Program* const> programs, const RunResult& r) {
  const bool decides = std::ranges::any_of(programs, [](const Program* p) {
    return std::ranges::any_of(
        p->info, [](const InstrInfo& i) { return i.op == ir::kAtomic || i.op == ir::kImageAtomic || i.op == ir::kReadClock; });
  });
  const bool open = std::ranges::any_of(r.findings, [](const RunFinding& f) { return says(f.kind, finding::kByOrder | finding::kOpen); });
  return !decides && !open && r.forgottenUses == 0 && !r.error;
}

bool hasUnwrittenReads(std::span<const RunFinding> findings) {
  return std::ranges::any_of(findings, [](const RunFinding& f) { return f.kind == FindingKind::kUninitialised; });
}

// The same run once more: places that may have a race are looked at, and undefined values are followed.
void lookAgain(const Job& job, Execution& again, const race::Suspects& suspects, bool undefined, RunResult& result) {
  race::RaceChecker races(job, &suspects);
  undefined::Tracker tracker(job);
  std::vector<Observer*> observers;
  if (suspects.any()) observers.push_back(&races);
  if (undefined) observers.push_back(&tracker);
  static_cast<void>(again.run(observers));
  if (undefined) result.findings = tracker.finish(!result.error, std::move(result.findings));
  result.forgottenUses = races.forgotten();
  result.refereed = races.refereed();
  // Two variables that name one place are told once: as a race where two invocations meet there, else as what they are.
  const auto samePlaces = [](const RunFinding& f, const RunFinding& g) {
    return (sameLine(f.at, g.at) && sameLine(f.otherAt, g.otherAt)) || (sameLine(f.at, g.otherAt) && sameLine(f.otherAt, g.at));
  };
  for (const race::Race& r : races.races()) {
    RunFinding told = race::findingOf(job, races.segment(), r);
    const auto alias = std::ranges::find_if(result.findings, [&](const RunFinding& f) {
      return f.kind == FindingKind::kAliased && told.missing == MissingOrder::kOfOneReference && f.dispatch == told.dispatch &&
             samePlaces(f, told);
    });
    const bool isOwn = r.first.workgroup == r.second.workgroup && r.first.lane == r.second.lane;
    if (alias != result.findings.end() && isOwn) continue;
    if (alias != result.findings.end()) result.findings.erase(alias);
    result.findings.push_back(std::move(told));
  }
}

// How a job is run.
struct Way {
  ir::Flavour flavour{};
  Tier tier{};
  ParallelRule parallel;
  bool everyIndex = false;
};

// What looks for findings while a job runs.
struct Checkers {
  Checkers(const Job& job, const std::vector<const Program*>& programs) : findings(job), rules(job), sieve(job), undefinedSieve(programs) {
    if (undefined::areLikely(programs)) undefinedTracker.emplace(job);
  }
  std::vector<Observer*> observers() {
    return {&findings, &rules, &sieve, undefinedTracker ? static_cast<Observer*>(&*undefinedTracker) : &undefinedSieve};
  }
  // True if undefined values have to be followed in another run.
  bool finish(RunResult& result) {
    result.findings = findings.finish(!result.error);
    std::ranges::move(rules.finish(), std::back_inserter(result.findings));
    if (undefinedTracker) result.findings = undefinedTracker->finish(!result.error, std::move(result.findings));
    return !undefinedTracker && (undefinedSieve.seen() || hasUnwrittenReads(result.findings));
  }

  FindingsObserver findings;
  RulesObserver rules;
  race::Sieve sieve;
  undefined::Sieve undefinedSieve;
  std::optional<undefined::Tracker> undefinedTracker;
};

}  // namespace

struct Model::Impl {
  ModelOptions options;
  ModuleHashes hashes;
  std::mutex mutex;
  std::map<ProgramKey, std::shared_ptr<const Program>> programs;
  std::set<std::pair<std::uint64_t, std::uint64_t>> valid;  // modules, by hash: each is validated once, however often it is specialized

  // `job`: has the other dispatches that will be requested next; they are decoded at the same time.
  Expected<std::shared_ptr<const Program>> program(const Dispatch& dispatch, const How& how, const Job* job = nullptr);
  void decodeAll(const Job& job, const How& how);
  ProgramOptions optionsOf(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour, bool separateLanes) const;

  std::unique_ptr<CompiledPrograms> compiled;
  IdleWorkgroups idle;
  std::atomic<std::uint64_t> ranTogether = 0;   // dispatches
  std::atomic<std::uint64_t> mostTogether = 1;  // of the last run, as ScheduleReport has them
  std::atomic<bool> isNobodyLast = false;
  CompiledSource source();
  Way firstWay() const;
  Expected<Execution> begin(const Job& job, const Way& way);
  void tellIndices(const Job& job, RunResult& result);
  RunResult run(const Job& job);
};

Model::Model(ModelOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  impl_->compiled = std::make_unique<CompiledPrograms>(impl_->options.codeFolder);
}
Model::~Model() = default;

const Profile& Model::profile() const {
  return impl_->options.profile;
}

// Side by side. An error is made again where its program is asked for.
void Model::Impl::decodeAll(const Job& job, const How& how) {
  std::set<ProgramKey> keys;
  std::vector<const Dispatch*> ofEach;
  for (const Dispatch& d : job.dispatches)
    if (keys.insert(keyOf(d, how, hashes)).second) ofEach.push_back(&d);
  if (ofEach.size() == 1) return;
  tbb::this_task_arena::isolate([&] { parallelFor(ofEach.size(), [&](std::size_t i) { static_cast<void>(program(*ofEach[i], how)); }); });
}

Expected<std::shared_ptr<const Program>> Model::Impl::program(const Dispatch& dispatch, const How& how, const Job* job) {
  const ProgramKey key = keyOf(dispatch, how, hashes);
  const std::pair module{std::get<0>(key), std::get<1>(key)};
  bool known = false;
  {
    const std::lock_guard lock(mutex);
    if (const auto it = programs.find(key); it != programs.end()) return it->second;
    known = valid.contains(module);
  }
  known = known || (options.isValid && options.isValid(*dispatch.module));
  if (!known) {
    if (Status error = spirv::validate(dispatch.module->name, dispatch.module->words)) return *error;
    const std::lock_guard lock(mutex);
    valid.insert(module);
  }
  if (job && job->dispatches.size() > 1) {
    decodeAll(*job, how);
    return program(dispatch, how);
  }
  const bool together = how.isTogether(dispatch);
  ProgramOptions decoding = optionsOf(dispatch, how.subgroupSize, how.flavour, how.separatesLanes(dispatch));
  decoding.everyIndex = how.everyIndex;
  const Expected<std::shared_ptr<const Program>> decoded = decodeValid(*dispatch.module, decoding, together);
  if (!decoded) return decoded;
  const std::lock_guard lock(mutex);
  if (together && workgroupsTogether(**decoded) == 1)
    programs.try_emplace(keyOf(dispatch, {how.subgroupSize, how.flavour}, hashes), *decoded);
  return programs.try_emplace(key, *decoded).first->second;
}

ProgramOptions Model::Impl::optionsOf(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour, bool separateLanes) const {
  ProgramOptions how;
  how.entryPoint = dispatch.entryPoint;
  how.spec = dispatch.spec;
  how.profile = options.profile;
  how.subgroupSize = subgroupSize;
  how.flavour = flavour;
  how.separateLanes = separateLanes;
  how.separateSubgroups = options.schedule.separateSubgroups();
  how.checkIndices = options.findings;
  return how;
}

CompiledSource Model::Impl::source() {
  return {[this](const Dispatch& d, const Program& program, Tier tier, double spent, double left) {
            return compiled->get(
                d, program, [&] { return optionsOf(d, program.subgroupSize, ir::Flavour::kUnwatched, program.separateLanes); }, tier, spent,
                left);
          },
          [this](const Program& program, double spent) { compiled->note(program, spent); }};
}

TierReport Model::tierReport() const {
  TierReport report = impl_->compiled->report();
  report.together = impl_->ranTogether;
  return report;
}

ScheduleReport Model::scheduleReport() const {
  return {impl_->mostTogether, impl_->isNobodyLast};
}

Expected<std::shared_ptr<const Program>> Model::program(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour) {
  return impl_->program(dispatch, {subgroupSize, flavour, 0, impl_->options.schedule.lanes});
}

Expected<Execution> Model::start(const Job& job, ir::Flavour flavour, Execution* from) {
  Expected<Execution> execution = Execution::start(
      job, impl_->options.profile, impl_->options.schedule,
      [=, this](const Dispatch& d, std::uint32_t size) { return program(d, size, flavour); }, from);
  ParallelRule parallel = impl_->options.parallel;
  parallel.mayMeet = false;
  if (execution) execution->setParallel(parallel);
  if (execution) execution->setStop(impl_->options.stop);
  return execution;
}

RunResult Model::run(const Job& job) {
  RunResult result = impl_->run(job);
  // Whatever it had got to: what was looked for may not have been found.
  if (!impl_->options.stop || !impl_->options.stop->load(std::memory_order_relaxed)) return result;
  RunResult stopped;
  stopped.error = {Outcome::kInterrupted, "the run was stopped", "", ""};
  return stopped;
}

Expected<Execution> Model::Impl::begin(const Job& job, const Way& way) {
  const auto from = [&](std::uint64_t together) -> ProgramSource {
    return [&, together](const Dispatch& d, std::uint32_t size) {
      return program(d, {size, way.flavour, together, options.schedule.lanes, way.everyIndex}, &job);
    };
  };
  const std::uint64_t together = way.parallel.together;
  Expected<Execution> execution =
      Execution::start(job, options.profile, options.schedule, from(together), nullptr, together != 0 ? from(0) : ProgramSource());
  if (execution) {
    execution->setParallel(way.parallel);
    execution->setStop(options.stop);
    execution->setIdle(&idle);
    execution->setTier(way.tier, source());
  }
  return execution;
}

// The quickest that tells what is asked for.
Way Model::Impl::firstWay() const {
  Way way{ir::Flavour::kUnwatched, options.tier, options.parallel};
  const bool findingsOrWeak = options.findings || options.schedule.weak;
  if (options.schedule.weak) way.flavour = ir::Flavour::kQuick;
  if (findingsOrWeak) way.tier = Tier::kInterpreter;
  const bool lanes = options.schedule == Schedule{.lanes = true};
  if (findingsOrWeak || (!lanes && (way.tier != Tier::kInterpreter || !(options.schedule == Schedule{})))) way.parallel.together = 0;
  return way;
}

// In a run of its own, for the findings that lack an index.
void Model::Impl::tellIndices(const Job& job, RunResult& result) {
  IndexTeller teller(job, result.findings);
  if (teller.isDone()) return;
  Expected<Execution> again = begin(job, {ir::Flavour::kFaithful, Tier::kInterpreter, {}, true});
  Observer* const observers[] = {&teller};
  if (again.ok()) static_cast<void>(again->run(observers));
}

RunResult Model::Impl::run(const Job& job) {
  RunResult result;
  Way way = firstWay();
  Expected<Execution> execution = begin(job, way);
  if (!execution) {
    result.error = execution.error();
    return result;
  }
  const auto start = std::chrono::steady_clock::now();
  std::optional<Checkers> checkers;
  std::vector<Observer*> observers;
  const auto lookFor = [&] {
    if (options.findings) observers = checkers.emplace(job, programsOf(*execution, job)).observers();
  };
  const auto runAgain = [&] {
    way.parallel.mayMeet = false;  // once
    execution = begin(job, way);
    if (execution.ok()) lookFor();
    result.error = execution.ok() ? execution->run(observers) : execution.error();
    return execution.ok();
  };
  lookFor();
  if (checkers && checkers->undefinedTracker && way.flavour == ir::Flavour::kUnwatched) {  // it asks for each instruction
    way.flavour = ir::Flavour::kQuick;
    if (!runAgain()) return result;
  } else {
    result.error = execution->run(observers);
  }
  const auto isStopped = [this] { return options.stop && options.stop->load(std::memory_order_relaxed); };
  if (result.error && execution->together() != 0 && !isStopped()) {  // what ends a run in order is told as it is
    way.parallel.together = 0;
    if (!runAgain()) return result;
  }
  ranTogether += execution->together();
  if (execution->met() && !isStopped() && !runAgain()) return result;
  if (isStopped()) {  // run() says that it was stopped
    compiled->countDispatches(execution->ranCompiled());
    return result;
  }
  if (execution->gaveUp()) {
    way.tier = Tier::kInterpreter;
    compiled->refuse("a run that reaches the step limit or a fault");
    if (!runAgain()) return result;
  }
  if (execution->countedMore()) {  // quick counts every lane's own steps
    way.flavour = ir::Flavour::kQuick;
    way.tier = Tier::kInterpreter;  // native code counts as the unwatched flavour does
    if (!runAgain()) return result;
  }
  compiled->countDispatches(execution->ranCompiled());
  mostTogether = execution->mostTogether();
  isNobodyLast = execution->isNobodyLast();
  if (checkers) {
    const bool undefined = checkers->finish(result);
    const race::Suspects suspects = checkers->sieve.suspects();
    checkers.reset();                   // for the memory of those that look again
    way.flavour = ir::Flavour::kQuick;  // as the module has it
    if (suspects.any() || undefined)
      if (Expected<Execution> again = begin(job, way); again.ok()) lookAgain(job, *again, suspects, undefined, result);
    tellIndices(job, result);
    result.orderFree = isOrderFree(programsOf(*execution, job), result);
  }
  if (result.error && execution->wait() && (execution->wait()->proved || !execution->wait()->words.empty()))
    tellWait(result, waitReport(job, *execution, options.schedule, reruns(options)), execution->wait()->proved);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.printed = execution->printed().lines;
  result.unprinted = execution->printed().dropped;
  if (!result.error) result.outputs = execution->takeOutputs();
  return result;
}

std::unique_ptr<Model> makeModel(ModelOptions options) {
  return std::make_unique<Model>(std::move(options));
}

}  // namespace lanewise
