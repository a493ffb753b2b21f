// How undefined bytes go on through an operation: which bytes of its result are undefined.
//
// Promise: a byte that is not among them is the same whatever the undefined bytes of the operands are. The reverse need not hold: x - x is
// undefined if x is, as it is for SPIR-V, where each use of an undefined value may see another. Whether the operation has a result at all
// is definedness.h.
#pragma once

#include <cstdint>
#include <span>

#include "model/ir/rows/facts.h"

namespace lanewise::ir {

// A bit for each byte of a scalar, the lowest byte first.
using ByteMask = std::uint8_t;
constexpr ByteMask allBytes(Scalar type) {
  return static_cast<ByteMask>((1u << scalarBytes(type)) - 1);
}

// Operands of an operation that computes lane by lane.
struct PartlyUndefined {
  std::span<const Scalar> types;
  std::span<const std::uint64_t> bits;
  std::span<const ByteMask> undefined;
};
ByteMask undefinedBytes(Spread spread, Scalar result, const PartlyUndefined& operands);

}  // namespace lanewise::ir
