#include "tools/selftest/subject.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>

namespace lanewise {
namespace {

std::uint64_t costOf(const Ready& ready) {
  std::uint64_t bytes = ready.input.bytes.size();
  for (const golden::Image& image : ready.expected.images) bytes += image.bytes.size();
  return bytes / 4 * (1 + ready.what.value("radius"));
}

Status makeReady(Ready& ready, Model& observed) {
  Expected<golden::Image> input = inputOf(ready.what);
  if (!input) return input.error();
  ready.input = std::move(*input);
  Expected<Expectation> expected = expectationOf(ready.what, ready.input);
  if (!expected) return expected.error();
  ready.expected = std::move(*expected);
  ready.cost = costOf(ready);
  if (ready.cost <= kObservedCost) ready.findings = findingNames(observed.run(ready.job(nullptr)));
  return {};
}

void findSpecializations(Subject& subject) {
  Model model;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < subject.cases.size(); ++i) {
    const Job job = subject.cases[i]->job(nullptr);
    std::string key = std::to_string(job.subgroupSize);
    for (const Dispatch& d : job.dispatches) {
      key += "/" + d.module->name + "/" + d.entryPoint;
      for (const SpecConstant& s : d.spec) key += fmt::format(",{}={}", s.id, s.value);
    }
    if (seen.insert(key).second) subject.specializations.emplace_back(i, decoded(model, job));
  }
}

}  // namespace

Job Ready::job(const std::shared_ptr<const ShaderModule>& changed) const {
  Job job = what.kernel->plan(what, kernelModule(*what.kernel), input);
  for (Dispatch& d : job.dispatches)
    if (changed != nullptr && d.module->name == changed->name) d.module = changed;
  return job;
}

Programs decoded(Model& model, const Job& job) {
  Programs programs;
  for (const Dispatch& d : job.dispatches) {
    const auto program = model.program(d, job.subgroupSize != 0 ? job.subgroupSize : model.profile().subgroupSize);
    if (!program) return {};
    programs.push_back(*program);
  }
  return programs;
}

std::set<std::string> findingNames(const RunResult& run) {
  std::set<std::string> names;
  for (const RunFinding& f : run.findings) {
    // A place without a source line is a word's number, which a mutant moves.
    const std::string line = f.line.substr(0, f.line.find(", word "));
    names.insert(fmt::format("{} {} {} {}", findingName(f.kind), line, f.instruction, f.object));
  }
  return names;
}

Expected<std::vector<Subject>> subjectsOf(const std::vector<const Kernel*>& kernels) {
  std::vector<std::shared_ptr<Ready>> all;
  for (const Kernel* kernel : kernels) {
    if (kernel->broken() || kernelModule(*kernel) == nullptr) continue;
    const Expected<std::vector<Case>> cases = casesOf(*kernel);
    if (!cases) return cases.error();
    for (const Case& c : *cases) all.push_back(std::make_shared<Ready>(Ready{c, {}, {}, 0, {}}));
  }
  ModelOptions options;
  options.findings = true;
  Model observed(options);
  std::vector<Status> errors(all.size());
  tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) { errors[i] = makeReady(*all[i], observed); });
  for (const Status& bad : errors)
    if (bad) return *bad;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->cost < b->cost; });
  std::map<std::string, Subject> byName;
  for (const auto& ready : all) {
    std::map<std::string, std::shared_ptr<const ShaderModule>> modules;
    for (const Dispatch& d : ready->job(nullptr).dispatches) modules[d.module->name] = d.module;
    for (const auto& [name, module] : modules) {
      byName[name].module = module;
      byName[name].cases.push_back(ready);
    }
  }
  std::vector<Subject> subjects;
  for (auto& [name, subject] : byName) subjects.push_back(std::move(subject));
  tbb::parallel_for(std::size_t{0}, subjects.size(), [&](std::size_t i) { findSpecializations(subjects[i]); });
  return subjects;
}

}  // namespace lanewise
