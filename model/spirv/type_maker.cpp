#include "model/spirv/type_maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spirv/spec_operation.h"

namespace lanewise::spirv {
namespace {

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

// A float with an encoding (a second operand) is not one of IEEE 754's.
Scalar floatScalar(const Instruction& inst) {
  if (inst.operands.size() > 1) return Scalar::kNone;
  const std::uint32_t width = inst.operand(0);
  return width == 16 ? Scalar::kF16 : width == 32 ? Scalar::kF32 : width == 64 ? Scalar::kF64 : Scalar::kNone;
}

void scalarType(const Instruction& inst, Type& type) {
  if (inst.op == spv::Op::OpTypeBool) type.scalar = Scalar::kBool;
  if (inst.op == spv::Op::OpTypeInt) type.scalar = integerScalar(inst.operand(0));
  if (inst.op == spv::Op::OpTypeFloat) type.scalar = floatScalar(inst);
  type.kind = type.scalar == Scalar::kNone ? Type::Kind::kOther : Type::Kind::kScalar;
  type.isSigned = inst.op == spv::Op::OpTypeInt && inst.operand(1) != 0;
  type.leaves = 1;
}

bool makesNoType(spv::Op op) {
  return op == spv::Op::OpString || op == spv::Op::OpExtInstImport || op == spv::Op::OpDecorationGroup;
}

}  // namespace

Status TypeMaker::read(const Instruction& inst) {
  if (inst.op == spv::Op::OpTypeForwardPointer) {
    Type& t = own(inst.operand(0));
    t.kind = Type::Kind::kPointer;
    t.storage = static_cast<spv::StorageClass>(inst.operand(1));
    t.leaves = t.storage == spv::StorageClass::PhysicalStorageBuffer ? 1 : 2;
    layOutNaturally(t);
    forward_[t.id] = &t;
    return {};
  }
  if (inst.result == 0 || makesNoType(inst.op)) return {};
  const auto known = forward_.find(inst.result);
  if (known != forward_.end() && inst.op != spv::Op::OpTypePointer) return bad(inst, "a forward pointer that is not a pointer");
  Type& type = known != forward_.end() ? *known->second : own(inst.result);
  if (Status wrong = make(inst, type)) return wrong;
  if (nesting_[&type] > kMaxNesting) return bad(inst, fmt::format("a type nested deeper than {}", kMaxNesting));
  if (type.kind != Type::Kind::kPointer) layOutNaturally(type);
  return {};
}

Status TypeMaker::make(const Instruction& inst, Type& type) {
  switch (inst.op) {
    case spv::Op::OpTypeVoid:
      return {};
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      scalarType(inst, type);
      return {};
    case spv::Op::OpTypeVector:
      return elements(inst, type, Type::Kind::kVector, inst.operand(1));
    case spv::Op::OpTypeMatrix:
      return elements(inst, type, Type::Kind::kMatrix, inst.operand(1));
    case spv::Op::OpTypeArray:
      return array(inst, type);
    case spv::Op::OpTypeRuntimeArray:
      return elements(inst, type, Type::Kind::kRuntimeArray, 0);
    case spv::Op::OpTypeSampledImage:
      return elements(inst, type, Type::Kind::kSampledImage, 0);
    case spv::Op::OpTypeFunction:
      return elements(inst, type, Type::Kind::kFunction, 0);
    case spv::Op::OpTypeStruct:
      return structure(inst, type);
    case spv::Op::OpTypePointer:
      return pointer(inst, type);
    case spv::Op::OpTypeImage:
      return image(inst, type);
    case spv::Op::OpTypeSampler:
      type.kind = Type::Kind::kSampler;
      return {};
    default:
      type.kind = Type::Kind::kOther;
      type.leaves = 1;
      return {};
  }
}

Type& TypeMaker::own(std::uint32_t id) {
  out_.ownedTypes.push_back(std::make_unique<Type>());
  Type& type = *out_.ownedTypes.back();
  type.id = id;
  out_.types[id] = &type;
  return type;
}

// A type that is part of another one; nullptr if there is no type of this id yet.
const Type* TypeMaker::part(std::uint32_t id, const Type& whole) {
  const Type* type = out_.type(id);
  if (!type || type == &whole) return nullptr;
  const std::uint32_t below = type->kind == Type::Kind::kPointer ? 0 : nesting_[type];
  nesting_[&whole] = std::max(nesting_[&whole], below + 1);
  return type;
}

Error TypeMaker::bad(const Instruction& inst, std::string what) const {
  return {Outcome::kBadInput, "not a valid SPIR-V module: " + std::move(what), fmt::format("{}, word {}", m_.name, inst.offset), ""};
}

Status TypeMaker::elements(const Instruction& inst, Type& type, Type::Kind kind, std::uint32_t count) {
  type.kind = kind;
  type.count = count;
  type.element = part(inst.operand(0), type);
  if (!type.element) return bad(inst, "a type of elements without a type");
  type.stride = m_.decorationNumber(inst.result, spv::Decoration::ArrayStride).value_or(0);
  countLeaves(type);
  return {};
}

Status TypeMaker::array(const Instruction& inst, Type& type) {
  const std::optional<std::uint64_t> length = out_.number(inst.operand(1));
  const Instruction* given = m_.definition(inst.operand(1));
  if (!length && given && given->op == spv::Op::OpSpecConstantOp && hasUndefinedResults(static_cast<spv::Op>(given->operand(0))))
    return Error{Outcome::kBadInput, "the length of an array is undefined", fmt::format("{}, word {}", m_.name, inst.offset), ""};
  if (!length)
    return Error{Outcome::kUnsupported, "the length of an array cannot be computed", fmt::format("{}, word {}", m_.name, inst.offset), ""};
  return elements(inst, type, Type::Kind::kArray, static_cast<std::uint32_t>(std::min<std::uint64_t>(*length, UINT32_MAX)));
}

Status TypeMaker::structure(const Instruction& inst, Type& type) {
  type.kind = Type::Kind::kStruct;
  for (std::uint32_t i = 0; i < inst.operands.size(); ++i) {
    Type::Member member;
    member.type = part(inst.operands[i], type);
    if (!member.type) return bad(inst, fmt::format("member {} of a structure has no type", i));
    member.offset = m_.memberDecorationNumber(inst.result, i, spv::Decoration::Offset).value_or(0);
    member.matrixStride = m_.memberDecorationNumber(inst.result, i, spv::Decoration::MatrixStride).value_or(0);
    member.rowMajor = m_.memberDecoration(inst.result, i, spv::Decoration::RowMajor) != nullptr;
    if (const auto it = m_.memberNames.find({inst.result, i}); it != m_.memberNames.end()) member.name = it->second;
    type.members.push_back(std::move(member));
  }
  countLeaves(type);
  layOutMembers(type);
  return {};
}

// A pointer may be used by its own pointee (a linked structure). Then OpTypeForwardPointer has already made it.
Status TypeMaker::pointer(const Instruction& inst, Type& type) {
  type.kind = Type::Kind::kPointer;
  type.storage = static_cast<spv::StorageClass>(inst.operand(0));
  type.leaves = type.storage == spv::StorageClass::PhysicalStorageBuffer ? 1 : 2;
  type.element = out_.type(inst.operand(1));
  if (!type.element) return bad(inst, "a pointer to an id without a type");
  type.stride = m_.decorationNumber(inst.result, spv::Decoration::ArrayStride).value_or(0);
  layOutNaturally(type);
  return {};
}

Status TypeMaker::image(const Instruction& inst, Type& type) {
  if (Status wrong = elements(inst, type, Type::Kind::kImage, 0)) return wrong;
  type.dim = static_cast<spv::Dim>(inst.operand(1));
  type.depth = inst.operand(2);
  type.arrayed = inst.operand(3);
  type.multisampled = inst.operand(4);
  type.sampled = inst.operand(5);
  type.imageFormat = inst.operand(6);
  return {};
}

}  // namespace lanewise::spirv
