// The types of scalars.
#pragma once

#include <cstdint>

namespace lanewise {

// The type of a scalar in a register. Signedness belongs to operations, as in SPIR-V.
enum class Scalar : std::uint8_t { kNone, kBool, kI8, kI16, kI32, kI64, kF16, kF32, kF64 };

constexpr std::uint32_t scalarBytes(Scalar s) {
  switch (s) {
    case Scalar::kI8:
      return 1;
    case Scalar::kI16:
    case Scalar::kF16:
      return 2;
    case Scalar::kI64:
    case Scalar::kF64:
      return 8;
    case Scalar::kNone:
      return 0;
    default:
      return 4;
  }
}
constexpr bool isWide(Scalar s) {
  return s == Scalar::kI64 || s == Scalar::kF64;
}
constexpr bool isInteger(Scalar s) {
  return s >= Scalar::kI8 && s <= Scalar::kI64;
}
constexpr bool isFloat(Scalar s) {
  return s == Scalar::kF16 || s == Scalar::kF32 || s == Scalar::kF64;
}

}  // namespace lanewise
