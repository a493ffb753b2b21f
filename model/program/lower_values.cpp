#include "model/program/lower_values.h"

namespace lanewise {

Status ValueTable::readDeclarations() {
  Expected<spirv::Declarations> read = spirv::readDeclarations(m_, options_.spec);
  if (!read) return read.error();
  declared_ = std::move(*read);
  return {};
}

const Type* ValueTable::findType(std::uint32_t id) {
  const Type* const type = declared_.type(id);
  if (type && m_.definition(id)) {
    types_[vals_.placeOf(id)] = type;
    refuse(*type);
    return type;
  }
  fail(Outcome::kBadInput, "id " + m_.nameOf(id) + " is not a type");
  return scalarType(Scalar::kI32);
}

// Fails if a type has an unsupported part. Pointees are checked where they are used, because pointers may form long chains.
void ValueTable::refuse(const Type& type) {
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

const Type* ValueTable::scalarType(Scalar scalar) {
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

const Val& ValueTable::noValue(std::uint32_t id) {
  fail(Outcome::kUnsupported, "the use of id " + m_.nameOf(id) + " is not supported here");
  if (!replaced_) replaced_ = Val{scalarType(Scalar::kI32), {constantU32(0)}, {}, {}};
  return *replaced_;
}

Value ValueTable::leaf(const Val& v, std::uint32_t i) {
  if (i < v.leaves.size()) return v.leaves[i];
  fail(Outcome::kUnsupported, "this use of a pointer or opaque value is not supported");
  return constantU32(0);
}

void ValueTable::define(const Inst& inst, Val v) {
  vals_.at(inst.result) = std::move(v);
}

void ValueTable::defineLeaves(const Inst& inst, Values leaves) {
  const Type* const type = typeOf(inst.type);
  Val& v = vals_.at(inst.result);
  v.type = type;
  v.leaves = std::move(leaves);
  v.pointer.reset();
  v.sampler.reset();
}

void ValueTable::definePointer(const Inst& inst, const Pointer& p) {
  const Type* const type = typeOf(inst.type);
  Val& v = vals_.at(inst.result);
  v.type = type;
  v.leaves = {};
  v.pointer = p;
  v.sampler.reset();
}

std::optional<std::uint64_t> ValueTable::constantOf(std::uint32_t id) {
  const Val* const v = vals_.find(id);
  if (!v || v->leaves.size() != 1 || !f_.isConstant(v->leaves[0])) return {};
  return f_.bitsOf(v->leaves[0]);
}

Value ValueTable::toIndex(const Val& index) {
  Value v = leaf(index, 0);
  switch (f_.nodes[v].type) {
    case Scalar::kI32:
      return v;
    case Scalar::kI64:  // anything above 32 bits, and anything negative, is out of range of every array
      return make(ir::kIndex64, Scalar::kI32, {v});
    default:
      return make(ir::core(index.type->isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert), Scalar::kI32, {v});
  }
}

Values ValueTable::undefinedLeaves(const Inst& inst, const Type& type) {
  Values leaves;
  const auto instruction = static_cast<std::uint32_t>(&inst - m_.instructions.data());
  for (std::uint32_t i = 0; i < type.leaves; ++i) leaves.push_back(f_.undefined(leafScalar(type, i), instruction, 0));
  return leaves;
}

}  // namespace lanewise
