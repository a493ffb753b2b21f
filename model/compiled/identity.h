// What compiled code depends on besides its program: this build of Lanewise, the host's processor and the LLVM library.
#pragma once

#include <string>

namespace lanewise::compiled {

// Other bytes where any of these is another. Empty: one of them cannot be told, and code must not be kept.
std::string identity();

}  // namespace lanewise::compiled
