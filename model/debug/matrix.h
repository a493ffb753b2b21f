// Matrices in expressions: what the operators do where an operand is one, and transpose(). As lowering writes it out.
#pragma once

#include <optional>
#include <span>

#include "model/base/outcome.h"
#include "model/debug/expression.h"
#include "model/debug/tuple.h"
#include "model/operations/profile_rows.h"

namespace lanewise::debug {

// Nothing: it is none. `widen` makes of each scalar what expressions compute with.
std::optional<Tuple> matrixOf(const LaneValue& value, ScalarValue (*widen)(ScalarValue));
Tuple columnOf(const Tuple& matrix, std::size_t column);
// An operator or a function that an expression names. Errors have no place: the caller knows it.
Expected<Tuple> ofMatrices(const OpRows& rows, const Expression& named, std::span<const Tuple> operands);

}  // namespace lanewise::debug
