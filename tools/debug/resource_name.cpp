#include "tools/debug/resource_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/run/arguments.h"

namespace lanewise {

std::vector<std::string> boundTo(const Job& job, std::size_t dispatch, const Program& program, const std::string& name) {
  const Expected<Slot> slot = parseSlot("", name);
  if (!slot) return {};
  const auto bound = [&](const auto& isNamed) {
    std::vector<std::string> out;
    for (const ir::ResourceDeclaration& r : program.resources)
      for (const Binding& b : job.dispatches[std::min(dispatch, job.dispatches.size() - 1)].bindings)
        if (isNamed(r) && b.set == r.set && b.binding == r.binding && b.element == slot->element && !b.resource.empty() &&
            std::ranges::find(out, b.resource) == out.end())
          out.push_back(b.resource);
    return out;
  };
  if (slot->name.empty()) return bound([&](const auto& r) { return r.set == slot->set && r.binding == slot->binding; });
  const auto isVariable = [&](const auto& r) { return program.module.nameOf(r.variable) == slot->name; };
  const auto isType = [&](const auto& r) { return r.type && program.module.nameOf(r.type->id) == slot->name; };
  const auto hasMember = [&](const auto& r) {
    return r.type && std::ranges::any_of(r.type->members, [&](const Type::Member& m) { return m.name == slot->name; });
  };
  std::vector<std::string> out = bound(isVariable);
  if (out.empty()) out = bound(isType);
  return out.empty() ? bound(hasMember) : out;
}

Error severalBound(const std::string& name, const std::vector<std::string>& resources, const std::string& where) {
  return {Outcome::kBadInput, fmt::format("'{}' may mean the resources {}", name, fmt::join(resources, ", ")), where, "name one of them"};
}

}  // namespace lanewise
