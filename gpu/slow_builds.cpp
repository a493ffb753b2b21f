#include "gpu/slow_builds.h"

#include "gpu/wire.h"

namespace lanewise {

void SlowBuilds::add(const std::string& key, const Error& error) {
  const std::lock_guard lock(mutex_);
  errors_.try_emplace(key, error);
}

std::optional<Error> SlowBuilds::of(const Job& job, const Profile& profile) const {
  const std::lock_guard lock(mutex_);
  if (errors_.empty()) return {};
  const bool only = job.subgroupSize == profile.subgroupSize && profile.minSubgroupSize == profile.maxSubgroupSize;
  for (const Dispatch& d : job.dispatches)
    if (const auto found = errors_.find(pipelineKey(d, only ? 0 : job.subgroupSize)); found != errors_.end()) return found->second;
  return {};
}

}  // namespace lanewise
