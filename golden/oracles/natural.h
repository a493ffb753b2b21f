// Natural numbers of any size and fractions of them, rounded once at the end, for oracles whose exact value exceeds 64 bits. Schoolbook
// arithmetic, short rather than fast; the tests compare it with GMP and MPFR.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace lanewise::golden {

class Natural {
 public:
  Natural() = default;
  Natural(std::uint64_t value);  // implicit, so that numbers can be written as such

  bool isZero() const { return limbs_.empty(); }
  int bits() const;             // 0 for 0
  std::uint64_t low64() const;  // the value modulo 2^64
  friend Natural operator+(const Natural& a, const Natural& b);
  friend Natural operator-(const Natural& a, const Natural& b);  // a >= b
  friend Natural operator*(const Natural& a, const Natural& b);
  friend Natural operator<<(const Natural& a, int bits);
  friend Natural operator>>(const Natural& a, int bits);
  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);
  friend bool operator==(const Natural&, const Natural&) = default;

 private:
  void trim();
  std::vector<std::uint32_t> limbs_;  // the low one first; the last is not 0
};

struct Division {
  Natural quotient, remainder;
};
Division divide(const Natural& a, const Natural& b);  // b is not 0
// The greatest s with s * s <= a.
Natural squareRoot(const Natural& a);

// A fraction that is not negative, not reduced. The denominator is not 0.
struct Ratio {
  Natural numerator, denominator{1};
};

// The nearest float, ties to even. The value is 0 or in the normal range.
float nearestFloat(const Ratio& value);
// The same of the value's square root.
float nearestFloatSqrt(const Ratio& value);

}  // namespace lanewise::golden
