// A scalar as text.
#pragma once

#include <string>

#include "model/spirv/types.h"

namespace lanewise {

// The shortest text that reads back as the same bits: a decimal, "inf", "nan", or the bits of a NaN that is another ("0x7fc00001"). `bits`
// stand low; of an integer those above its own do not count. A boolean is "true" or "false".
std::string scalarText(Scalar type, bool isSigned, std::uint64_t bits);

}  // namespace lanewise
