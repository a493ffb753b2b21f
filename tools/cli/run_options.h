// The options of the commands for a user's own module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/outcome.h"

namespace CLI {
class App;
}

namespace lanewise {

struct SourceArguments {
  std::string file, targetEnvironment;
  std::vector<std::string> include, define;
};

struct RunOptions {
  SourceArguments source;
  std::string entry, groups, schedule = "in-order", profile = "strict", device = "model", patch = "none";
  std::vector<std::string> buffers, memory, images, samplers, outs, push, spec;
  std::uint32_t subgroupSize = 0, threads = 0;
  std::uint64_t maxSteps = 0;
  double timeout = 0;
  bool zero = false, diff = false, findings = false, json = false;
};

void addRun(CLI::App& app, RunOptions& options);
Expected<Outcome> runRun(const RunOptions& options);

struct InspectOptions {
  SourceArguments source;
  std::string device = "model";
  std::vector<std::string> spec;
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
