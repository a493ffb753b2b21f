#include "tools/run/type_reader.h"

namespace lanewise {
namespace {

constexpr int kMaxDepth = 64;

Scalar scalarOf(const spirv::Instruction& inst) {
  const std::uint32_t width = inst.operand(0);
  if (inst.op == spv::Op::OpTypeFloat) return width == 16 ? Scalar::kF16 : width == 64 ? Scalar::kF64 : Scalar::kF32;
  return width == 8 ? Scalar::kI8 : width == 16 ? Scalar::kI16 : width == 64 ? Scalar::kI64 : Scalar::kI32;
}

// A comparison of 64 bits, its operands sign or zero extended.
std::optional<std::uint64_t> compare(spv::Op op, std::uint64_t a, std::uint64_t b, std::int64_t sa, std::int64_t sb) {
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return a == b;
    case spv::Op::OpINotEqual:
      return a != b;
    case spv::Op::OpULessThan:
      return a < b;
    case spv::Op::OpULessThanEqual:
      return a <= b;
    case spv::Op::OpUGreaterThan:
      return a > b;
    case spv::Op::OpUGreaterThanEqual:
      return a >= b;
    case spv::Op::OpSLessThan:
      return sa < sb;
    case spv::Op::OpSLessThanEqual:
      return sa <= sb;
    case spv::Op::OpSGreaterThan:
      return sa > sb;
    case spv::Op::OpSGreaterThanEqual:
      return sa >= sb;
    default:
      return std::nullopt;
  }
}

// Any integer operation of the same.
std::optional<std::uint64_t> compute(spv::Op op, std::uint64_t a, std::uint64_t b, std::int64_t sa, std::int64_t sb) {
  const bool divides = sb != 0 && !(sa == INT64_MIN && sb == -1);
  switch (op) {
    case spv::Op::OpIAdd:
      return a + b;
    case spv::Op::OpISub:
      return a - b;
    case spv::Op::OpIMul:
      return a * b;
    case spv::Op::OpUDiv:
      return b ? std::optional(a / b) : std::nullopt;
    case spv::Op::OpUMod:
      return b ? std::optional(a % b) : std::nullopt;
    case spv::Op::OpSDiv:
      return divides ? std::optional(static_cast<std::uint64_t>(sa / sb)) : std::nullopt;
    case spv::Op::OpSRem:
      return divides ? std::optional(static_cast<std::uint64_t>(sa % sb)) : std::nullopt;
    case spv::Op::OpSMod:
      return divides ? std::optional(static_cast<std::uint64_t>((sa % sb + sb) % sb)) : std::nullopt;
    case spv::Op::OpShiftLeftLogical:
      return b < 64 ? a << b : 0;
    case spv::Op::OpShiftRightLogical:
      return b < 64 ? a >> b : 0;
    case spv::Op::OpShiftRightArithmetic:
      return static_cast<std::uint64_t>(sa >> (b < 63 ? b : 63));
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a & b;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a | b;
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalNotEqual:
      return a ^ b;
    case spv::Op::OpUConvert:
      return a;
    case spv::Op::OpSConvert:
      return static_cast<std::uint64_t>(sa);
    case spv::Op::OpNot:
      return ~a;
    case spv::Op::OpSNegate:
      return 0 - a;
    case spv::Op::OpLogicalNot:
      return a ^ 1;
    default:
      return compare(op, a, b, sa, sb);
  }
}

void describeImage(const spirv::Instruction& inst, Type& t) {
  t.dim = static_cast<spv::Dim>(inst.operand(1));
  t.depth = inst.operand(2);
  t.arrayed = inst.operand(3);
  t.multisampled = inst.operand(4);
  t.sampled = inst.operand(5);
  t.imageFormat = inst.operand(6);
}

}  // namespace

const Type* TypeReader::read(std::uint32_t id, int depth) {
  if (const auto it = read_.find(id); it != read_.end()) return it->second;
  const spirv::Instruction* inst = m_.definition(id);
  if (!inst || depth > kMaxDepth) return nullptr;
  owner_.push_back(std::make_unique<Type>());
  Type& t = *owner_.back();
  t.id = id;
  t.leaves = 1;
  read_[id] = &t;  // known before what it holds is: a pointer may lead back here
  if (const spirv::Decoration* d = m_.decoration(id, spv::Decoration::ArrayStride); d && !d->operands.empty()) t.stride = d->operands[0];
  const auto holds = [&](Type::Kind kind, std::uint64_t count) {
    t.kind = kind;
    t.element = read(inst->operand(0), depth + 1);
    t.count = static_cast<std::uint32_t>(count);
  };
  switch (inst->op) {
    case spv::Op::OpTypeBool:
      t.kind = Type::Kind::kScalar;
      t.scalar = Scalar::kBool;
      break;
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      t.kind = Type::Kind::kScalar;
      t.scalar = scalarOf(*inst);
      t.isSigned = inst->op == spv::Op::OpTypeInt && inst->operand(1) != 0;
      break;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      holds(inst->op == spv::Op::OpTypeVector ? Type::Kind::kVector : Type::Kind::kMatrix, inst->operand(1));
      break;
    case spv::Op::OpTypeArray:
      holds(Type::Kind::kArray, constant(inst->operand(1)).value_or(1));
      break;
    case spv::Op::OpTypeRuntimeArray:
      holds(Type::Kind::kRuntimeArray, 0);
      break;
    case spv::Op::OpTypeStruct:
      readMembers(*inst, t, depth);
      break;
    case spv::Op::OpTypePointer:
      t.kind = Type::Kind::kPointer;
      t.storage = static_cast<spv::StorageClass>(inst->operand(0));
      t.element = read(inst->operand(1), depth + 1);
      break;
    case spv::Op::OpTypeImage:
      holds(Type::Kind::kImage, 0);
      describeImage(*inst, t);
      break;
    case spv::Op::OpTypeSampler:
      t.kind = Type::Kind::kSampler;
      break;
    case spv::Op::OpTypeSampledImage:
      holds(Type::Kind::kSampledImage, 0);
      break;
    default:
      t.kind = Type::Kind::kOther;
  }
  return &t;
}

