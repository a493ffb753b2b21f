// The known ways of doing what Vulkan leaves open, each as a change of the strict profile: one that gives a device's bytes explains them.
#pragma once

#include <string>
#include <vector>

#include "model/contract/profile.h"

namespace lanewise {

struct ProfileVariation {
  std::string name;  // "denormals flushed", "profile nvidia"
  Profile profile;
};
std::vector<ProfileVariation> profileVariations();

}  // namespace lanewise
