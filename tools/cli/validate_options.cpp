#include "tools/cli/validate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/cli/interrupt.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

// Stores a parsed list. Nothing is parsed if the option was not given.
template <class T>
Status take(const std::string& text, Expected<std::vector<T>> (*parse)(std::string_view, std::string_view), std::string_view option,
            std::vector<T>& into) {
  if (text.empty()) return {};
  Expected<std::vector<T>> parsed = parse(option, text);
  if (!parsed) return parsed.error();
  into = std::move(*parsed);
  return {};
}

Expected<Overrides> overridesOf(const ValidateOptions& o) {
  Overrides overrides;
  Expected<std::vector<NamedValues>> with = parseWith(o.with);
  if (!with) return with.error();
  overrides.values = std::move(*with);
  for (const Status& bad :
       {take(o.sizes, parseSizes, "--sizes", overrides.sizes), addShort("--radii", kRadiusParameter, o.radii, overrides.values),
        addShort("--edges", kEdgeParameter, o.edges, overrides.values), take(o.inputs, parseInputs, "--inputs", overrides.inputs),
        take(o.subgroupSizes, parseSubgroupSizes, "--subgroup-sizes", overrides.subgroupSizes)})
    if (bad) return *bad;
  if (!o.pictures.empty() && (!o.sizes.empty() || !o.inputs.empty()))
    return Error{Outcome::kBadInput, "a picture has its own size and input", "--picture", "leave --sizes and --inputs out"};
  return overrides;
}

// Only the kernels whose last part matches one of the names.
Status narrowAlgorithms(const std::vector<std::string>& names, std::vector<const Kernel*>& kernels) {
  if (names.empty()) return {};
  const auto algorithm = [](const Kernel* k) { return std::string_view(k->name).substr(k->name.rfind('/') + 1); };
  for (const std::string& name : names)
    if (std::none_of(kernels.begin(), kernels.end(), [&](const Kernel* k) { return matchesPattern(name, algorithm(k)); }))
      return Error{Outcome::kBadInput, fmt::format("no kernel of the plan has the algorithm '{}'", name), "--algorithms",
                   "see `lanewise list`: it is the last part of a kernel's name"};
  std::erase_if(kernels, [&](const Kernel* k) {
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return matchesPattern(name, algorithm(k)); });
  });
  return {};
}

// Checks that each format belongs to a kernel of the plan.
Status checkFormats(const std::vector<std::string>& formats, const std::vector<const Kernel*>& kernels) {
  std::set<std::string> known;
  for (const Kernel* kernel : kernels)
    for (const Parameter& p : kernel->parameters)
      if (p.name == kFormatParameter) known.insert(p.choices.begin(), p.choices.end());
  for (const std::string& format : formats)
    if (!known.contains(format))
      return Error{Outcome::kBadInput, fmt::format("no kernel of the plan has the format '{}'", format), "--formats",
                   fmt::format("one of {}", fmt::join(known, ", "))};
  return {};
}

// A case's name already has everything that these options give.
Status checkNarrowing(const ValidateOptions& o, const PlanRequest& request) {
  if (request.cases.empty() || !request.kernels.empty()) return {};
  const std::pair<const char*, bool> narrowing[] = {{"--sizes", !o.sizes.empty()},           {"--radii", !o.radii.empty()},
                                                    {"--edges", !o.edges.empty()},           {"--with", !o.with.empty()},
                                                    {"--inputs", !o.inputs.empty()},         {"--subgroup-sizes", !o.subgroupSizes.empty()},
                                                    {"--algorithms", !o.algorithms.empty()}, {"--formats", !o.formats.empty()}};
  for (const auto& [option, given] : narrowing)
    if (given) return Error{Outcome::kBadInput, "a case's name has its own", option, "name the kernel instead of the case"};
  return {};
}

// The parts of the request that are not axes of a kernel.
Status addSelection(const ValidateOptions& o, PlanRequest& request) {
  SubjectArguments subject;
  subject.kernel.stop = &catchInterrupt();
  Expected<Selection> selected = selectSubjects(o.patterns, subject);
  if (!selected) return selected.error();
  if (Status file = refuseFiles(*selected, "`lanewise replay` judges a capsule; `lanewise check` takes a module")) return file;
  request.kernels = std::move(selected->kernels);
  request.held = std::move(selected->held);
  request.cases = std::move(selected->cases);
  std::vector<std::string> algorithms;
  for (const Status& bad :
       {take(o.algorithms, parseNames, "--algorithms", algorithms), take(o.formats, parseNames, "--formats", request.formats)})
    if (bad) return bad;
  if (Status bad = narrowAlgorithms(algorithms, request.kernels)) return bad;
  if (Status bad = checkFormats(request.formats, request.kernels)) return bad;
  const Expected<CaseSet> set = parseCaseSet(o.set);
  if (!set) return set.error();
  request.set = *set;
  if (o.shard.empty()) return {};
  const Expected<Shard> shard = parseShard(o.shard);
  if (!shard) return shard.error();
  request.shard = *shard;
  return {};
}

}  // namespace

Expected<RequestedPlan> requestOf(const ValidateOptions& o) {
  RequestedPlan plan;
  if (Status bad = addSelection(o, plan.request)) return *bad;
  const Expected<Overrides> overrides = overridesOf(o);
  if (!overrides) return overrides.error();
  if (Status bad = checkNarrowing(o, plan.request)) return *bad;
  if (!plan.request.kernels.empty() && !o.with.empty())
    if (Status bad = checkKnown(overrides->values, plan.request.kernels)) return *bad;
  for (const std::string& picture : o.pictures)
    if (Status bad = plan.inputs.addPicture(picture)) return *bad;
  plan.request.overrides.clear();
  for (const auto& [input, size] : plan.inputs.pictures()) {
    plan.request.overrides.push_back(*overrides);
    plan.request.overrides.back().sizes = {size};
    plan.request.overrides.back().inputs = {input};
  }
  if (o.pictures.empty()) plan.request.overrides.push_back(*overrides);
  for (const Case& c : plan.request.cases)
    if (Status bad = plan.inputs.addPictureOf(c)) return *bad;
  return plan;
}

}  // namespace lanewise
