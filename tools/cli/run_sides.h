// The sides of `lanewise run`: the model once for each profile, schedule and subgroup size that is named, and the devices.
#pragma once

#include "tools/cli/run_options.h"
#include "tools/cli/sides.h"
#include "tools/run/run_report.h"

namespace lanewise {

struct RunSide {
  SideRun run;
  Device* device = nullptr;
  bool model = false;
  std::uint32_t subgroupSize = 0;  // of the job; 0: the device's own
  std::string profile, schedule;   // of the model
  std::string deviceName;          // of a device, as `lanewise devices` has it
};

struct RunSides {
  std::vector<RunSide> sides;
  OpenSides open;
  std::vector<std::string> notes;  // what a device cannot have
};

// Errors: bad input (a name in a list), device trouble.
Expected<RunSides> openRunSides(const RunOptions& options, const Subject& subject, const std::atomic<bool>* stop = nullptr);

}  // namespace lanewise
