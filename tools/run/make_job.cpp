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

// The file that a name refers to, with links and dots resolved.
std::string realFile(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, failed), failed);
  return failed ? name : path.string();
}

// One dispatch of the request.
struct Step {
  std::shared_ptr<const ShaderModule> module;
  const std::string& entry;
  const std::string& groups;
  const std::vector<std::string>& push;
  const std::vector<std::string>& spec;
};

Expected<const InterfaceEntry*> chooseEntry(const Step& step, const Interface& interface) {
  if (interface.entries.empty()) return bad("the module has no compute entry point", step.module->name);
  if (step.entry.empty() && interface.entries.size() == 1) return interface.entries.data();
  const InterfaceEntry* entry = interface.entry(step.entry.empty() ? "main" : step.entry);
  std::string names;
  for (const InterfaceEntry& e : interface.entries) names += (names.empty() ? "" : ", ") + e.name;
  if (!entry)
    return bad(fmt::format("no compute entry point named '{}'", step.entry.empty() ? "main" : step.entry), step.module->name,
               "--entry " + names);
  return entry;
}

class JobMaker {
 public:
  JobMaker(const RunRequest& request, RunJob& runJob) : r_(request), runJob_(runJob) {}

  Status run() {
    runJob_.resources = std::make_shared<std::deque<ResourceSet>>();
    runJob_.job.subgroupSize = r_.subgroupSize;
    runJob_.job.limits = r_.limits;
    if (Status wrong = readArguments()) return wrong;
    if (Status wrong = dispatch({r_.module, r_.entry, r_.groups, r_.push, r_.spec})) return wrong;
    for (const RunRequest::Next& next : r_.next) {
      const ThenArguments& what = next.what;
      Status wrong = next.module ? dispatch({next.module, what.entry, what.groups, what.push, what.spec}) : copy(what);
      if (wrong) return wrong;
      runJob_.job.dispatches.back().barrierBefore = what.barrier;
    }
    if (Status wrong = unused()) return wrong;
    if (Status wrong = collectOutputs()) return wrong;
    for (const ResourceSet& set : *runJob_.resources) notes_.insert(notes_.end(), set.notes().begin(), set.notes().end());
    runJob_.notes = notes_;
    return std::nullopt;
  }

 private:
  std::uint32_t now() const { return static_cast<std::uint32_t>(runJob_.job.dispatches.size()) - 1; }

  Status dispatch(const Step& step) {
    Dispatch d;
    d.module = step.module;
    if (Status wrong = readModule(step, d)) return wrong;
    if (!step.groups.empty()) {
      const Expected<Extent3> groups = parseGroups("--groups", step.groups);
      if (!groups) return groups.error();
      d.groups = *groups;
      constexpr std::uint32_t kPromised = 65535;
      for (const auto& [axis, count] : {std::pair('x', groups->x), std::pair('y', groups->y), std::pair('z', groups->z)})
        if (count > kPromised)
          notes_.push_back(
              fmt::format("--groups: {} workgroups along {}; Vulkan promises {} (maxComputeWorkGroupCount), so not every device "
                          "runs this",
                          count, axis, kPromised));
    }
    runJob_.job.dispatches.push_back(std::move(d));
    std::deque<ResourceSet>& sets = *runJob_.resources;
    sets.emplace_back(*runJob_.entries.back(), r_.zero, sets.empty() ? nullptr : &sets.back(), now());
    if (Status wrong = gather(sets.back())) return wrong;
    Expected<ParsedValues> push = parsePush(step.push);
    if (!push) return push.error();
    if (Status wrong = sets.back().build(runJob_.job)) return wrong;
    return pushConstants(std::move(*push));
  }

