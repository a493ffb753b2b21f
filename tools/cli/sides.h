// Who runs the cases: the model and the Vulkan devices that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/sweep/sweep.h"

namespace lanewise {

struct OpenSides {
  std::vector<Side> sides;
  std::vector<std::unique_ptr<Device>> devices;  // what the sides point to
  std::vector<std::string> notes;                // what the user should know, e.g. that there is no Vulkan device
};

// What `--devices` may name. Empty: the model, and a CPU Vulkan device where there is one. "model", "all", or names with commas between.
// schedules: tokens with commas between, each a model of its own; empty: in order.
// threads: of a CPU device; 0 leaves it alone. An Error is device trouble: nothing of that name, or it does not start.
Expected<OpenSides> openSides(const std::string& names, const std::string& schedules, std::uint32_t threads);

}  // namespace lanewise
