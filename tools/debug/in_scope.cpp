#include "tools/debug/in_scope.h"

#include <algorithm>

#include "tools/debug/variable_text.h"

namespace lanewise {

std::vector<NamedValue> localsOf(const debug::Scope& scope) {
  const SourceVariables& source = scope.places->source();
  const std::vector<SourceFrame>& frames = scope.places->frames(scope.pc);
  std::vector<NamedValue> out;
  if (scope.frame >= frames.size()) return out;
  for (const SourceVariable& v : frames[scope.frame].variables)
    if (!v.isHidden && !source.of(v).isMade) out.push_back({source.of(v).name, source.read(v, scope.lane), source.isParameter(v)});
  return out;
}

std::vector<NamedValue> madeOf(const debug::Scope& scope) {
  const SourceVariables& source = scope.places->source();
  const std::vector<SourceFrame>& frames = scope.places->frames(scope.pc);
  std::vector<NamedValue> out;
  if (scope.frame >= frames.size()) return out;
  for (const SourceVariable& v : frames[scope.frame].variables) {
    const std::string& name = source.of(v).name;
    if (!v.isHidden && source.of(v).isMade && !name.empty() && name[0] != '%') out.push_back({name, source.read(v, scope.lane), false});
  }
  return out;
}

bool describesLocals(const debug::Places& places) {
  return std::ranges::any_of(places.source().debug().variables,
                             [](const spirv::DebugVariable& v) { return !v.name.empty() && !v.isGlobal; });
}

std::vector<NamedValue> globalsOf(const debug::Scope& scope) {
  const SourceVariables& source = scope.places->source();
  std::vector<NamedValue> out;
  for (const SourceVariable& v : source.globals()) {
    const LaneValue value = source.read(v, scope.lane);
    if (source.of(v).isMade) continue;
    if (!source.of(v).name.empty()) out.push_back({source.of(v).name, value});
    for (std::uint64_t i = 0; source.of(v).name.empty() && i < value.count(); ++i)
      out.push_back({partText(value, i).substr(1), value.part(i)});
  }
  return out;
}

std::optional<NamedValue> scalarAt(const NamedValue& v, std::uint64_t byte) {
  const LaneValue& value = v.value;
  if (value.isScalar()) {
    const std::uint64_t size = std::max(1u, scalarBytes(value.scalar().type));
    return value.byte() <= byte && byte - value.byte() < size ? std::optional(v) : std::nullopt;
  }
  const auto inPart = [&](std::uint64_t i) { return scalarAt({v.name + partText(value, i), value.part(i), v.isParameter}, byte); };
  const Type* type = value.type();
  std::optional<NamedValue> found;
  if (type && (type->kind == Type::Kind::kVector || type->kind == Type::Kind::kMatrix)) {  // a matrix may lie in memory by rows
    for (std::uint64_t i = 0; !found && i < value.count(); ++i) found = inPart(i);
    return found;
  }
  std::optional<std::uint64_t> part = value.partAt(byte);
  for (std::uint64_t i = 0; value.isOwn() && i < value.count() && value.part(i).byte() <= byte; ++i) part = i;
  return part ? inPart(*part) : found;
}

}  // namespace lanewise