  Status readModule(const Step& step, Dispatch& d) {
    Expected<Interface> plain = readInterface(*step.module);
    if (!plain) return plain.error();
    Expected<std::vector<SpecConstant>> spec = parseSpec(step.spec, *plain, &notes_);
    if (!spec) return spec.error();
    Expected<Interface> interface = readInterface(*step.module, *spec);
    if (!interface) return interface.error();
    runJob_.interfaces.push_back(std::make_shared<Interface>(std::move(*interface)));
    const Expected<const InterfaceEntry*> entry = chooseEntry(step, *runJob_.interfaces.back());
    if (!entry) return entry.error();
    runJob_.entries.push_back(*entry);
    d.spec = std::move(*spec);
    d.entryPoint = (**entry).name;
    return std::nullopt;
  }

  Status pushConstants(ParsedValues push) {
    const InterfaceEntry& e = *runJob_.entries.back();
    const std::string given = fmt::format("{} bytes of push constants are given, the module reads {}", push.bytes.size(), e.pushBytes);
    if (push.bytes.size() < e.pushBytes)
      return bad(given, now() == 0 ? "--push" : fmt::format("--push of dispatch {}", now() + 1),
                 fmt::format("--push VALUES or --push @FILE; the block is {}", blockText(*e.push)));
    if (const std::size_t taken = (e.pushBytes + 3) / 4 * 4; push.bytes.size() > taken) {
      notes_.push_back(given + "; the rest is left out");
      push.bytes.resize(taken);
    }
    Dispatch& d = runJob_.job.dispatches.back();
    for (const AddressValue& address : push.addresses) {
      if (address.at + 8 > push.bytes.size()) continue;
      const Expected<std::string> resource = runJob_.resources->back().resourceOf(address.whose);
      if (!resource) return resource.error();
      d.pushAddresses.push_back({address.at, *resource, address.offset});
    }
    d.push = std::move(push.bytes);
    return std::nullopt;
  }

  // The resource that a copy names, as its slot in the dispatch that it says.
  Expected<std::string> resourceAt(const std::string& text) {
    Expected<Slot> slot = parseSlot("--then", text);
    if (!slot) return slot.error();
    const Expected<const ResourceSet*> set = runJob_.resources->back().ofDispatch(*slot, "--then");
    if (!set) return set.error();
    if (const auto declared = (*set)->declaredAt(*slot, "--then"); !declared) return declared.error();
    return (*set)->boundAt(*slot, runJob_.job);
  }

  Status copy(const ThenArguments& what) {
    const Expected<std::string> from = resourceAt(what.from), to = resourceAt(what.to);
    if (!from) return from.error();
    if (!to) return to.error();
    Expected<Dispatch> d = copyDispatch(runJob_.job, *from, *to);
    if (!d) return d.error();
    Expected<Interface> interface = readInterface(*d->module);
    if (!interface) return interface.error();
    runJob_.interfaces.push_back(std::make_shared<Interface>(std::move(*interface)));
    runJob_.entries.push_back(runJob_.interfaces.back()->entries.data());
    runJob_.job.dispatches.push_back(std::move(*d));
    runJob_.job.resources[resourceNamed(runJob_.job.resources, *to)].output = true;
    return {};
  }

  // An argument with the option that it is of. Each is given to the dispatch that it names.
  template <class Argument>
  struct Given {
    Argument argument;
    bool used = false;
  };

  template <class Argument, class Parse>
  static Status read(const std::vector<std::string>& texts, const Parse& parse, std::vector<Given<Argument>>& into) {
    for (const std::string& text : texts) {
      Expected<Argument> argument = parse(text);
      if (!argument) return argument.error();
      into.push_back({std::move(*argument)});
    }
    return {};
  }

  Status readArguments() {
    if (Status wrong = read(
            r_.buffers, [](const std::string& t) { return parseBufferArgument("--buffer", t); }, buffers_))
      return wrong;
    if (Status wrong = read(
            r_.images, [](const std::string& t) { return parseImageArgument(t); }, images_))
      return wrong;
    if (Status wrong = read(
            r_.samplers, [](const std::string& t) { return parseSamplerArgument(t); }, samplers_))
      return wrong;
    return read(
        r_.outs, [](const std::string& t) { return parseOutArgument(t); }, outs_);
  }

