// The instruction of the module that an operation comes from, and the numbers of steps (ir::Origin). See lower.h.
#include "model/program/lowering.h"

namespace lanewise {

std::uint32_t Lowering::origin(std::uint8_t component) {
  if (originCache_ != 0 && component == 0) return originCache_;
  ir::Origin o;
  o.instruction = inst_ ? static_cast<std::uint32_t>(inst_ - m_.instructions.data()) : 0;
  o.caller = frame_ ? frame_->caller : 0;
  o.component = component;
  o.step = static_cast<std::uint32_t>(stepBlocks_.size());
  f_.origins.push_back(o);
  const auto index = static_cast<std::uint32_t>(f_.origins.size() - 1);
  if (component == 0) originCache_ = index;
  return index;
}

// Whether an instruction is a step. A call is one when it returns. A declaration is none, so that debug information does not change the
// count.
bool Lowering::isStep(const Inst& inst) const {
  switch (inst.op) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpNop:
    case spv::Op::OpUndef:
    case spv::Op::OpVariable:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge:
    case spv::Op::OpFunctionCall:
      return false;
    default:
      return !spirv::isNonSemantic(m_.setOf(inst));
  }
}

// Changes the numbers from the order of lowering to that of the blocks. In both, the steps of a block are consecutive.
void Lowering::numberSteps() {
  std::vector<std::uint32_t> first(f_.blocks.size()), count(f_.blocks.size()), numbers(f_.blocks.size());
  for (std::uint32_t i = 0; i < stepBlocks_.size(); ++i)
    if (count[stepBlocks_[i]]++ == 0) first[stepBlocks_[i]] = i;
  std::uint32_t next = 1;
  for (const std::uint32_t b : f_.order) {
    f_.blocks[b].steps = {{next, count[b]}};
    numbers[b] = next;
    next += count[b];
  }
  for (ir::Origin& o : f_.origins)
    if (o.step != 0) {
      const std::uint32_t block = stepBlocks_[o.step - 1];
      o.step = numbers[block] + o.step - 1 - first[block];
    }
}

}  // namespace lanewise
