// What one run of a job executed and read.
#include <algorithm>

#include "tools/check/check.h"

namespace lanewise {

Expected<JobCoverage> coverageOf(Model& model, const Job& given, bool ends) {
  constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 20;
  Job job = given;
  if (!ends) job.limits.maxSteps = std::min(job.limits.maxSteps, kMostSteps);
  Expected<Execution> execution = model.start(job, ir::Flavour::kFaithful);
  if (!execution) return execution.error();
  CoverageObserver observer(job);
  const Status error = execution->run(observer);
  if (error && error->outcome != Outcome::kFinding) return *error;
  return JobCoverage{observer.coverage(), error ? std::vector<std::string>() : observer.unread(), !error};
}

}  // namespace lanewise
