// Kernels and cases by their names. What is in files is opened by subject.cpp.
#include "tools/subject/named.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/base/caches.h"
#include "tools/described/described_kernel.h"
#include "tools/subject/subject.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

Error misplaced(std::string option, std::string_view why, std::string_view hint) {
  return {Outcome::kBadInput, std::string(why), std::move(option), std::string(hint)};
}

bool isPattern(const std::string& text) {
  return text.find('*') != std::string::npos;
}

}  // namespace

bool namesKernel(const std::string& text) {
  return findKernel(text) != nullptr || isDescriptionFile(text);
}

Status namesNothing(const std::string& text) {
  std::error_code failed;
  if (namesCase(text) || findKernel(text) || std::filesystem::exists(text, failed)) return {};
  // No kernel's name has a dot.
  if (text.find('.') != std::string::npos) return Error{Outcome::kIoError, fmt::format("there is no file '{}'", text), "", ""};
  return Error{Outcome::kBadInput, fmt::format("there is no kernel, case or file '{}'", text), "",
               isPattern(text) ? "one is meant here: `lanewise list` names them" : "see `lanewise list` for kernels"};
}

bool namesCase(std::string_view text) {
  return splitCaseName(text).point.has_value();
}

Expected<KernelRef> kernelNamed(const std::string& name, const std::atomic<bool>* stop) {
  if (const Kernel* kernel = findKernel(name)) return KernelRef(kernel);
  if (Status none = namesNothing(name)) return *none;
  if (!isDescriptionFile(name)) return Error{Outcome::kBadInput, fmt::format("no such kernel: '{}'", name), "", "see `lanewise list`"};
  const Expected<std::shared_ptr<const Kernel>> kernel = openDescription(name, KeptIn{cacheFolder("sources").string()}, stop);
  if (!kernel) return kernel.error();
  return KernelRef(kernel->get());
}

Expected<Case> caseNamed(const std::string& text, const std::atomic<bool>* stop) {
  const CaseName name = splitCaseName(text);
  if (!name.point || !isDescriptionFile(name.kernel)) return parseCase(text);
  const Expected<KernelRef> kernel = kernelNamed(std::string(name.kernel), stop);
  if (!kernel) return kernel.error();
  return parsePoint(**kernel, *name.point);
}

Expected<Case> caseOf(const std::string& text, const CaseArguments& a, std::uint32_t subgroupSize) {
  Expected<std::vector<NamedValues>> with = parseWith(a.with);
  if (!with) return with.error();
  for (const Status& bad : {addShort("--radius", kRadiusParameter, a.radius, *with), addShort("--edge", kEdgeParameter, a.edge, *with)})
    if (bad) return *bad;
  Expected<Case> c = caseNamed(namesCase(text) ? text : fmt::format("{} @ {}", text, a.size.empty() ? "1x1" : a.size), a.stop);
  if (!c) return c.error();
  // Without a size it is the smallest one of the quick set where the kernel has no case of one texel.
  if (!namesCase(text) && a.size.empty() && outsideDomain(*c))
    if (const Expected<std::vector<Case>> quick = casesOf(*c->kernel); quick && !quick->empty())
      c->size = std::ranges::min(*quick, {}, [](const Case& q) { return std::uint64_t{q.size.width} * q.size.height; }).size;
  if (namesCase(text)) {
    if (!a.size.empty()) return misplaced("--size", "the case's name says its size", "leave it out");
    if (!a.input.empty()) return misplaced("--input", "the case's name says its input", "leave it out");
  } else if (!a.input.empty()) {
    c->input = a.input;
  }
  if (subgroupSize != 0) {
    const Expected<std::uint32_t> size = parseSubgroupSize(std::to_string(subgroupSize));
    if (!size) return Error{size.error().outcome, size.error().what, "--subgroup-size", size.error().hint};
    c->subgroupSize = *size;
  }
  return withValues(std::move(*c), *with);
}

Expected<Selection> selectSubjects(std::span<const std::string> texts, const SubjectArguments& a) {
  Selection out;
  std::vector<std::string> patterns;
  for (const std::string& text : texts) {
    const bool kernel = namesKernel(text);
    if (namesCase(text) || (kernel && !a.kernel.size.empty())) {
      Expected<Case> c = caseOf(text, a.kernel, a.subgroupSize);
      if (!c) return c.error();
      const bool twice = std::ranges::any_of(out.cases, [&](const Case& other) { return other.name() == c->name(); });
      if (!twice) out.cases.push_back(std::move(*c));
    } else if (isDescriptionFile(text) && !isPattern(text)) {
      const Expected<KernelRef> described = kernelNamed(text, a.kernel.stop);
      if (!described) return described.error();
      out.held.push_back(*described);
      out.kernels.push_back(*described);
    } else if (kernel || isPattern(text)) {
      patterns.push_back(text);
    } else if (Status none = namesNothing(text)) {
      return *none;
    } else {
      out.files.push_back(text);
    }
  }
  if (out.files.empty())
    if (Status bad = refuseModuleOptions(a)) return *bad;
  if (patterns.empty() && out.held.empty() && !texts.empty()) return out;
  if (std::string option = givenOption(a, {For::kOne, For::kCase}); !option.empty())
    return misplaced(std::move(option), "a quick set has its own values for this", "name one case with --size, or use --with");
  if (patterns.empty() && !texts.empty()) return out;
  Expected<std::vector<const Kernel*>> kernels = selectKernels(patterns);
  if (!kernels) return kernels.error();
  out.kernels.insert(out.kernels.end(), kernels->begin(), kernels->end());
  return out;
}

Status refuseFiles(const Selection& selection, std::string_view command) {
  if (selection.files.empty()) return {};
  std::error_code failed;
  return Error{Outcome::kBadInput,
               fmt::format("'{}' is a {}, and kernels or cases are meant here", selection.files[0],
                           std::filesystem::is_directory(selection.files[0], failed) ? "folder" : "file"),
               "", std::string(command)};
}

std::string givenOption(const SubjectArguments& arguments, std::initializer_list<For> what) {
  std::string name;
  forEachOption(arguments, [&]<class Field>(const OptionRow& row, const Field& field) {
    if (name.empty() && field != Field{} && std::ranges::find(what, row.what) != what.end()) name = longName(row);
  });
  return name;
}

Status refuseModuleOptions(const SubjectArguments& a) {
  if (std::string option = givenOption(a, {For::kModule}); !option.empty())
    return misplaced(std::move(option), "a built-in kernel has its own job: only a module takes it", "leave it out");
  return {};
}

}  // namespace lanewise
