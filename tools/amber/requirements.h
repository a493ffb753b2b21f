// What a script asks of a device: DEVICE_FEATURE, DEVICE_PROPERTY, DEVICE_EXTENSION, INSTANCE_EXTENSION and [require].
//
// A device is asked by the names of its profile. The model has every feature of compute; what of SPIR-V it does not execute it refuses by
// name when it runs. Features of graphics say nothing of a compute shader, but a device without one is not what the script was written for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/contract/profile.h"
#include "tools/amber/script.h"

namespace lanewise::amber {

// Unsupported, by name: the first that the device does not have.
Status checkRequirements(const Script& script, const Profile& profile);

// What a script asks for, as lines that last beyond it, "feature shaderInt64"; and back. A line of another form is left out.
std::vector<std::string> requirementTexts(const Script& script);
std::vector<Requirement> requirementsOf(std::span<const std::string> texts);

}  // namespace lanewise::amber
