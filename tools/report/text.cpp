// summaryText() of report.h, for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/base/text.h"
#include "model/base/visible.h"
#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using Row = std::vector<std::string>;

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string summaryTableText(const SweepResult& result) {
  std::vector<Row> rows(1);
  rows[0] = {"kernel", "cases", "golden"};
  for (const SideInfo& side : result.sides) rows[0].push_back(side.name);
  for (const KernelRow& k : kernelRows(result)) {
    Row row = {k.kernel, std::to_string(k.cases), k.goldenText()};
    for (const Tally& tally : k.sides) row.push_back(tally.text());
    rows.push_back(std::move(row));
  }
  return table(rows);
}

// The errors of a case, each once, with the sides that have it.
std::vector<std::pair<std::string, std::string>> sideErrors(const SweepResult& result, const CaseResult& c) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t s = 0; s < c.sides.size(); ++s) {
    if (!c.sides[s].error) continue;
    const std::string error = fmt::format("{}: {}", outcomeName(c.sides[s].error->outcome), c.sides[s].error->text());
    const auto same = std::ranges::find(out, error, &std::pair<std::string, std::string>::first);
    if (same == out.end())
      out.emplace_back(error, result.sides[s].name);
    else
      same->second += ", " + result.sides[s].name;
  }
  return out;
}

// Whether it shows nothing but errors that were told before. Remembers those that it has.
bool isTold(const SweepResult& result, const CaseResult& c, std::set<std::string>& told) {
  const auto errors = sideErrors(result, c);
  bool all = !errors.empty() && !c.trouble && mismatchGroups(c).empty();
  for (const auto& [error, sides] : errors) all = !told.insert(sides + error).second && all;
  return all;
}

void describeFailure(const SweepResult& result, const CaseResult& c, std::string& out) {
  if (c.trouble) out += "  " + c.trouble->text() + "\n";
  for (const auto& group : mismatchGroups(c)) {
    const SideResult& side = c.sides[group.front()];
    out += fmt::format("  {}, {}\n", briefText(c.what), texelText(side));
    out += fmt::format("    on {}{}: {}\n", sideNames(result, group), group.size() > 1 ? " alike" : "", differenceText(side));
  }
  for (const auto& [error, sides] : sideErrors(result, c)) out += fmt::format("  {}: {}\n", sides, error);
  if (!mismatchGroups(c).empty()) out += "  contract: " + contractText(*c.what.kernel) + "\n";
  const std::string verdict = arbitration(result, c);
  if (!verdict.empty()) out += "  verdict: " + verdict + "\n";
  if (const std::string why = notLookedInto(result, c); !why.empty()) out += "    " + why + "\n";
  if (!c.opens.empty()) out += "  open it there: " + c.opens + "\n";
}

// The numbers of all cases if they are few; of many a report has them.
std::string numbersText(const SweepResult& result) {
  constexpr std::size_t kMost = 20;
  std::string out;
  std::size_t cases = 0;
  for (const CaseResult& c : result.cases) {
    if (c.numbers.empty() || ++cases > kMost) continue;
    out += c.what.name() + "\n";
    for (const NumberText& n : c.numbers) out += fmt::format("  {}: {} = {}\n", n.name, n.fraction, n.decimal);
  }
  if (cases <= kMost) return out;
  return fmt::format("numbers of {} cases (means, variances, cosines): report.json of --report FOLDER has them\n", cases);
}

// What the arbitration found out, the end of the slice with it.
std::string arbitrationText(const SweepResult& result, const Arbitration& f) {
  constexpr std::size_t kMostSteps = 8;
  std::string out = fmt::format("arbitration of {}\n  smallest: {}\n    {} ({})\n", result.cases[f.caseIndex].what.name(), f.smallest,
                                f.texel, f.shrinking);
  if (!f.stored.empty()) out += "  stored by: " + f.stored + "\n";
  if (!f.opens.empty()) out += "  open it there: " + f.opens + "\n";
  if (!f.sliceSummary.empty()) out += "  slice: " + f.sliceSummary + "\n";
  if (f.slice.size() > kMostSteps) out += "    ...\n";
  for (std::size_t i = f.slice.size() - std::min(f.slice.size(), kMostSteps); i < f.slice.size(); ++i) out += "    " + f.slice[i] + "\n";
  for (const std::string& line : f.suspects) out += "  suspect: " + line + "\n";
  for (const std::string& line : f.rulings) out += "  ruling: " + line + "\n";
  for (const std::string& line : f.reasons) out += "    " + line + "\n";
  if (!f.capsule.empty()) out += fmt::format("  capsule: {} in the report's folder; `lanewise replay` runs it again\n", f.capsule);
  return out;
}

}  // namespace

std::string failureText(const SweepResult& result, const CaseResult& c) {
  std::string out;
  describeFailure(result, c, out);
  for (const Arbitration& f : result.arbitrations)
    if (&result.cases[f.caseIndex] == &c) out += arbitrationText(result, f);
  return visible(out + "to run it again: lanewise validate " + shellWord(c.what.name()) + "\n");
}

std::string summaryText(const SweepResult& result, std::size_t most) {
  std::string out;
  std::size_t failed = 0, shown = 0, again = 0;
  std::set<std::string> told;
  for (const CaseResult& c : result.cases) {
    if (!c.failed()) continue;
    ++failed;
    if (isTold(result, c, told)) {
      ++again;
      continue;
    }
    if (shown++ >= most) continue;
    out += c.what.name() + "\n";
    describeFailure(result, c, out);
  }
  if (again != 0) out += fmt::format("... and {} more cases with errors that are told above\n", again);
  if (shown > most) out += fmt::format("... and {} more failing cases: --report FOLDER lists them all\n", shown - most);
  for (const Arbitration& f : result.arbitrations) out += arbitrationText(result, f);
  if (failed != 0) out += "\n";
  if (!result.cases.empty()) out += summaryTableText(result) + "\n";
  out += numbersText(result);
  for (const std::string& note : result.notes) out += "note: " + note + "\n";
  const std::size_t runs = result.count(Verdict::kOk) + result.count(Verdict::kMismatch) + result.count(Verdict::kError);
  const double fresh = static_cast<double>(runs - std::min(runs, result.recalled * result.sides.size()));
  if (result.trouble) out += fmt::format("{}: {}\n", outcomeName(result.trouble->outcome), result.trouble->text());
  if (const std::string unproved = unprovedText(result); !unproved.empty()) out += "judged: " + unproved + "\n";
  return visible(out) + fmt::format("{}: {} cases, {} failed; {} runs in {:.1f} s ({} a second)\n", verdictText(result),
                                    result.cases.size(), failed, runs, result.seconds, rateText(fresh / std::max(result.seconds, 1e-9)));
}

}  // namespace lanewise
