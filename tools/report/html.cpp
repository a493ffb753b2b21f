#include <fmt/format.h>

#include <algorithm>

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
  const std::string what = result.interrupted ? "Interrupted: a partial report"
                           : failed == 0      ? "All cases passed"
                                              : fmt::format("{} of {} cases failed", failed, result.cases.size());
  const char* style = failed != 0 ? "bad" : result.interrupted ? "warn" : "good";
  return fmt::format("<div class=\"banner {}\">{}<span>{} cases on {} sides in {:.1f} s; outcome: {} (exit code {})</span></div>\n", style,
                     what, result.cases.size(), result.sides.size(), result.seconds, outcomeName(result.outcome()),
                     static_cast<int>(result.outcome()));
}

std::string sidesTable(const SweepResult& result) {
  std::string out = "<h2>Sides</h2>\n<div class=\"wide\"><table><tr><th>name</th><th>subgroup size</th><th>what it is</th></tr>\n";
  for (const SideInfo& side : result.sides)
    out += fmt::format("<tr><td>{}</td><td class=\"num\">{}</td><td>{}</td></tr>\n", escaped(side.name), side.subgroupSize,
                       escaped(side.description));
  return out + "</table></div>\n";
}

std::string summaryTable(const SweepResult& result) {
  std::string out = "<h2>Summary</h2>\n<div class=\"wide\"><table><tr><th>kernel</th><th>cases</th><th>golden</th>";
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

std::string failure(const SweepResult& result, const CaseResult& c, const Evidence* evidence, bool open) {
  std::string out = fmt::format("<details{}><summary>{}</summary>\n", open ? " open" : "", escaped(c.what.name()));
  const std::string verdict = arbitration(result, c);
  if (!verdict.empty()) out += fmt::format("<p class=\"say\">{}</p>\n", escaped(verdict));
  if (!mismatchGroups(c).empty()) out += fmt::format("<p class=\"fine\">Contract {}</p>\n", escaped(contractText(c.what.kernel->contract)));
  if (c.trouble) out += fmt::format("<p class=\"say\">{}: {}</p>\n", outcomeName(c.trouble->outcome), escaped(c.trouble->text()));
  for (const auto& group : mismatchGroups(c)) {
    const SideResult& side = c.sides[group.front()];
    out += fmt::format("<p><b>{}</b>: {}</p><p class=\"fine\">{}</p>\n", escaped(sideNames(result, group)), escaped(texelText(side)),
                       escaped(differenceText(side)));
    if (evidence != nullptr) out += figureRow(result, *evidence, group);
  }
  for (std::size_t s = 0; s < c.sides.size(); ++s)
    if (c.sides[s].error)
      out += fmt::format("<p><b>{}</b>: {}: {}</p>\n", escaped(result.sides[s].name), outcomeName(c.sides[s].error->outcome),
                         escaped(c.sides[s].error->text()));
  return out + "</details>\n";
}

std::string failureList(const SweepResult& result) {
  std::string out;
  std::size_t listed = 0, evidence = 0;
  for (std::size_t i = 0; i < result.cases.size() && listed < kMostListed; ++i) {
    if (!result.cases[i].failed()) continue;
    while (evidence < result.evidence.size() && result.evidence[evidence].caseIndex < i) ++evidence;
    const bool shown = evidence < result.evidence.size() && result.evidence[evidence].caseIndex == i;
    out += failure(result, result.cases[i], shown ? &result.evidence[evidence] : nullptr, listed < 3);
    ++listed;
  }
  if (listed == 0) return {};
  const std::size_t all = failures(result);
  if (listed < all) out += fmt::format("<p class=\"fine\">{} more failing cases are in report.json.</p>\n", all - listed);
  return "<h2>Failures</h2>\n<p class=\"fine\">The framed texel is the first that is wrong. Alpha is shown as opaque. Click a picture to "
         "zoom.</p>\n" +
         out;
}

}  // namespace

std::string htmlText(const SweepResult& result, const ReportHeader& header) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">"
      "<title>Lanewise validation</title><style>{}</style></head><body><main>\n<h1>Lanewise validation</h1>\n"
      "<p class=\"meta\">{} &middot; lanewise {}</p><p><code>{}</code></p>\n",
      kReportStyle, escaped(header.date), LANEWISE_VERSION, escaped(header.command));
  out += banner(result) + summaryTable(result) + sidesTable(result);
  if (!result.notes.empty()) out += "<h2>Notes</h2>\n";
  for (const std::string& note : result.notes) out += fmt::format("<p>{}</p>\n", escaped(note));
  out += failureList(result);
  return out +
         "<script>document.addEventListener('click', e => { const p = e.target.closest('.pic'); if (p) p.classList.toggle('big'); "
         "});</script>\n"
         "</main></body></html>\n";
}

}  // namespace lanewise
