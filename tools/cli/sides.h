// What runs the cases: the model and the Vulkan devices that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/sweep/sweep.h"

namespace lanewise {

struct OpenSides {
  std::vector<Side> sides;
  std::vector<std::unique_ptr<Device>> devices;    // what the sides point to
  std::function<Expected<Job>(const Job&)> patch;  // what every side does to a job first; empty for nothing
  std::vector<std::string> notes;                  // what the user should know, e.g. that there is no Vulkan device
};

struct SideOptions {
  // As `--devices` names them. Empty: the model, and a CPU Vulkan device where there is one. "model", "all", or names with commas between.
  std::string devices = {};
  std::string schedules = {};      // tokens with commas between, each a model of its own; empty: in order
  std::uint32_t threads = 0;       // of a CPU device; 0 leaves it alone
  std::uint32_t workers = 1;       // processes of a CPU device
  std::string profile = "strict";  // of the models
  std::uint32_t repeat = 0;        // of devices: not 0, they measure (DeviceOptions)
  bool findings = false;           // the models are observed, and what they find fails a case
  std::string patch = "none";      // of every module, in front of all sides
};

// An Error is device trouble (nothing of that name, or it does not start) or bad input.
Expected<OpenSides> openSides(const SideOptions& options);

}  // namespace lanewise
