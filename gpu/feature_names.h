// A device's features by their names in Vulkan, as scripts ask for them.
#pragma once

#include <string>
#include <vector>

#include "gpu/feature_structures.h"

namespace lanewise {

// Appends "shaderInt64", "computeFullSubgroups", ... for each that is enabled.
void appendFeatureNames(const Features& enabled, std::vector<std::string>& names);

}  // namespace lanewise
