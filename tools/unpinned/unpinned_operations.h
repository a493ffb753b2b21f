// What Vulkan leaves open, as data: the operations whose result two conforming devices may differ in, and what is allowed.
//
// Sources: Vulkan 1.3, "Vulkan Environment for SPIR-V", "Precision and Operation of SPIR-V Instructions"; "Image Operations"; "Shader
// Memory Access Bounds Checking"; SPIR-V 1.6; GLSL.std.450. The bounds are those of 32-bit floats. An operation that is not in the table
// has one result: integers wrap, comparisons of numbers and bit operations are exact; images read and written as integers are exact where
// the value fits.
#pragma once

#include <cstdint>
#include <span>

#include "model/ir/ir.h"

namespace lanewise {

struct OpenOperation {
  enum class When : std::uint8_t {
    kAlways,
    kModes,      // correctly rounded: open are only the direction and denormals, which execution modes may declare
    kNarrowing,  // the same, but only where the result is the narrower float
    kUnfit,      // undefined for operands that do not fit
    kByZero,     // undefined for a divisor of 0
    kOutside,    // of an access that leaves its buffer, image or array
    kOnFloats    // of a texel: where its format is no float of 32 bits, and the value is a float
  };
  ir::Code code = 0;  // SPIR-V's number, or GLSL.std.450's with kGlsl added
  When when = When::kAlways;
  const char* open = "";
};

std::span<const OpenOperation> openOperations();
// An access outside of its buffer, image or array, whatever the instruction.
const OpenOperation& openOutside();
// nullptr: nothing is open.
const OpenOperation* openOperation(ir::Code code);
// The section of the specification.
const char* openClause(ir::Code code);

}  // namespace lanewise
