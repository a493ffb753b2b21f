// Formulas over a case's parameters: "ceil_div(width, 16)", "edge == 'mirror' ? 2 * radius : 0", "1.0 / (2 * radius + 1)".
//
// Names are width, height, the parameters of the kernel, and i in a repeated dispatch. A choice is the number of its name, from 0; 'name'
// in quotes is that number. Numbers are integers of 64 bits or, with a point or an exponent, floats of 64 bits; an operation with a float
// gives a float. Division of integers truncates. Operators are those of C, with their precedence; comparisons give 1 or 0.
//
// Functions: formula_rows.cpp has them. Errors (bad input) have the place in the file: a name that is not known, an overflow, a division by
// 0.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/described/document.h"
#include "tools/described/number.h"

namespace lanewise {

// The names that formulas may have, with the choices of each.
struct FormulaScope {
  std::string file;
  struct Name {
    std::string name;
    std::vector<std::string> choices{};
  };
  std::vector<Name> names;
};

class Formula {
 public:
  // A constant.
  Formula(std::int64_t value = 0);  // NOLINT(google-explicit-constructor): a number is a formula
  // `node`: a string with a formula, or a number. The scope need not outlive the formula.
  static Expected<Formula> parse(const Node& node, const FormulaScope& scope);
  // The same for a part of a file's text, which begins at `at`.
  static Expected<Formula> parse(std::string_view text, TextPlace at, const FormulaScope& scope);

  // `values`: one for each name of the scope.
  Expected<Number> evaluate(std::span<const std::int64_t> values) const;
  // An integer from `least` to `greatest`; `what` names it in errors.
  Expected<std::uint64_t> count(std::span<const std::int64_t> values, std::string_view what, std::uint64_t least,
                                std::uint64_t greatest) const;
  bool uses(std::size_t name) const;
  // The text as it was written.
  const std::string& text() const { return text_; }
  TextPlace place() const { return at_; }

  struct Operation;

 private:
  std::string file_, text_;
  TextPlace at_;
  std::vector<Operation> nodes_;  // operands before what uses them; the last is the result
};

// A node of a formula. `a`, `b`, `c` are the numbers of its operands.
struct Formula::Operation {
  enum class Kind : std::uint8_t { kNumber, kName, kUnary, kBinary, kSelect, kCall };
  Kind kind = Kind::kNumber;
  Number number{};
  std::size_t name = 0;   // kName: in the scope
  std::uint8_t code = 0;  // kUnary: the character; kBinary, kCall: the row of its table
  std::uint32_t column = 0;
  std::vector<std::uint32_t> operands{};
};

}  // namespace lanewise
