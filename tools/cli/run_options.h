// The options of the commands for a user's own module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/outcome.h"

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
  std::string entry, groups, schedule = "in-order", profile = "strict", device = "model";
  std::vector<std::string> buffers, images, outs, push, spec;
  std::uint32_t subgroupSize = 0, threads = 0;
  std::uint64_t maxSteps = 0;
  double timeout = 0;
  bool zero = false, diff = false, json = false;
};

void addRun(CLI::App& app, RunOptions& options);
Expected<Outcome> runRun(const RunOptions& options);

}  // namespace lanewise
