// The known choices where Vulkan leaves one, each as a change of the strict profile. One that gives a device's bytes explains them.
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
