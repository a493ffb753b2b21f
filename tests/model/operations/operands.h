// Bits of a scalar that operations are tried with: ordinary ones, the ends of the range, and what is not finite.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/scalar/type.h"

namespace lanewise {

using Bits = std::uint64_t;

inline std::vector<Bits> operandsOf(Scalar type) {
  if (type == Scalar::kBool) return {0, 0xffffffffu};
  if (type == Scalar::kF32) {
    std::vector<Bits> out;
    for (const float f : {0.0f, -0.0f, 0.5f, 1.0f, -1.5f, 2.5f, 3.0f, 1e-40f, -3e38f, 16777216.0f, INFINITY, -INFINITY, NAN})
      out.push_back(std::bit_cast<std::uint32_t>(f));
    return out;
  }
  if (type == Scalar::kF64) {
    std::vector<Bits> out;
    for (const double f : {0.0, -0.0, 0.5, 1.0, -1.5, 2.5, 3.0, 1e-310, -1e308, 1e300, HUGE_VAL, -HUGE_VAL, double{NAN}})
      out.push_back(std::bit_cast<std::uint64_t>(f));
    return out;
  }
  std::vector<Bits> out;
  const std::uint32_t width = 8 * scalarBytes(type);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  for (const Bits b : {Bits{0}, Bits{1}, Bits{2}, Bits{0x5a}, mask >> 1, (mask >> 1) + 1, mask - 1, mask, Bits{0x123456789abcdef1} & mask})
    out.push_back(b);
  return out;
}

}  // namespace lanewise
