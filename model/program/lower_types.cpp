// Types, as spirv/declarations.h reads them, and which of them the lowering does not support.
#include "model/program/lowering.h"

namespace lanewise {

Status Lowering::readDeclarations() {
  Expected<spirv::Declarations> read = spirv::readDeclarations(m_, options_.spec);
  if (!read) return read.error();
  declared_ = std::move(*read);
  return {};
}

const Type* Lowering::typeOf(std::uint32_t id) {
  const auto [known, isNew] = types_.try_emplace(id, declared_.type(id));
  if (!isNew) return known->second;
  const Type* const type = known->second;
  if (type) {
    refuse(*type);
    return type;
  }
  fail(Outcome::kBadInput, "id " + m_.nameOf(id) + " is not a type");
  return types_[id] = scalarType(Scalar::kI32);
}

// Fails if a type has an unsupported part. Pointees are checked where they are used, because pointers may form long chains.
void Lowering::refuse(const Type& type) {
  if (type.kind == Type::Kind::kOther) {
    const Inst* made = m_.definition(type.id);
    if (made && made->op == spv::Op::OpTypeInt)
      fail(Outcome::kUnsupported, "an integer of " + std::to_string(made->operand(0)) + " bits is not supported");
    else
      unsupported(made ? spirv::opName(made->op) : "a type");
  }
  if (type.leaves > kMaxLeaves) fail(Outcome::kUnsupported, "a type with more than 2^20 scalars is not supported");
  if (type.element && type.kind != Type::Kind::kPointer) typeOf(type.element->id);
  for (const Type::Member& member : type.members) typeOf(member.type->id);
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

}  // namespace lanewise
