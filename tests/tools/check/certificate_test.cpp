// What a check proves of all orders, and which order refutes it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/model/compiled/kernel_jobs.h"
#include "tests/text/program_job.h"
#include "tools/check/check.h"
#include "tools/check/subgroup_use.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;

// In the first way alone, unless others are given, and then in every order.
CheckResult certified(const CheckJob& job, const ExploreLimits& limits = {}, std::vector<CheckWay> ways = {}) {
  if (ways.empty()) {
    ways = modelWays({}, false);
    ways.resize(1);
  }
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
  return {file, file, text::programJob(file)};
}

// Each takes a ticket. Line 7 is for an invocation of workgroup 0 that has ticket 1, and changes nothing.
CheckJob tickets(const char* lanes, std::uint32_t groups, const char* scope, const char* capability = "", const char* operation = "") {
  const std::string text = fmt::format(R"(
    OpCapability Shader
    {2}
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %id %b
    OpExecutionMode %main LocalSize {0} 1 1
    %file = OpString "tickets.comp"
    OpDecorate %id BuiltIn WorkgroupId
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpMemberDecorate %block 1 Offset 4
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 0
    OpDecorate %chosen SpecId 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %v3 = OpTypeVector %uint 3
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %three = OpConstant %uint 3
    %chosen = OpSpecConstant %uint 3
    %block = OpTypeStruct %uint %uint
    %toId = OpTypePointer Input %v3
    %toBlock = OpTypePointer StorageBuffer %block
    %toUint = OpTypePointer StorageBuffer %uint
    %id = OpVariable %toId Input
    %b = OpVariable %toBlock StorageBuffer
    %main = OpFunction %void None %function
    %entry = OpLabel
    OpLine %file 5 0
    %id3 = OpLoad %v3 %id
    %w = OpCompositeExtract %uint %id3 0
    {3}
    %counter = OpAccessChain %toUint %b %zero
    %ticket = OpAtomicIAdd %uint %counter %{1} %zero %one
    %first = OpIEqual %bool %w %zero
    %second = OpIEqual %bool %ticket %one
    %both = OpLogicalAnd %bool %first %second
    OpSelectionMerge %end None
    OpBranchConditional %both %then %end
    %then = OpLabel
    OpLine %file 7 0
    %other = OpAccessChain %toUint %b %one
    %old = OpAtomicAnd %uint %other %one %zero %zero
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd)",
                                       lanes, scope, capability, operation);
  Job job;
  Dispatch d;
  d.module = text::assembled(text);
  EXPECT_FALSE(d.module->words.empty()) << d.module->name;
  d.groups = {groups, 1, 1};
  job.resources.push_back({"b", BufferData{std::vector<std::byte>(8)}, false, true});
  Binding binding;
  binding.resource = "b";
  d.bindings.push_back(binding);
  job.dispatches.push_back(d);
  return {"tickets", "tickets", job};
}

TEST(Certificate, WhatOnlySomeOrdersExecuteIsLookedAtForRaces) {
  EXPECT_THAT(checkText(certified(tickets("1", 2, "one")), "s"),
              AllOf(HasSubstr("(every order that can differ was run: 2 of 2 invocations)"), HasSubstr("races were looked for in each")));
  // Mode 7 stores the same value twice where the second workgroup comes first.
  const CheckResult r = certified(orders(7, 2));
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_THAT(r.findings[0].key(), HasSubstr("data race of equal values"));
  EXPECT_THAT(r.findings[0].way, HasSubstr("turns:"));
  EXPECT_EQ(r.findings[0].run.subgroupSize, 1u);
  EXPECT_EQ(r.outcome(), Outcome::kFinding);
  EXPECT_THAT(checkText(r, "s"), Not(HasSubstr("proved: no")));
  EXPECT_THAT(checkText(certified(orders(8, 2)), "s"), HasSubstr("(every order that can differ was run: 3 of 2 invocations)"));
}

