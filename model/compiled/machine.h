// What an operation is on a machine: an instruction (ir::Machine, which its row names), or two or three that LLVM has or puts together. The
// interpreter's functions are the definition; tests/model/compiled compares each with its function.
#pragma once

#include "model/ir/operation_info.h"

namespace lanewise::compiled {

using ir::Machine;

inline constexpr Machine kNot{64}, kNegate{65}, kAbs{66};
inline constexpr Machine kShiftLeft{67}, kShiftRight{68};  // by the amount modulo the width
inline constexpr Machine kHighProduct{69}, kCarry{70}, kBorrow{71};
inline constexpr Machine kQuotient{72}, kRemainder{73};  // by 0: all ones
inline constexpr Machine kClamp{74}, kLowestBit{75}, kHighestBit{76};
inline constexpr Machine kPack{77}, kUnpack{78}, kAddress{79}, kOffset{80};
inline constexpr Machine kIsNan{81};
// The second where neither is smaller; of a NaN and a number the number, and -0 is smaller than +0.
inline constexpr Machine kFMin{82}, kFMax{83}, kFClamp{84};
inline constexpr Machine kMulAdd{85};                          // rounded twice
inline constexpr Machine kFieldInsert{87}, kFieldExtract{88};  // bits outside of the width are none
inline constexpr Machine kFloatToInteger{86};                  // the nearest end where it is out of range, 0 of a NaN

Machine machineOf(ir::Code code);

// What becomes of the NaNs of its operands, which are floats.
enum class Nans : std::uint8_t {
  kOther,
  kGiven,  // each gives a NaN, which one is open
  kMoved,  // a result is an operand, bit by bit but for its sign
  kAsked   // a NaN is like any other
};
Nans nansOf(Machine machine);

}  // namespace lanewise::compiled
