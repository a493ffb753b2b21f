// IEEE binary16, written from its definition: 1 sign, 5 exponent (bias 15), 10 fraction bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace lanewise::golden {

// The value of a binary16's bits, exactly.
inline double halfToDouble(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// The nearest binary16, ties to even, denormals kept; too great becomes infinity, a NaN 0x7E00.
inline std::uint16_t halfFromDouble(double value) {
  if (std::isnan(value)) return 0x7E00;
  const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00u);  // half-way past the greatest finite value rounds to even
  const int exponent = magnitude < std::ldexp(1.0, -14) ? -14 : std::ilogb(magnitude);
  // In steps of the last place; 2048 carries into the next exponent by itself.
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent + 14) * 1024u + steps));
}

}  // namespace lanewise::golden
