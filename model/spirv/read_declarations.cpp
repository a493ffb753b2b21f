// How the declarations of a module are read: see declarations.h.
#include "model/spirv/declarations.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spirv/newer.h"
#include "model/spirv/spec_operation.h"
#include "model/spirv/type_maker.h"

namespace lanewise::spirv {
namespace {

constexpr std::uint64_t kMaxConstantLeaves = 1u << 22;  // of all constants

using Leaves = std::optional<std::vector<std::uint64_t>>;

class DeclarationReader {
 public:
  DeclarationReader(const Module& module, std::span<const SpecConstant> spec) : m_(module), spec_(spec), types_(module, out_) {}

  Expected<Declarations> run() {
    for (const Instruction& inst : m_.instructions) {
      if (inst.op == spv::Op::OpFunction) break;
      if (inst.type == 0) {
        if (Status wrong = types_.read(inst)) return *wrong;
        continue;
      }
      const Type* type = out_.type(inst.type);
      if (!type || inst.op == spv::Op::OpVariable) continue;
      if (Leaves leaves = leavesOf(inst, *type)) {
        total_ += leaves->size();
        if (total_ > kMaxConstantLeaves)
          return Error{Outcome::kUnsupported, "constants of more than 2^22 scalars in all are not supported",
                       fmt::format("{}, word {}", m_.name, inst.offset), ""};
        out_.constants[inst.result] = {type, std::move(*leaves)};
      }
    }
    return std::move(out_);
  }

 private:
  Leaves leavesOf(const Instruction& inst, const Type& type) const {
    switch (inst.op) {
      case spv::Op::OpConstantTrue:
        return std::vector<std::uint64_t>{1};
      case spv::Op::OpConstantFalse:
        return std::vector<std::uint64_t>{0};
      case spv::Op::OpConstant:
        return std::vector{narrowed(type.scalar, literal(inst))};
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse:
        return std::vector{narrowed(Scalar::kBool, given(inst).value_or(inst.op == spv::Op::OpSpecConstantTrue))};
      case spv::Op::OpSpecConstant:
        return std::vector{narrowed(type.scalar, given(inst).value_or(literal(inst)))};
      case spv::Op::OpConstantNull:
      case spv::Op::OpUndef:
        return std::vector<std::uint64_t>();
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite:
        return composite(inst.operands, type);
      case spv::Op::OpSpecConstantOp:
        return operation(inst, type);
      default:
        break;
    }
    if (inst.op != newer::OpConstantCompositeReplicateEXT && inst.op != newer::OpSpecConstantCompositeReplicateEXT) return {};
    if (inst.operands.size() != 1) return {};
    return composite(std::vector<std::uint32_t>(std::min(type.constituents(), kMaxLeaves), inst.operands[0]), type);
  }

  static std::uint64_t literal(const Instruction& inst) { return inst.operand(0) | std::uint64_t{inst.operand(1)} << 32; }

  std::optional<std::uint64_t> given(const Instruction& inst) const {
    const std::optional<std::uint32_t> id = m_.decorationNumber(inst.result, spv::Decoration::SpecId);
    const auto same = [&](const SpecConstant& s) { return id && s.id == *id; };
    const auto found = std::ranges::find_if(spec_, same);
    return found == spec_.end() ? std::nullopt : std::optional(found->value);
  }

  static void append(std::vector<std::uint64_t>& to, const Constant& from) {
    for (std::uint32_t i = 0; i < from.type->leaves; ++i) to.push_back(from.leaf(i));
  }

  Leaves composite(std::span<const std::uint32_t> constituents, const Type& type) const {
    if (type.leaves > kMaxLeaves || constituents.size() != type.constituents()) return {};
    std::vector<std::uint64_t> leaves;
    for (const std::uint32_t id : constituents) {
      const Constant* part = out_.constant(id);
      if (!part || leaves.size() + part->type->leaves > type.leaves) return {};
      append(leaves, *part);
    }
    return leaves;
  }

