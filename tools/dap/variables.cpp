#include "tools/dap/variables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/debug/built_ins.h"
#include "tools/dap/memory.h"
#include "tools/debug/in_scope.h"
#include "tools/debug/text.h"
#include "tools/debug/variable_text.h"

namespace lanewise::dap {
namespace {

bool isArray(const LaneValue& value) {
  const Type::Kind kind = value.type() ? value.type()->kind : Type::Kind::kStruct;
  return kind != Type::Kind::kStruct && kind != Type::Kind::kVector;
}

debug::Value whole(const LaneValue& v) {
  debug::Value out;
  out.variable = v;
  return out;
}

}  // namespace

std::int64_t Variables::add(List list) {
  lists_.push_back(std::move(list));
  return static_cast<std::int64_t>(lists_.size());
}

std::optional<debug::Value> Variables::valueOf(const std::string& name, Frame of) {
  const Expected<debug::Expression> e = debug::parseExpression(name);
  if (!e) return {};
  Expected<debug::Value> v = s_.evaluate(*e, of.at, of.frame);
  return v ? std::optional(std::move(*v)) : std::nullopt;
}

// The members of one of the lists that a frame has.
std::vector<Variables::Member> Variables::scope(const List& list) {
  const Expected<debug::Scope> scope = s_.scope(list.of.at, list.of.frame);
  std::vector<Member> out;
  if (!scope) return out;
  const auto take = [&](const std::vector<NamedValue>& all, const auto& isOne) {
    for (const NamedValue& v : all)
      if (isOne(v)) out.push_back({v.name, v.name, valueOf(v.name, list.of).value_or(whole(v.value)), list.of});
  };
  using Home = LaneValue::Home;
  const auto isResource = [](const NamedValue& v) {
    return !v.value.isWorkgroupMemory() && (v.value.home() == Home::kMemory || v.value.home() == Home::kOpaque);
  };
  switch (list.kind) {
    case Kind::kArguments:
      take(localsOf(*scope), [](const NamedValue& v) { return v.isParameter; });
      break;
    case Kind::kLocals:
      take(localsOf(*scope), [](const NamedValue& v) { return !v.isParameter; });
      break;
    case Kind::kWorkgroup:
      take(globalsOf(*scope), [](const NamedValue& v) { return v.value.isWorkgroupMemory(); });
      break;
    case Kind::kResources:
      take(globalsOf(*scope), isResource);
      break;
    case Kind::kGlobals:
      take(globalsOf(*scope), [&](const NamedValue& v) {
        const bool isBuiltIn = std::ranges::find(debug::builtInNames(), v.name) != debug::builtInNames().end();
        return !v.value.isWorkgroupMemory() && !isResource(v) && !isBuiltIn;
      });
      break;
    case Kind::kBuiltIns:
      for (const std::string_view builtIn : debug::builtInNames()) {
        const std::string name(builtIn);
        out.push_back({name, name, valueOf(name, list.of), list.of});
      }
      break;
    default:  // kLanes: what all invocations are asked for
      for (const NamedValue& v : localsOf(*scope))
        if (const auto value = valueOf(v.name, list.of); value && value->tuple) {
          Member m{v.name, "", {}, list.of};
          m.indexed = s_.invocations().size();
          m.reference = add({Kind::kLane, list.of, v.name, {}, {}});
          out.push_back(std::move(m));
        }
  }
  return out;
}

Expected<std::vector<Json>> Variables::scopes(Frame of) {
  const Expected<debug::Scope> here = s_.scope(of.at, of.frame);
  if (!here) return here.error();
  struct Row {
    Kind kind;
    const char *name, *hint;
    bool isExpensive;
  };
  std::vector<Json> out;
  for (const Row& row : {Row{Kind::kArguments, "Arguments", "arguments", false}, Row{Kind::kLocals, "Locals", "locals", false},
                         Row{Kind::kWorkgroup, "Workgroup memory", "", false}, Row{Kind::kResources, "Resources", "", false},
                         Row{Kind::kGlobals, "Globals", "globals", false}, Row{Kind::kBuiltIns, "Built-ins", "", false},
                         Row{Kind::kLanes, "Lanes", "", true}}) {
    List list{row.kind, of, "", {}, {}};
    const std::size_t before = lists_.size();
    const std::size_t count = scope(list).size();
    lists_.resize(before, list);  // those of the members are asked for when they are shown
    if (count == 0 && row.kind != Kind::kLocals) continue;
    Json one{{"name", row.name}, {"variablesReference", add(std::move(list))}, {"namedVariables", count}, {"expensive", row.isExpensive}};
    if (*row.hint) one["presentationHint"] = row.hint;
    out.push_back(std::move(one));
  }
  return out;
}

std::uint64_t Variables::countOf(const List& list) {
  if (list.kind == Kind::kLane) return s_.invocations().size();
  if (list.kind == Kind::kParts) return list.value->count();
  const Expected<debug::Scope> scope = s_.scope(list.of.at, list.of.frame);
  const std::vector<std::uint32_t> texels = scope ? debug::texelsOf(*list.value, scope->lane) : std::vector<std::uint32_t>{};
  return list.row.size() < texels.size() ? texels[texels.size() - 1 - list.row.size()] : 0;
}

// A texel of the row, or a row of what is around it.
Variables::Member Variables::texel(const List& list, std::uint64_t i) {
  std::vector<std::uint64_t> at = list.row;
  at.push_back(i);
  const Expected<debug::Scope> scope = s_.scope(list.of.at, list.of.frame);
  const std::size_t coordinates = scope ? debug::texelsOf(*list.value, scope->lane).size() : 0;
  Member m{fmt::format("[{}]", i), "", {}, list.of};
  if (at.size() < coordinates) {
    List inner{Kind::kTexels, list.of, list.name, list.value, at};
    m.shown = fmt::format("{} {}", at.size() + 1 == coordinates ? "row" : "layer", i);
    m.indexed = countOf(inner);
    m.reference = add(std::move(inner));
  } else {
    std::ranges::reverse(at);
    m.name = fmt::format("{}[{}]", list.name, fmt::join(at, ", "));
    m.value = valueOf(m.name, list.of);
  }
  return m;
}

Variables::Member Variables::member(const List& list, std::uint64_t i) {
  if (list.kind == Kind::kTexels) return texel(list, i);
  if (list.kind == Kind::kLane) {
    const Extent3 at = s_.invocations()[i];
    return {invocationText(at), list.name, valueOf(list.name, {at, at == list.of.at ? list.of.frame : 0}), {at, 0}};
  }
  const std::string suffix = partText(*list.value, i), name = list.name + suffix;
  return {suffix.starts_with('.') ? suffix.substr(1) : suffix, name, valueOf(name, list.of).value_or(whole(list.value->part(i))), list.of};
}

Json Variables::told(const char* field, const std::string& name, const debug::Value& value, Frame of, bool hex) {
  Json out{{field, valueText(value, hex)}, {"type", typeText(value, hex)}, {"variablesReference", 0}};
  if (value.region && isReadable(*value.region)) out["memoryReference"] = addressText(*value.region);
  if (!value.variable || value.variable->isGone()) return out;
  const LaneValue shown = value.variable->isAddress() ? value.variable->pointee() : asWritten(*value.variable);
  if (shown.isGone() || shown.isScalar()) return out;
  List list{shown.count() != 0 ? Kind::kParts : Kind::kTexels, of, name, shown, {}};
  const std::uint64_t count = countOf(list);
  if (count == 0) return out;
  out[list.kind == Kind::kTexels || isArray(*list.value) ? "indexedVariables" : "namedVariables"] = count;
  out["variablesReference"] = add(std::move(list));
  return out;
}

Expected<Json> Variables::list(Arguments a) {
  const auto reference = static_cast<std::size_t>(a.number("variablesReference"));
  const auto start = static_cast<std::uint64_t>(a.numberOr("start", 0, 0, std::numeric_limits<std::int64_t>::max()));
  const auto asked = static_cast<std::uint64_t>(a.numberOr("count", 0, 0, std::numeric_limits<std::int64_t>::max()));
  const std::string filter = a.textOr("filter");
  const bool hex = a.inner("format").flagOr("hex", false);
  if (a.bad()) return *a.bad();
  if (reference == 0 || reference > lists_.size())
    return Error{Outcome::kBadInput, fmt::format("there is no list {} of variables: the run went on", reference), "", ""};
  const List list = lists_[reference - 1];
  const bool isScope = list.kind < Kind::kLane;
  const bool isIndexed = list.kind == Kind::kLane || list.kind == Kind::kTexels || (list.kind == Kind::kParts && isArray(*list.value));
  std::vector<Member> all = isScope ? scope(list) : std::vector<Member>();
  const std::uint64_t count = filter == (isIndexed ? "named" : "indexed") ? 0 : isScope ? all.size() : countOf(list);
  const std::uint64_t first = std::min(start, count), most = std::min(asked == 0 ? count : asked, kMostAtOnce);
  const std::uint64_t last = first + std::min(count - first, most);
  Json out = Json::array();
  for (std::uint64_t i = first; i < last; ++i) {
    const Member m = isScope ? std::move(all[i]) : member(list, i);
    Json one = m.value ? told("value", m.name, *m.value, m.of, hex)
                       : Json{{"value", m.reference != 0 ? "" : "-"}, {"variablesReference", m.reference}};
    one["name"] = m.shown;
    if (m.indexed != 0) one["indexedVariables"] = m.indexed;
    if (!m.name.empty() && m.of.at == list.of.at) one["evaluateName"] = m.name;
    out.push_back(std::move(one));
  }
  if (asked == 0 && last < count)
    out.push_back({{"name", "..."}, {"value", fmt::format("{} of {}", last - first, count)}, {"variablesReference", 0}});
  return Json{{"variables", std::move(out)}};
}

std::optional<std::pair<std::string, Frame>> Variables::named(std::int64_t reference, const std::string& name) const {
  if (reference <= 0 || static_cast<std::size_t>(reference) > lists_.size()) return {};
  const List& list = lists_[static_cast<std::size_t>(reference) - 1];
  if (list.kind == Kind::kLane) {
    for (const Extent3& at : s_.invocations())
      if (invocationText(at) == name) return std::pair(list.name, Frame{at, 0});
    return {};
  }
  if (list.kind == Kind::kTexels) {
    std::vector<std::uint64_t> outer = list.row;
    std::ranges::reverse(outer);
    const std::string x = name.size() > 2 && name[0] == '[' ? name.substr(1, name.size() - 2) : name;
    return std::pair(fmt::format("{}[{}{}{}]", list.name, x, outer.empty() ? "" : ", ", fmt::join(outer, ", ")), list.of);
  }
  if (list.kind != Kind::kParts) return std::pair(name, list.of);
  return std::pair(list.name + (name.starts_with('[') ? "" : ".") + name, list.of);
}

}  // namespace lanewise::dap
