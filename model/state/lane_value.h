// Where a lane's value is in a register: groups of kGroup lanes are `step` bytes apart, and a lane has 4 or 8 bytes of its group.
// Pure functions. `wide`: 8 bytes.
#pragma once

#include "model/ir/program.h"
#include "model/state/batch.h"

namespace lanewise {

// In bytes from the start of the register file.
inline std::size_t laneByte(const Operand& slot, bool wide, std::uint32_t lane) {
  return slot.offset + std::size_t{lane / kGroup} * slot.step + std::size_t{lane % kGroup} * (wide ? 8 : 4);
}

inline std::uint64_t bitsOf(const Batch& batch, const Operand& slot, bool wide, std::uint32_t lane) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, batch.regs + laneByte(slot, wide, lane), wide ? 8 : 4);
  return bits;
}

inline std::uint64_t bitsOf(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  return bitsOf(batch, operand.slot, isWide(operand.type), lane);
}

}  // namespace lanewise
