#include "model/model.h"

#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>
#include <xxhash.h>

#include <chrono>
#include <mutex>
#include <set>
#include <tuple>

#include "model/check/access_checker.h"
#include "model/check/race_checker.h"
#include "model/check/race_sieve.h"
#include "model/check/race_text.h"
#include "model/program/decode.h"
#include "model/spirv/validate.h"

namespace lanewise {
namespace {

// What decides a decoded program.
using ProgramKey =
    std::tuple<std::uint64_t, std::uint64_t, std::string, std::vector<std::pair<std::uint32_t, std::uint64_t>>, std::uint32_t, ir::Flavour>;

ProgramKey keyOf(const Dispatch& d, std::uint32_t subgroupSize, ir::Flavour flavour) {
  const XXH128_hash_t hash = XXH3_128bits(d.module->words.data(), d.module->words.size() * sizeof(std::uint32_t));
  std::vector<std::pair<std::uint32_t, std::uint64_t>> spec;
  for (const SpecConstant& s : d.spec) spec.emplace_back(s.id, s.value);
  return {hash.low64, hash.high64, d.entryPoint, std::move(spec), subgroupSize, flavour};
}

}  // namespace

struct Model::Impl {
  ModelOptions options;
  std::mutex mutex;
  std::map<ProgramKey, std::shared_ptr<const Program>> programs;
  std::set<std::pair<std::uint64_t, std::uint64_t>> valid;  // modules, by hash: each is validated once, however often it is specialized

  // `job`: has the other dispatches that will be requested next; they are decoded at the same time.
  Expected<std::shared_ptr<const Program>> program(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour,
                                                   const Job* job = nullptr);
  void decodeAll(const Job& job, std::uint32_t subgroupSize, ir::Flavour flavour);
};

Model::Model(ModelOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
}
Model::~Model() = default;

const Profile& Model::profile() const {
  return impl_->options.profile;
}

// Side by side. An error is made again where its program is asked for.
void Model::Impl::decodeAll(const Job& job, std::uint32_t subgroupSize, ir::Flavour flavour) {
  std::map<ProgramKey, const Dispatch*> programsOf;
  for (const Dispatch& d : job.dispatches) programsOf.try_emplace(keyOf(d, subgroupSize, flavour), &d);
  if (programsOf.size() == 1) return;
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for_each(programsOf, [&](const auto& one) { static_cast<void>(program(*one.second, subgroupSize, flavour)); });
  });
}

Expected<std::shared_ptr<const Program>> Model::Impl::program(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour,
                                                              const Job* job) {
  const ProgramKey key = keyOf(dispatch, subgroupSize, flavour);
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
    decodeAll(*job, subgroupSize, flavour);
    return program(dispatch, subgroupSize, flavour);
  }
  ProgramOptions how;
  how.entryPoint = dispatch.entryPoint;
  how.spec = dispatch.spec;
  how.profile = options.profile;
  how.subgroupSize = subgroupSize;
  how.flavour = flavour;
  how.separateLanes = options.schedule.lanes;
  how.separateSubgroups = options.schedule.separateSubgroups();
  how.checkIndices = options.findings;
  Expected<std::shared_ptr<const Program>> decoded = decodeValid(*dispatch.module, how);
  if (!decoded) return decoded;
  const std::lock_guard lock(mutex);
  return programs.try_emplace(key, *decoded).first->second;
}

Expected<std::shared_ptr<const Program>> Model::program(const Dispatch& dispatch, std::uint32_t subgroupSize, ir::Flavour flavour) {
  return impl_->program(dispatch, subgroupSize, flavour);
}

Expected<Execution> Model::start(const Job& job, ir::Flavour flavour) {
  Expected<Execution> execution = Execution::start(job, impl_->options.profile, impl_->options.schedule,
                                                   [=, this](const Dispatch& d, std::uint32_t size) { return program(d, size, flavour); });
  if (execution) execution->setParallel(impl_->options.parallel);
  return execution;
}

RunResult Model::run(const Job& job) {
  RunResult result;
  ir::Flavour flavour = impl_->options.findings ? ir::Flavour::kQuick : ir::Flavour::kUnwatched;
  const auto start = [&] {
    Expected<Execution> execution =
        Execution::start(job, impl_->options.profile, impl_->options.schedule,
                         [&](const Dispatch& d, std::uint32_t size) { return impl_->program(d, size, flavour, &job); });
    if (execution) execution->setParallel(impl_->options.parallel);
    return execution;
  };
  Expected<Execution> execution = start();
  if (!execution) {
    result.error = execution.error();
    return result;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::optional<FindingsObserver> findings;
  std::optional<race::Sieve> sieve;
  std::vector<Observer*> observers;
  if (impl_->options.findings) observers = {&findings.emplace(job), &sieve.emplace(job)};
  result.error = execution->run(observers);
  if (execution->countedMore()) {  // quick counts every lane's own steps
    flavour = ir::Flavour::kQuick;
    execution = start();
    result.error = execution.ok() ? execution->run() : execution.error();
    if (!execution) return result;
  }
  if (findings) {
    result.findings = findings->finish(!result.error);
    // The same run once more, to look at the places that may have a race.
    if (sieve->suspects().any())
      if (Expected<Execution> again = start(); again.ok()) {
        race::RaceChecker races(job, &sieve->suspects());
        static_cast<void>(again->run(races));
        result.forgottenUses = races.forgotten();
        for (const race::Race& r : races.races()) result.findings.push_back(race::findingOf(job, races.segment(), r));
      }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.printed = execution->printed().lines;
  result.unprinted = execution->printed().dropped;
  if (!result.error) result.outputs = execution->takeOutputs();
  return result;
}

std::unique_ptr<Model> makeModel(ModelOptions options) {
  return std::make_unique<Model>(std::move(options));
}

}  // namespace lanewise
