// Whether a module can run in the place of another: the same job gives it what it needs.
#pragma once

#include <string>

#include "model/spirv/interface.h"

namespace lanewise {

// What an entry point needs that the job of another does not give, in one line: "binding 0:1 is a storage image, the kernel's a storage
// buffer"; empty if it needs nothing else. Names may differ.
std::string interfaceDifference(const InterfaceEntry& other, const InterfaceEntry& own);

}  // namespace lanewise
