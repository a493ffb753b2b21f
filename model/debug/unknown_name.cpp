// Whether the names of an expression mean anything at a place, whatever a lane's state is.
#include <fmt/format.h>

#include <algorithm>

#include "model/debug/built_ins.h"
#include "model/debug/evaluate.h"

namespace lanewise::debug {
namespace {

bool isKnownName(std::string_view name, const Places& places, std::uint32_t pc) {
  if (std::ranges::find(builtInNames(), name) != builtInNames().end()) return true;
  const SourceVariables& source = places.source();
  const spirv::DebugInfo& debug = source.debug();
  const auto isIt = [&](const SourceVariable& v) {
    if (source.of(v).name == name) return true;
    const auto& members = debug.types[source.of(v).type].members;
    return source.of(v).name.empty() && std::ranges::find(members, name, &spirv::DebugType::Member::name) != members.end();
  };
  for (const SourceFrame& f : places.frames(pc)) {
    if (debug.scopes[f.function].name == name) return true;  // "main.cell": a caller's variable may follow
    if (&f == &places.frames(pc)[0] && std::ranges::any_of(f.variables, isIt)) return true;
  }
  return std::ranges::any_of(source.globals(), isIt);
}

}  // namespace

Status unknownName(const Expression& e, const Places& places, std::uint32_t pc, const Job& job) {
  if (e.kind == Expression::Kind::kName && !isKnownName(e.text, places, pc) && resourceNamed(job.resources, e.text) == job.resources.size())
    return Error{Outcome::kBadInput, fmt::format("there is no variable '{}' there", e.text), fmt::format("column {}", e.column),
                 "`info locals` and `info globals` name those of a place"};
  for (const Expression& part : e.parts)
    if (Status bad = unknownName(part, places, pc, job)) return bad;
  return {};
}

}  // namespace lanewise::debug
