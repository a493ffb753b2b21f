#include "tools/check/rules.h"

#include <cctype>

#include "tools/check/check.h"

namespace lanewise {

FindingRule ruleOf(const CheckFinding& f) {
  using What = CheckFinding::What;
  switch (f.what) {
    case What::kReported:
      return findingRule(f.finding.kind);
    case What::kWrongResult:
      return {"an output is not what it has to be; the first wrong texel names the store that wrote it", ""};
    case What::kDependence:
      return {"a run that Vulkan allows too gives other bytes; the finding names the two runs, and where they part", ""};
    case What::kError:
      break;
  }
  return {"a run ended with an error; the finding is its text", ""};
}

std::string pageOf(const CheckFinding& finding) {
  if (finding.what == CheckFinding::What::kError) return "docs/findings.md";
  std::string page = "docs/findings/";
  for (const char c : finding.kind())
    if (c != '(' && c != ')') page += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return page + ".md";
}

}  // namespace lanewise
