#include "model/program/held_variables.h"

#include <algorithm>

namespace lanewise {

HeldVariables::Known* HeldVariables::rootOf(std::uint32_t id) {
  const std::uint32_t at = id < m_.definitions.size() ? m_.definitions[id] : spirv::Module::kNone;
  if (at == spirv::Module::kNone || known_[at].root == 0) return nullptr;
  Known& root = known_[known_[at].root];
  return root.state == State::kHeld ? &root : nullptr;
}

void HeldVariables::begin(const spirv::Instruction& inst, std::uint32_t storedIn) {
  const std::size_t at = indexOf(inst);
  known_[at] = {State::kHeld, static_cast<std::uint32_t>(at), storedIn};
}

void HeldVariables::lose(std::uint32_t id) {
  if (Known* const root = rootOf(id)) root->state = State::kOther;
}

void HeldVariables::reads(std::uint32_t id) {
  Known* const root = rootOf(id);
  if (root && root->storedIn != kAnyBlock && root->storedIn != block_) root->state = State::kOther;
}

void HeldVariables::store(const spirv::Instruction& inst) {
  lose(inst.operand(1));
  Known* const root = rootOf(inst.operand(0));
  if (!root) return;
  if (m_.definitions[inst.operand(0)] != root->root || root->storedIn != 0) root->state = State::kOther;
  root->storedIn = block_;
}

// A pointer into it, by constants.
void HeldVariables::step(const spirv::Instruction& inst) {
  reads(inst.operand(0));
  Known* const root = rootOf(inst.operand(0));
  if (!root) return;
  const bool isKnown = std::ranges::all_of(inst.operands.subspan(1), [this](std::uint32_t id) {
    const spirv::Instruction* const index = m_.definition(id);
    return index && (index->op == spv::Op::OpConstant || index->op == spv::Op::OpSpecConstant || index->op == spv::Op::OpConstantNull);
  });
  if (isKnown)
    known_[indexOf(inst)].root = root->root;
  else
    root->state = State::kOther;
}

void HeldVariables::call(const spirv::Instruction& inst) {
  const spirv::FunctionRange* const callee = m_.function(inst.operand(0));
  std::uint32_t parameter = callee ? callee->first : 0;
  for (const std::uint32_t argument : inst.operands.subspan(1)) {
    while (callee && ++parameter < callee->last && m_.instructions[parameter].op != spv::Op::OpFunctionParameter) {
    }
    if (callee && parameter < callee->last && known_[parameter].state == State::kHeld)
      reads(argument);
    else
      lose(argument);
  }
}

void HeldVariables::read(std::span<const Lowerable> instructions) {
  for (const Lowerable& lowered : instructions) {
    const spirv::Instruction& inst = m_.instructions[lowered.instruction];
    switch (inst.op) {
      case spv::Op::OpLabel:
        ++block_;
        break;
      case spv::Op::OpFunctionParameter:
        begin(inst, kAnyBlock);
        break;
      case spv::Op::OpVariable:
        if (inst.operands.size() == 1) begin(inst, 0);
        break;
      case spv::Op::OpLoad:
        reads(inst.operand(0));
        break;
      case spv::Op::OpStore:
        store(inst);
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        step(inst);
        break;
      case spv::Op::OpFunctionCall:
        call(inst);
        break;
      default:
        for (const std::uint32_t id : inst.operands) lose(id);
    }
  }
}

}  // namespace lanewise
