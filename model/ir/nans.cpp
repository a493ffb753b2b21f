#include "model/ir/nans.h"

#include "model/spirv/newer.h"

namespace lanewise::ir {
namespace {

bool hasNotNan(std::uint32_t flags) {
  return (flags & static_cast<std::uint32_t>(spv::FPFastMathModeMask::NotNaN)) != 0;
}

}  // namespace

std::uint32_t nanWidthsOf(const spirv::Module& module, const std::string& entryPoint) {
  const spirv::EntryPoint* const entry = module.computeEntry(entryPoint);
  std::uint32_t widths = 0;
  for (const spirv::ExecutionMode& declared : module.executionModes) {
    if (!entry || declared.function != entry->function) continue;
    if (declared.mode == spv::ExecutionMode::SignedZeroInfNanPreserve) widths |= declared.operand(0);
    if (declared.mode != spirv::newer::FPFastMathDefault) continue;
    const spirv::Instruction *const type = module.definition(declared.operand(0)), *const flags = module.definition(declared.operand(1));
    if (type && flags && !hasNotNan(flags->operand(0))) widths |= type->operand(0);
  }
  return widths;
}

bool keepsNan(const spirv::Module& module, const spirv::Instruction& inst, Code operation, Scalar type, std::uint32_t nanWidths) {
  if (operation != core(spv::Op::OpFDiv)) return false;
  if (const auto flags = module.decorationNumber(inst.result, spv::Decoration::FPFastMathMode)) return !hasNotNan(*flags);
  return (nanWidths & 8 * scalarBytes(type)) != 0;
}

}  // namespace lanewise::ir
