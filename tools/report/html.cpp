// htmlText() of report.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/report/charts.h"
#include "tools/report/escape.h"
#include "tools/report/html_images.h"
#include "tools/report/html_style.h"
#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

// Failing cases without evidence are listed by name up to this number.
constexpr std::size_t kMostListed = 2000;

std::size_t failures(const SweepResult& result) {
  return static_cast<std::size_t>(std::count_if(result.cases.begin(), result.cases.end(), [](const CaseResult& c) { return c.failed(); }));
}

std::string banner(const SweepResult& result) {
  const std::size_t failed = failures(result);
  const std::string unproved = unprovedText(result);
  const bool passed = isPassed(result);
  const std::string what = result.interrupted ? "Interrupted: a partial report"
                           : failed != 0      ? fmt::format("{} of {} cases failed", failed, result.cases.size())
                           : passed           ? "All cases passed"
                                              : verdictText(result);
  const char* style = failed != 0 ? "bad" : !passed ? "warn" : "good";
  return fmt::format("<div class=\"banner {}\">{}<span>{} cases on {} in {:.1f} s; outcome: {} (exit code {})</span></div>\n{}", style,
                     what, result.cases.size(),
                     result.sides.size() == 1 ? escaped(result.sides[0].name) : fmt::format("{} sides", result.sides.size()),
                     result.seconds, outcomeName(result.outcome()), static_cast<int>(result.outcome()),
                     unproved.empty() ? "" : fmt::format("<p class=\"say\">Judged: {}</p>\n", escaped(unproved)));
}

std::string sidesTable(const SweepResult& result) {
  std::string out = "<h2>Sides</h2>\n<div class=\"wide\"><table><tr><th>name</th><th>subgroup size</th><th>what it is</th></tr>\n";
  for (const SideInfo& side : result.sides)
    out += fmt::format("<tr><td>{}</td><td class=\"num\">{}</td><td>{}</td></tr>\n", escaped(side.name), side.subgroupSize,
                       escaped(side.description));
  return out + "</table></div>\n";
}

