// A path as text, in the source language's words.
#include "model/ir/path_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/ir/path.h"
#include "model/ir/program.h"

namespace lanewise {
namespace {

using ir::PathStep;
using Layout = PathStep::Layout;

std::string index(std::uint64_t i) {
  return fmt::format("[{}]", i);
}

std::string memberName(const Type& type, std::size_t i) {
  const std::string& name = type.members[i].name;
  // glslang's own: the elements of a buffer of HLSL. An only member without a name is that of DXC, Slang and naga.
  if (name.starts_with('@') || (name.empty() && type.members.size() == 1)) return "";
  return name.empty() ? fmt::format(".{}", i) : fmt::format(".{}", name);
}

std::uint64_t sizeOf(const Type& type, Layout layout, MatrixLayout matrix) {
  if (layout == Layout::kScalars) return type.leaves;
  return layout == Layout::kNatural ? type.naturalSize : laidOutSize(type, matrix);
}

std::uint64_t memberStart(const Type::Member& m, Layout layout) {
  return layout == Layout::kScalars ? m.firstLeaf : layout == Layout::kNatural ? m.naturalOffset : m.offset;
}

std::uint64_t strideOf(const Type& type, Layout layout) {
  if (layout == Layout::kScalars) return type.element->leaves;
  if (layout == Layout::kNatural) return type.element->naturalStride();
  return type.kind == Type::Kind::kVector ? scalarBytes(type.element->scalar) : type.stride;
}

std::string distance(std::uint64_t bytes) {
  return bytes == 0 ? "" : fmt::format("+{}", bytes);
}

std::string below(const Type& type, Layout layout, MatrixLayout matrix, std::uint64_t offset);

// The last member that begins at or before the offset.
std::optional<std::size_t> memberAt(const Type& type, Layout layout, std::uint64_t offset) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < type.members.size(); ++i)
    if (const std::uint64_t start = memberStart(type.members[i], layout);
        start <= offset && (!found || start >= memberStart(type.members[*found], layout)))
      found = i;
  return found;
}

std::string member(const Type& type, Layout layout, std::uint64_t offset) {
  const std::optional<std::size_t> found = memberAt(type, layout, offset);
  if (!found) return distance(offset);
  const Type::Member& m = type.members[*found];
  return memberName(type, *found) + below(*m.type, layout, {m.matrixStride, m.rowMajor}, offset - memberStart(m, layout));
}

// A matrix with explicit layout: its columns, or its rows, are apart by its stride.
std::string matrixElement(const Type& type, MatrixLayout matrix, std::uint64_t offset) {
  if (matrix.stride == 0) return distance(offset);
  const std::uint64_t scalar = scalarBytes(type.element->element->scalar);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a matrix has a component type
  const std::uint64_t line = offset / matrix.stride, inside = offset % matrix.stride / scalar;
  const std::uint64_t column = matrix.rowMajor ? inside : line, row = matrix.rowMajor ? line : inside;
  if (column >= type.count || row >= type.element->count) return distance(offset);
  return index(column) + index(row);
}

// What lies `offset` behind the start of an object: members, elements and components; the rest as a distance.
std::string below(const Type& type, Layout layout, MatrixLayout matrix, std::uint64_t offset) {
  switch (type.kind) {
    case Type::Kind::kStruct:
      return member(type, layout, offset);
    case Type::Kind::kMatrix:
      if (layout == Layout::kExplicit) return matrixElement(type, matrix, offset);
      [[fallthrough]];
    case Type::Kind::kVector:
    case Type::Kind::kArray:
    case Type::Kind::kRuntimeArray: {
      const std::uint64_t stride = strideOf(type, layout), i = stride == 0 ? 0 : offset / stride;
      if (stride == 0 || (type.count != 0 && i >= type.count)) return distance(offset);
      if (type.kind == Type::Kind::kVector) return fmt::format(".{}", "xyzw"[std::min<std::uint64_t>(i, 3)]);
      return index(i) + below(*type.element, layout, matrix, offset - i * stride);
    }
    default:
      return offset < sizeOf(type, layout, matrix) ? "" : distance(offset);
  }
}

std::vector<const PathStep*> stepsOf(const Program& program, std::uint32_t path) {
  std::vector<const PathStep*> steps;
  for (; path != 0; path = program.paths[path].before) steps.push_back(&program.paths[path]);
  std::ranges::reverse(steps);
  return steps;
}

bool isNamed(const Program& program, std::uint32_t id) {
  const auto name = program.module.names.find(id);
  return name != program.module.names.end() && !name->second.empty();
}

