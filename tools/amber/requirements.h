// What a script asks of a device: DEVICE_FEATURE, DEVICE_PROPERTY, DEVICE_EXTENSION, INSTANCE_EXTENSION and [require].
//
// A device is asked by the names of its profile. The model has every feature of compute; what of SPIR-V it does not execute it refuses by
// name when it runs. Features of graphics say nothing of a compute shader, but a device without one is not what the script was written for.
#pragma once

#include "model/contract/profile.h"
#include "tools/amber/script.h"

namespace lanewise::amber {

// Unsupported, by name: the first that the device does not have.
Status checkRequirements(const Script& script, const Profile& profile);

}  // namespace lanewise::amber
