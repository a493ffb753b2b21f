// Which atomics tell the order of workgroups.
#pragma once

#include <vector>

#include "model/ir/program.h"

namespace lanewise {

// By instruction: an atomic of a buffer whose result is used, or of a resource that has another such one. An atomic load or store is none.
std::vector<bool> tellsOrder(const Program& program);

}  // namespace lanewise
