// The outputs of a job that is given as it is: a kernel's case, or a capsule. See make_job.h.
#include <fmt/format.h>

#include <algorithm>

#include "tools/run/make_job.h"

namespace lanewise {
namespace {

constexpr const char* kOutOption = "--out";

// `lanewise run` names the resources of a module by their numbers, "0:1" or "2/0:1"; all others have names.
bool isNumbered(const std::string& name) {
  return name[0] >= '0' && name[0] <= '9';
}

// The first descriptor of the resource, with its declaration, under the resource's name unless that is its numbers.
RunOutput outputOf(const Resource& resource, const RunJob& runJob, std::deque<InterfaceBinding>& named) {
  static const Type kBytes;  // no members
  for (std::size_t i = 0; i < runJob.job.dispatches.size(); ++i)
    for (const Binding& b : runJob.job.dispatches[i].bindings) {
      if (b.resource != resource.name) continue;
      const auto declared = std::ranges::find_if(runJob.entries[i]->bindings,
                                                 [&](const InterfaceBinding& d) { return d.set == b.set && d.binding == b.binding; });
      if (declared == runJob.entries[i]->bindings.end()) continue;
      InterfaceBinding& binding = named.emplace_back(*declared);
      const bool numbered = isNumbered(resource.name);
      if (!numbered) binding.name = resource.name;
      const std::string own = binding.name.empty() ? "" : fmt::format(" ({})", binding.name);
      return {{resource.name, b.set, b.binding, b.element},
              &binding,
              numbered ? resource.name + own : binding.text(),
              {},
              binding.isTexelBuffer() ? b.viewFormat : Format::UNDEFINED};
    }
  // Only blits reach it.
  InterfaceBinding& binding = named.emplace_back();
  binding.kind = DescriptorKind::kStorageImage;
  binding.name = resource.name;
  binding.type = &kBytes;
  return {{resource.name}, &binding, resource.name, {}, Format::UNDEFINED};
}

// Whether the slot's dispatch binds the resource there.
bool binds(const RunJob& runJob, const Slot& slot, const std::string& resource) {
  if (slot.dispatch >= runJob.job.dispatches.size()) return false;
  return std::ranges::any_of(runJob.job.dispatches[slot.dispatch].bindings, [&](const Binding& b) {
    if (b.resource != resource || b.element != slot.element) return false;
    if (slot.name.empty()) return b.set == slot.set && b.binding == slot.binding;
    return std::ranges::any_of(runJob.entries[slot.dispatch]->bindings,
                               [&](const InterfaceBinding& d) { return d.set == b.set && d.binding == b.binding && d.name == slot.name; });
  });
}

Status addFile(const std::string& text, RunJob& runJob) {
  Expected<OutArgument> out = parseOutArgument(text);
  if (!out) return out.error();
  if (out->shape != ImageShape{} || out->bytes || out->start)
    return Error{Outcome::kBadInput, "the job says the shape of its outputs and what they start with", kOutOption, "leave it out"};
  if (const std::optional<std::size_t> output = outputNamed(runJob, out->slot)) {
    runJob.outputs[*output].files.push_back(std::move(*out));
    return {};
  }
  std::string known;
  for (const RunOutput& o : runJob.outputs) known += (known.empty() ? "" : ", ") + (isNumbered(o.slot.name) ? o.title : o.slot.name);
  return Error{Outcome::kBadInput, fmt::format("the job has no output {}", out->slot.text()), kOutOption, "one of " + known};
}

}  // namespace

std::optional<std::size_t> outputNamed(const RunJob& runJob, const Slot& slot) {
  std::vector<std::string> resources;
  for (const Resource& r : runJob.job.resources)
    if (r.output) resources.push_back(r.name);
  const auto first = [&](const auto& is) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < runJob.outputs.size(); ++i)
      if (is(i)) return i;
    return {};
  };
  // A resource's own name, "result" of a case or "2/0:1"; what the dispatch binds; without one, what a later dispatch binds.
  if (const auto own = first([&](std::size_t i) { return slot.text() == resources[i]; })) return own;
  if (const auto bound = first([&](std::size_t i) { return binds(runJob, slot, resources[i]); })) return bound;
  if (slot.dispatch != 0) return {};
  return first([&](std::size_t i) {
    const Slot& own = runJob.outputs[i].slot;
    if (slot.element != own.element) return false;
    return slot.name.empty() ? slot.set == own.set && slot.binding == own.binding : slot.name == runJob.outputs[i].binding->name;
  });
}

Expected<RunJob> givenRunJob(Job job, std::span<const std::string> outs) {
  RunJob runJob;
  runJob.job = std::move(job);
  for (const Dispatch& d : runJob.job.dispatches) {
    Expected<Interface> interface = readInterface(*d.module, d.spec);
    if (!interface) return interface.error();
    runJob.interfaces.push_back(std::make_shared<Interface>(std::move(*interface)));
    runJob.entries.push_back(runJob.interfaces.back()->entry(d.entryPoint));
    if (!runJob.entries.back()) return Error{Outcome::kBadInput, fmt::format("no entry point '{}'", d.entryPoint), d.module->name, ""};
  }
  const auto named = std::make_shared<std::deque<InterfaceBinding>>();
  for (const Resource& resource : runJob.job.resources)
    if (resource.output) runJob.outputs.push_back(outputOf(resource, runJob, *named));
  runJob.named = named;
  for (const std::string& text : outs)
    if (Status bad = addFile(text, runJob)) return *bad;
  if (Status bad = distinctFiles(runJob.outputs)) return *bad;
  return runJob;
}

}  // namespace lanewise
