// What a kernel is measured against: one that moves the least that a result of its contract takes, none of it twice.
#pragma once

#include <string>

#include "tools/catalogue/kernel.h"

namespace lanewise {

// The floor of a case, a case of the same size; an empty text where there is none.
Expected<std::string> floorOf(const Case& c);

}  // namespace lanewise
