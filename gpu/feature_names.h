// A device's features and extensions by their names in Vulkan, as scripts and reports ask for them.
#pragma once

#include "gpu/features.h"

namespace lanewise {

// Appends "shaderInt64", "computeFullSubgroups", ... for each feature that Lanewise enables on the device, then the names of its
// extensions.
void appendFeatureNames(const PhysicalFacts& facts, std::vector<std::string>& names);

}  // namespace lanewise
