// Operators, casts and functions of expressions, on tuples; evaluate.h says what they do. On numbers each is an
// operation of the table (model/ir/rows), computed with the run's choices as its own instructions are. Where the operation has no result (a
// division by zero) this is an error. Errors have no place: the caller knows it.
#pragma once

#include <span>
#include <string_view>

#include "model/base/outcome.h"
#include "model/debug/expression.h"
#include "model/debug/tuple.h"
#include "model/operations/profile_rows.h"

namespace lanewise::debug {

// Of a matrix alone (matrix.h).
inline constexpr std::string_view kTranspose = "transpose";

// "abs", "min" and so on; casts are not among them.
std::vector<std::string_view> functionNames();

std::int64_t asInteger(const ScalarValue& v);

Expected<Tuple> unary(const OpRows& rows, Operator op, const Tuple& a);
Expected<Tuple> binary(const OpRows& rows, Operator op, const Tuple& a, const Tuple& b);
Expected<Tuple> call(const OpRows& rows, const std::string& function, std::span<const Tuple> arguments);

}  // namespace lanewise::debug