TEST(Certificate, LanesOfASubgroupThatAreNotTakenApartAreNotProved) {
  const char *capability = "OpCapability GroupNonUniform", *elect = "%elected = OpGroupNonUniformElect %bool %three";
  EXPECT_THAT(checkText(certified(tickets("2", 1, "one", capability, elect)), "s"),
              AllOf(HasSubstr("1 order was run and gave the same bytes; not proved: the lanes of a subgroup were not taken apart"),
                    Not(HasSubstr("proved: no ")), HasSubstr("paths that no run took, other orders")));
  EXPECT_THAT(checkText(certified(tickets("2", 1, "one")), "s"), HasSubstr("proved: no order"));
}

// The other lanes of a subgroup have no atomic, and no race: nobody can tell their order.
TEST(Certificate, SubgroupsOfWhichOneLaneUsesAtomicsAreProvedAtTheirSize) {
  const char *capability = "OpCapability GroupNonUniform", *elect = "%elected = OpGroupNonUniformElect %bool %three";
  EXPECT_THAT(checkText(certified(tickets("1", 2, "one", capability, elect)), "s"),
              AllOf(HasSubstr("proved: no order"), HasSubstr("of 2 subgroups"), Not(HasSubstr("proved: no subgroup size"))));
}

TEST(Certificate, OrdersOfSubgroupsAndOfInvocationsAreCountedApart) {
  const char *capability = "OpCapability GroupNonUniform", *elect = "%elected = OpGroupNonUniformElect %bool %three";
  const CheckJob jobs[] = {tickets("1", 2, "one", capability, elect), orders(8, 2)};
  CheckResult both = certified(jobs[0]);
  add(both.certificate, certified(jobs[1]).certificate);
  EXPECT_THAT(checkText(both, "s"), AllOf(HasSubstr("was run: 3 of 2 invocations, "), HasSubstr(" of 2 subgroups)")));
}

TEST(Certificate, AnAtomicOfASubgroupsScopeIsAnOperationOfSubgroups) {
  EXPECT_TRUE(usesSubgroups(tickets("2", 1, "three").job));
  EXPECT_FALSE(usesSubgroups(tickets("2", 1, "one").job));
  CheckJob chosen = tickets("2", 1, "chosen");
  EXPECT_TRUE(usesSubgroups(chosen.job));
  chosen.job.dispatches[0].spec = {{0, 1}};
  EXPECT_FALSE(usesSubgroups(chosen.job)) << "of a device, under this specialization";
}

TEST(Certificate, SoIsAnAccessThatMakesAvailableToASubgroup) {
  const auto uses = [](const char* operation) { return usesSubgroups(tickets("2", 1, "one", "", operation).job); };
  EXPECT_TRUE(uses("OpStore %b %zero Aligned|MakePointerAvailable|NonPrivatePointer 4 %three"));
  EXPECT_TRUE(uses("OpCopyMemory %b %b MakePointerAvailable|NonPrivatePointer %three"));
  EXPECT_FALSE(uses("OpStore %b %zero Aligned|MakePointerAvailable|NonPrivatePointer 4 %one"));
  EXPECT_FALSE(uses("OpCopyMemory %b %b Aligned 4"));
}

TEST(Certificate, AnErrorIsNoProof) {
  std::vector<CheckWay> ways = modelWays({}, false);
  ways.resize(1);
  CheckLimits limits;
  limits.explore = [](const Job&) {
    Explored e;
    e.executions = 1;
    e.endings.push_back({Error{Outcome::kUnsupported, "not that", "", ""}, {}, *parseSchedule("turns:1")});
    return Expected<Explored>(e);
  };
  const auto make = [](std::size_t) { return Expected<CheckJob>(orders(4, 4)); };
  EXPECT_THAT(checkText(runCheck(1, make, ways, limits), "s"),
              AllOf(Not(HasSubstr("proved: no ")), HasSubstr("not every order was run: not that")));
}

TEST(Certificate, ALockIsNoFindingAndNotProved) {
  const CheckResult r = certified(program("race_lock_mended.comp"), {.executions = 20});
  EXPECT_EQ(r.outcome(), Outcome::kOk) << checkText(r, "s");
  EXPECT_THAT(checkText(r, "s"), AllOf(Not(HasSubstr("proved: no ")), HasSubstr("not every order was run")));
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
  EXPECT_THAT(checkText(r, "s"),
              AllOf(HasSubstr("newest value: no order of workgroups or invocations changes the bytes (every order that can "
                              "differ was run: 24 of 4 invocations)"),
                    HasSubstr("proved: no subgroup size and no choice of who is in a subgroup does")));
}

