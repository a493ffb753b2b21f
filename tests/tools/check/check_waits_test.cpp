// `lanewise check` on the model of what waits, of models of progress, and of what is forgotten.
#include <gmock/gmock.h>

#include "tests/tools/check/checked.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

CheckResult checkedInWays(const std::string& file, const std::vector<CheckWay>& ways, const CheckLimits& limits = {}) {
  return checkedInWays(file, text::programJob(file), ways, limits);
}

// A wait is one finding, however many ways show it.
TEST(CheckOfWaits, TellsAWaitOnce) {
  const CheckResult r = checkedInWays("wait_never_stored.comp", modelWays({}, true));
  EXPECT_THAT(keysOf(r), ElementsAre("waits for ever wait_never_stored.comp:12 flag"));
  EXPECT_EQ(r.outcome(), Outcome::kFinding);
}

// In order the first workgroup waits for one that has not started. What is behind the wait is seen where both take turns.
TEST(CheckOfWaits, LooksBehindAWait) {
  const CheckResult r = checkedInWays("race_behind_wait.comp", modelWays({}, true));
  EXPECT_THAT(keysOf(r), ElementsAre("waits for ever race_behind_wait.comp:15 arrived",
                                     "data race race_behind_wait.comp:16 data against race_behind_wait.comp:13"));
  EXPECT_THAT(r.waiting, ElementsAre(Pair("race_behind_wait.comp", ElementsAre("interleave:seed:1@4", "interleave:seed:2@4"))));
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("waits in order, and was only interleaved otherwise (it ends under interleave:seed:1@4, "
                                                 "interleave:seed:2@4): race_behind_wait.comp\n"),
                                       Not(HasSubstr("did not depend"))));
}

// What waits so is interleaved for its lines; where that ends with an error too, they are those up to there.
TEST(CheckOfWaits, LooksAtTheLinesOfWhatWaits) {
  const auto checked = [](const std::string& file) { return checkedInWays(file, modelWays({}, false), {.coverage = true}); };
  const CheckResult behind = checked("race_behind_wait.comp"), never = checked("wait_never_stored.comp");
  ASSERT_TRUE(behind.coverage && never.coverage);
  EXPECT_EQ(missedLines(*behind.coverage), "");
  EXPECT_EQ(behind.cut, 0u);
  EXPECT_THAT(lcovText(*never.coverage), HasSubstr("SF:wait_never_stored.comp\n"));
  EXPECT_EQ(never.cut, 1u);
  EXPECT_THAT(checkText(never, "s"), HasSubstr("which lines run was looked at up to where 1 job ended with an error\n"));
}

// What a user takes for granted: under it all ways are run. A wait that does not end so is a finding still.
TEST(CheckOfWaits, TakesAModelOfProgressForGranted) {
  const auto checkedUnder = [](const std::string& file, Schedule::Progress progress) {
    return checkedInWays(file, modelWays({.progress = progress}, false));
  };
  const auto waits = [](const CheckResult& r) {
    return std::ranges::count_if(r.findings, [](const CheckFinding& f) { return f.finding.kind == FindingKind::kWaits; });
  };
  using enum Schedule::Progress;
  const CheckResult none = checkedUnder("wait_earlier_workgroup.comp", kNone);
  EXPECT_EQ(waits(none), 1);
  EXPECT_THAT(checkText(none, "s"), HasSubstr("if your devices promise that progress is hsa: check with --progress hsa"));
  const CheckResult lobe = checkedUnder("wait_earlier_workgroup.comp", kLobe);
  EXPECT_THAT(keysOf(lobe), IsEmpty());
  EXPECT_THAT(lobe.ways, AllOf(Contains("in-order+lobe*"), Contains("reverse+lobe"), Contains("lanes+lobe")));
  EXPECT_THAT(lobe.waiting, IsEmpty());
  // A race behind a wait is seen in each way.
  EXPECT_THAT(keysOf(checkedUnder("race_look_back.comp", kLobe)), Contains(HasSubstr("data race race_look_back.comp")));
  EXPECT_EQ(waits(checkedUnder("wait_later_workgroup.comp", kLobe)), 1);
  EXPECT_EQ(waits(checkedUnder("wait_later_workgroup.comp", kFair)), 0);
  EXPECT_EQ(waits(checkedUnder("wait_never_stored.comp", kFair)), 1);
}

// Nobody would store another value, in that order of turns: who stored the one that stays is told, and that the order decides.
TEST(CheckOfWaits, TellsWhoKeepsALockAndWaitsToo) {
  const CheckResult r = checkedInWays("wait_two_locks.comp", modelWays({}, false));
  const auto wait = std::ranges::find(r.findings, FindingKind::kWaits, [](const CheckFinding& f) { return f.finding.kind; });
  ASSERT_NE(wait, r.findings.end());
  EXPECT_THAT(wait->finding.at.line, testing::AnyOf(12u, 13u));
  EXPECT_THAT(wait->finding.other, HasSubstr("stored that at wait_two_locks.comp:12, and nobody stores another value: it waits too"));
  EXPECT_THAT(wait->finding.mend, HasSubstr("it ends in order, and under no model of progress where turns are taken so"));
}

// A race with a user that is forgotten is not found, and the verdict says that.
TEST(CheckOfWaits, SaysThatUsersOfAWordWereForgotten) {
  const auto checked = [](const std::string& file) { return checkedInWays(file, {modelWays({}, false)[0]}); };
  const CheckResult many = checked("race_forgotten_user.comp"), fewer = checked("race_many_users.comp");
  EXPECT_GT(many.forgottenUses, 0u);
  EXPECT_THAT(keysOf(many), IsEmpty());
  EXPECT_THAT(checkText(many, "s"),
              AllOf(HasSubstr("accesses of memory with many users were forgotten"), Not(HasSubstr("proved: no order"))));
  EXPECT_EQ(fewer.forgottenUses, 0u);
  EXPECT_EQ(keysOf(fewer).size(), 1u);
  EXPECT_THAT(checkText(fewer, "s"), Not(HasSubstr("forgotten")));
}

}  // namespace
}  // namespace lanewise
