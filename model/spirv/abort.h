// OpAbortKHR (SPV_KHR_abort): an invocation ends the run, and says why. It is newer than the linked SPIRV-Tools, but has no result, and so
// no row in newer.inc: the validator sees a copy of its message, and OpUnreachable. Its operands are the message's type and the message.
#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace lanewise::spirv {

inline constexpr spv::Op kAbort{5121};
inline constexpr std::uint32_t kAbortKHR = 5120;  // the capability

}  // namespace lanewise::spirv
