// Which row explains a survivor (reasons.h).
#include <fmt/format.h>

#include <algorithm>

#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kCarries = "two invocations have to carry, so a sum of 2^33 and more: no quick case has as many texels";

constexpr Reason kEverywhere[] = {
    {kBeyond, "atomic made plain", "", "", "< before) atomicAdd(", "becomes a load", 3, kCarries},
};

std::vector<Reason> allReasons() {
  std::vector<Reason> all(std::begin(kEverywhere), std::end(kEverywhere));
  for (const auto& some : {blurReasons(), photoReasons(), spdReasons(), pyramidReasons(), cascadeReasons()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool applies(const Reason& r, const MutantResult& m) {
  return m.rule == r.rule && holds(m.module, r.module) && (*r.file == '\0' || m.place.file == r.file) && holds(m.source, r.source) &&
         holds(m.change, r.change);
}

}  // namespace

bool reasonsFit() {
  return std::string_view(LANEWISE_GLSLANG).starts_with("12.");
}

std::span<const Reason> reasons() {
  static const std::vector<Reason> all = allReasons();
  return all;
}

std::size_t reasonFor(std::span<const Reason> rows, const MutantResult& mutant) {
  const auto row = std::ranges::find_if(rows, [&](const Reason& r) { return applies(r, mutant); });
  return static_cast<std::size_t>(row - rows.begin());
}

void explainSurvivor(MutantResult& m, bool quick) {
  const auto rows = reasons().first(quick ? reasons().size() : std::size(kEverywhere));
  const std::size_t row = reasonFor(rows, m);
  if (row == rows.size()) return;
  m.fate = reasons()[row].fate;
  m.why = reasons()[row].why;
  m.reason = row;
}

std::vector<std::string> reasonProblems(std::span<const Reason> rows, const SelftestResult& result, bool complete) {
  std::vector<std::size_t> met(rows.size());
  for (const MutantResult& m : result.mutants)
    if (m.reason && *m.reason < rows.size()) ++met[*m.reason];
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Reason& r = rows[i];
    const std::string row = fmt::format("{} | {} | {} | {} | {}", r.rule, r.module, r.file, r.source, r.change);
    if (*r.rule == '\0' || *r.change == '\0') problems.push_back(fmt::format("{}: names no rule, or no change", row));
    if (met[i] > r.mutants || (complete && met[i] < r.mutants) || r.mutants == 0)
      problems.push_back(fmt::format("{}: is there for {} mutants and excuses {}", row, r.mutants, met[i]));
  }
  return problems;
}

}  // namespace lanewise