TEST(Certificate, OneWrongOrderOfSixRefutesIt) {
  const CheckResult r = certified(orders(0, 3));
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_EQ(r.findings[0].key(), "depends on the schedule orders.comp:12");
  EXPECT_THAT(r.findings[0].says, HasSubstr("; they part at orders.comp:12: OpAtomicIAdd gives "));
  EXPECT_THAT(r.findings[0].way, MatchesRegex("turns:....:2"));
  EXPECT_EQ(r.findings[0].run.subgroupSize, 1u);
  EXPECT_EQ(r.findings[0].run.schedule, r.findings[0].way);
  EXPECT_THAT(r.findings[0].against, MatchesRegex("schedule (in-order|turns:.*)"));
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
  EXPECT_THAT(r.findings[0].way, MatchesRegex("turns:....:2"));
  // One that takes both, as bounds of floats may.
  job.judge = [](const Job&, RunResult&) { return Expected<std::optional<WrongResult>>(std::nullopt); };
  const CheckResult both = certified(job);
  EXPECT_EQ(both.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(both, "s"), AllOf(Not(HasSubstr("proved: no order")), HasSubstr("the bytes depend on the schedule: ")));
}

TEST(Certificate, AnOrderThatWaitsForEverIsAFinding) {
  const CheckResult r = certified(orders(6, 2));
  ASSERT_THAT(r.findings, SizeIs(1));
  EXPECT_THAT(r.findings[0].way, MatchesRegex("turns:....:1.*"));
  EXPECT_EQ(r.findings[0].what, CheckFinding::What::kError);
}

// ... and is told once, with what else that order shows.
TEST(Certificate, ARaceOfAnOrderThatWaitsForEverIsToldBesideIt) {
  const CheckResult r = certified(orders(11, 2));
  const auto waits = [](const CheckFinding& f) { return f.what == CheckFinding::What::kError || f.finding.kind == FindingKind::kWaits; };
  EXPECT_EQ(std::ranges::count_if(r.findings, waits), 1) << checkText(r, "s");
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("data race of equal values"), Not(HasSubstr("proved: no "))));
}

TEST(Certificate, ABoundIsNoProof) {
  const CheckResult r = certified(orders(4, 4), {.executions = 23});
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(r, "s"),
              AllOf(Not(HasSubstr("proved: no order")), HasSubstr("not every order was run: there are more than 23 orders")));
}

// No order of single accesses shows what an atomic load makes of an older value.
TEST(Certificate, OlderValuesThatAtomicLoadsSeeAreTriedBySeeds) {
  const CheckResult planted = certified(program("race_store_buffer.comp"));
  ASSERT_THAT(planted.findings, SizeIs(1));
  EXPECT_EQ(planted.findings[0].kind(), "data race");
  EXPECT_THAT(planted.findings[0].way, HasSubstr("@all+weak:"));
  EXPECT_EQ(planted.findings[0].run.schedule, planted.findings[0].way);
  EXPECT_THAT(checkText(planted, "s"), AllOf(Not(HasSubstr("proved: no")), Not(HasSubstr("proved, if"))));
  const CheckResult message = certified(program("race_message.comp"));
  EXPECT_EQ(message.outcome(), Outcome::kOk) << checkText(message, "s");
  EXPECT_THAT(checkText(message, "s"), AllOf(HasSubstr("proved, if atomic loads see the newest value: no order of workgroups"),
                                             HasSubstr("older values were tried by 48 seeds")));
  const CheckResult exchanged = certified(program("race_store_buffer_exchanged.comp"));
  EXPECT_EQ(exchanged.outcome(), Outcome::kOk) << checkText(exchanged, "s");
  EXPECT_THAT(checkText(exchanged, "s"), AllOf(HasSubstr("proved: no order of workgroups"), Not(HasSubstr("older values"))));
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
