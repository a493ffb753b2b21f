// The value of an expression for one lane.
//
// Scalars and vectors are computed as in GLSL, by the operations that the kernel itself would use, with the choices of the run's profile.
// Integers wrap. Floats are binary32, or binary64 if an operand is. An operand of a smaller type is converted (int to uint to float to
// double; anything narrower than 32 bits to 32). A scalar can be combined with a vector. A value may be unknown because it was never
// written or is optimised away; then every value that depends on it is unknown for the same reason. Where the specification gives an
// operation no result (a division by zero, a float that does not fit its integer), this is an error.
//
// Functions: casts by GLSL's and HLSL's names, and functionNames() of arithmetic.h. Variables of every kernel: built_ins.h. A caller's
// variable is "main.cell". What is no variable may be a resource of the job: job_values.h. Gaps: matrices have no arithmetic, only their
// columns do; of an image, only texels of the view's first level and of one sample.
#pragma once

#include "model/debug/expression.h"
#include "model/debug/job_values.h"

namespace lanewise::debug {

// The same number with a type that arithmetic has: at least 32 bits.
ScalarValue widened(ScalarValue value);
// Bad input, with the column: an unknown name or member, operands of types that do not fit, an index out of range.
Expected<Value> evaluate(const Expression& expression, const Scope& scope);
// True if it is a variable of the lane's own that has no part that the lane has written.
bool isUnwritten(const Value& value);
// True if the value is known and not false. Bad input as above, or if it is not a scalar.
Expected<bool> isTrue(const Expression& expression, const Scope& scope);
// How many texels an image's view has in each direction that its coordinates name, x first. Empty: its texels cannot be shown.
std::vector<std::uint32_t> texelsOf(const LaneValue& image, const LaneState& lane);
// Bad input if a name of the expression is unknown at an instruction, in every lane. Without one: in the whole module.
Status unknownName(const Expression& expression, const Places& places, std::optional<std::uint32_t> pc, const Job& job);

}  // namespace lanewise::debug
