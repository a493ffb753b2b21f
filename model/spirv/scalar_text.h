// A scalar as text.
#pragma once

#include <string>

#include "model/spirv/types.h"

namespace lanewise {

// The shortest text that reads back as the same bits: a decimal, "inf", "nan", or the bits of another NaN ("0x7fc00001"). `bits` are in the
// low places; for an integer higher bits are ignored. A boolean is "true" or "false".
std::string scalarText(Scalar type, bool isSigned, std::uint64_t bits);

}  // namespace lanewise
