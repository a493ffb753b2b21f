// Every kind of finding is a rule of its own, in the words of its page.
#include "tools/check/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "model/contract/finding_kinds.h"
#include "tools/check/check.h"

namespace lanewise {
namespace {

CheckFinding reported(FindingKind kind) {
  CheckFinding f{.what = CheckFinding::What::kReported};
  f.finding.kind = kind;
  return f;
}

TEST(Rules, SayWhatThePageOnFindingsSays) {
  std::ifstream file(LANEWISE_FINDINGS_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const FindingKind kind : kFindingKinds) {
    const FindingRule rule = ruleOf(reported(kind));
    EXPECT_NE(page.find(fmt::format("| {}", rule.what)), std::string::npos) << findingName(kind) << ": " << rule.what;
    const bool inAFewWords = page.find(fmt::format("| {} |", rule.mends)) != std::string::npos;
    const bool below = page.find(fmt::format("| {} | below |", rule.what)) != std::string::npos;
    EXPECT_NE(inAFewWords, below) << findingName(kind) << ": " << rule.mends;
  }
}

TEST(Rules, TellWhatIsNoFindingApart) {
  using What = CheckFinding::What;
  for (const What what : {What::kWrongResult, What::kDependence, What::kError}) EXPECT_EQ(ruleOf({.what = what}).mends, "");
  EXPECT_NE(ruleOf(reported(FindingKind::kReconvergence)).what, ruleOf({.what = What::kDependence}).what);
  EXPECT_NE(ruleOf({.what = What::kWrongResult}).what, ruleOf({.what = What::kDependence}).what);
  EXPECT_NE(ruleOf({.what = What::kError}).what, ruleOf({.what = What::kWrongResult}).what);
}

}  // namespace
}  // namespace lanewise
