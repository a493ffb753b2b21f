#include "model/spirv/debug_types.h"

#include <fmt/format.h>

namespace lanewise::spirv {
namespace {

constexpr std::uint32_t kMaxTypeDepth = 64;  // of nested types: a module may nest them without end

Scalar integerOf(std::uint32_t bits) {
  return bits == 8 ? Scalar::kI8 : bits == 16 ? Scalar::kI16 : bits == 32 ? Scalar::kI32 : bits == 64 ? Scalar::kI64 : Scalar::kNone;
}
Scalar floatOf(std::uint32_t bits) {
  return bits == 16 ? Scalar::kF16 : bits == 32 ? Scalar::kF32 : bits == 64 ? Scalar::kF64 : Scalar::kNone;
}

Scalar scalarOf(const Instruction& type) {
  if (type.op == spv::Op::OpTypeBool) return Scalar::kBool;
  return type.op == spv::Op::OpTypeInt ? integerOf(type.operand(0)) : floatOf(type.operand(0));
}

}  // namespace

// Reserves a type's place while its parts are made, so that a type that refers to itself ends at "?".
std::uint32_t DebugTypes::made(std::unordered_map<std::uint32_t, std::uint32_t>& known, std::uint32_t id, DebugType type) {
  types_.push_back(std::move(type));
  return known[id] = static_cast<std::uint32_t>(types_.size() - 1);
}

std::uint32_t DebugTypes::ofDebug(std::uint32_t id, std::uint32_t depth) {
  const std::optional<DebugEntry> found = set_.entry(id);
  if (!found || depth > kMaxTypeDepth) return 0;
  const auto [place, isNew] = debug_.try_emplace(id, 0);
  if (!isNew) return place->second;
  const DebugEntry& e = *found;
  using Kind = DebugType::Kind;
  switch (e.op) {
    case NonSemanticShaderDebugInfo100DebugTypeBasic:
      return made(debug_, id, basic(e));
    case NonSemanticShaderDebugInfo100DebugTypeVector:
      return made(debug_, id, several(Kind::kVector, ofDebug(e.operand(0), depth + 1), set_.number(e, 1)));
    case NonSemanticShaderDebugInfo100DebugTypeMatrix:
      return made(debug_, id, several(Kind::kMatrix, ofDebug(e.operand(0), depth + 1), set_.number(e, 1)));
    case NonSemanticShaderDebugInfo100DebugTypeArray:
      return debug_[id] = debugArray(e, depth);
    case NonSemanticShaderDebugInfo100DebugTypePointer: {
      const std::uint32_t to = ofDebug(e.operand(0), depth + 1);
      return made(debug_, id, {Kind::kPointer, types_[to].name + "*", to, 0, {}});
    }
    case NonSemanticShaderDebugInfo100DebugTypeQualifier:
    case NonSemanticShaderDebugInfo100DebugTypeTemplate:
      return debug_[id] = ofDebug(e.operand(0), depth + 1);
    case NonSemanticShaderDebugInfo100DebugTypedef: {
      DebugType named = types_[ofDebug(e.operand(1), depth + 1)];
      named.name = set_.text(e, 0);
      return made(debug_, id, std::move(named));
    }
    case NonSemanticShaderDebugInfo100DebugTypeComposite:
      return made(debug_, id, composite(e, depth));
    case NonSemanticShaderDebugInfo100DebugTypeEnum:
    case NonSemanticShaderDebugInfo100DebugTypeTemplateParameter:
      return made(debug_, id, {Kind::kOther, set_.text(e, 0), 0, 0, {}});
    case NonSemanticShaderDebugInfo100DebugTypeFunction:
      return made(debug_, id, {Kind::kOther, "function", 0, 0, {}});
    default:
      return 0;
  }
}

// Both sets use the same numbers for encodings.
DebugType DebugTypes::basic(const DebugEntry& e) const {
  DebugType type{DebugType::Kind::kBasic, set_.text(e, 0), 0, 0, {}};
  const std::uint32_t bits = set_.number(e, 1);
  switch (set_.number(e, 2)) {
    case NonSemanticShaderDebugInfo100Boolean:
      type.scalar = Scalar::kBool;
      break;
    case NonSemanticShaderDebugInfo100Float:
      type.scalar = floatOf(bits);
      break;
    case NonSemanticShaderDebugInfo100Signed:
    case NonSemanticShaderDebugInfo100SignedChar:
      type.isSigned = true;
      [[fallthrough]];
    case NonSemanticShaderDebugInfo100Unsigned:
    case NonSemanticShaderDebugInfo100UnsignedChar:
      type.scalar = integerOf(bits);
      break;
    default:
      break;
  }
  return type;
}

// The outermost dimension comes first.
std::uint32_t DebugTypes::debugArray(const DebugEntry& e, std::uint32_t depth) {
  std::uint32_t type = ofDebug(e.operand(0), depth + 1);
  for (std::size_t i = e.operands.size(); i-- > 1;) {
    types_.push_back(several(DebugType::Kind::kArray, type, set_.number(e, i)));
    type = static_cast<std::uint32_t>(types_.size() - 1);
  }
  return type;
}

DebugType DebugTypes::composite(const DebugEntry& e, std::uint32_t depth) {
  DebugType type{DebugType::Kind::kComposite, set_.text(e, 0), 0, 0, {}};
  for (std::size_t i = 9; i < e.operands.size(); ++i)  // functions and base classes are among the members
    if (const auto member = set_.entry(e.operands[i]); member && member->op == NonSemanticShaderDebugInfo100DebugTypeMember)
      type.members.push_back({set_.text(*member, 0), ofDebug(member->operand(1), depth + 1)});
  return type;
}

std::uint32_t DebugTypes::ofSpirv(std::uint32_t id, std::uint32_t depth) {
  const Instruction* inst = m_.definition(id);
  if (!inst || depth > kMaxTypeDepth) return 0;
  const auto [place, isNew] = spirv_.try_emplace(id, 0);
  if (!isNew) return place->second;
  return made(spirv_, id, spirvType(*inst, depth));
}

DebugType DebugTypes::spirvType(const Instruction& inst, std::uint32_t depth) {
  using Kind = DebugType::Kind;
  const auto element = [&] { return ofSpirv(inst.operand(0), depth + 1); };
  switch (inst.op) {
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return {Kind::kBasic, scalarName(inst), 0, 0, {}, scalarOf(inst), inst.op == spv::Op::OpTypeInt && inst.operand(1) != 0};
    case spv::Op::OpTypeVector:
      return several(Kind::kVector, element(), inst.operand(1));
    case spv::Op::OpTypeMatrix:
      return several(Kind::kMatrix, element(), inst.operand(1));
    case spv::Op::OpTypeArray: {
      const Instruction* length = m_.definition(inst.operand(1));
      return several(Kind::kArray, element(), length ? length->operand(0) : 0);
    }
    case spv::Op::OpTypeRuntimeArray:
      return several(Kind::kArray, element(), 0);
    case spv::Op::OpTypeStruct:
      return structure(inst, depth);
    case spv::Op::OpTypePointer: {
      const std::uint32_t to = ofSpirv(inst.operand(1), depth + 1);
      return {Kind::kPointer, types_[to].name + "*", to, 0, {}};
    }
    case spv::Op::OpTypeSampler:
      return {Kind::kOther, "sampler", 0, 0, {}};
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampledImage:
      return {Kind::kOther, "image", 0, 0, {}};
    default:
      return types_[0];
  }
}

DebugType DebugTypes::structure(const Instruction& inst, std::uint32_t depth) {
  const auto own = m_.names.find(inst.result);
  const bool hasName = own != m_.names.end() && !own->second.empty();
  DebugType type{DebugType::Kind::kComposite, hasName ? own->second : "struct", 0, 0, {}};
  for (std::uint32_t i = 0; i < inst.operands.size(); ++i) {
    const auto name = m_.memberNames.find({inst.result, i});
    const bool named = name != m_.memberNames.end() && !name->second.empty();
    type.members.push_back({named ? name->second : fmt::format("member{}", i), ofSpirv(inst.operands[i], depth + 1)});
  }
  return type;
}

DebugType DebugTypes::several(DebugType::Kind kind, std::uint32_t element, std::uint32_t count) const {
  DebugType type{kind, {}, element, count, {}};
  const DebugType& one = types_[element];
  type.name = kind == DebugType::Kind::kVector   ? vectorName(one, count)
              : kind == DebugType::Kind::kMatrix ? matrixName(one, count)
                                                 : arrayName(one.name, count);
  return type;
}

std::string DebugTypes::scalarName(const Instruction& inst) const {
  if (inst.op == spv::Op::OpTypeBool) return "bool";
  const std::uint32_t width = inst.operand(0);
  if (inst.op == spv::Op::OpTypeFloat) {
    if (isWgsl()) return fmt::format("f{}", width);
    return width == 16 ? (isHlsl() ? "half" : "float16_t") : width == 64 ? "double" : width == 32 ? "float" : fmt::format("float{}", width);
  }
  const bool isSigned = inst.operand(1) != 0;
  if (isWgsl()) return fmt::format("{}{}", isSigned ? 'i' : 'u', width);
  if (width == 32) return isSigned ? "int" : "uint";
  return fmt::format("{}int{}_t", isSigned ? "" : "u", width);
}

// GLSL's letters before "vec" and "mat"; none: it has no such vectors.
std::optional<std::string_view> DebugTypes::glslPrefix(const DebugType& element) {
  const bool isSigned = element.isSigned;
  switch (element.scalar) {
    case Scalar::kBool:
      return "b";
    case Scalar::kI8:
      return isSigned ? "i8" : "u8";
    case Scalar::kI16:
      return isSigned ? "i16" : "u16";
    case Scalar::kI32:
      return isSigned ? "i" : "u";
    case Scalar::kI64:
      return isSigned ? "i64" : "u64";
    case Scalar::kF16:
      return "f16";
    case Scalar::kF32:
      return "";
    case Scalar::kF64:
      return "d";
    default:
      return {};
  }
}

std::string DebugTypes::vectorName(const DebugType& element, std::uint32_t count) const {
  if (isHlsl()) return fmt::format("{}{}", element.name, count);
  const std::optional<std::string_view> prefix = isWgsl() ? std::nullopt : glslPrefix(element);
  return prefix ? fmt::format("{}vec{}", *prefix, count) : fmt::format("vec{}<{}>", count, element.name);
}

// GLSL names a matrix by columns x rows, HLSL by rows x columns. Each HLSL row is one of SPIR-V's columns.
std::string DebugTypes::matrixName(const DebugType& column, std::uint32_t count) const {
  const DebugType& scalar = types_[column.element];
  if (isWgsl()) return fmt::format("mat{}x{}<{}>", count, column.count, scalar.name);
  if (isHlsl()) return fmt::format("{}{}x{}", scalar.name, count, column.count);
  const std::string_view prefix = glslPrefix(scalar).value_or("");
  return count == column.count ? fmt::format("{}mat{}", prefix, count) : fmt::format("{}mat{}x{}", prefix, count, column.count);
}

std::string DebugTypes::arrayName(const std::string& element, std::uint32_t count) const {
  if (isWgsl()) return count == 0 ? fmt::format("array<{}>", element) : fmt::format("array<{}, {}>", element, count);
  const std::string own = count == 0 ? "[]" : fmt::format("[{}]", count);
  const std::size_t inner = element.find('[');  // an array of arrays: the outer length comes first
  return inner == std::string::npos ? element + own : element.substr(0, inner) + own + element.substr(inner);
}

}  // namespace lanewise::spirv
