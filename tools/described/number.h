// A number of formulas: an integer of 64 bits, or a float of 64 bits.
#pragma once

#include <cstdint>

namespace lanewise {

struct Number {
  bool isFloat = false;
  std::int64_t integer = 0;
  double real = 0;
  double asDouble() const { return isFloat ? real : static_cast<double>(integer); }
};

inline Number integerNumber(std::int64_t value) {
  return {false, value, 0};
}
inline Number realNumber(double value) {
  return {true, 0, value};
}

}  // namespace lanewise
