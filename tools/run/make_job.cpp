#include "tools/run/make_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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

// The file that a name refers to, with links and dots resolved.
std::string realFile(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, failed), failed);
  return failed ? name : path.string();
}

class Planner {
 public:
  Planner(const RunRequest& request, RunJob& plan) : r_(request), plan_(plan) {}

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
    plan_.resources = std::make_shared<ResourceSet>(*plan_.entries[0], r_.zero);
    if (Status wrong = gather()) return wrong;
    if (Status wrong = pushConstants()) return wrong;
    if (Status wrong = plan_.resources->build(plan_.job)) return wrong;
    if (Status wrong = collectOutputs()) return wrong;
    plan_.notes = plan_.resources->notes();
    plan_.notes.insert(plan_.notes.begin(), notes_.begin(), notes_.end());
    return std::nullopt;
  }

 private:
  Status readModule(Dispatch& d) {
    Expected<Interface> plain = readInterface(*r_.module);
    if (!plain) return plain.error();
    Expected<std::vector<SpecConstant>> spec = parseSpec(r_.spec, *plain, &notes_);
    if (!spec) return spec.error();
    Expected<Interface> interface = readInterface(*r_.module, *spec);
    if (!interface) return interface.error();
    plan_.interfaces.push_back(std::make_shared<Interface>(std::move(*interface)));
    const Expected<const InterfaceEntry*> entry = chooseEntry(r_, *plan_.interfaces[0]);
    if (!entry) return entry.error();
    plan_.entries.push_back(*entry);
    d.spec = std::move(*spec);
    d.entryPoint = (**entry).name;
    return std::nullopt;
  }

  Status pushConstants() {
    Expected<ParsedValues> push = parsePush(r_.push);
    if (!push) return push.error();
    const InterfaceEntry& e = *plan_.entries[0];
    const std::string given = fmt::format("{} bytes of push constants are given, the module reads {}", push->bytes.size(), e.pushBytes);
    if (push->bytes.size() < e.pushBytes)
      return bad(given, "--push", fmt::format("--push VALUES or --push @FILE; the block is {}", blockText(*e.push)));
    if (push->bytes.size() > (e.pushBytes + 15) / 16 * 16) notes_.push_back(given + "; the rest is left out");
    if (push->bytes.size() > (e.pushBytes + 3) / 4 * 4) push->bytes.resize((e.pushBytes + 3) / 4 * 4);
    for (const AddressValue& address : push->addresses) {
      if (address.at + 8 > push->bytes.size()) continue;
      const Expected<std::string> resource = plan_.resources->resourceOf(address.whose);
      if (!resource) return resource.error();
      plan_.job.dispatches[0].pushAddresses.push_back({address.at, *resource, address.offset});
    }
    plan_.job.dispatches[0].push = std::move(push->bytes);
    return std::nullopt;
  }

  // Each argument goes to the binding that it names. `same:` is given numbers too.
  template <class Argument>
  Status give(Expected<Argument> argument, const char* option) {
    if (!argument) return argument.error();
    // Vulkan allows descriptors that an entry point does not use. A name that it does not use is rather mistyped, and nothing is written.
    constexpr bool kOutput = std::is_same_v<Argument, OutArgument>;
    if (!kOutput && argument->slot.name.empty() && !plan_.resources->uses(argument->slot)) {
      notes_.push_back(fmt::format("{} {}: entry point '{}' does not use this binding; it is left out", option, argument->slot.text(),
                                   plan_.entries[0]->name));
      return {};
    }
    const Expected<const InterfaceBinding*> binding = plan_.resources->declaredAt(argument->slot, option);
    if (!binding) return binding.error();
    if constexpr (requires { argument->source; })
      if (argument->source.kind == Source::Kind::kSame)
        if (const auto other = plan_.resources->declaredAt(argument->source.same, option); !other) return other.error();
    return plan_.resources->add(**binding, std::move(*argument));
  }

  Status gather() {
    for (const std::string& text : r_.memory) {
      Expected<BufferArgument> argument = parseBufferArgument("--memory", text);
      if (!argument) return argument.error();
      if (Status wrong = plan_.resources->addMemory(std::move(*argument))) return wrong;
    }
    for (const std::string& text : r_.buffers)
      if (Status wrong = give(parseBufferArgument("--buffer", text), "--buffer")) return wrong;
    for (const std::string& text : r_.images)
      if (Status wrong = give(parseImageArgument(text), "--image")) return wrong;
    for (const std::string& text : r_.samplers)
      if (Status wrong = give(parseSamplerArgument(text), "--sampler")) return wrong;
    for (const std::string& text : r_.outs)
      if (Status wrong = give(parseOutArgument(text), "--out")) return wrong;
    return std::nullopt;
  }

  // In the order of the job's resources.
  Status collectOutputs() {
    for (const Resource& resource : plan_.job.resources) {
      if (!resource.output) continue;
      const ResourceSet::Entry& entry = *plan_.resources->find(resource.name);
      RunOutput output{entry.slot, entry.binding, entry.binding->text(), entry.outs, Format::UNDEFINED};
      for (const Binding& b : plan_.job.dispatches[0].bindings)
        if (b.resource == resource.name && entry.binding->isTexelBuffer()) output.texels = b.viewFormat;
      plan_.outputs.push_back(std::move(output));
    }
    return distinctFiles(plan_.outputs);
  }

  const RunRequest& r_;
  RunJob& plan_;
  std::vector<std::string> notes_;
};

}  // namespace

Status distinctFiles(std::span<const RunOutput> outputs) {
  std::map<std::string, std::string> files;  // the resolved path of each, and its output
  for (const RunOutput& output : outputs)
    for (const OutArgument& out : output.files) {
      if (out.file == kTerminal) continue;
      if (const auto [other, fresh] = files.try_emplace(realFile(out.file), output.slot.text()); !fresh)
        return Error{Outcome::kBadInput, fmt::format("two outputs go to the file '{}'", out.file),
                     fmt::format("--out {} and --out {}", other->second, output.slot.text()), "give each a name of its own"};
    }
  return {};
}

Expected<RunJob> makeRunJob(const RunRequest& request) {
  RunJob plan;
  if (Status wrong = Planner(request, plan).run()) return *wrong;
  return plan;
}

}  // namespace lanewise
