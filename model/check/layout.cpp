#include "model/check/layout.h"

#include <algorithm>
#include <cstring>

namespace lanewise {
namespace {

void mark(const Type& type, std::uint64_t offset, MatrixLayout matrix, std::vector<std::uint8_t>& bytes) {
  if (offset >= bytes.size()) return;
  switch (type.kind) {
    case Type::Kind::kScalar:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                  std::min<std::uint64_t>(scalarBytes(type.scalar), bytes.size() - offset), std::uint8_t{1});
      return;
    case Type::Kind::kVector:
      for (std::uint32_t i = 0; i < type.count; ++i)
        mark(*type.element, offset + std::uint64_t{i} * scalarBytes(type.element->scalar), {}, bytes);
      return;
    case Type::Kind::kMatrix: {
      const std::uint32_t cell = scalarBytes(type.element->element->scalar);
      for (std::uint32_t c = 0; c < type.count; ++c)
        for (std::uint32_t r = 0; r < type.element->count; ++r)
          mark(*type.element->element,
               offset + (matrix.rowMajor ? std::uint64_t{r} * matrix.stride + c * cell : std::uint64_t{c} * matrix.stride + r * cell), {},
               bytes);
      return;
    }
    case Type::Kind::kArray:
    case Type::Kind::kRuntimeArray: {
      const std::uint64_t count = type.kind == Type::Kind::kArray ? type.count : type.stride ? (bytes.size() - offset) / type.stride : 0;
      if (count == 0) return;
      mark(*type.element, offset, matrix, bytes);
      // The other elements are like the first: copies it, then copies all that is there.
      const std::uint64_t end = std::min<std::uint64_t>(offset + count * type.stride, bytes.size());
      for (std::uint64_t done = type.stride; offset + done < end;) {
        const std::uint64_t more = std::min(done, end - offset - done);
        std::memcpy(&bytes[offset + done], &bytes[offset], more);
        done += more;
      }
      return;
    }
    case Type::Kind::kStruct:
      for (const Type::Member& m : type.members) mark(*m.type, offset + m.offset, {m.matrixStride, m.rowMajor}, bytes);
      return;
    case Type::Kind::kPointer:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), std::min<std::uint64_t>(8, bytes.size() - offset), std::uint8_t{1});
      return;
    default:
      return;
  }
}

}  // namespace

void markScalars(const Type& block, std::vector<std::uint8_t>& bytes) {
  mark(block, 0, {}, bytes);
}

std::vector<std::uint8_t> namedBytesOf(const Resource& resource, std::span<const ProgramOfDispatch> dispatches) {
  const std::size_t size = resource.bytes().size();
  std::vector<std::uint8_t> named(size, 0);
  bool any = false;
  for (const auto& [program, dispatch] : dispatches)
    for (const Binding& b : dispatch->bindings)
      for (const ir::ResourceDeclaration& r : program->resources)
        if (b.resource == resource.name && b.set == r.set && b.binding == r.binding && r.type && r.type->kind == Type::Kind::kStruct) {
          markScalars(*r.type, named);
          any = true;
        }
  return any ? named : std::vector<std::uint8_t>(size, 1);
}

}  // namespace lanewise
