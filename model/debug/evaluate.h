// The value of an expression for one lane.
//
// A scalar or vector is computed as GLSL does: integers wrap, a float is binary32 (binary64 where one operand is), an operand of a smaller
// type is converted (int to uint to float to double; what is narrower than 32 bits to 32), and a vector goes with a scalar. What is not
// known, as it was never written or is optimised away, makes what depends on it not known either, and says so.
//
// Functions: casts by GLSL's and HLSL's names; abs min max clamp floor ceil round trunc fract sqrt mod dot length all any isnan isinf
// floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat. Variables that are there in every kernel: gl_GlobalInvocationID,
// gl_LocalInvocationID, gl_LocalInvocationIndex, gl_WorkGroupID, gl_NumWorkGroups, gl_WorkGroupSize, gl_SubgroupID,
// gl_SubgroupInvocationID. A caller's variable is "main.cell". Gaps: matrices have no arithmetic of their own (their columns do); an image
// has texels of its view's first level, and of one sample.
#pragma once

#include "model/debug/expression.h"
#include "model/debug/seek.h"
#include "model/debug/tuple.h"

namespace lanewise::debug {

// What an expression gives: a variable or a part of one, which may be an array or a structure; or a tuple.
struct Value {
  std::optional<LaneValue> variable;
  std::optional<Tuple> tuple;    // of a variable too, where it is a scalar or a vector
  std::optional<Region> region;  // where it is, if it is in memory
};

// Where names mean something: a lane, the instruction at which it stands, and which of the functions there.
struct Scope {
  const Places* places = nullptr;
  LaneState lane;
  std::uint32_t pc = 0;
  std::size_t frame = 0;
};

// Bad input: an unknown name or member, operands that do not go together, an index that is out of range; with the column.
Expected<Value> evaluate(const Expression& expression, const Scope& scope);
// True where it is known and not false. Bad input as above, or where it is no scalar.
Expected<bool> isTrue(const Expression& expression, const Scope& scope);
// A texel's bytes as four components.
Tuple texelTuple(const FormatInfo& format, const TexelRules& rules, const std::byte* bytes);
// Bad input where a name of the expression means nothing at an instruction, in any lane.
Status unknownName(const Expression& expression, const Places& places, std::uint32_t pc);

}  // namespace lanewise::debug
