// Whether the names of an expression mean anything at a place, whatever a lane's state is.
#include <fmt/format.h>

#include <algorithm>

#include "model/debug/advice.h"
#include "model/debug/built_ins.h"
#include "model/debug/evaluate.h"

namespace lanewise::debug {
namespace {

bool isKnownName(std::string_view name, const Places& places, std::optional<std::uint32_t> pc) {
  if (std::ranges::find(builtInNames(), name) != builtInNames().end()) return true;
  const SourceVariables& source = places.source();
  const spirv::DebugInfo& debug = source.debug();
  const auto isIt = [&](const spirv::DebugVariable& v) {
    if (v.name == name) return true;
    return v.name.empty() && std::ranges::any_of(debug.types[v.type].members, [&](const auto& m) { return m.name == name; });
  };
  const auto isFunction = [&](const spirv::DebugScope& s) { return s.kind == spirv::DebugScope::Kind::kFunction && s.name == name; };
  if (!pc) return std::ranges::any_of(debug.variables, isIt) || std::ranges::any_of(debug.scopes, isFunction);
  const auto isOne = [&](const SourceVariable& v) { return isIt(source.of(v)); };
  for (const SourceFrame& f : places.frames(*pc)) {
    if (debug.scopes[f.function].name == name) return true;  // "main.cell": a caller's variable may follow
    if (&f == &places.frames(*pc)[0] && std::ranges::any_of(f.variables, isOne)) return true;
  }
  return std::ranges::any_of(source.globals(), isOne);
}

}  // namespace

Status unknownName(const Expression& e, const Places& places, std::optional<std::uint32_t> pc, const Job& job) {
  if (e.kind == Expression::Kind::kName && !isKnownName(e.text, places, pc) && resourceNamed(job.resources, e.text) == job.resources.size())
    return Error{Outcome::kBadInput, fmt::format("there is no variable '{}' there", e.text), fmt::format("column {}", e.column),
                 textOf(Advice::kNames)};
  for (const Expression& part : e.parts)
    if (Status bad = unknownName(part, places, pc, job)) return bad;
  return {};
}

}  // namespace lanewise::debug
