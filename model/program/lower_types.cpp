// Types: from OpType* to Type, with array lengths after specialization and layouts from decorations.
#include "model/program/lowering.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kMaxLeaves = 1u << 20;  // of one value: beyond it a module asks for more registers than we give

Scalar integerScalar(std::uint32_t width) {
  switch (width) {
    case 8:
      return Scalar::kI8;
    case 16:
      return Scalar::kI16;
    case 32:
      return Scalar::kI32;
    case 64:
      return Scalar::kI64;
    default:
      return Scalar::kNone;
  }
}

}  // namespace

const Type* Lowering::typeOf(std::uint32_t id) {
  const auto it = types_.find(id);
  if (it != types_.end()) return it->second;
  const Inst* inst = m_.definition(id);
  const Type* type = inst ? makeType(*inst) : nullptr;
  if (!type) {
    if (!error_) fail(Outcome::kBadInput, "id " + m_.nameOf(id) + " is not a type");
    type = scalarType(Scalar::kI32);
  }
  types_[id] = type;
  return type;
}

const Type* Lowering::scalarType(Scalar scalar) {
  const Type*& slot = scalars_[scalar];
  if (!slot) {
    auto type = std::make_unique<Type>();
    type->kind = Type::Kind::kScalar;
    type->scalar = scalar;
    type->leaves = 1;
    slot = type.get();
    out_.types.push_back(std::move(type));
  }
  return slot;
}

void Lowering::makeScalar(const Inst& inst, Type& t) {
  const std::uint32_t bits = inst.operand(0);
  t.kind = Type::Kind::kScalar;
  t.leaves = 1;
  if (inst.op == spv::Op::OpTypeBool) t.scalar = Scalar::kBool;
  if (inst.op == spv::Op::OpTypeFloat) t.scalar = bits == 16 ? Scalar::kF16 : bits == 32 ? Scalar::kF32 : Scalar::kF64;
  if (inst.op != spv::Op::OpTypeInt) return;
  t.scalar = integerScalar(bits);
  t.isSigned = inst.operand(1) != 0;
  if (t.scalar == Scalar::kNone) fail(Outcome::kUnsupported, "an integer of " + std::to_string(bits) + " bits is not supported");
}

void Lowering::makeImage(const Inst& inst, Type& t) {
  t.kind = Type::Kind::kImage;
  t.element = typeOf(inst.operand(0));
  t.dim = static_cast<spv::Dim>(inst.operand(1));
  t.depth = inst.operand(2);
  t.arrayed = inst.operand(3);
  t.multisampled = inst.operand(4);
  t.sampled = inst.operand(5);
  t.imageFormat = inst.operand(6);
}

void Lowering::makeStruct(const Inst& inst, Type& t) {
  t.kind = Type::Kind::kStruct;
  std::uint32_t leaf = 0;
  for (std::uint32_t i = 0; i < inst.operands.size(); ++i) {
    Type::Member member;
    member.type = typeOf(inst.operands[i]);
    member.firstLeaf = leaf;
    if (member.type->leaves > kMaxLeaves - leaf) fail(Outcome::kUnsupported, "a type with more than 2^20 scalars is not supported");
    leaf += error_ ? 0 : member.type->leaves;
    if (const auto* d = m_.memberDecoration(inst.result, i, spv::Decoration::Offset); d && !d->operands.empty())
      member.offset = d->operands[0];
    if (const auto* d = m_.memberDecoration(inst.result, i, spv::Decoration::MatrixStride); d && !d->operands.empty())
      member.matrixStride = d->operands[0];
    member.rowMajor = m_.memberDecoration(inst.result, i, spv::Decoration::RowMajor) != nullptr;
    if (const auto it = m_.memberNames.find({inst.result, i}); it != m_.memberNames.end()) member.name = it->second;
    t.members.push_back(member);
  }
  t.leaves = leaf;
}

// A vector, matrix or array.
void Lowering::makeElements(const Inst& inst, Type& t, Type::Kind kind, std::uint64_t count) {
  t.kind = kind;
  t.element = typeOf(inst.operand(0));
  t.count = static_cast<std::uint32_t>(count);
  if (t.element->leaves != 0 && count > kMaxLeaves / t.element->leaves)
    fail(Outcome::kUnsupported, "a type with more than 2^20 scalars is not supported");
  t.leaves = error_ ? 1 : t.element->leaves * t.count;
  if (const auto* d = m_.decoration(inst.result, spv::Decoration::ArrayStride); d && !d->operands.empty()) t.stride = d->operands[0];
}

// It may be used by its own pointee (a linked structure): it is known before its pointee is.
void Lowering::makePointer(const Inst& inst, Type& t) {
  t.kind = Type::Kind::kPointer;
  t.storage = static_cast<spv::StorageClass>(inst.operand(0));
  t.leaves = t.storage == spv::StorageClass::PhysicalStorageBuffer ? 1 : 2;
  layOutNaturally(t);
  types_[inst.result] = &t;
  t.element = typeOf(inst.operand(1));
  if (const auto* d = m_.decoration(inst.result, spv::Decoration::ArrayStride); d && !d->operands.empty()) t.stride = d->operands[0];
}

const Type* Lowering::makeType(const Inst& inst) {
  auto owned = std::make_unique<Type>();
  Type& t = *owned;
  t.id = inst.result;
  switch (inst.op) {
    case spv::Op::OpTypeVoid:
      break;
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      makeScalar(inst, t);
      break;
    case spv::Op::OpTypeVector:
      makeElements(inst, t, Type::Kind::kVector, inst.operand(1));
      break;
    case spv::Op::OpTypeMatrix:
      makeElements(inst, t, Type::Kind::kMatrix, inst.operand(1));
      break;
    case spv::Op::OpTypeArray:
      if (const auto length = constantOf(inst.operand(1)))
        makeElements(inst, t, Type::Kind::kArray, *length);
      else
        fail(Outcome::kBadInput, "the length of an array is undefined");
      break;
    case spv::Op::OpTypeRuntimeArray:
      makeElements(inst, t, Type::Kind::kRuntimeArray, 0);
      break;
    case spv::Op::OpTypeStruct:
      makeStruct(inst, t);
      break;
    case spv::Op::OpTypePointer:
      makePointer(inst, t);
      break;
    case spv::Op::OpTypeImage:
      makeImage(inst, t);
      break;
    case spv::Op::OpTypeSampler:
      t.kind = Type::Kind::kSampler;
      break;
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeFunction:
      t.kind = inst.op == spv::Op::OpTypeFunction ? Type::Kind::kFunction : Type::Kind::kSampledImage;
      t.element = typeOf(inst.operand(0));
      break;
    default:
      if (!spirv::opName(inst.op).starts_with("OpType")) return nullptr;
      unsupported(spirv::opName(inst.op));
      t.leaves = 1;
      t.scalar = Scalar::kI32;
      t.kind = Type::Kind::kScalar;
  }
  if (t.kind != Type::Kind::kPointer && !error_) layOutNaturally(t);
  out_.types.push_back(std::move(owned));
  return out_.types.back().get();
}

}  // namespace lanewise
