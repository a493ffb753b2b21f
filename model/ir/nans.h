// Where a quotient of 0 by 0 is a NaN, and not undefined: the entry point declares SignedZeroInfNanPreserve for its width, or fast math
// without NotNaN, or the instruction does. Pure functions.
//
// Source: SPV_KHR_float_controls, SPV_KHR_float_controls2.
#pragma once

#include <cstdint>
#include <string>

#include "model/ir/rows/codes.h"
#include "model/spirv/module.h"
#include "model/spirv/types.h"

namespace lanewise::ir {

// The widths of floats of which an entry point says so: 16, 32 and 64 are bits of their own.
std::uint32_t nanWidthsOf(const spirv::Module& module, const std::string& entryPoint);
// Of an operation with a result of this type, made for an instruction of an entry point that says so of these widths.
bool keepsNan(const spirv::Module& module, const spirv::Instruction& inst, Code operation, Scalar type, std::uint32_t nanWidths);

}  // namespace lanewise::ir
