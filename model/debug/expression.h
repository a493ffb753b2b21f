// Expressions on variables, such as "tile[3].x * 2 + radius", parsed into a tree. Syntax and precedence are GLSL's.
//
//   5  0x1f  7u  9ul  0.5  1.0lf  1e3  true   numbers; one that does not fit 32 bits has 64
//   name  name.member  name.xyz  name[i]       variables and their parts; image[x, y] is a texel, image[x, y, z] one of a layer or slice
//   + - * / %  << >> & | ^ ~  == != < <= > >=  && || !  ?:
//   float(x)  uvec2(x, y)  min(x, y)            casts and functions: evaluate.h lists them
//
// Promise: any text gives a tree or an error that names the column. Gap: assignments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise::debug {

enum class Operator : std::uint8_t {
  kNone,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kEqual,
  kUnequal,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kBoth,
  kEither,
  kNot,
  kComplement
};

struct Expression {
  enum class Kind : std::uint8_t { kInteger, kFloat, kBool, kName, kMember, kIndex, kCall, kUnary, kBinary, kChoice };
  Kind kind = Kind::kInteger;
  Operator op{};           // kUnary, kBinary
  std::size_t column = 1;  // counted from 1
  std::string text;        // a name, a member, a function or an operator
  std::uint64_t bits = 0;  // kInteger, kBool; kFloat: of binary64
  bool isUnsigned = false, isWide = false;
  std::vector<Expression> parts;  // operands; kIndex: the array, then the indices
  std::string source;             // of the whole expression: as it was written
};

// Bad input: the error's `where` is "column 7".
Expected<Expression> parseExpression(std::string_view text);

}  // namespace lanewise::debug
