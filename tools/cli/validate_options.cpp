#include "tools/cli/validate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/cli/comma_lists.h"

namespace lanewise {
namespace {

// Takes a parsed list over; the parse is skipped where the option was not given.
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
  std::vector<std::string> radii, edges;
  for (const Status& bad : {take(o.sizes, parseSizes, "--sizes", overrides.sizes), take(o.radii, parseNumbers, "--radii", radii),
                            take(o.edges, parseNames, "--edges", edges), take(o.inputs, parseInputs, "--inputs", overrides.inputs),
                            take(o.subgroupSizes, parseSubgroupSizes, "--subgroup-sizes", overrides.subgroupSizes)})
    if (bad) return *bad;
  if (!radii.empty()) overrides.values.emplace_back("radius", std::move(radii));
  if (!edges.empty()) overrides.values.emplace_back("edge", std::move(edges));
  if (!o.pictures.empty() && (!o.sizes.empty() || !o.inputs.empty()))
    return Error{Outcome::kBadInput, "a picture brings its own size and input", "--picture", "leave --sizes and --inputs out"};
  return overrides;
}

// Only the kernels whose last part one of the names matches.
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

// Each format is one that a kernel of the plan has.
Status checkFormats(const std::vector<std::string>& formats, const std::vector<const Kernel*>& kernels) {
  std::set<std::string> known;
  for (const Kernel* kernel : kernels)
    for (const Parameter& p : kernel->parameters)
      if (p.name == "format") known.insert(p.choices.begin(), p.choices.end());
  for (const std::string& format : formats)
    if (!known.contains(format))
      return Error{Outcome::kBadInput, fmt::format("no kernel of the plan has the format '{}'", format), "--formats",
                   fmt::format("one of {}", fmt::join(known, ", "))};
  return {};
}

// The parts of the request that are no axes of a kernel.
Status addSelection(const ValidateOptions& o, PlanRequest& request) {
  Expected<std::vector<const Kernel*>> kernels = selectKernels(o.patterns);
  if (!kernels) return kernels.error();
  request.kernels = std::move(*kernels);
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

Error fromOption(Error error, const ValidateOptions& o) {
  if (error.where.empty() && error.what.find("radius") != std::string::npos && !o.radii.empty()) error.where = "--radii";
  if (error.where.empty() && error.what.find("edge") != std::string::npos && !o.edges.empty()) error.where = "--edges";
  return error;
}

Expected<RequestedPlan> requestOf(const ValidateOptions& o) {
  RequestedPlan plan;
  if (Status bad = addSelection(o, plan.request)) return *bad;
  const Expected<Overrides> overrides = overridesOf(o);
  if (!overrides) return overrides.error();
  for (const std::string& picture : o.pictures)
    if (Status bad = plan.inputs.addPicture(picture)) return *bad;
  plan.request.overrides.clear();
  for (const auto& [input, size] : plan.inputs.pictures()) {
    plan.request.overrides.push_back(*overrides);
    plan.request.overrides.back().sizes = {size};
    plan.request.overrides.back().inputs = {input};
  }
  if (o.pictures.empty()) plan.request.overrides.push_back(*overrides);
  return plan;
}

}  // namespace lanewise
