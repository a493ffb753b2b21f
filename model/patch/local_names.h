// Local variables that are but names for a value, as HLSL's byte addresses are.
#pragma once

#include <algorithm>

#include "model/spirv/module.h"

namespace lanewise {

// Whether a local variable is stored to once, and loaded in that block only, behind that. The store, or nullptr.
inline const spirv::Instruction* onlyStore(const spirv::Module& m, std::uint32_t variable) {
  const spirv::Instruction* declared = m.definition(variable);
  if (!declared || declared->op != spv::Op::OpVariable ||
      static_cast<spv::StorageClass>(declared->operand(0)) != spv::StorageClass::Function || declared->operands.size() > 1)
    return nullptr;
  const spirv::Instruction* store = nullptr;
  bool blockEnded = false;
  for (const spirv::Instruction& inst : m.instructions) {
    blockEnded = blockEnded || (store && inst.op == spv::Op::OpLabel);
    const bool isName = inst.op == spv::Op::OpName || inst.op == spv::Op::OpDecorate;
    if (isName || !std::ranges::count(m.namedBy(inst), variable)) continue;
    const bool isStore = inst.op == spv::Op::OpStore && inst.operand(0) == variable && inst.operand(1) != variable;
    if (blockEnded || isStore == (store != nullptr) || (!isStore && inst.op != spv::Op::OpLoad)) return nullptr;
    if (isStore) store = &inst;
  }
  return store;
}

// What a value is by another name.
inline std::uint32_t unnamed(const spirv::Module& m, std::uint32_t id) {
  const spirv::Instruction* inst = m.definition(id);
  const spirv::Instruction* store = inst && inst->op == spv::Op::OpLoad ? onlyStore(m, inst->operand(0)) : nullptr;
  return store ? store->operand(1) : id;
}

}  // namespace lanewise
