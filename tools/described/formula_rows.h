// What the operators and functions of formulas do. See formula.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tools/described/number.h"

namespace lanewise {

// Nothing where an operation has no result: `says` why.
using FormulaResult = std::optional<Number>;

struct BinaryOperator {
  const char* text;
  int precedence;
  FormulaResult (*integers)(std::int64_t, std::int64_t, const char*& says);
  double (*reals)(double, double);  // nullptr: only for integers
  bool compares = false;            // its result is 1 or 0
};

struct FormulaFunction {
  const char* name;
  const char* parameters;
  std::size_t least, most;  // arguments
  FormulaResult (*apply)(std::span<const Number>, const char*& says);
};

// Longer operators come before those that they begin with.
std::span<const BinaryOperator> binaryOperators();
std::span<const FormulaFunction> formulaFunctions();
// "min(a, b, ..), max(a, b, ..), ...".
std::string functionList();

// `code`: '-', '!' or '~'.
FormulaResult unaryOf(char code, const Number& n, const char*& says);
FormulaResult binaryOf(const BinaryOperator& row, const Number& a, const Number& b, const char*& says);

}  // namespace lanewise
