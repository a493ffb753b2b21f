#include "tools/run/unpinned_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

using ir::When;

class Scan {
 public:
  Scan(const spirv::Module& module, const spirv::Declarations& declarations, const InterfaceEntry& entry)
      : m_(module), declarations_(declarations) {
    for (const spirv::Instruction* inst : spirv::reachableInstructions(m_, entry.function)) look(*inst);
  }
  std::vector<OpenResult> take() { return std::move(out_); }

 private:
  void add(const spirv::Instruction& inst, std::string op, std::string allowed, const char* clause) {
    std::string line = placeOf(m_, inst);
    for (OpenResult& r : out_)
      if (r.line == line && r.op == op) {
        ++r.count;
        return;
      }
    out_.push_back({std::move(line), std::move(op), std::move(allowed), clause, 1});
  }

  void look(const spirv::Instruction& inst) {
    const spirv::InstructionSet set = m_.setOf(inst);
    const bool extended = set == spirv::InstructionSet::kGlsl;
    if (!extended && set != spirv::InstructionSet::kNone) return;
    const ir::Code code = extended ? ir::kGlsl + inst.operand(1) : ir::core(inst.op);
    if (inst.op == spv::Op::OpFAdd || inst.op == spv::Op::OpFSub) contraction(inst);
    if (inst.op == spv::Op::OpAccessChain || inst.op == spv::Op::OpInBoundsAccessChain) outside(inst);
    const ir::Openness* row = ir::openness(code);
    if (!row) return;
    if (row->when == When::kAlways || (row->when == When::kNarrowing && narrows(inst)))
      add(inst, codeName(code), row->allowed, row->clause);
    if (row->when == When::kOnFloats) texels(inst, *row);
  }

  // nullptr if the id is not a value with a type.
  const Type* typeOf(std::uint32_t value) const {
    const spirv::Instruction* inst = m_.definition(value);
    return inst ? declarations_.type(inst->type) : nullptr;
  }

  std::uint32_t floatWidth(std::uint32_t value) const {
    const Type* type = typeOf(value);
    if (type && type->kind == Type::Kind::kVector) type = type->element;
    return type && type->kind == Type::Kind::kScalar && isFloat(type->scalar) ? 8 * scalarBytes(type->scalar) : 0;
  }

  bool narrows(const spirv::Instruction& inst) const { return floatWidth(inst.result) < floatWidth(inst.operand(0)); }

  bool contractable(std::uint32_t id) const { return m_.decoration(id, spv::Decoration::NoContraction) == nullptr; }

  // A sum of a product where neither is decorated NoContraction: a device may round once.
  void contraction(const spirv::Instruction& sum) {
    if (!contractable(sum.result)) return;
    for (const std::uint32_t id : sum.operands)
      if (const spirv::Instruction* product = m_.definition(id); product && product->op == spv::Op::OpFMul && contractable(id)) {
        add(sum, fmt::format("OpFMul {}", spirv::opName(sum.op)), "rounded once or twice: not NoContraction", "SPIR-V, NoContraction");
        return;
      }
  }

  // A constant index beyond the end of an array in a buffer's block. Other indices are known only when the kernel runs: findings report
  // them.
  void outside(const spirv::Instruction& chain) {
    const spirv::Instruction* base = m_.definition(chain.operand(0));
    const Type* type = typeOf(chain.operand(0));
    if (!type || type->kind != Type::Kind::kPointer) return;
    if (type->storage != spv::StorageClass::StorageBuffer && type->storage != spv::StorageClass::Uniform) return;
    type = type->element;
    for (std::uint32_t i = 1; type && i < chain.operands.size(); ++i) {
      const std::optional<std::uint64_t> index = declarations_.number(chain.operand(i));
      const bool descriptors = i == 1 && base->op == spv::Op::OpVariable;
      if (type->kind == Type::Kind::kArray && !descriptors && index && *index >= type->count)
        return add(chain, spirv::opName(chain.op), ir::openOutside().allowed, ir::openOutside().clause);
      const bool member = type->kind == Type::Kind::kStruct;
      if (member && index.value_or(0) >= type->members.size()) return;
      type = member ? type->members[index.value_or(0)].type : type->element;
    }
  }

  void texels(const spirv::Instruction& inst, const ir::Openness& row) {
    const Type* type = typeOf(inst.operand(0));
    if (type && type->kind == Type::Kind::kSampledImage) type = type->element;
    if (!type || type->kind != Type::Kind::kImage || !isFloat(type->element->scalar)) return;
    const FormatInfo* format = formatInfo(formatBySpirv(type->imageFormat));
    const bool writes = inst.op == spv::Op::OpImageWrite;
    if (!format) {
      const char* views = writes ? "UNORM, SNORM, SRGB or half" : "UNORM, SNORM or SRGB";
      add(inst, spirv::opName(inst.op), fmt::format("{}, where the view is {}", row.allowed, views), row.clause);
      return;
    }
    const NumericFormat n = format->numeric;
    const bool normalised = n == NumericFormat::kUnorm || n == NumericFormat::kSnorm || n == NumericFormat::kSrgb;
    const bool small =
        n == NumericFormat::kUfloat || n == NumericFormat::kSharedExponent || (n == NumericFormat::kSfloat && format->componentBits == 16);
    if (writes ? !normalised && !small : !normalised) return;
    add(inst, fmt::format("{} {}", spirv::opName(inst.op), format->name), row.allowed, row.clause);
  }

  const spirv::Module& m_;
  const spirv::Declarations& declarations_;
  std::vector<OpenResult> out_;
};

}  // namespace

std::string placeOf(const spirv::Module& module, const spirv::Instruction& inst) {
  const std::string line = module.lineText(inst.source);
  return line.empty() ? fmt::format("word {}", inst.offset) : line;
}

std::vector<OpenResult> openResults(const spirv::Module& module, const spirv::Declarations& declarations, const InterfaceEntry& entry) {
  return Scan(module, declarations, entry).take();
}

std::string floatModesText(const Interface& interface, const InterfaceEntry& entry) {
  std::string out;
  for (const std::unique_ptr<Type>& type : interface.types) {
    if (type->kind != Type::Kind::kScalar || !isFloat(type->scalar)) continue;
    const std::uint32_t width = 8 * scalarBytes(type->scalar);
    const auto declared = [&](std::initializer_list<spv::ExecutionMode> modes) {
      return std::ranges::any_of(
          entry.floatModes, [&](const FloatMode& one) { return one.width == width && std::ranges::find(modes, one.mode) != modes.end(); });
    };
    if (!declared({spv::ExecutionMode::DenormPreserve, spv::ExecutionMode::DenormFlushToZero}))
      out += fmt::format("{}denormals of {}-bit floats may be flushed to zero", out.empty() ? "" : "; ", width);
    if (!declared({spv::ExecutionMode::RoundingModeRTE, spv::ExecutionMode::RoundingModeRTZ}))
      out += fmt::format("{}the direction that {}-bit floats round in is not declared", out.empty() ? "" : "; ", width);
  }
  return out;
}

}  // namespace lanewise