  // Each argument goes to the binding that it names. `same:` is given numbers too.
  template <class Argument>
  Status give(ResourceSet& set, std::vector<Given<Argument>>& all, const char* option) {
    for (Given<Argument>& given : all) {
      Argument& argument = given.argument;
      if (argument.slot.dispatch != now()) continue;
      given.used = true;
      // Vulkan allows descriptors that an entry point does not use. A name that it does not use is rather mistyped, and nothing is written.
      constexpr bool kOutput = std::is_same_v<Argument, OutArgument>;
      if (!kOutput && argument.slot.name.empty() && !set.uses(argument.slot)) {
        notes_.push_back(fmt::format("{} {}: entry point '{}' does not use this binding; it is left out", option, argument.slot.text(),
                                     runJob_.entries.back()->name));
        continue;
      }
      const Expected<const InterfaceBinding*> binding = set.declaredAt(argument.slot, option);
      if (!binding) return binding.error();
      if constexpr (requires { argument.source; })
        if (argument.source.kind == Source::Kind::kSame) {
          const Expected<const ResourceSet*> other = set.ofDispatch(argument.source.same, option);
          if (!other) return other.error();
          if (const auto declared = (*other)->declaredAt(argument.source.same, option); !declared) return declared.error();
        }
      if (Status wrong = set.add(**binding, std::move(argument))) return wrong;
    }
    return {};
  }

  Status gather(ResourceSet& set) {
    for (const std::string& text : r_.memory) {
      if (now() != 0) break;
      Expected<BufferArgument> argument = parseBufferArgument("--memory", text);
      if (!argument) return argument.error();
      if (Status wrong = set.addMemory(std::move(*argument))) return wrong;
    }
    if (Status wrong = give(set, buffers_, "--buffer")) return wrong;
    if (Status wrong = give(set, images_, "--image")) return wrong;
    if (Status wrong = give(set, samplers_, "--sampler")) return wrong;
    return give(set, outs_, "--out");
  }

  // Bad input: an argument of a dispatch that there is not.
  Status unused() const {
    const auto in = [&](const auto& all, const char* option) -> Status {
      for (const auto& given : all)
        if (!given.used)
          return bad(fmt::format("there is no dispatch {}, or it is a copy", given.argument.slot.dispatch + 1),
                     fmt::format("{} {}", option, given.argument.slot.text()), "each --then adds one");
      return {};
    };
    if (Status wrong = in(buffers_, "--buffer")) return wrong;
    if (Status wrong = in(images_, "--image")) return wrong;
    if (Status wrong = in(samplers_, "--sampler")) return wrong;
    return in(outs_, "--out");
  }

  // In the order of the job's resources.
  Status collectOutputs() {
    for (const Resource& resource : runJob_.job.resources) {
      if (!resource.output) continue;
      for (const ResourceSet& set : *runJob_.resources) {
        const ResourceSet::Entry* entry = set.find(resource.name);
        if (entry == nullptr) continue;
        const std::string dispatch = entry->slot.dispatch == 0 ? "" : fmt::format("{}/", entry->slot.dispatch + 1);
        RunOutput output{entry->slot, entry->binding, dispatch + entry->binding->text(), entry->outs, Format::UNDEFINED};
        for (const Binding& b : runJob_.job.dispatches[entry->slot.dispatch].bindings)
          if (b.resource == resource.name && entry->binding->isTexelBuffer()) output.texels = b.viewFormat;
        runJob_.outputs.push_back(std::move(output));
      }
    }
    return distinctFiles(runJob_.outputs);
  }

  const RunRequest& r_;
  RunJob& runJob_;
  std::vector<Given<BufferArgument>> buffers_;
  std::vector<Given<ImageArgument>> images_;
  std::vector<Given<SamplerArgument>> samplers_;
  std::vector<Given<OutArgument>> outs_;
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
  RunJob runJob;
  if (Status wrong = JobMaker(request, runJob).run()) return *wrong;
  return runJob;
}

}  // namespace lanewise
