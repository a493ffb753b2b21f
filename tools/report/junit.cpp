#include <fmt/format.h>

#include "tools/report/escape.h"
#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

std::string caseXml(const SweepResult& result, const CaseResult& c, const SideResult& side) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">", escaped(c.what.kernel->name),
                                escaped(c.what.name()), side.seconds);
  if (side.diff) {
    out += fmt::format("<failure message=\"{}\">{}</failure>", escaped(texelText(side)), escaped(failureText(result, c)));
  } else if (side.error && side.verdict == Verdict::kNotApplicable) {
    out += fmt::format("<skipped message=\"{}\"/>", escaped(side.error->text()));
  } else if (const Error* error = side.error ? &*side.error : c.trouble ? &*c.trouble : nullptr) {
    // GitLab shows the text, Jenkins the message.
    const std::string opens = side.error && !c.opens.empty() ? "\nopen it there: " + escaped(c.opens) : "";
    out += fmt::format("<error type=\"{0}\" message=\"{1}\">{1}{2}</error>", outcomeName(error->outcome), escaped(error->text()), opens);
  } else if (side.verdict != Verdict::kOk) {
    out += fmt::format("<skipped message=\"{}\"/>", verdictName(side.verdict));
  }
  return out + "</testcase>\n";
}

}  // namespace

std::string junitText(const SweepResult& result) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanewise\">\n";
  for (const KernelRow& row : kernelRows(result))
    for (std::size_t s = 0; s < result.sides.size(); ++s) {
      std::string cases;
      std::size_t failures = 0, errors = 0, skipped = 0;
      for (const CaseResult& c : result.cases) {
        if (c.what.kernel->name != row.kernel) continue;
        const SideResult& side = c.sides[s];
        if (side.diff)
          ++failures;
        else if ((side.error && side.verdict != Verdict::kNotApplicable) || c.trouble)
          ++errors;
        else if (side.verdict != Verdict::kOk)
          ++skipped;
        cases += caseXml(result, c, side);
      }
      const std::string judged = row.judgedText();
      if (!judged.empty())
        cases = fmt::format("    <properties><property name=\"judged\" value=\"{}\"/></properties>\n", escaped(judged)) + cases;
      out += fmt::format("  <testsuite name=\"{} on {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n",
                         escaped(row.kernel), escaped(result.sides[s].name), row.cases, failures, errors, skipped, cases);
    }
  return out + "</testsuites>\n";
}

}  // namespace lanewise