std::string summaryTable(const SweepResult& result) {
  std::string out = "<h2>Kernels</h2>\n<div class=\"wide\"><table><tr><th>kernel</th><th>cases</th><th>golden</th>";
  for (const SideInfo& side : result.sides) out += fmt::format("<th>{}</th>", escaped(side.name));
  out += "</tr>\n";
  for (const KernelRow& row : kernelRows(result)) {
    out += fmt::format("<tr><td>{}</td><td class=\"num\">{}</td><td{}>{}</td>", escaped(row.kernel), row.cases,
                       row.trouble != 0 ? " class=\"bad\"" : "", row.goldenText());
    for (const Tally& tally : row.sides) {
      const char* style = tally.bad() ? "bad" : tally[Verdict::kOk] != 0 ? "good" : "warn";
      out += fmt::format("<td class=\"{}\">{}</td>", style, tally.text());
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

// What is shown about each side with other bytes; sides with equal bytes are shown once.
std::string mismatches(const SweepResult& result, const CaseResult& c, const Evidence* evidence) {
  std::string out;
  for (const auto& group : mismatchGroups(c)) {
    const SideResult& side = c.sides[group.front()];
    out += fmt::format("<p><b>{}</b>: {}</p><p class=\"fine\">{}</p>\n", escaped(sideNames(result, group)), escaped(texelText(side)),
                       escaped(differenceText(side)));
    if (evidence != nullptr) out += figureRow(result, *evidence, group);
  }
  return out;
}

// What the arbitration found out about this case: the smallest failing one, who stored the texel, what went into it, and the rulings.
std::string arbitrationCard(const Arbitration& f) {
  std::string out = "<div class=\"finding\">\n";
  for (const std::string& ruling : f.rulings) out += fmt::format("<p class=\"say\">{}</p>\n", escaped(ruling));
  for (const std::string& suspect : f.suspects) out += fmt::format("<p class=\"say\">suspect: <code>{}</code></p>\n", escaped(suspect));
  for (const std::string& reason : f.reasons) out += fmt::format("<p class=\"fine\">{}</p>\n", escaped(reason));
  out += fmt::format("<dl><dt>smallest failing case</dt><dd><code>{}</code>{}<br><span class=\"fine\">{}</span></dd>\n",
                     escaped(f.smallest), f.small ? "" : "<br>" + escaped(f.texel), escaped(f.shrinking));
  if (f.small && !f.small->evidence.empty())
    out += fmt::format("<dt></dt><dd>{}</dd>\n", mismatches(*f.small, f.small->cases[0], &f.small->evidence[0]));
  if (!f.stored.empty()) out += fmt::format("<dt>stored by</dt><dd><code>{}</code></dd>\n", escaped(f.stored));
  if (!f.opens.empty()) out += fmt::format("<dt>open it there</dt><dd><code>{}</code></dd>\n", escaped(f.opens));
  if (!f.capsule.empty()) out += fmt::format("<dt>capsule</dt><dd><code>lanewise replay {}</code></dd>\n", escaped(f.capsule));
  out += "</dl>\n";
  if (f.slice.empty()) return out + fmt::format("<p class=\"fine\">{}</p></div>\n", escaped(f.sliceSummary));
  out += fmt::format("<details class=\"slice\"><summary>{}</summary><pre>", escaped(f.sliceSummary));
  constexpr std::size_t kMostSteps = 400;
  const std::size_t first = f.slice.size() - std::min(f.slice.size(), kMostSteps);
  if (first != 0) out += fmt::format("... {} earlier ones\n", first);
  for (std::size_t i = first; i < f.slice.size(); ++i) out += escaped(f.slice[i]) + "\n";
  return out + "</pre></details></div>\n";
}

const Arbitration* arbitrationOf(const SweepResult& result, const Kernel* kernel) {
  for (const Arbitration& f : result.arbitrations)
    if (result.cases[f.caseIndex].what.kernel == kernel) return &f;
  return nullptr;
}

const Arbitration* arbitrationOf(const SweepResult& result, std::size_t caseIndex) {
  const Arbitration* f = arbitrationOf(result, result.cases[caseIndex].what.kernel);
  return f != nullptr && f->caseIndex == caseIndex ? f : nullptr;
}

std::string caseLink(std::size_t index, const std::string& text) {
  return fmt::format("<a href=\"#c{}\">{}</a>", index, escaped(text));
}

std::string errorsOf(const SweepResult& result, const CaseResult& c) {
  std::string out;
  if (c.trouble) out += fmt::format("<p class=\"say\">{}: {}</p>\n", outcomeName(c.trouble->outcome), escaped(c.trouble->text()));
  for (std::size_t s = 0; s < c.sides.size(); ++s)
    if (c.sides[s].error)
      out += fmt::format("<p><b>{}</b>: {}: {}</p>\n", escaped(result.sides[s].name), outcomeName(c.sides[s].error->outcome),
                         escaped(c.sides[s].error->text()));
  return out;
}

// In a few words: a ruling or verdict, else the first error.
std::string whyText(const SweepResult& result, std::size_t index) {
  const CaseResult& c = result.cases[index];
  if (const Arbitration* f = arbitrationOf(result, index); f != nullptr && !f->rulings.empty())
    return fmt::format("{}", fmt::join(f->rulings, "; "));
  const std::string unknown = notLookedInto(result, c);
  if (const std::string verdict = arbitration(result, c); !verdict.empty()) return verdict + (unknown.empty() ? "" : "; " + unknown);
  for (std::size_t s = 0; s < c.sides.size(); ++s)
    if (c.sides[s].error) return fmt::format("{}: {}", result.sides[s].name, c.sides[s].error->text());
  return c.trouble ? c.trouble->text() : "";
}

// The first bad texel that is known of a kernel: of its smallest failing case, or of the case itself.
std::string whereText(const CaseResult& c, const Arbitration* f) {
  if (f != nullptr) return f->texel;
  const auto groups = mismatchGroups(c);
  return groups.empty() ? "" : fmt::format("{}: {}", briefText(c.what), texelText(c.sides[groups.front().front()]));
}

// What failed and why, a line a kernel, before anything else.
std::string reasonTable(const SweepResult& result) {
  constexpr std::size_t kListedKernels = 40;
  struct Row {
    std::size_t cases = 0, failed = 0, first = 0;
  };
  std::map<const Kernel*, Row> rows;
  std::vector<const Kernel*> order;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseResult& c = result.cases[i];
    Row& row = rows[c.what.kernel];
    ++row.cases;
    if (!c.failed() || row.failed++ != 0) continue;
    row.first = i;
    order.push_back(c.what.kernel);
  }
  if (order.empty()) return {};
  std::string out =
      "<h2>What is wrong</h2>\n<div class=\"wide\"><table class=\"list\"><tr><th>kernel</th><th>failed</th><th>why</th><th>"
      "first bad texel of the smallest case that is known</th></tr>\n";
  for (std::size_t i = 0; i < std::min(order.size(), kListedKernels); ++i) {
    const Row& row = rows[order[i]];
    const Arbitration* f = arbitrationOf(result, order[i]);
    const std::size_t at = f != nullptr ? f->caseIndex : row.first;
    out += fmt::format("<tr><td>{}</td><td class=\"num\">{} of {}</td><td class=\"say\">{}</td><td>{}</td></tr>\n",
                       caseLink(at, order[i]->name), row.failed, row.cases, escaped(whyText(result, at)),
                       escaped(whereText(result.cases[at], f)));
  }
  out += "</table></div>\n";
  if (order.size() > kListedKernels)
    out += fmt::format("<p class=\"fine\">{} more kernels have failures.</p>\n", order.size() - kListedKernels);
  return out;
}

std::string openingHtml(const CaseResult& c) {
  return c.opens.empty() ? "" : fmt::format("<p>open it there: <code>{}</code></p>\n", escaped(c.opens));
}

// A failure that has images or a finding: a box that opens.
std::string failure(const SweepResult& result, std::size_t index, const Evidence* evidence, bool open) {
  const CaseResult& c = result.cases[index];
  std::string out =
      fmt::format("<details class=\"fail\" id=\"c{}\"{}><summary>{}</summary>\n", index, open ? " open" : "", escaped(c.what.name()));
  const Arbitration *finding = arbitrationOf(result, index), *ofKernel = arbitrationOf(result, c.what.kernel);
  const std::string verdict = arbitration(result, c);
  if (finding == nullptr && ofKernel != nullptr)
    out += fmt::format("<p class=\"fine\">The first failure of this kernel was examined: {}.</p>\n",
                       caseLink(ofKernel->caseIndex, result.cases[ofKernel->caseIndex].what.name()));
  else if (finding == nullptr && !verdict.empty())
    out += fmt::format("<p class=\"say\">{}</p>\n", escaped(verdict));
  if (const std::string why = notLookedInto(result, c); !why.empty()) out += fmt::format("<p class=\"fine\">{}</p>\n", escaped(why));
  out += mismatches(result, c, evidence);
  if (!mismatchGroups(c).empty()) out += fmt::format("<p class=\"fine\">Contract {}</p>\n", escaped(contractText(*c.what.kernel)));
  if (finding != nullptr) out += arbitrationCard(*finding);
  return out + openingHtml(c) + errorsOf(result, c) + "</details>\n";
}

// One without: a row.
std::string failureRow(const SweepResult& result, std::size_t index) {
  const CaseResult& c = result.cases[index];
  std::string says;
  for (const auto& group : mismatchGroups(c)) says += fmt::format("{}: {} ", sideNames(result, group), texelText(c.sides[group.front()]));
  for (std::size_t s = 0; s < c.sides.size(); ++s)
    if (c.sides[s].error) says += fmt::format("{}: {} ", result.sides[s].name, c.sides[s].error->text());
  if (c.trouble) says += c.trouble->text();
  return fmt::format("<tr class=\"fail\" id=\"c{}\"><td><code>{}</code></td><td>{}{}</td></tr>\n", index, escaped(c.what.name()),
                     escaped(says), openingHtml(c));
}

// In tables of so many rows, of which a browser lays out those that are seen.
std::string rowTables(const std::vector<std::string>& rows) {
  constexpr std::size_t kRows = 100;
  if (rows.empty()) return {};
  std::string out = "<table class=\"list heads\"><tr><th>case</th><th>what is wrong</th></tr></table>\n";
  for (std::size_t i = 0; i < rows.size(); i += kRows) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(i),
               end = begin + static_cast<std::ptrdiff_t>(std::min(kRows, rows.size() - i));
    out += fmt::format("<div class=\"part\"><table class=\"list\">{}</table></div>\n", fmt::join(begin, end, ""));
  }
  return out;
}

std::string failureList(const SweepResult& result) {
  std::string boxes;
  std::vector<std::string> rows;
  std::size_t shown = 0, listed = 0, evidence = 0;
  std::set<const Kernel*> first;  // the table above leads to these
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    if (!result.cases[i].failed()) continue;
    while (evidence < result.evidence.size() && result.evidence[evidence].caseIndex < i) ++evidence;
    const bool images = evidence < result.evidence.size() && result.evidence[evidence].caseIndex == i;
    const bool looked = arbitrationOf(result, i) != nullptr;
    if (!first.insert(result.cases[i].what.kernel).second && !images && !looked && listed >= kMostListed) continue;
    if (images || looked)
      boxes += failure(result, i, images ? &result.evidence[evidence] : nullptr, looked && shown++ < 2);
    else
      rows.push_back(failureRow(result, i));
    ++listed;
  }
  if (listed == 0) return {};
  const std::size_t all = failures(result);
  std::string out =
      "<h2>Failures</h2>\n<p class=\"fine\">The framed texel is the first that is wrong. Click a picture to "
      "zoom.</p>\n<p><input id=\"filter\" type=\"search\" placeholder=\"Show only cases with ...\"></p>\n" +
      boxes;
  out += rowTables(rows);
  if (listed < all) out += fmt::format("<p class=\"fine\">{} more failing cases are in report.json.</p>\n", all - listed);
  return out;
}

}  // namespace

std::string htmlText(const SweepResult& result, const ReportHeader& header) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">"
      "<title>Lanewise validation</title><style>{}</style></head><body><main>\n<h1>Lanewise validation</h1>\n"
      "<p class=\"meta\">{} &middot; lanewise {}</p><p><code>{}</code></p>\n",
      kReportStyle, escaped(header.date), LANEWISE_VERSION, escaped(header.command));
  out += banner(result) + reasonTable(result) + summaryMatrix(result) + failureCharts(result);
  out += failureList(result) + summaryTable(result) + sidesTable(result);
  if (!result.notes.empty()) out += "<h2>Notes</h2>\n";
  for (const std::string& note : result.notes) out += fmt::format("<p>{}</p>\n", escaped(note));
  return out + kReportScript + "</main></body></html>\n";
}

}  // namespace lanewise
