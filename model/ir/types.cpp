#include "model/ir/types.h"

#include <algorithm>

namespace lanewise {

const char* scalarName(Scalar s) {
  constexpr const char* kNames[] = {"none", "bool", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};
  return kNames[static_cast<std::size_t>(s)];
}

Scalar leafScalar(const Type& type, std::uint32_t leaf) {
  const Type* t = &type;
  while (t->kind != Type::Kind::kScalar) {
    if (t->kind == Type::Kind::kPointer) return t->leaves == 1 ? Scalar::kI64 : Scalar::kI32;
    if (t->kind == Type::Kind::kStruct) {
      std::uint32_t i = 0;
      while (i + 1 < t->members.size() && t->members[i + 1].firstLeaf <= leaf) ++i;
      leaf -= t->members[i].firstLeaf;
      t = t->members[i].type;
    } else if (t->element != nullptr && t->element->leaves != 0) {
      leaf %= t->element->leaves;
      t = t->element;
    } else {
      return Scalar::kNone;
    }
  }
  return t->scalar;
}

void layOutNaturally(Type& type) {
  switch (type.kind) {
    case Type::Kind::kScalar:
      type.naturalSize = type.naturalAlign = scalarBytes(type.scalar);
      break;
    case Type::Kind::kPointer:
      type.naturalSize = type.naturalAlign = 8;
      break;
    case Type::Kind::kVector:
    case Type::Kind::kMatrix:
    case Type::Kind::kArray:
      type.naturalSize = type.count * type.element->naturalStride();
      type.naturalAlign = type.element->naturalAlign;
      break;
    case Type::Kind::kStruct:
      for (Type::Member& m : type.members) {
        const std::uint32_t align = m.type->naturalAlign;
        m.naturalOffset = (type.naturalSize + align - 1) / align * align;
        type.naturalSize = m.naturalOffset + m.type->naturalSize;
        type.naturalAlign = std::max(type.naturalAlign, align);
      }
      break;
    default:
      break;
  }
}

std::uint64_t laidOutSize(const Type& type, MatrixLayout matrix) {
  switch (type.kind) {
    case Type::Kind::kScalar:
      return scalarBytes(type.scalar);
    case Type::Kind::kPointer:
      return 8;
    case Type::Kind::kVector:
      return std::uint64_t{type.count} * scalarBytes(type.element->scalar);
    case Type::Kind::kMatrix: {
      const std::uint64_t scalar = scalarBytes(type.element->element->scalar);
      const std::uint64_t rows = type.element->count;
      if (matrix.rowMajor) return (rows - 1) * matrix.stride + type.count * scalar;
      return std::uint64_t{type.count - 1} * matrix.stride + rows * scalar;
    }
    case Type::Kind::kArray:
      return type.count == 0 ? 0 : std::uint64_t{type.count - 1} * type.stride + laidOutSize(*type.element, matrix);
    case Type::Kind::kStruct: {
      std::uint64_t end = 0;
      for (const Type::Member& m : type.members) end = std::max(end, m.offset + laidOutSize(*m.type, {m.matrixStride, m.rowMajor}));
      return end;
    }
    default:
      return 0;
  }
}

}  // namespace lanewise
