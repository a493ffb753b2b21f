// Values and accesses of a running instruction as text, as the trace and the slice print them.
#pragma once

#include <string>

#include "model/state/observer.h"

namespace lanewise {

// `count` of an instruction's described operands, from the `first` on: "i32 0, i32 4294967295 (-1)".
std::string valuesText(const Batch& batch, const Program& program, std::uint32_t first, std::uint32_t count, std::uint32_t lane);
// The bits of one operand.
std::uint64_t valueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane);
// "read source texel (1, 0)".
std::string memoryText(const Job& job, const MemoryEvent& event);
// The number of a lane's invocation in its workgroup.
std::uint32_t invocationIndex(const Batch& batch, std::uint32_t lane);

}  // namespace lanewise
