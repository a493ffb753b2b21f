#include "model/model.h"

#include <xxhash.h>

#include <chrono>
#include <mutex>
#include <tuple>

#include "model/findings/findings.h"

namespace lanewise {
namespace {

// What decides a decoded program.
using ProgramKey =
    std::tuple<std::uint64_t, std::uint64_t, std::string, std::vector<std::pair<std::uint32_t, std::uint64_t>>, std::uint32_t>;

ProgramKey keyOf(const Dispatch& d, std::uint32_t subgroupSize) {
  const XXH128_hash_t hash = XXH3_128bits(d.module->words.data(), d.module->words.size() * sizeof(std::uint32_t));
  std::vector<std::pair<std::uint32_t, std::uint64_t>> spec;
  for (const SpecConstant& s : d.spec) spec.emplace_back(s.id, s.value);
  return {hash.low64, hash.high64, d.entryPoint, std::move(spec), subgroupSize};
}

}  // namespace

struct Model::Impl {
  ModelOptions options;
  std::mutex mutex;
  std::map<ProgramKey, std::shared_ptr<const Program>> programs;
};

Model::Model(ModelOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
}
Model::~Model() = default;

const Profile& Model::profile() const {
  return impl_->options.profile;
}

Expected<std::shared_ptr<const Program>> Model::program(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  const ProgramKey key = keyOf(dispatch, subgroupSize);
  {
    const std::lock_guard lock(impl_->mutex);
    if (const auto it = impl_->programs.find(key); it != impl_->programs.end()) return it->second;
  }
  ProgramOptions options;
  options.entryPoint = dispatch.entryPoint;
  options.spec = dispatch.spec;
  options.profile = impl_->options.profile;
  options.subgroupSize = subgroupSize;
  options.separateLanes = impl_->options.schedule.lanes;
  options.checkIndices = impl_->options.findings;
  Expected<std::shared_ptr<const Program>> decoded = decode(*dispatch.module, options);
  if (!decoded) return decoded;
  const std::lock_guard lock(impl_->mutex);
  return impl_->programs.try_emplace(key, *decoded).first->second;
}

Expected<Execution> Model::start(const Job& job) {
  return Execution::start(job, impl_->options.profile, impl_->options.schedule,
                          [this](const Dispatch& d, std::uint32_t size) { return program(d, size); });
}

RunResult Model::run(const Job& job) {
  RunResult result;
  Expected<Execution> execution = start(job);
  if (!execution) {
    result.error = execution.error();
    return result;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::optional<FindingsObserver> observer;
  if (impl_->options.findings) observer.emplace(job);
  result.error = execution->run(observer ? &*observer : nullptr);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.printed = execution->printed().lines;
  result.unprinted = execution->printed().dropped;
  if (observer) result.findings = observer->finish(!result.error);
  if (!result.error) result.outputs = execution->takeOutputs();
  return result;
}

std::unique_ptr<Model> makeModel(ModelOptions options) {
  return std::make_unique<Model>(std::move(options));
}

}  // namespace lanewise
