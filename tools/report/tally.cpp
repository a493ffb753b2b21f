#include "tools/report/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanewise {

std::string rateText(double rate) {
  return rate < 10 ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
}

std::string Tally::text() const {
  std::vector<std::string> parts;
  for (const Verdict v : {Verdict::kMismatch, Verdict::kError, Verdict::kOk, Verdict::kNotApplicable, Verdict::kNotRun})
    if ((*this)[v] != 0) parts.push_back(fmt::format("{} {}", (*this)[v], verdictName(v)));
  return parts.empty() ? "nothing ran" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string KernelRow::goldenText() const {
  std::vector<std::string> parts;
  if (golden != 0) parts.push_back(std::to_string(golden));
  if (oracle != 0) parts.push_back(fmt::format("{} oracle only", oracle));
  if (trouble != 0) parts.push_back(fmt::format("{} in trouble", trouble));
  if (none != 0) parts.push_back(fmt::format("{} no reference", none));
  if (recorded != 0) parts.push_back(fmt::format("{} recorded", recorded));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string KernelRow::judgedText() const {
  std::vector<std::string> parts;
  if (none != 0)
    parts.push_back(
        fmt::format("{} cases by invariants alone (equal bytes in every run, no findings): nothing says that a result is right; "
                    "[reference] in the description does, and `lanewise check {}` tries more orders, stale memory and other profiles",
                    none, kernel));
  if (recorded != 0) parts.push_back(fmt::format("{} cases by recorded results, which a person approved and nobody proved", recorded));
  return fmt::format("{}", fmt::join(parts, "; "));
}

namespace {

bool isRecorded(const CaseResult& c) {
  return c.what.kernel->recorded;
}

bool isJudgedByNone(const CaseResult& c) {
  return c.what.kernel->invariants;
}

// The first that holds is a case's.
struct GoldenName {
  const char* name;
  GoldenState state;
  bool (*holds)(const CaseResult&);  // nullptr: always
};
constexpr GoldenName kGoldenNames[] = {
    {"no reference", GoldenState::kOracleOnly, isJudgedByNone}, {"recorded", GoldenState::kOracleOnly, isRecorded},
    {"not checked", GoldenState::kNotChecked, nullptr},         {"agrees", GoldenState::kAgrees, nullptr},
    {"oracle only", GoldenState::kOracleOnly, nullptr},         {"trouble", GoldenState::kTrouble, nullptr}};

}  // namespace

const char* goldenName(const CaseResult& c) {
  const auto isOf = [&](const GoldenName& n) { return n.state == c.golden && (n.holds == nullptr || n.holds(c)); };
  return std::ranges::find_if(kGoldenNames, isOf)->name;
}

std::optional<GoldenState> goldenStateOf(std::string_view name) {
  const auto* found = std::ranges::find(kGoldenNames, name, &GoldenName::name);
  return found == std::end(kGoldenNames) ? std::optional<GoldenState>() : found->state;
}

std::vector<KernelRow> kernelRows(const SweepResult& result) {
  std::vector<KernelRow> rows;
  for (const CaseResult& c : result.cases) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& r) { return r.kernel == c.what.kernel->name; });
    if (row == rows.end()) row = rows.insert(rows.end(), {c.what.kernel->name, 0, 0, 0, 0, 0, std::vector<Tally>(result.sides.size())});
    ++row->cases;
    row->golden += c.golden == GoldenState::kAgrees ? 1 : 0;
    if (c.golden == GoldenState::kOracleOnly) ++(isJudgedByNone(c) ? row->none : isRecorded(c) ? row->recorded : row->oracle);
    row->trouble += c.golden == GoldenState::kTrouble ? 1 : 0;
    for (std::size_t s = 0; s < c.sides.size(); ++s) ++row->sides[s].counts[static_cast<std::size_t>(c.sides[s].verdict)];
  }
  return rows;
}

std::string unprovedText(const SweepResult& result) {
  KernelRow all;
  for (const KernelRow& row : kernelRows(result)) {
    if (all.none == 0) all.kernel = row.kernel;
    all.none += row.none, all.recorded += row.recorded;
  }
  return all.judgedText();
}

