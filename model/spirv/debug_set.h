// The instructions of a module's debug information sets, read one by one: NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100.
//
// Source: the two sets' specifications. Both number their instructions alike up to DebugSource. Where the first names a constant by its
// id, the second has the number itself.
#pragma once

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <optional>

#include "model/spirv/module.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {

using DebugOp = NonSemanticShaderDebugInfo100Instructions;

struct DebugEntry {
  DebugOp op = NonSemanticShaderDebugInfo100DebugInfoNone;
  std::span<const std::uint32_t> operands;  // those of the debug instruction itself
  bool literals = false;                    // OpenCL.DebugInfo.100

  std::uint32_t operand(std::size_t i) const { return i < operands.size() ? operands[i] : 0; }
};

class DebugSet {
 public:
  explicit DebugSet(const Module& module) : m_(module) {}

  // Must be called with every OpExtInstImport, before its uses.
  void import(const Instruction& inst) {
    const std::string name = literalString(inst.operands);
    if (name == "NonSemantic.Shader.DebugInfo.100") shader_ = inst.result;
    if (name == "OpenCL.DebugInfo.100") openCl_ = inst.result;
  }
  bool any() const { return shader_ != 0 || openCl_ != 0; }

  // Empty if the instruction is not of these sets.
  std::optional<DebugEntry> entry(const Instruction& inst) const {
    if (!isExtended(inst.op) || inst.operands.size() < 2) return {};
    const std::uint32_t set = inst.operands[0];
    if (set == 0 || (set != shader_ && set != openCl_)) return {};
    return DebugEntry{static_cast<DebugOp>(inst.operands[1]), inst.operands.subspan(2), set == openCl_};
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
  static bool isExtended(spv::Op op) {
    return op == spv::Op::OpExtInst || static_cast<std::uint32_t>(op) == newer::kExtInstWithForwardRefs;
  }

  const Module& m_;
  std::uint32_t shader_ = 0, openCl_ = 0;
};

}  // namespace lanewise::spirv
