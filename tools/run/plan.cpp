#include "tools/run/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/run/resources.h"

namespace lanewise {
namespace {

Error bad(std::string what, std::string where, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), std::move(where), std::move(hint)};
}

Expected<const InterfaceEntry*> chooseEntry(const RunRequest& r, const Interface& interface) {
  if (interface.entries.empty()) return bad("the module has no compute entry point", r.module->name);
  if (r.entry.empty() && interface.entries.size() == 1) return interface.entries.data();
  const InterfaceEntry* entry = interface.entry(r.entry.empty() ? "main" : r.entry);
  std::string names;
  for (const InterfaceEntry& e : interface.entries) names += (names.empty() ? "" : ", ") + e.name;
  if (!entry)
    return bad(fmt::format("no compute entry point named '{}'", r.entry.empty() ? "main" : r.entry), r.module->name, "--entry " + names);
  return entry;
}

// What the module declares at a slot: by numbers or by name. The slot gets its numbers.
Expected<const InterfaceBinding*> declaredAt(const InterfaceEntry& entry, Slot& slot, const char* option) {
  const InterfaceBinding* found = nullptr;
  std::string names;
  for (const InterfaceBinding& b : entry.bindings) {
    names += (names.empty() ? "it uses " : ", ") + b.text();
    const bool here = slot.name.empty() ? b.set == slot.set && b.binding == slot.binding : b.name == slot.name;
    if (here && found) return bad(fmt::format("two bindings are named '{}'", slot.name), option, names);
    if (here) found = &b;
  }
  if (!found)
    return bad(fmt::format("entry point '{}' uses no binding {}", entry.name, slot.text()), option, names.empty() ? "it uses none" : names);
  if (slot.element != 0 && (!found->array || (found->count != 0 && slot.element >= found->count)))
    return bad(fmt::format("binding {} has {}", found->text(),
                           found->array ? fmt::format("{} descriptors, the first is 0", found->count) : "one descriptor, no array"),
               fmt::format("{} {}", option, slot.text()));
  slot.set = found->set;
  slot.binding = found->binding;
  slot.name.clear();
  return found;
}

class Planner {
 public:
  Planner(const RunRequest& request, RunPlan& plan) : r_(request), plan_(plan) {}

  Status run() {
    Dispatch d;
    d.module = r_.module;
    if (Status wrong = readModule(d)) return wrong;
    if (!r_.groups.empty()) {
      const Expected<Extent3> groups = parseGroups("--groups", r_.groups);
      if (!groups) return groups.error();
      d.groups = *groups;
    }
    plan_.job.dispatches.push_back(std::move(d));
    plan_.job.subgroupSize = r_.subgroupSize;
    plan_.job.limits = r_.limits;
    if (Status wrong = pushConstants()) return wrong;
    ResourceSet resources(*plan_.entry, r_.zero, plan_.notes);
    if (Status wrong = gather(resources)) return wrong;
    if (Status wrong = resources.build(plan_.job)) return wrong;
    collectOutputs(resources);
    return std::nullopt;
  }

 private:
  Status readModule(Dispatch& d) {
    Expected<Interface> plain = readInterface(*r_.module);
    if (!plain) return plain.error();
    Expected<std::vector<SpecConstant>> spec = parseSpec(r_.spec, *plain);
    if (!spec) return spec.error();
    Expected<Interface> interface = readInterface(*r_.module, *spec);
    if (!interface) return interface.error();
    plan_.interface = std::make_shared<Interface>(std::move(*interface));
    const Expected<const InterfaceEntry*> entry = chooseEntry(r_, *plan_.interface);
    if (!entry) return entry.error();
    plan_.entry = *entry;
    d.spec = std::move(*spec);
    d.entryPoint = plan_.entry->name;
    return std::nullopt;
  }

  Status pushConstants() {
    Expected<std::vector<std::byte>> push = parsePush(r_.push);
    if (!push) return push.error();
    const InterfaceEntry& e = *plan_.entry;
    if (push->size() < e.pushBytes)
      return bad(fmt::format("{} bytes of push constants are given, the module reads {}", push->size(), e.pushBytes), "--push",
                 "--push VALUES or --push @FILE; the block is " + blockText(*e.push));
    if (push->size() > (e.pushBytes + 15) / 16 * 16)
      return bad(fmt::format("{} bytes of push constants are given, the module reads {}", push->size(), e.pushBytes), "--push",
                 e.push ? "the block is " + blockText(*e.push) : "it has no push constants");
    plan_.job.dispatches[0].push = std::move(*push);
    return std::nullopt;
  }

  Status gather(ResourceSet& resources) {
    for (const std::string& text : r_.buffers) {
      Expected<BufferArgument> argument = parseBufferArgument(text);
      if (!argument) return argument.error();
      const Expected<const InterfaceBinding*> binding = declaredAt(*plan_.entry, argument->slot, "--buffer");
      if (!binding) return binding.error();
      if (argument->source.kind == Source::Kind::kSame)
        if (const auto other = declaredAt(*plan_.entry, argument->source.same, "--buffer"); !other) return other.error();
      if (Status wrong = resources.add(**binding, std::move(*argument))) return wrong;
    }
    for (const std::string& text : r_.images) {
      Expected<ImageArgument> argument = parseImageArgument(text);
      if (!argument) return argument.error();
      const Expected<const InterfaceBinding*> binding = declaredAt(*plan_.entry, argument->slot, "--image");
      if (!binding) return binding.error();
      if (argument->source.kind == Source::Kind::kSame)
        if (const auto other = declaredAt(*plan_.entry, argument->source.same, "--image"); !other) return other.error();
      if (Status wrong = resources.add(**binding, std::move(*argument))) return wrong;
    }
    for (const std::string& text : r_.outs) {
      Expected<OutArgument> argument = parseOutArgument(text);
      if (!argument) return argument.error();
      const Expected<const InterfaceBinding*> binding = declaredAt(*plan_.entry, argument->slot, "--out");
      if (!binding) return binding.error();
      if (Status wrong = resources.add(**binding, std::move(*argument))) return wrong;
    }
    return std::nullopt;
  }

  // In the order of the job's resources.
  void collectOutputs(const ResourceSet& resources) {
    for (const Resource& resource : plan_.job.resources) {
      if (!resource.output) continue;
      const ResourceSet::Entry& entry = *resources.find(resource.name);
      plan_.outputs.push_back({entry.slot, entry.binding, entry.outs});
    }
  }

  const RunRequest& r_;
  RunPlan& plan_;
};

}  // namespace

Expected<RunPlan> planRun(const RunRequest& request) {
  RunPlan plan;
  if (Status wrong = Planner(request, plan).run()) return *wrong;
  return plan;
}

std::string blockText(const Type& block) {
  std::string members;
  for (const Type::Member& m : block.members) {
    if (members.size() > 200) {
      members += ", ...";
      break;
    }
    members += fmt::format("{}{} {}", members.empty() ? "" : ", ", typeText(*m.type), m.name);
  }
  return fmt::format("{} bytes: {}", blockBytes(block), members);
}

}  // namespace lanewise
