// Every kind of finding is a rule of its own, in the words of its page.
#include "tools/check/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "model/base/outcome.h"
#include "model/contract/finding_kinds.h"

namespace lanewise {
namespace {

TEST(Rules, SayWhatThePageOnFindingsSays) {
  std::ifstream file(LANEWISE_FINDINGS_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const FindingKind kind : kFindingKinds) {
    const Rule rule = ruleOf(findingName(kind));
    EXPECT_NE(page.find(fmt::format("| {}", rule.what)), std::string::npos) << findingName(kind) << ": " << rule.what;
    const bool inAFewWords = page.find(fmt::format("| {} |", rule.mends)) != std::string::npos;
    const bool below = page.find(fmt::format("| {} | below |", rule.what)) != std::string::npos;
    EXPECT_NE(inAFewWords, below) << findingName(kind) << ": " << rule.mends;
  }
}

TEST(Rules, TellWhatIsNoFindingApart) {
  for (const char* kind : {"wrong result", "depends on the schedule", "an error"}) EXPECT_EQ(ruleOf(kind).mends, "") << kind;
  EXPECT_NE(ruleOf("depends on reconvergence").what, ruleOf("depends on the schedule").what);
  EXPECT_NE(ruleOf("wrong result").what, ruleOf("depends on the schedule").what);
  EXPECT_EQ(ruleOf(outcomeName(Outcome::kDeviceTrouble)).what, ruleOf(outcomeName(Outcome::kUnsupported)).what);
  EXPECT_NE(ruleOf(outcomeName(Outcome::kUnsupported)).what, ruleOf("wrong result").what);
}

}  // namespace
}  // namespace lanewise
