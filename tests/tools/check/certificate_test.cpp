// What a check proves of all orders, and which order refutes it.
#include <gmock/gmock.h>

#include "tests/model/compiled/kernel_jobs.h"
#include "tests/text/program_modules.h"
#include "tools/check/check.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// In the first way alone, and then in every order.
CheckResult certified(const CheckJob& job, const ExploreLimits& limits = {}) {
  std::vector<CheckWay> ways = modelWays({}, false);
  ways.resize(1);
  CheckLimits own;
  own.explore = [limits](const Job& given) { return explore(given, {}, limits); };
  return runCheck(
      1, [&](std::size_t) { return Expected<CheckJob>(job); }, ways, own);
}

CheckJob orders(std::uint32_t mode, std::uint32_t groups) {
  const std::uint32_t words[] = {0, 0};
  Job job = kernelJob("orders", groups, words);
  for (Resource& r : job.resources) r.data = BufferData{std::vector<std::byte>(64)};
  job.dispatches[0].spec = {{0, mode}};
  return {"orders", "orders", job};
}

CheckJob program(const std::string& file) {
  text::ProgramText program = text::readProgram(text::programPath(file));
  EXPECT_EQ(program.problem, "") << file;
  program.job.dispatches[0].module = *text::programModule(file);
  return {file, file, program.job};
}

TEST(Certificate, OneRunProvesWhatHasNoRaceAndNoAtomic) {
  const std::string text = checkText(certified(orders(3, 4)), "s");
  EXPECT_THAT(text, HasSubstr("proved: no order of workgroups or invocations changes the bytes (no race, no atomic)"));
  EXPECT_THAT(text, HasSubstr("proved: no subgroup size and no choice of who is in a subgroup does (no operation of subgroups)"));
}

TEST(Certificate, EveryOrderOfAtomicsIsRun) {
  const CheckResult r = certified(orders(4, 4));
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  EXPECT_EQ(r.certificate.executions, 24u);
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("proved: no order of workgroups or invocations changes the bytes (every order that can "
                                                 "differ was run: 24 of 4 invocations)"),
                                       HasSubstr("proved: no subgroup size and no choice of who is in a subgroup does")));
}

TEST(Certificate, OneWrongOrderOfSixRefutesIt) {
  const CheckResult r = certified(orders(0, 3));
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_EQ(r.findings[0].key(), "depends on the schedule orders");
  EXPECT_EQ(r.findings[0].way, "turns:2");
  EXPECT_EQ(r.findings[0].options, " --schedule turns:2 --subgroup-size 1");
  EXPECT_THAT(checkText(r, "s"), AllOf(Not(HasSubstr("proved: no order")), Not(HasSubstr("not every order was run"))));
  EXPECT_EQ(certified(orders(0, 2)).outcome(), Outcome::kOk) << "two of the three workgroups";
}

TEST(Certificate, AJudgeIsAskedOfEachOrder) {
  CheckJob job = orders(0, 3);
  job.judge = [](const Job&, RunResult& run) -> Expected<std::optional<WrongResult>> {
    if (run.outputs[0].bytes()[0] == std::byte{0}) return std::optional<WrongResult>();
    return std::optional(WrongResult{"a 1", "b0 0"});
  };
  const CheckResult r = certified(job);
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_EQ(r.findings[0].key(), "wrong result orders");
  EXPECT_EQ(r.findings[0].way, "turns:2");
  // One that takes both, as bounds of floats may.
  job.judge = [](const Job&, RunResult&) { return Expected<std::optional<WrongResult>>(std::nullopt); };
  const CheckResult both = certified(job);
  EXPECT_EQ(both.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(both, "s"), AllOf(Not(HasSubstr("proved: no order")), HasSubstr("the bytes depend on the schedule: ")));
}

TEST(Certificate, AnOrderThatWaitsForEverIsAFinding) {
  const CheckResult r = certified(orders(6, 2));
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_THAT(r.findings[0].way, HasSubstr("turns:1"));
  EXPECT_EQ(r.findings[0].what, CheckFinding::What::kError);
}

TEST(Certificate, ABoundIsNoProof) {
  const CheckResult r = certified(orders(4, 4), {.executions = 23});
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(r, "s"),
              AllOf(Not(HasSubstr("proved: no order")), HasSubstr("not every order was run: there are more than 23 orders")));
}

// With an operation of subgroups their size stays as it is, and is not proved to be of no account.
TEST(Certificate, OperationsOfSubgroupsKeepTheirSize) {
  const CheckResult r = certified(program("race_none.comp"));
  const std::string text = checkText(r, "s");
  EXPECT_EQ(r.certificate.withoutSubgroups != 0, text.find("proved: no subgroup size") != std::string::npos);
  EXPECT_THAT(checkText(certified(program("race_last_workgroup_mended.comp")), "s"), HasSubstr("every order that can differ was run"));
}

}  // namespace
}  // namespace lanewise