  Leaves operation(const Instruction& inst, const Type& type) const {
    if (type.leaves > kMaxLeaves || inst.operands.size() < 2) return {};
    const auto op = static_cast<spv::Op>(inst.operands[0]);
    const std::span<const std::uint32_t> w = inst.operands.subspan(1);
    const Constant* first = out_.constant(w[0]);
    const Constant* second = w.size() > 1 ? out_.constant(w[1]) : nullptr;
    if (!first) return {};
    switch (op) {
      case spv::Op::OpCompositeExtract:
        return extract(*first, w.subspan(1), type);
      case spv::Op::OpCompositeInsert:
        return second && w.size() > 2 ? insert(*first, *second, w.subspan(2), type) : std::nullopt;
      case spv::Op::OpVectorShuffle:
        return second ? shuffle(*first, *second, w.subspan(2), type) : std::nullopt;
      default:
        return elementwise(op, w, type);
    }
  }

  static Leaves extract(const Constant& from, std::span<const std::uint32_t> indices, const Type& type) {
    const std::optional<LeafRange> part = leavesAt(*from.type, indices);
    if (!part || part->type->leaves != type.leaves) return {};
    std::vector<std::uint64_t> leaves;
    for (std::uint32_t i = 0; i < type.leaves; ++i) leaves.push_back(from.leaf(part->first + i));
    return leaves;
  }

  static Leaves insert(const Constant& object, const Constant& into, std::span<const std::uint32_t> indices, const Type& type) {
    const std::optional<LeafRange> part = leavesAt(*into.type, indices);
    if (!part || part->type->leaves != object.type->leaves || into.type->leaves != type.leaves) return {};
    std::vector<std::uint64_t> leaves;
    append(leaves, into);
    for (std::uint32_t i = 0; i < object.type->leaves; ++i) leaves[part->first + i] = object.leaf(i);
    return leaves;
  }

  static Leaves shuffle(const Constant& a, const Constant& b, std::span<const std::uint32_t> components, const Type& type) {
    if (components.size() != type.leaves) return {};
    std::vector<std::uint64_t> leaves;
    for (const std::uint32_t i : components) leaves.push_back(i < a.type->leaves ? a.leaf(i) : b.leaf(i - a.type->leaves));
    return leaves;
  }

  // Component by component. OpSelect may choose between whole composites by one boolean.
  Leaves elementwise(spv::Op op, std::span<const std::uint32_t> w, const Type& type) const {
    std::vector<const Constant*> operands;
    for (const std::uint32_t id : w) {
      const Constant* operand = out_.constant(id);
      const bool chooses = op == spv::Op::OpSelect && operands.empty() && operand && operand->type->leaves == 1;
      if (!operand || (operand->type->leaves != type.leaves && !chooses)) return {};
      operands.push_back(operand);
    }
    std::vector<std::uint64_t> leaves, args(operands.size());
    for (std::uint32_t i = 0; i < type.leaves; ++i) {
      for (std::size_t k = 0; k < operands.size(); ++k) args[k] = operands[k]->leaf(operands[k]->type->leaves == 1 ? 0 : i);
      const Scalar result = leafScalar(type, i), operand = leafScalar(*operands[0]->type, operands[0]->type->leaves == 1 ? 0 : i);
      const std::optional<std::uint64_t> value = specOperation(op, result, operand, args);
      if (!value) return {};
      leaves.push_back(*value);
    }
    return leaves;
  }

  const Module& m_;
  std::span<const SpecConstant> spec_;
  Declarations out_;
  TypeMaker types_;
  std::uint64_t total_ = 0;
};

}  // namespace

Expected<Declarations> readDeclarations(const Module& module, std::span<const SpecConstant> spec) {
  return DeclarationReader(module, spec).run();
}

}  // namespace lanewise::spirv
