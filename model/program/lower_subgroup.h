// What lanes of a subgroup do together: group operations, derivatives, the clock, barriers (lowering.h).
#pragma once

#include "model/program/lower_memory.h"

namespace lanewise {

class SubgroupLowering : public MemoryLowering {
 protected:
  using MemoryLowering::MemoryLowering;

  // True if the instruction was one of these.
  bool subgroup(const Inst& inst);
  bool derivative(const Inst& inst);
  bool clock(const Inst& inst);

  Value subgroupEffect(spv::Op op, spv::GroupOperation group, Scalar type, std::span<const Value> args);
  Values acrossLanes(spv::Op op, spv::GroupOperation group, const Type& type, std::vector<Val> operands);
};

}  // namespace lanewise
