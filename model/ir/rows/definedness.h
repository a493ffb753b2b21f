// For which operands the specification gives a pure operation a result. For others the result (Vulkan: poison) or even the behaviour is
// undefined. Constant folding, rulings, coverage and tests of operations ask here.
//
// Source: SPIR-V 1.6, 3.42.11 to 3.42.13 (conversions, arithmetic, bits); GLSL.std.450; Vulkan 1.3, "SPIR-V and SPIR-V Environment":
// OpSRem and OpSMod of a negative operand, which VK_KHR_maintenance8 defines and this does not. Gaps: what decorations make undefined
// (NoSignedWrap, fast math); formulas of several operations (Normalize, Refract) are what their operations are; which operand FMin takes of
// a NaN is a choice and not undefined.
#pragma once

#include <cstdint>
#include <span>

#include "model/scalar/type.h"

namespace lanewise::ir {

// What an operation asks of its operands.
enum class Definedness : std::uint8_t {
  kAlways,
  kShift,             // below the width
  kUnsignedDivision,  // not by 0
  kSignedDivision,    // not by 0, nor the smallest by -1
  kSignedModulo,      // ... nor of a negative operand
  kFloatRemainder,    // not by 0
  kToUnsigned,        // the whole part fits
  kToSigned,
  kBitFieldInsert,  // offset + count within the width
  kBitFieldExtract,
  kUnsignedClamp,  // low <= high
  kSignedClamp,
  kFloatClamp,
  kSmoothStep,    // edge0 < edge1
  kNotNegative,   // x >= 0
  kPositive,      // x > 0
  kUnitInterval,  // |x| <= 1
  kInsideUnit,    // |x| < 1
  kFromOne,       // x >= 1
  kPower,         // x > 0, or x = 0 and y > 0
  kNotBothZero,
  kFinite,
  kScaled,       // x * 2^n is not too large, n at most the greatest exponent
  kDeterminant,  // as kFloatRemainder, of the inverse of a matrix: GLSL.std.450 says so of one that is singular or nearly so
  // Of a subgroup (state/subgroup_results.h), about which the operands alone do not tell:
  kBitOfSubgroup,   // its last is below the size of the subgroup
  kAnyBit,          // a bit of a lane of the subgroup is set
  kOneForSubgroup,  // the same for all invocations
  kLaneOfQuad       // its last is below 4
};

// `bits`: of the operands, whose scalar types are `types`; `result`: the result's type. True of a rule about a subgroup.
bool isDefined(Definedness rule, Scalar result, std::span<const Scalar> types, std::span<const std::uint64_t> bits);

// The operands that the rule asks about, a bit each.
std::uint32_t operandsOf(Definedness rule);

// Of operands that have no result: "undefined for a divisor of 0"; "" for kAlways.
const char* undefinedText(Definedness rule);

}  // namespace lanewise::ir
