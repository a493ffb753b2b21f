// What a kernel's time is measured against: a kernel that moves the least that a result of its contract takes, and nothing twice.
#pragma once

#include <string>

#include "tools/catalogue/kernel.h"

namespace lanewise {

// The name of the case of the same size that is its floor; empty if there is none.
std::string floorOf(const Case& c);

}  // namespace lanewise
