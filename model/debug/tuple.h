// Numbers as expressions compute with them.
#pragma once

#include <string>
#include <vector>

#include "model/state/variables.h"

namespace lanewise::debug {

// A scalar, a vector of 2 to 4 scalars of one type, or a matrix, column by column.
struct Tuple {
  Scalar type = Scalar::kI32;  // kBool, kI32, kI64, kF32, kF64
  bool isSigned = true;
  std::vector<ScalarValue> parts;
  std::uint32_t columns = 0;  // of a matrix
  // Or a matrix.
  bool isVector() const { return parts.size() > 1; }
};

// "ivec2": GLSL's name.
std::string typeName(const Tuple& tuple);

}  // namespace lanewise::debug
