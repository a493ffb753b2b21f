// The options of the commands for a user's own module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/tier_options.h"
#include "tools/subject/subject.h"

namespace CLI {
class App;
}

namespace lanewise {

struct RunOptions {
  SubjectArguments subject;
  std::string schedule, profile;  // lists, or all; empty: a capsule's own, or in order and strict
  std::string subgroupSizes;      // the same; empty: the device's own
  std::vector<std::string> expect, tolerance;
  std::string device = "model", patch = "none";
  TierOptions tier;
  std::uint32_t threads = 0;
  std::uint32_t repeat = 0;  // further runs, whose times are told apart from the first one's
  bool diff = false, findings = false, json = false, fullSubgroups = false;
  std::string junit;  // of scripts: the file
};

void addRun(CLI::App& app, RunOptions& options);
Expected<Outcome> runRun(const RunOptions& options);

struct InspectOptions {
  SubjectArguments subject;
  std::string device = "model";
  bool json = false;
};

void addInspect(CLI::App& app, InspectOptions& options);
Expected<Outcome> runInspect(const InspectOptions& options);

struct CoverageOptions {
  bool json = false, markdown = false;
};

void addCoverage(CLI::App& app, CoverageOptions& options);
Expected<Outcome> runCoverage(const CoverageOptions& options);

}  // namespace lanewise
