#include "tools/cli/golden_compute.h"

#include <fmt/format.h>

#include <map>

#include "model/base/parallel_for.h"
#include "tools/catalogue/catalogue.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

bool wanted(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matchesPattern(p, name); });
}

Expected<golden::Hash128> hashOf(const Case& c) {
  const Expected<golden::Image> input = inputOf(c);
  if (!input) return input.error();
  const Expected<std::vector<golden::Image>> expected = c.kernel->expect(c, *input);
  if (!expected) return expected.error();
  return golden::hashOutputs(*expected);
}

// The full set's golden keys by contract and width: "box-blur/double @ full width=33 (251 cases)" -> key -> a case.
using Folds = std::map<std::string, std::map<std::string, Case>>;

Folds folds() {
  std::map<std::pair<std::string, std::uint32_t>, std::map<std::string, Case>> groups;
  for (const Kernel& kernel : kernels()) {
    if (!kernel.exact() || kernel.broken()) continue;
    const Status bad = forEachCase(kernel, CaseSet::kFull, {}, [&](const Case& c) {
      groups[{kernel.contract.name, c.size.width}].try_emplace(c.goldenKey(), c);
    });
    static_cast<void>(bad);  // a kernel's own axes are in its domain: tests/tools/sweep/plan_test.cpp
  }
  Folds out;
  for (auto& [at, cases] : groups) {
    const std::string name = fmt::format("{} @ full width={} ({} cases)", at.first, at.second, cases.size());
    out[name] = std::move(cases);
  }
  return out;
}

Expected<golden::Hash128> foldOf(const std::map<std::string, Case>& cases) {
  std::vector<std::pair<std::string, golden::Hash128>> hashes;
  for (const auto& [key, c] : cases) {
    const Expected<golden::Hash128> hash = hashOf(c);
    if (!hash) return hash.error();
    hashes.emplace_back(key, *hash);
  }
  return golden::foldHashes(hashes);
}

// One hash for each name, on all cores.
template <class Items, class Compute>
Expected<golden::Entries> computeAll(const Items& items, const Compute& compute) {
  std::vector<Expected<golden::Hash128>> hashes(items.size(), golden::Hash128{});
  parallelFor(items.size(), [&](std::size_t i) { hashes[i] = compute(items[i]); });
  golden::Entries entries;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!hashes[i]) return hashes[i].error();
    entries[items[i].first] = {*hashes[i], items[i].second.kernel->provenance()};
  }
  return entries;
}

}  // namespace

Expected<golden::Entries> computeGoldens(const std::vector<std::string>& patterns, std::span<const NamedValues> with) {
  std::vector<std::pair<std::string, Case>> keys = quickGoldenKeys();
  std::erase_if(keys, [&](const auto& key) { return !wanted(patterns, key.first) || !hasValues(key.second, with); });
  return computeAll(keys, [](const auto& key) { return hashOf(key.second); });
}

Expected<golden::Entries> computeFolded(const std::vector<std::string>& patterns) {
  const Folds all = folds();
  std::vector<std::pair<std::string, Case>> names;
  for (const auto& [name, cases] : all)
    if (wanted(patterns, name)) names.emplace_back(name, cases.begin()->second);
  return computeAll(names, [&](const auto& name) { return foldOf(all.at(name.first)); });
}

std::vector<std::pair<std::string, golden::Provenance>> foldedNames() {
  std::vector<std::pair<std::string, golden::Provenance>> names;
  for (const auto& [name, cases] : folds()) names.emplace_back(name, cases.begin()->second.kernel->provenance());
  return names;
}

}  // namespace lanewise