void TypeReader::readMembers(const spirv::Instruction& inst, Type& type, int depth) {
  type.kind = Type::Kind::kStruct;
  const auto number = [&](std::uint32_t i, spv::Decoration kind) {
    const spirv::Decoration* d = m_.memberDecoration(inst.result, i, kind);
    return d && !d->operands.empty() ? d->operands[0] : 0;
  };
  for (std::uint32_t i = 0; i < inst.operands.size(); ++i) {
    Type::Member member;
    member.type = read(inst.operands[i], depth + 1);
    if (!member.type) continue;
    member.offset = number(i, spv::Decoration::Offset);
    member.matrixStride = number(i, spv::Decoration::MatrixStride);
    member.rowMajor = m_.memberDecoration(inst.result, i, spv::Decoration::RowMajor) != nullptr;
    if (const auto it = m_.memberNames.find({inst.result, i}); it != m_.memberNames.end()) member.name = it->second;
    type.members.push_back(std::move(member));
  }
}

std::optional<std::uint64_t> TypeReader::constant(std::uint32_t id, int depth) {
  const spirv::Instruction* inst = m_.definition(id);
  if (!inst || depth > kMaxDepth) return {};
  if (const spirv::Decoration* d = m_.decoration(id, spv::Decoration::SpecId); d && !d->operands.empty())
    for (const SpecConstant& s : spec_)
      if (s.id == d->operands[0]) return s.value;
  switch (inst->op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      return 1;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpConstantNull:
      return 0;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      return inst->operand(0) | std::uint64_t{inst->operand(1)} << 32;
    case spv::Op::OpSpecConstantOp:
      return operation(*inst, depth);
    default:
      return {};
  }
}

std::optional<std::uint64_t> TypeReader::operation(const spirv::Instruction& inst, int depth) {
  const auto op = static_cast<spv::Op>(inst.operand(0));
  if (op == spv::Op::OpCompositeExtract) {
    const spirv::Instruction* composite = m_.definition(inst.operand(1));
    if (!composite || inst.operands.size() != 3) return {};
    return constant(composite->operand(inst.operand(2)), depth + 1);
  }
  if (op == spv::Op::OpSelect) {
    const std::optional<std::uint64_t> condition = constant(inst.operand(1), depth + 1);
    return condition ? constant(inst.operand(*condition ? 2 : 3), depth + 1) : std::nullopt;
  }
  const std::optional<std::uint64_t> a = constant(inst.operand(1), depth + 1);
  const std::optional<std::uint64_t> b = inst.operands.size() > 2 ? constant(inst.operand(2), depth + 1) : a;
  if (!a || !b) return {};
  const auto widthOf = [&](std::uint32_t id) {
    const spirv::Instruction* value = m_.definition(id);
    const Type* type = value ? read(value->type) : nullptr;
    return type && type->kind == Type::Kind::kScalar && type->scalar != Scalar::kBool ? 8 * scalarBytes(type->scalar) : 64u;
  };
  const auto extended = [](std::uint64_t v, std::uint32_t width) { return static_cast<std::int64_t>(v << (64 - width)) >> (64 - width); };
  const std::uint32_t from = widthOf(inst.operand(1));
  const std::optional<std::uint64_t> result =
      compute(op, *a, *b, extended(*a, from), extended(*b, inst.operands.size() > 2 ? widthOf(inst.operand(2)) : from));
  const std::uint32_t to = widthOf(inst.result);
  return result ? std::optional(to == 64 ? *result : *result & ((std::uint64_t{1} << to) - 1)) : std::nullopt;
}

void TypeReader::localSize(std::uint32_t function, std::uint32_t size[3]) {
  for (const spirv::Instruction& inst : m_.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    const bool mode = inst.op == spv::Op::OpExecutionMode || inst.op == spv::Op::OpExecutionModeId;
    if (!mode || inst.operand(0) != function || inst.operands.size() < 5) continue;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t word = inst.operand(2 + i);
      if (static_cast<spv::ExecutionMode>(inst.operand(1)) == spv::ExecutionMode::LocalSize) size[i] = word;
      if (static_cast<spv::ExecutionMode>(inst.operand(1)) == spv::ExecutionMode::LocalSizeId)
        size[i] = static_cast<std::uint32_t>(constant(word).value_or(1));
    }
  }
  for (const auto& [id, list] : m_.decorations)
    for (const spirv::Decoration& d : list)
      if (d.kind == spv::Decoration::BuiltIn && !d.operands.empty() &&
          d.operands[0] == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize))
        if (const spirv::Instruction* composite = m_.definition(id); composite && composite->operands.size() == 3)
          for (std::uint32_t i = 0; i < 3; ++i) size[i] = static_cast<std::uint32_t>(constant(composite->operands[i]).value_or(1));
}

bool isNonSemantic(const spirv::Module& module, const spirv::Instruction& extInst) {
  const spirv::Instruction* set = module.definition(extInst.operand(0));
  return set && spirv::literalString(set->operands).starts_with("NonSemantic.");
}

}  // namespace lanewise