// What the author of a block without a name calls a member: a variable. Empty: it has no name.
std::string asVariable(const Type& type, std::size_t i) {
  const std::string& name = type.members[i].name;
  return name.starts_with('@') ? "" : name;
}

// What the module says, and the first indices as they are when it runs. A pointer that is a value has its own name, or that of where it was
// loaded from, or of its block.
PlaceName saidName(const Program& program, std::uint32_t path, std::span<const std::int64_t> indices = {}) {
  const std::vector<const PathStep*> steps = stepsOf(program, path);
  const PathStep& root = *steps[0];
  PlaceName name{variableText(program, root.id), ""};
  const Type* at = root.type;
  std::size_t said = 1;
  if (!isNamed(program, root.id)) {
    if (root.from != 0)
      name = saidName(program, root.from);
    else if (root.kind == PathStep::Kind::kPointer && isNamed(program, root.type->id))
      name.variable = program.module.nameOf(root.type->id);
    const bool isMember = root.kind == PathStep::Kind::kVariable && steps.size() > 1 && steps[1]->kind == PathStep::Kind::kMember;
    if (std::string own = isMember ? asVariable(*at, steps[1]->number) : ""; !own.empty()) {
      name.variable = std::move(own);
      at = steps[said++]->type;
    }
  }
  const auto indexText = [&](const PathStep& step) {
    if (!step.isDynamic) return index(step.number);
    if (indices.empty()) return fmt::format("[{}]", program.module.nameOf(step.id));
    const std::int64_t value = indices.front();
    indices = indices.subspan(1);
    return fmt::format("[{}]", value);
  };
  for (const PathStep* step : std::span(steps).subspan(said)) {
    name.part += step->kind == PathStep::Kind::kMember ? memberName(*at, step->number) : indexText(*step);
    at = step->type;
  }
  return name;
}

}  // namespace

const PathStep* rootOf(const Program& program, std::uint32_t path) {
  if (path == 0) return nullptr;
  while (program.paths[path].before != 0) path = program.paths[path].before;
  return &program.paths[path];
}

std::optional<MemoryRange> leavable(const Program& program, std::uint32_t pc) {
  if (program.info[pc].path == 0) return {};
  const std::vector<const PathStep*> steps = stepsOf(program, program.info[pc].path);
  const PathStep& root = *steps[0];
  const auto neighbour = [](const PathStep* s) { return s->kind == PathStep::Kind::kElement && s->count == 0; };
  if (root.kind != PathStep::Kind::kVariable || std::ranges::none_of(steps, neighbour)) return {};
  return MemoryRange{root.start, sizeOf(*root.type, root.layout, root.matrix)};
}

std::string variableText(const Program& program, std::uint32_t id) {
  const auto found = std::ranges::find(program.resources, id, &ir::ResourceDeclaration::variable);
  if (id == 0) return "";
  return isNamed(program, id) || found == program.resources.end() ? program.module.nameOf(id)
                                                                  : fmt::format("{}:{}", found->set, found->binding);
}

PlaceName indexedName(const Program& program, std::uint32_t path, std::span<const std::int64_t> indices) {
  return saidName(program, path, indices);
}

std::string accessedName(const Program& program, std::uint32_t pc) {
  return pc < program.info.size() && program.info[pc].path != 0 ? saidName(program, program.info[pc].path).variable : "";
}

PlaceName pathName(const Program& program, std::uint32_t pc, std::uint64_t offset, std::uint32_t element) {
  if (pc >= program.info.size() || program.info[pc].path == 0) return {};
  const std::vector<const PathStep*> steps = stepsOf(program, program.info[pc].path);
  const PathStep& root = *steps[0];
  std::string text;
  if (root.kind == PathStep::Kind::kPointer) return saidName(program, program.info[pc].path);
  const Type* type = root.type;
  for (const PathStep* step : steps)
    if (step->kind == PathStep::Kind::kDescriptor) {
      text += index(step->isDynamic ? element : step->number);
      type = step->type;
    }
  if (offset < root.start) return {};
  const bool nameless = root.layout != Layout::kScalars && type->kind == Type::Kind::kStruct && !isNamed(program, root.id);
  text += below(*type, root.layout, root.matrix, offset - root.start);
  const std::string own = nameless && text.starts_with('.') ? asVariable(*type, *memberAt(*type, root.layout, offset - root.start)) : "";
  return own.empty() ? PlaceName{variableText(program, root.id), text} : PlaceName{own, text.substr(1 + own.size())};
}

}  // namespace lanewise
