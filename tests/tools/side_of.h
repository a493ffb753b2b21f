// A side of a sweep, for a test that brings its own device.
#pragma once

#include "tools/sweep/sweep.h"

namespace lanewise {

inline Side sideOf(const char* name, Device& device) {
  const bool isModel = std::string_view(name) == "model";
  return {{name, "", device.profile().subgroupSize, isModel}, &device, isModel};
}

}  // namespace lanewise
