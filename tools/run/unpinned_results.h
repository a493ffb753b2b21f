// The operations of a module on whose result two Vulkan devices need not agree (model/ir/operation_info.h), by source line; and sums of
// products that are not NoContraction (SPIR-V 1.6). Not listed are operations that are undefined only for some operands: a float too great
// for an integer, a division of integers by zero, an access out of range. The rounding and denormals of operations that are otherwise
// correctly rounded are one line for the module (`floatModesText`).
#pragma once

#include <string>
#include <vector>

#include "model/spirv/interface.h"

namespace lanewise {

struct OpenResult {
  std::string line;     // "kernel.comp:31", or the word offset where the line is unknown
  std::string op;       // "OpFDiv", "Sqrt", "OpImageWrite R8G8B8A8_UNORM"
  std::string allowed;  // "2.5 ULP"
  std::string clause;
  std::uint32_t count = 1;  // how often on this line
};

// For the functions that the entry point calls, in the order of the module; constants are those of the declarations' specialization.
std::vector<OpenResult> openResults(const spirv::Module& module, const spirv::Declarations& declarations, const InterfaceEntry& entry);

// What the entry point leaves open about the rounding of floats and about denormals; "" if nothing.
std::string floatModesText(const Interface& interface, const InterfaceEntry& entry);

// "kernel.comp:31" or "word 77".
std::string placeOf(const spirv::Module& module, const spirv::Instruction& inst);

}  // namespace lanewise
