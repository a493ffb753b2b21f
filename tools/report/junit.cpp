#include <fmt/format.h>

#include "tools/report/escape.h"
#include "tools/report/junit.h"
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

std::string junitDocument(std::span<const JunitSuite> suites) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanewise\">\n";
  for (const JunitSuite& s : suites)
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n{}  </testsuite>\n",
                       escaped(s.name), s.tests, s.failures, s.errors, s.skipped,
                       s.seconds ? fmt::format(" time=\"{:.3f}\"", *s.seconds) : "", s.cases);
  return out + "</testsuites>\n";
}

std::string junitText(const SweepResult& result) {
  std::vector<JunitSuite> suites;
  for (const KernelRow& row : kernelRows(result))
    for (std::size_t s = 0; s < result.sides.size(); ++s) {
      JunitSuite suite{.name = fmt::format("{} on {}", row.kernel, result.sides[s].name)};
      const std::string judged = row.judgedText();
      if (!judged.empty())
        suite.cases = fmt::format("    <properties><property name=\"judged\" value=\"{}\"/></properties>\n", escaped(judged));
      for (const CaseResult& c : result.cases) {
        if (c.what.kernel->name != row.kernel || !c.began()) continue;
        const SideResult& side = c.sides[s];
        if (side.diff)
          ++suite.failures;
        else if ((side.error && side.verdict != Verdict::kNotApplicable) || c.trouble)
          ++suite.errors;
        else if (side.verdict != Verdict::kOk)
          ++suite.skipped;
        ++suite.tests;
        suite.cases += caseXml(result, c, side);
      }
      if (suite.tests != row.cases) {
        suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{} more cases\"><skipped message=\"{}\"/></testcase>\n",
                                   escaped(row.kernel), row.cases - suite.tests, verdictName(Verdict::kNotRun));
        ++suite.tests, ++suite.skipped;
      }
      suites.push_back(std::move(suite));
    }
  return junitDocument(suites);
}

}  // namespace lanewise
