// The sides that run the cases: the model, and the Vulkan devices that the user names.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/cli/tier_options.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

struct OpenSides {
  std::vector<Side> sides;
  std::vector<std::unique_ptr<Device>> devices;    // what the sides point to
  std::function<Expected<Job>(const Job&)> patch;  // applied to every job first; empty: nothing
  std::set<std::string> knownFaults;               // of the devices (gpu/devices.h)
  std::set<std::string> leavesFencedLoops;         // the names of the sides that do (gpu/devices.h)
  std::set<std::string> losesLoopValues;
  std::vector<std::string> notes;           // for the user, e.g. that there is no Vulkan device
  const std::atomic<bool>* stop = nullptr;  // SideOptions'
};

struct SideOptions {
  // As `--devices` names them. Empty: the model, and a CPU Vulkan device where there is one. "model", "all", or names with commas between.
  std::string devices = {};
  std::string schedules = {};      // tokens separated by commas, each a model of its own; empty: in order
  std::uint32_t threads = 0;       // of a CPU device; 0: its default
  std::uint32_t workers = 1;       // processes of a CPU device
  std::string profile = "strict";  // of the models
  TierOptions tier = {};           // of the models; several tiers are each a model of its own
  std::uint32_t repeat = 0;        // not 0: devices measure (DeviceOptions)
  double timeout = 0;              // of a device to build a pipeline, in seconds; 0: the usual limit
  bool findings = false;           // the models are observed, and a finding fails a case
  std::string patch = "none";      // a patch of every module, for all sides
  // Known-bad kernels run on a model for each of these instead of the plain one.
  std::set<DefectWay> ways = {};
  const std::atomic<bool>* stop = nullptr;  // set from outside: the models' runs soon end as interrupted
  bool invariants = false;                  // some kernels have nothing but invariants (Kernel::invariants): they run in several ways more
};

// An Error is device trouble (nothing of that name, or it does not start) or bad input.
Expected<OpenSides> openSides(const SideOptions& options);

}  // namespace lanewise
