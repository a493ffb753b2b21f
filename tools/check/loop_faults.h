// Experiments that tell a device's known faults in loops (docs/device-deviations.md) from findings: jobs that do the same, and in which
// the device does not have the fault.
#pragma once

#include <optional>

#include "model/contract/device.h"

namespace lanewise {

// Without the order that modules with loops ask for by memory barriers and atomics. Empty: no module has a loop and such order.
std::optional<Job> withoutFencesOfLoops(Job job);
// With the local variables of modules with loops in memory (patch/locals_in_memory.h). Empty: no module has a loop and such variables.
std::optional<Job> withLocalsInMemory(Job job);

}  // namespace lanewise
