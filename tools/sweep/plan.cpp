#include "tools/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace lanewise {
namespace {

bool readWhole(std::string_view text, std::uint32_t& value) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  return ec == std::errc{} && end == text.data() + text.size();
}

// Adds those of the request's formats that the kernel has to the overrides; false if it has none of them.
bool narrowFormats(const Kernel& kernel, const std::vector<std::string>& formats, Overrides& overrides) {
  if (formats.empty()) return true;
  std::vector<std::string> taken;
  for (const Parameter& p : kernel.parameters)
    for (const std::string& format : formats)
      if (p.name == kFormatParameter && std::find(p.choices.begin(), p.choices.end(), format) != p.choices.end()) taken.push_back(format);
  if (taken.empty()) return false;
  overrides.values.push_back({kFormatParameter, std::move(taken)});
  return true;
}

}  // namespace

std::string Shard::text() const {
  return fmt::format("{}/{}", index, count);
}

Expected<Shard> parseShard(std::string_view text) {
  const std::size_t slash = text.find('/');
  Shard shard;
  const bool read =
      slash != std::string_view::npos && readWhole(text.substr(0, slash), shard.index) && readWhole(text.substr(slash + 1), shard.count);
  if (!read || shard.index < 1 || shard.index > shard.count)
    return Error{Outcome::kBadInput, fmt::format("not a part: '{}'", text), "--shard", "K/N with K from 1 to N, e.g. 2/8"};
  return shard;
}

std::uint64_t caseHash(const Case& c) {
  const std::string name = c.name();
  return golden::hashBytes(std::as_bytes(std::span(name))).low;
}

std::string PlanIdentity::text() const {
  return fmt::format("{} cases, {:016x}", cases, hash);
}

Status forEachCase(const PlanRequest& request, const std::function<void(const Case&)>& visit) {
  std::set<std::string> named;
  for (const Case& c : request.cases) {
    if (Status bad = outsideDomain(c)) return bad;
    named.insert(c.name());
    visit(c);
  }
  const auto others = [&](const Case& c) {
    if (named.empty() || !named.contains(c.name())) visit(c);
  };
  for (const Overrides& given : request.overrides)
    for (const Kernel* kernel : request.kernels) {
      Overrides overrides = given;
      if (!narrowFormats(*kernel, request.formats, overrides)) continue;
      if (Status bad = forEachCase(*kernel, request.set, overrides, others)) return bad;
    }
  return {};
}

std::vector<std::string> leftOut(const PlanRequest& request) {
  std::map<std::string, std::set<const Kernel*>> parameters;
  for (const Overrides& overrides : request.overrides) {
    if (request.set != CaseSet::kQuick || !overrides.narrows()) continue;
    for (const Kernel* kernel : request.kernels)
      for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const Parameter& p = kernel->parameters[i];
        const bool named = std::ranges::find(overrides.values, p.name, &NamedValues::parameter) != overrides.values.end();
        if (named || (p.name == kFormatParameter && !request.formats.empty()) || kernel->quick.empty()) continue;
        if (kernel->quick[0].values[i].size() == std::uint64_t{p.highest} - p.lowest + 1) continue;
        parameters[p.name].insert(kernel);
      }
  }
  std::vector<std::string> notes;
  for (const auto& [name, of] : parameters)
    notes.push_back(fmt::format("not every value of {} runs for {} kernel{}: choose others by --with {}=VALUES", name, of.size(),
                                of.size() == 1 ? "" : "s", name));
  return notes;
}

Expected<SweepPlan> makePlan(const PlanRequest& request) {
  SweepPlan plan;
  plan.shard = request.shard;
  const bool whole = request.shard.count == 1;
  std::vector<std::uint64_t> ranked;  // of a part: the hashes of all cases, where the position of a case's hash is its rank
  const Status bad = forEachCase(request, [&](const Case& c) {
    const std::uint64_t hash = caseHash(c);
    ++plan.identity.cases;
    plan.identity.hash += hash;
    if (!whole)
      ranked.push_back(hash);
    else if (plan.cases.size() < kMostCases)
      plan.cases.push_back(c);
  });
  if (bad) return *bad;
  if (plan.identity.cases / request.shard.count > kMostCases)
    return Error{Outcome::kBadInput, fmt::format("there are {} cases, more than one run can take", plan.identity.cases), "--set",
                 fmt::format("split them: --shard 1/{}", plan.identity.cases / kMostCases + 1)};
  if (whole) return plan;
  std::sort(ranked.begin(), ranked.end());
  const Status again = forEachCase(request, [&](const Case& c) {
    const auto rank = std::lower_bound(ranked.begin(), ranked.end(), caseHash(c)) - ranked.begin();
    if (static_cast<std::uint64_t>(rank) % request.shard.count + 1 == request.shard.index) plan.cases.push_back(c);
  });
  if (again) return *again;
  return plan;
}

}  // namespace lanewise