namespace {

enum class Conclusion : std::uint8_t {
  kInterrupted,
  kFailed,
  kTrouble,
  kNothingTaken,
  kNothingRan,
  kNoDifference,  // nothing but invariants judged
  kAsRecorded,
  kPassed,
  kPassedInPart,  // ... some of the cases
};

Conclusion conclusionOf(const SweepResult& result) {
  if (result.interrupted) return Conclusion::kInterrupted;
  if (std::ranges::any_of(result.cases, &CaseResult::failed)) return Conclusion::kFailed;
  if (result.trouble) return Conclusion::kTrouble;
  if (result.nothingTaken()) return Conclusion::kNothingTaken;
  if (result.nothingRan()) return Conclusion::kNothingRan;
  const auto none = std::ranges::count_if(result.cases, isJudgedByNone), recorded = std::ranges::count_if(result.cases, isRecorded);
  if (result.cases.empty() || none + recorded == 0) return Conclusion::kPassed;
  if (none == std::ssize(result.cases)) return Conclusion::kNoDifference;
  if (recorded == std::ssize(result.cases)) return Conclusion::kAsRecorded;
  return none == 0 ? Conclusion::kPassed : Conclusion::kPassedInPart;
}

}  // namespace

bool isPassed(const SweepResult& result) {
  return conclusionOf(result) == Conclusion::kPassed;
}

std::string verdictText(const SweepResult& result) {
  switch (conclusionOf(result)) {
    case Conclusion::kInterrupted:
      return "INTERRUPTED";
    case Conclusion::kFailed:
      return "FAILED";
    case Conclusion::kTrouble:
      return "TROUBLE";
    case Conclusion::kNothingTaken:
      return "NOTHING RAN: no kernel takes these pictures or subgroup sizes";
    case Conclusion::kNothingRan:
      return "NOTHING RAN: no side can run these cases";
    case Conclusion::kNoDifference:
      return "NO DIFFERENCE, WHICH IS NO APPROVAL";
    case Conclusion::kAsRecorded:
      return "PASSED AS RECORDED";
    case Conclusion::kPassed:
      return "PASSED";
    case Conclusion::kPassedInPart:
      break;
  }
  return fmt::format("PASSED, BUT FOR {} CASES NOTHING SAYS WHAT IS RIGHT", std::ranges::count_if(result.cases, isJudgedByNone));
}

std::string differenceText(const SideResult& side) {
  const golden::Diff& diff = *side.diff;
  std::string out = fmt::format("{} of {} components differ, by at most {}", diff.differing, diff.components, diff.maximum);
  if (diff.differing != diff.beyond) out += fmt::format("; {} beyond the tolerance", diff.beyond);
  if (diff.undefinedTexels != 0) out += fmt::format("; {} texels look never written", diff.undefinedTexels);
  if (std::isfinite(diff.psnr)) out += fmt::format("; PSNR {:.1f} dB", diff.psnr);
  return out + "; by size: " + golden::histogramText(diff);
}

std::string contractText(const Kernel& kernel) {
  const golden::Contract& contract = kernel.contract;
  std::string out = contract.name + ": ";
  if (!contract.allows.empty()) return out + contract.allows;
  if (!kernel.exact()) return out + "a proved range of values: " + kernel.promise;
  out += contract.tolerance == 0 ? "exact" : fmt::format("at most {} units of the format", contract.tolerance);
  if (!contract.proof.empty()) out += ", because " + contract.proof;
  return contract.zerosEqual ? out + "; +0 and -0 are equal" : out;
}

std::string notLookedInto(const SweepResult& result, const CaseResult& c) {
  const auto ofKernel = [&](const Arbitration& f) { return result.cases[f.caseIndex].what.kernel == c.what.kernel; };
  if (result.arbitrations.empty() || mismatchGroups(c).empty() ||
      std::any_of(result.arbitrations.begin(), result.arbitrations.end(), ofKernel))
    return {};
  const std::string why =
      result.interrupted ? "the run was interrupted" : fmt::format("only {} of the kernels that fail are", result.arbitrations.size());
  return fmt::format("not looked into: {}; `lanewise validate {}` does", why, c.what.kernel->name);
}

std::vector<std::vector<std::size_t>> mismatchGroups(const CaseResult& c) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < c.sides.size(); ++s) {
    if (c.sides[s].verdict != Verdict::kMismatch) continue;
    const auto same = [&](const auto& group) { return c.sides[group.front()].hash == c.sides[s].hash; };
    const auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end())
      groups.push_back({s});
    else
      found->push_back(s);
  }
  return groups;
}

std::string sideNames(const SweepResult& result, const std::vector<std::size_t>& sides) {
  std::string out;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (i != 0) out += i + 1 == sides.size() ? " and " : ", ";
    out += result.sides[sides[i]].name;
  }
  return out;
}

}  // namespace lanewise
