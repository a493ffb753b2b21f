// Values and accesses of a running instruction as text, as the trace and the slice print them.
#pragma once

#include <string>

#include "model/state/observer.h"

namespace lanewise {

// An instruction's arguments or results: "i32 0, i32 4294967295 (-1)".
std::string valuesText(const Batch& batch, std::span<const DescribedOperand> operands, std::uint32_t lane);
// The bits of one operand.
std::uint64_t valueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane);
// Gives a register another value: a uniform one in all its equal lanes.
void setValueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane, std::uint64_t bits);
// One lane's part of an access: "read source texel (1, 0)". `offset` is that lane's.
std::string memoryText(const Job& job, const AccessEvent& event, const LaneRun& run, std::uint64_t offset);
std::string memoryText(const Job& job, const AccessEvent& event, const Outside& outside);
// The number of a lane's invocation in its workgroup.
std::uint32_t invocationIndex(const Batch& batch, std::uint32_t lane);

}  // namespace lanewise
