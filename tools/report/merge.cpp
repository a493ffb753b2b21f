// Parts of one plan as one result: by the number of the part, sides by name, cases in the order of their names.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tools/report/read.h"

namespace lanewise {
namespace {

Status checkPlans(const std::vector<NamedResult>& parts) {
  if (parts.empty()) return Error{Outcome::kBadInput, "nothing to merge", "", "name the folders of the parts"};
  const SweepResult& first = parts.front().result;
  for (const NamedResult& part : parts)
    if (part.result.plan != first.plan || part.result.shard.count != first.shard.count)
      return Error{Outcome::kBadInput,
                   fmt::format("parts of different plans: {} is of {} in {} parts, {} of {} in {}", parts.front().name, first.plan.text(),
                               first.shard.count, part.name, part.result.plan.text(), part.result.shard.count),
                   part.name, "merge parts that were run with the same options and version"};
  return {};
}

// Do two runs of one part say the same of every case?
bool sameVerdicts(const SweepResult& a, const SweepResult& b) {
  const auto same = [](const CaseResult& x, const CaseResult& y) {
    const auto alike = [](const SideResult& s, const SideResult& t) { return s.verdict == t.verdict && s.hash == t.hash; };
    return x.what == y.what && std::equal(x.sides.begin(), x.sides.end(), y.sides.begin(), y.sides.end(), alike);
  };
  return std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(), same);
}

// One result a part: of several the first that was not interrupted.
std::map<std::uint32_t, NamedResult> onePerPart(std::vector<NamedResult> parts, Merged& merged) {
  std::map<std::uint32_t, NamedResult> chosen;
  for (NamedResult& part : parts) {
    const auto [there, fresh] = chosen.try_emplace(part.result.shard.index);
    if (fresh) {
      there->second = std::move(part);
      continue;
    }
    const bool same = sameVerdicts(there->second.result, part.result);
    const bool whole = !there->second.result.interrupted && !part.result.interrupted;
    const std::string text =
        fmt::format("part {}: {} and {} {}", part.result.shard.text(), there->second.name, part.name, same ? "agree" : "do not agree");
    (same || !whole ? merged.duplicates : merged.missing).push_back(text);
    if (there->second.result.interrupted && !part.result.interrupted) there->second = std::move(part);
  }
  return chosen;
}

// Adds a part's sides that are new; gives the place of each of its sides.
std::vector<std::size_t> joinSides(const SweepResult& part, SweepResult& all) {
  std::vector<std::size_t> places;
  for (const SideInfo& side : part.sides) {
    const auto there = std::find_if(all.sides.begin(), all.sides.end(), [&](const SideInfo& s) { return s.name == side.name; });
    places.push_back(static_cast<std::size_t>(there - all.sides.begin()));
    if (there == all.sides.end())
      all.sides.push_back(side);
    else if (there->description != side.description)
      all.notes.push_back(fmt::format("{} is not the same in all parts: {}; {}", side.name, there->description, side.description));
  }
  return places;
}

void addPart(SweepResult& part, SweepResult& all) {
  const std::vector<std::size_t> places = joinSides(part, all);
  for (Arbitration& f : part.arbitrations) {
    f.caseIndex += all.cases.size();
    f.capsule.clear();  // the file stays in the part's folder
    all.arbitrations.push_back(std::move(f));
  }
  for (CaseResult& c : part.cases) {
    std::vector<SideResult> sides(all.sides.size());
    for (std::size_t s = 0; s < places.size(); ++s) sides[places[s]] = std::move(c.sides[s]);
    c.sides = std::move(sides);
    all.cases.push_back(std::move(c));
  }
  all.notes.insert(all.notes.end(), part.notes.begin(), part.notes.end());
  all.seconds += part.seconds;
  all.recalled += part.recalled;
  if (!all.trouble) all.trouble = part.trouble;
}

// By kernel, size and values; findings follow their cases, and of those of one kernel the first stays.
void sortCases(SweepResult& all) {
  std::vector<std::size_t> order(all.cases.size()), place(all.cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    const Case& c = all.cases[i].what;
    return std::tie(c.kernel->name, c.size, c.values, c.input, c.subgroupSize);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<CaseResult> sorted;
  for (const std::size_t i : order) {
    place[i] = sorted.size();
    sorted.push_back(std::move(all.cases[i]));
  }
  all.cases = std::move(sorted);
  for (Arbitration& f : all.arbitrations) f.caseIndex = place[f.caseIndex];
  std::sort(all.arbitrations.begin(), all.arbitrations.end(),
            [](const Arbitration& a, const Arbitration& b) { return a.caseIndex < b.caseIndex; });
  const auto sameKernel = [&](const Arbitration& a, const Arbitration& b) {
    return all.cases[a.caseIndex].what.kernel == all.cases[b.caseIndex].what.kernel;
  };
  all.arbitrations.erase(std::unique(all.arbitrations.begin(), all.arbitrations.end(), sameKernel), all.arbitrations.end());
}

// The same names, in any order.
bool sameSides(const std::vector<SideInfo>& a, const std::vector<SideInfo>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), [](const SideInfo& x, const SideInfo& y) { return x.name == y.name; });
}

}  // namespace

Expected<Merged> mergeResults(std::vector<NamedResult> parts) {
  if (Status bad = checkPlans(parts)) return *bad;
  Merged merged;
  SweepResult& all = merged.result;
  all.plan = parts.front().result.plan;
  const std::uint32_t count = parts.front().result.shard.count;
  std::map<std::uint32_t, NamedResult> chosen = onePerPart(std::move(parts), merged);
  for (std::uint32_t k = 1; k <= count; ++k) {
    const auto part = chosen.find(k);
    if (part == chosen.end()) {
      merged.missing.push_back(fmt::format("part {}/{} is missing", k, count));
      continue;
    }
    if (!merged.result.sides.empty() && !sameSides(merged.result.sides, part->second.result.sides))
      merged.missing.push_back(fmt::format("part {}/{} ran on other sides ({})", k, count, part->second.name));
    if (part->second.result.interrupted)
      merged.missing.push_back(fmt::format("part {}/{} was interrupted ({})", k, count, part->second.name));
    addPart(part->second.result, all);
  }
  for (CaseResult& c : all.cases) c.sides.resize(all.sides.size());
  if (merged.missing.empty() && all.cases.size() != all.plan.cases)
    merged.missing.push_back(
        fmt::format("{} of the plan's {} cases", all.plan.cases - std::min(all.plan.cases, all.cases.size()), all.plan.cases));
  sortCases(all);
  all.interrupted = !merged.missing.empty();
  for (const auto* list : {&merged.missing, &merged.duplicates})
    for (const std::string& line : *list) all.notes.push_back(line);
  return merged;
}

}  // namespace lanewise
