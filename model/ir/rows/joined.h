// What join.cpp makes of several operations that come together: one for all of them. Amounts of shifts are constants below the width.
#pragma once

#include "model/ir/rows/codes.h"

namespace lanewise::ir {

enum Joined : Code {
  kRotateLeft = kOwn + 0x800,  // argument 0 with its bits moved up by argument 1; what leaves at the top comes in at the bottom
  kRotateXor,                  // ... xor argument 2
  kXorRotate,                  // arguments 0 and 1, xor, rotated by argument 2
  kTurnsXor,                   // argument 0 turned by each of arguments 1 to 3 (scalar/joined.h), the xor of all
  kAddThree,                   // the sum of all three
  kMultiplyAdd,                // argument 0 * argument 1 + argument 2
  kMultiplyLow,                // the product of the low halves
  kAndAdd,                     // argument 0 & argument 1, plus argument 2
  kLeftAdd,                    // argument 0 << argument 1, plus argument 2
  kLeftOr,                     // ... or argument 2
  kLeftXor,
  kRightAdd,  // argument 0 >> argument 1, plus argument 2
  kRightAnd,
  kRightXor,
  kSelectEqual,  // argument 2 where arguments 0 and 1 are equal, elsewhere argument 3
  kSelectLess,   // ... where argument 0 is the smaller one
  kSelectSignedLess,
  kFMultiplyAdd,  // as kMultiplyAdd and kAddThree, of floats: each operation rounded
  kFAddThree,
  kBits  // of the bits of arguments 0, 1 and 2 together, a number of three bits, that bit of argument 3: any function by bits
};

}  // namespace lanewise::ir
