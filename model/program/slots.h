// Assigns registers to values: linear scan over the block order. Values whose lives do not overlap share a slot.
//
// A life is one interval of positions without holes, because lanes of other strands still have the values of blocks that this strand skips.
// It is extended over every loop that the value enters, and over every loop that it leaves, because lanes that left early keep theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "model/ir/program.h"

namespace lanewise {

struct Slots {
  std::vector<Operand> of;  // by value; offset 0: the value needs no slot
  std::uint64_t bytes = 0;  // of the register file; above 2^31 the offsets are not valid
  Operand scratch[4];       // for cycles of phi moves: by slotClass
};

// 0 uniform 32 bits, 1 uniform 64, 2 varying 32, 3 varying 64.
inline std::uint32_t slotClass(Scalar type, bool varying) {
  return (varying ? 2u : 0u) + (isWide(type) ? 1u : 0u);
}

// Who looks at registers besides the instructions that use them: nobody, a lane that runs alone and meets others, or a debugger. For
// kAll every value gets a slot, used or not.
enum class Kept : std::uint8_t { kNone, kOfLanes, kAll };
Slots assignSlots(const ir::Function& f, std::uint32_t width, Kept kept);

}  // namespace lanewise
