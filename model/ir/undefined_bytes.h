// How undefined bytes go on through an operation: which bytes of its result are undefined.
//
// Promise: a byte that is not among them is the same whatever the undefined bytes of the operands are. The reverse need not hold: x - x is
// undefined if x is, as it is for SPIR-V, where each use of an undefined value may see another. Whether the operation has a result at all
// is definedness.h.
#pragma once

#include <cstdint>
#include <span>

#include "model/ir/ir.h"

namespace lanewise::ir {

// A bit for each byte of a scalar, the lowest byte first.
using ByteMask = std::uint8_t;
constexpr ByteMask allBytes(Scalar type) {
  return static_cast<ByteMask>((1u << scalarBytes(type)) - 1);
}

// Which bytes of a result an undefined byte of an operand reaches. Where an operand says how far (an amount, an offset, a condition) and is
// undefined itself, that is all of them.
enum class Spread : std::uint8_t {
  kToAll,
  kToItsOwn,  // the byte at the same place
  kUnless0,   // the same, but a defined 0 in the other operand decides; of booleans a defined false
  kUnless1,   // ... all bits set; true
  kUp,        // those above too: carries
  kProduct,   // the same, but of a defined 0 the product is 0
  kOfChosen,  // of a selection: those of the operand that it gives
  kExtended,  // and what it is filled with
  kSignExtended,
  kJoined,  // the operands' bytes one after the other
  kPart,
  kShiftedLeft,
  kShiftedRight,
  kShiftedSigned,
  kField,
  kSignedField,
  kInserted
};

// Operands of an operation that computes lane by lane.
struct PartlyUndefined {
  std::span<const Scalar> types;
  std::span<const std::uint64_t> bits;
  std::span<const ByteMask> undefined;
};
ByteMask undefinedBytes(Spread spread, Scalar result, const PartlyUndefined& operands);

}  // namespace lanewise::ir
