#include "tools/debug/resource_name.h"

#include <algorithm>

#include "tools/run/arguments.h"

namespace lanewise {

std::string boundTo(const Job& job, std::size_t dispatch, const Program& program, const std::string& name) {
  const Expected<Slot> slot = parseSlot("", name);
  if (!slot) return "";
  const auto bound = [&](const auto& isNamed) -> std::string {
    for (const ir::ResourceDeclaration& r : program.resources)
      if (isNamed(r))
        for (const Binding& b : job.dispatches[std::min(dispatch, job.dispatches.size() - 1)].bindings)
          if (b.set == r.set && b.binding == r.binding && b.element == slot->element) return b.resource;
    return "";
  };
  if (slot->name.empty()) return bound([&](const auto& r) { return r.set == slot->set && r.binding == slot->binding; });
  const auto hasName = [&](const auto& r) {
    return program.module.nameOf(r.variable) == slot->name || (r.type && program.module.nameOf(r.type->id) == slot->name);
  };
  const auto hasMember = [&](const auto& r) {
    return r.type && std::ranges::any_of(r.type->members, [&](const Type::Member& m) { return m.name == slot->name; });
  };
  const std::string own = bound(hasName);
  return own.empty() ? bound(hasMember) : own;
}

}  // namespace lanewise
