// Operators, casts and functions of expressions, on tuples; evaluate.h says what they do. Errors have no place: the caller knows it.
#pragma once

#include <span>

#include "model/base/outcome.h"
#include "model/debug/tuple.h"

namespace lanewise::debug {

std::int64_t asInteger(const ScalarValue& v);
double asReal(const ScalarValue& v);

Expected<Tuple> unary(const std::string& op, const Tuple& a);
Expected<Tuple> binary(const std::string& op, const Tuple& a, const Tuple& b);
Expected<Tuple> call(const std::string& function, std::span<const Tuple> arguments);

}  // namespace lanewise::debug
