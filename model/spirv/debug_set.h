// The instructions of a module's debug information sets, read one by one: NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100.
//
// Source: the two sets' specifications. Both number their instructions alike up to DebugSource. Where the first names a constant by its
// id, the second has the number itself.
#pragma once

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <optional>

#include "model/spirv/module.h"

namespace lanewise::spirv {

struct DebugEntry {
  std::uint32_t op = 0;                     // NonSemanticShaderDebugInfo100...; any number in a module that is wrong
  std::span<const std::uint32_t> operands;  // those of the debug instruction itself
  bool literals = false;                    // OpenCL.DebugInfo.100

  std::uint32_t operand(std::size_t i) const { return i < operands.size() ? operands[i] : 0; }
};

class DebugSet {
 public:
  explicit DebugSet(const Module& module) : m_(module) {}

  bool any() const {
    return std::ranges::any_of(m_.sets, [](const auto& set) { return isDebug(set.second); });
  }

  // Empty if the instruction is not of these sets.
  std::optional<DebugEntry> entry(const Instruction& inst) const {
    const InstructionSet set = m_.setOf(inst);
    if (!isDebug(set) || inst.operands.size() < 2) return {};
    return DebugEntry{inst.operands[1], inst.operands.subspan(2), set == InstructionSet::kOpenClDebug};
  }
  std::optional<DebugEntry> entry(std::uint32_t id) const {
    const Instruction* inst = m_.definition(id);
    return inst ? entry(*inst) : std::nullopt;
  }

  // A number: a literal, or the value of a constant.
  std::uint32_t number(const DebugEntry& e, std::size_t i) const {
    if (e.literals) return e.operand(i);
    const Instruction* inst = m_.definition(e.operand(i));
    return inst && inst->op == spv::Op::OpConstant ? inst->operand(0) : 0;
  }
  std::string text(const DebugEntry& e, std::size_t i) const { return m_.string(e.operand(i)); }

 private:
  static constexpr bool isDebug(InstructionSet set) { return set == InstructionSet::kShaderDebug || set == InstructionSet::kOpenClDebug; }

  const Module& m_;
};

}  // namespace lanewise::spirv
