// What becomes of NaNs in what a machine does (ir::Machine).
#pragma once

#include "model/ir/operation_info.h"

namespace lanewise::compiled {

// What becomes of the NaNs of its operands, which are floats.
enum class Nans : std::uint8_t {
  kOther,
  kGiven,  // each gives a NaN, which one is open
  kMoved,  // a result is an operand, bit by bit but for its sign
  kAsked   // a NaN is like any other
};
Nans nansOf(ir::Machine machine);

}  // namespace lanewise::compiled
