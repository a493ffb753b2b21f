#include "model/spirv/types.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 62;  // of laidOutSize

}  // namespace

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

void countLeaves(Type& type) {
  std::uint64_t leaves = type.element ? std::uint64_t{type.count} * type.element->leaves : 0;
  for (Type::Member& m : type.members) {
    m.firstLeaf = static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, kMaxLeaves + 1));
    leaves += m.type->leaves;
  }
  type.leaves = static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, kMaxLeaves + 1));
}

void layOutNaturally(Type& type) {
  const auto bounded = [](std::uint64_t bytes) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, kMaxNatural)); };
  switch (type.kind) {
    case Type::Kind::kScalar:
      type.naturalSize = scalarBytes(type.scalar);
      type.naturalAlign = std::max(type.naturalSize, 1u);
      break;
    case Type::Kind::kPointer:
      type.naturalSize = type.naturalAlign = 8;
      break;
    case Type::Kind::kVector:
    case Type::Kind::kMatrix:
    case Type::Kind::kArray:
      type.naturalSize = bounded(std::uint64_t{type.count} * type.element->naturalStride());
      type.naturalAlign = type.element->naturalAlign;
      break;
    case Type::Kind::kStruct:
      for (Type::Member& m : type.members) {
        const std::uint32_t align = m.type->naturalAlign;
        m.naturalOffset = (type.naturalSize + align - 1) / align * align;
        type.naturalSize = bounded(std::uint64_t{m.naturalOffset} + m.type->naturalSize);
        type.naturalAlign = std::max(type.naturalAlign, align);
      }
      break;
    default:
      break;
  }
}

std::uint64_t laidOutSize(const Type& type, MatrixLayout matrix) {
  // Each factor is below 2^32: the product cannot wrap, and neither can two sums of at most kMost.
  const auto strided = [](std::uint64_t count, std::uint64_t stride, std::uint64_t last) {
    return count == 0 ? 0 : std::min(kMost, std::min(kMost, (count - 1) * stride) + last);
  };
  switch (type.kind) {
    case Type::Kind::kScalar:
      return scalarBytes(type.scalar);
    case Type::Kind::kPointer:
      return 8;
    case Type::Kind::kVector:
      return std::uint64_t{type.count} * scalarBytes(type.element->scalar);
    case Type::Kind::kMatrix: {
      if (!type.element->element) return 0;
      const std::uint64_t scalar = scalarBytes(type.element->element->scalar);
      const std::uint64_t rows = type.element->count;
      return matrix.rowMajor ? strided(rows, matrix.stride, type.count * scalar) : strided(type.count, matrix.stride, rows * scalar);
    }
    case Type::Kind::kArray:
      return strided(type.count, type.stride, laidOutSize(*type.element, matrix));
    case Type::Kind::kStruct:
      return type.laidOutBytes;
    default:
      return 0;
  }
}

void layOutMembers(Type& type) {
  for (const Type::Member& m : type.members)
    type.laidOutBytes = std::max(type.laidOutBytes, m.offset + laidOutSize(*m.type, {m.matrixStride, m.rowMajor}));
}

std::uint32_t runtimeStride(const Type& block) {
  if (block.kind != Type::Kind::kStruct || block.members.empty()) return 0;
  const Type& last = *block.members.back().type;
  return last.kind == Type::Kind::kRuntimeArray ? last.stride : 0;
}

}  // namespace lanewise
