// What the places of debug information mean: functions, calls that a compiler inlined, and lines of the source.
#include <algorithm>

#include "model/spirv/debug_info.h"

namespace lanewise::spirv {

DebugPlace DebugInfo::placeOf(std::uint32_t instruction) const {
  const auto after = std::ranges::upper_bound(places, instruction, {}, &std::pair<std::uint32_t, DebugPlace>::first);
  return std::prev(after)->second;
}

std::uint32_t DebugInfo::functionOf(std::uint32_t scope) const {
  while (scope != 0 && scopes[scope].kind != DebugScope::Kind::kFunction) scope = scopes[scope].parent;
  return scope;
}

std::vector<DebugFrame> DebugInfo::frames(std::uint32_t instruction, SourceLine line) const {
  DebugPlace place = placeOf(instruction);
  std::vector<DebugFrame> out{{place, functionOf(place.scope), line}};
  while (place.inlinedAt != 0) {
    const DebugInlinedAt& call = inlined[place.inlinedAt];
    place = {call.scope, call.inlinedAt};
    out.push_back({place, functionOf(place.scope), call.call});
  }
  return out;
}

bool DebugInfo::isWithin(std::uint32_t inner, std::uint32_t outer) const {
  while (inner != 0 && inner != outer) inner = scopes[inner].parent;
  return inner == outer;
}

std::optional<std::string_view> DebugInfo::lineOf(SourceLine line) const {
  for (const DebugSource& s : sources) {
    if (s.file != line.file || line.line == 0) continue;
    std::string_view text = s.text;
    for (std::uint32_t n = 1; n < line.line && !text.empty(); ++n) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (!text.empty()) return text.substr(0, text.find('\n'));
  }
  return {};
}

}  // namespace lanewise::spirv
