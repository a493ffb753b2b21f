#include "tools/run/type_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spirv/interface.h"

namespace lanewise {
namespace {

const char* glslScalar(const Type& t) {
  switch (t.scalar) {
    case Scalar::kBool:
      return "bool";
    case Scalar::kI8:
      return t.isSigned ? "int8_t" : "uint8_t";
    case Scalar::kI16:
      return t.isSigned ? "int16_t" : "uint16_t";
    case Scalar::kI32:
      return t.isSigned ? "int" : "uint";
    case Scalar::kI64:
      return t.isSigned ? "int64_t" : "uint64_t";
    case Scalar::kF16:
      return "float16_t";
    case Scalar::kF64:
      return "double";
    default:
      return "float";
  }
}

// The letters before "vec3": "u", "i64", "f16" ...; none for float.
std::string vectorPrefix(const Type& t) {
  switch (t.scalar) {
    case Scalar::kF32:
      return "";
    case Scalar::kF16:
      return "f16";
    case Scalar::kF64:
      return "d";
    case Scalar::kBool:
      return "b";
    case Scalar::kI32:
      return t.isSigned ? "i" : "u";
    default:
      return fmt::format("{}{}", t.isSigned ? 'i' : 'u', 8 * scalarBytes(t.scalar));
  }
}

std::string imageText(const Type& t) {
  return fmt::format("{}{}{}", t.element ? vectorPrefix(*t.element) : "", t.sampled == 2 ? "image" : "texture", imageShapeText(t));
}

// Finds the scalar at `offset`, which is relative to `type`.
std::optional<LeafAt> descend(const Type& type, std::uint64_t offset, MatrixLayout matrix, std::uint64_t base, std::string path) {
  const auto into = [&](const Type* element, std::uint64_t index, std::uint64_t stride, MatrixLayout inner) -> std::optional<LeafAt> {
    return descend(*element, offset - index * stride, inner, base + index * stride, fmt::format("{}[{}]", path, index));
  };
  switch (type.kind) {
    case Type::Kind::kScalar:
      if (offset >= scalarBytes(type.scalar)) return {};
      return LeafAt{type.scalar, type.isSigned, base, path};
    case Type::Kind::kPointer:
      return offset < 8 ? std::optional(LeafAt{Scalar::kI64, false, base, path, true}) : std::nullopt;
    case Type::Kind::kVector: {
      const std::uint64_t step = type.element ? (matrix.rowMajor ? matrix.stride : scalarBytes(type.element->scalar)) : 0;
      if (step == 0 || offset / step >= type.count || offset % step >= scalarBytes(type.element->scalar)) return {};
      return LeafAt{type.element->scalar, type.element->isSigned, base + offset / step * step,
                    path + "." + "xyzwefghijklmnop"[std::min<std::uint64_t>(offset / step, 15)]};
    }
    case Type::Kind::kMatrix: {
      if (!type.element || !type.element->element) return {};
      const std::uint64_t scalar = scalarBytes(type.element->element->scalar);
      if (matrix.stride == 0 || scalar == 0) return {};
      const std::uint64_t major = offset / matrix.stride, minor = offset % matrix.stride / scalar;
      const std::uint64_t column = matrix.rowMajor ? minor : major, row = matrix.rowMajor ? major : minor;
      if (column >= type.count || row >= type.element->count) return {};
      return LeafAt{type.element->element->scalar, false, base + major * matrix.stride + minor * scalar,
                    fmt::format("{}[{}].{}", path, column, "xyzw"[row & 3])};
    }
    case Type::Kind::kArray:
    case Type::Kind::kRuntimeArray:
      if (!type.element || type.stride == 0 || (type.kind == Type::Kind::kArray && offset / type.stride >= type.count)) return {};
      return into(type.element, offset / type.stride, type.stride, matrix);
    case Type::Kind::kStruct:
      for (std::size_t i = type.members.size(); i-- > 0;) {
        const Type::Member& m = type.members[i];
        // A structure without a runtime array has a size: members that cannot contain the byte are skipped.
        const std::uint64_t end = m.type->kind == Type::Kind::kStruct && runtimeStride(*m.type) == 0 ? m.type->laidOutBytes : ~0ull;
        if (offset < m.offset || offset - m.offset >= end) continue;
        const bool isMade = m.name.starts_with('@');  // by glslang, for a buffer of HLSL
        const std::string name = m.name.empty() ? fmt::format("member{}", i) : m.name.substr(isMade ? 1 : 0);
        const std::string own = path.empty() ? name : isMade ? path : path + "." + name;
        if (auto leaf = descend(*m.type, offset - m.offset, {m.matrixStride, m.rowMajor}, base + m.offset, own)) return leaf;
      }
      return {};
    default:
      return {};
  }
}

}  // namespace

std::string typeText(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kScalar:
      return glslScalar(type);
    case Type::Kind::kVector:
      return type.element ? fmt::format("{}vec{}", vectorPrefix(*type.element), type.count) : "?";
    case Type::Kind::kMatrix:
      return type.element && type.element->element
                 ? fmt::format("{}mat{}x{}", vectorPrefix(*type.element->element), type.count, type.element->count)
                 : "?";
    case Type::Kind::kArray:
    case Type::Kind::kRuntimeArray: {
      const std::string inner = type.element ? typeText(*type.element) : "?";
      const std::string own = type.kind == Type::Kind::kArray ? fmt::format("[{}]", type.count) : "[]";
      const std::size_t at = inner.find('[');  // the outer length comes first, as in GLSL
      return at == std::string::npos ? inner + own : inner.substr(0, at) + own + inner.substr(at);
    }
    case Type::Kind::kStruct:
      return "struct";
    case Type::Kind::kPointer:
      return "pointer";
    case Type::Kind::kImage:
      return imageText(type);
    case Type::Kind::kSampler:
      return "sampler";
    case Type::Kind::kSampledImage:
      return type.element ? fmt::format("sampled {}", imageText(*type.element)) : "?";
    default:
      return "?";
  }
}

std::optional<LeafAt> leafAt(const Type& block, std::uint64_t offset) {
  return descend(block, offset, {}, 0, "");
}

ValueType typeOf(Scalar scalar, bool isSigned) {
  using Kind = ValueType::Kind;
  const Kind kind = isFloat(scalar) ? Kind::kFloat : isSigned ? Kind::kSigned : Kind::kUnsigned;
  return {kind, static_cast<std::uint8_t>(scalarBytes(scalar))};
}

}  // namespace lanewise
