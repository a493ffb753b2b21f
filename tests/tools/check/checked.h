// A text program, checked on the model.
#pragma once

#include <string>
#include <vector>

#include "tests/text/program_job.h"
#include "tools/check/check.h"

namespace lanewise {

inline std::vector<std::string> keysOf(const CheckResult& r) {
  std::vector<std::string> out;
  for (const CheckFinding& f : r.findings) out.push_back(f.key());
  return out;
}

inline CheckResult checkedInWays(const std::string& name, const Job& job, const std::vector<CheckWay>& ways,
                                 const CheckLimits& limits = {}) {
  return runCheck(
      1,
      [&](std::size_t) {
        return Expected<CheckJob>(CheckJob{name, name, job});
      },
      ways, limits);
}

inline CheckResult checkedOnTheModel(const std::string& file, const Job& job, bool sizes) {
  return checkedInWays(file, job, modelWays({}, sizes));
}

inline CheckResult checkedOnTheModel(const std::string& file, bool sizes) {
  return checkedOnTheModel(file, text::programJob(file), sizes);
}

}  // namespace lanewise
