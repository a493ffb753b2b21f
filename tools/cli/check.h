// `lanewise check`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/cli/tier_options.h"
#include "tools/subject/subject.h"

namespace CLI {
class App;
}

namespace lanewise {

struct CheckOptions {
  SubjectArguments subject;  // or a pattern of kernels
  std::string progress = "nothing";
  std::string profile;  // empty: a capsule's own, or strict
  std::string devices;  // as SideOptions has them
  std::string accept, baseline;
  std::string sarif, junit, lcov, reduce;
  std::uint32_t threads = 0;
  bool json = false;
  std::optional<std::uint64_t> explore;  // the most orders of a job that are run; 0: none
  TierOptions tier;
};

void addCheck(CLI::App& app, CheckOptions& options);
Expected<Outcome> runCheckCommand(const CheckOptions& options);

}  // namespace lanewise
