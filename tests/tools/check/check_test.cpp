// `lanewise check`: what each way adds to the verdict, and what is accepted, left out and written for programs.
#include "tests/tools/check/checked.h"

#include <gmock/gmock.h>

namespace lanewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Gives one byte, or an error.
class OneByte final : public Device {
 public:
  explicit OneByte(int byte, std::optional<Error> error = {}, bool orderFree = false)
      : byte_(byte), error_(std::move(error)), orderFree_(orderFree) {}
  const Profile& profile() const override { return profile_; }
  RunResult run(const Job&) override {
    RunResult r;
    r.error = error_;
    r.orderFree = orderFree_;
    r.outputs = {Resource{"0:0", BufferData{{static_cast<std::byte>(byte_)}}, false, true}};
    return r;
  }

 private:
  Profile profile_;
  int byte_;
  std::optional<Error> error_;
  bool orderFree_;
};

// Gives these findings.
class Finds final : public Device {
 public:
  explicit Finds(std::vector<RunFinding> findings) : findings_(std::move(findings)) {}
  const Profile& profile() const override { return profile_; }
  RunResult run(const Job&) override {
    RunResult r;
    r.findings = findings_;
    return r;
  }

 private:
  Profile profile_;
  std::vector<RunFinding> findings_;
};

CheckWay way(Axis axis, int byte, std::optional<Error> error = {}) {
  return {axisName(axis), std::make_shared<OneByte>(byte, std::move(error)), axis, 0, false, false, nullptr, {}};
}

CheckResult checked(const std::vector<CheckWay>& ways, const decltype(CheckJob::judge)& judge = {}) {
  return runCheck(
      1,
      [&](std::size_t) {
        return Expected<CheckJob>(CheckJob{"job", "group", {}, judge});
      },
      ways);
}

TEST(Check, KnownFaultsOfADeviceAreOneLine) {
  CheckResult r = checked({way(Axis::kNone, 1)});
  EXPECT_THAT(checkText(r, "s"), Not(HasSubstr("known of the device")));
  r.deviceFaults = {"it loses", "it stops"};
  EXPECT_THAT(checkText(r, "s"), HasSubstr("\n  known of the device: 2 faults (docs/device-deviations.md; --json has them)\n"));
  EXPECT_THAT(checkText(r, "s"), Not(HasSubstr("by a known fault")));
  r.excused = {{"a", 1}, {"b", 2}};
  EXPECT_THAT(checkText(r, "s"),
              HasSubstr("\n  a gave other bytes for 1 job by a known fault, which is no finding\n  b gave other bytes for 2 jobs"));
}

TEST(Check, WhatChangesTheBytesIsAFinding) {
  for (const Axis axis : {Axis::kSchedule, Axis::kSubgroupSize, Axis::kMapping, Axis::kDevice}) {
    const CheckResult r = checked({way(Axis::kNone, 1), way(axis, 2)});
    ASSERT_THAT(r.findings, SizeIs(1)) << axisName(axis);
    EXPECT_EQ(r.findings[0].key(), std::string("depends on ") + axisName(axis) + " group");
    EXPECT_EQ(r.outcome(), Outcome::kFinding);
    EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("s: 1 finding\n"), HasSubstr("byte 0 of '0:0' is 1 under nothing, and 2")));
    const CheckResult same = checked({way(Axis::kNone, 1), way(axis, 1)});
    EXPECT_THAT(same.findings, IsEmpty());
    EXPECT_THAT(checkText(same, "s"), HasSubstr(std::string("the bytes did not depend on ") + axisName(axis)));
  }
}

// Line 9 comes before line 19, and a key names the variable, not the element.
TEST(Check, TellsFindingsByLine) {
  std::vector<RunFinding> findings;
  for (const InstructionPlace& at : std::initializer_list<InstructionPlace>{
           {"b.comp", 3, 1}, {}, {"a.comp", 19, 2}, {"a.comp", 9, 3}, {"a.spv", 0, 100}, {"a.spv", 0, 20}}) {
    RunFinding& f = findings.emplace_back();
    f.kind = FindingKind::kUninitialised;
    f.at = at;
    f.object = {"scratch", "[127].x"};
  }
  const CheckResult r = checked({{"finds", std::make_shared<Finds>(findings), Axis::kNone, 0, true, false, nullptr}});
  EXPECT_THAT(keysOf(r), ElementsAre("uninitialised read a.comp:9 scratch", "uninitialised read a.comp:19 scratch",
                                     "uninitialised read a.spv, word 20 scratch", "uninitialised read a.spv, word 100 scratch",
                                     "uninitialised read b.comp:3 scratch", "uninitialised read group scratch"));
}

// A line that loads and stores what others load and store too, as x++ does, has two races, which one change mends.
TEST(Check, TriesWhatMendsTheFirstEightLines) {
  std::vector<RunFinding> findings;
  for (std::uint32_t line = 1; line <= 10; ++line)
    for (const FindingKind kind : {FindingKind::kRace, FindingKind::kRaceOfEqualValues}) {
      RunFinding& f = findings.emplace_back();
      f.kind = kind;
      f.at = f.otherAt = {"a.comp", line, line};
      f.twoStores = kind == FindingKind::kRaceOfEqualValues;
      f.missing = f.twoStores ? MissingOrder::kOfOneStore : MissingOrder::kInWorkgroup;
      f.mend = f.twoStores ? "one stores" : "a barrier";
    }
  CheckWay finds{"finds", std::make_shared<Finds>(findings), Axis::kNone, 0, true, false, nullptr};
  finds.mend = [](MendRuns&, const RunFinding&) { return std::string("an atomic"); };
  std::size_t mended = 0;
  const CheckResult r = checked({finds});
  for (const CheckFinding& f : r.findings) mended += f.finding.mend == "an atomic" ? 1 : 0;
  EXPECT_EQ(mended, 8u);
  EXPECT_THAT(r.findings, SizeIs(8 + 2 * 2));
}

// A device that differs only as Vulkan allows is no finding, and neither is the choice.
TEST(Check, WhatDevicesMayChooseFailsNothing) {
  const CheckResult r = checked({way(Axis::kNone, 1), way(Axis::kChoices, 2), way(Axis::kDevice, 3)});
  EXPECT_THAT(r.findings, IsEmpty());
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("nothing found"), HasSubstr("depend on what Vulkan lets devices choose")));
}

// ... and the text does not call the device's bytes the same.
TEST(Check, ADifferenceThatIsNoFindingIsSaid) {
  const CheckResult r = checked({way(Axis::kNone, 1), way(Axis::kChoices, 2), way(Axis::kDevice, 3)});
  EXPECT_THAT(r.findings, IsEmpty());
  EXPECT_THAT(checkText(r, "s"),
              AllOf(HasSubstr("the bytes depend on the device: job: byte 0 of '0:0' is 1"), Not(HasSubstr("did not depend"))));
  const CheckResult same = checked({way(Axis::kNone, 1), way(Axis::kChoices, 2), way(Axis::kDevice, 1)});
  EXPECT_THAT(checkText(same, "s"), AllOf(HasSubstr("did not depend on the device"), Not(HasSubstr("depend on the device:"))));
}

// A judge decides: bytes may differ inside of its bounds, and equal ones may be wrong.
TEST(Check, AJudgeDecidesWhatIsWrong) {
  const auto below3 = [](const Job&, RunResult& run) -> Expected<std::optional<WrongResult>> {
    const int byte = std::to_integer<int>(run.outputs[0].bytes()[0]);
    return byte < 3 ? std::optional<WrongResult>{} : std::optional<WrongResult>({"too high", "0:0 0"});
  };
  const CheckResult inside = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 2)}, below3);
  EXPECT_THAT(inside.findings, IsEmpty());
  EXPECT_THAT(checkText(inside, "s"), HasSubstr("the bytes depend on the schedule"));
  const CheckResult outside = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 3)}, below3);
  EXPECT_THAT(keysOf(outside), ElementsAre("wrong result group"));
  EXPECT_THAT(keysOf(checked({way(Axis::kNone, 3), way(Axis::kSchedule, 3)}, below3)), ElementsAre("wrong result group"));
}

// One run proves nothing where another one gave other bytes, although the judge takes both.
TEST(Check, WhatDependsOnAnOrderIsNotProved) {
  const auto both = [](const Job&, RunResult&) { return Expected<std::optional<WrongResult>>(std::nullopt); };
  for (const Axis axis : {Axis::kSchedule, Axis::kMemory, Axis::kSubgroupSize, Axis::kMapping}) {
    CheckWay first = way(Axis::kNone, 1);
    first.device = std::make_shared<OneByte>(1, std::nullopt, true);
    EXPECT_THAT(checkText(checked({first, way(axis, 2)}, both), "s"), Not(HasSubstr("proved: no "))) << axisName(axis);
    EXPECT_THAT(checkText(checked({first, way(axis, 1)}, both), "s"), HasSubstr("proved: no order")) << axisName(axis);
  }
}

TEST(Check, ARefusalToReduceLeavesTheVerdict) {
  CheckResult r = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 2)});
  EXPECT_THAT(checkJson(r, "s"), HasSubstr("\"reduced\": null"));
  r.notReduced = "nobody knows the right result";
  EXPECT_EQ(r.outcome(), Outcome::kFinding);
  EXPECT_THAT(checkText(r, "s"),
              AllOf(HasSubstr("s: 1 finding\n"), HasSubstr("  --reduce wrote nothing: nobody knows the right result\n")));
  EXPECT_THAT(checkJson(r, "s"),
              AllOf(HasSubstr("depends on the schedule group"), HasSubstr("\"why\": \"nobody knows the right result\"")));
}

TEST(Check, ErrorsEndAJobAndWhatIsNotSupportedIsSaid) {
  const Error broken{Outcome::kBadInput, "broken", "", ""}, unsupported{Outcome::kUnsupported, "no quads of 4", "", ""};
  const CheckResult first = checked({way(Axis::kNone, 1, broken), way(Axis::kSchedule, 2)});
  EXPECT_THAT(keysOf(first), ElementsAre("bad input group"));
  EXPECT_THAT(first.leftOut, ElementsAre("job"));
  EXPECT_EQ(first.runs, 1u);
  const CheckResult one = checked({way(Axis::kNone, 1), way(Axis::kSubgroupSize, 1, unsupported)});
  EXPECT_EQ(one.outcome(), Outcome::kOk);
  EXPECT_THAT(checkText(one, "s"),
              AllOf(HasSubstr("could not run under the subgroup size: no quads of 4"), Not(HasSubstr("did not depend"))));
  const CheckResult all = checked({way(Axis::kNone, 1, unsupported), way(Axis::kSchedule, 1, unsupported)});
  EXPECT_EQ(all.outcome(), Outcome::kUnsupported);
  EXPECT_THAT(checkText(all, "s"), HasSubstr("nothing could run"));
}

// A lost device, a file that cannot be read and our own bug are no findings, and keep their own exit codes; a finding is graver.
TEST(Check, TroubleIsNoFinding) {
  for (const Outcome outcome : {Outcome::kBadInput, Outcome::kDeviceTrouble, Outcome::kIoError, Outcome::kInternal}) {
    const Error trouble{outcome, "trouble", "", ""};
    EXPECT_EQ(checked({way(Axis::kNone, 1), way(Axis::kDevice, 1, trouble)}).outcome(), outcome);
    const Outcome both = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 2), way(Axis::kDevice, 1, trouble)}).outcome();
    EXPECT_EQ(both, outcome == Outcome::kInternal ? outcome : Outcome::kFinding);
    const CheckResult none = runCheck(1, [&](std::size_t) { return Expected<CheckJob>(trouble); }, {way(Axis::kNone, 1)});
    EXPECT_EQ(none.outcome(), outcome);
  }
}

// Where the first way cannot run, others are compared with the one that did.
TEST(Check, NamesTheWayThatItComparesWith) {
  const Error unsupported{Outcome::kUnsupported, "no quads", "", ""};
  std::vector<CheckWay> ways = {way(Axis::kNone, 1, unsupported), way(Axis::kDevice, 3), way(Axis::kDevice, 4)};
  ways[1].name = "A", ways[2].name = "B";
  EXPECT_THAT(checkText(checked(ways), "s"), HasSubstr("byte 0 of '0:0' is 3 under A, and 4 under B"));
}

TEST(Check, WhatTheProfileCannotRunIsSaid) {
  CheckResult r = runCheck(0, {}, {way(Axis::kNone, 1)});
  r.beyond = 2, r.whyBeyond = "c: more invocations than 256";
  EXPECT_EQ(r.outcome(), Outcome::kUnsupported);
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("s: nothing could run"), HasSubstr("2 cases could not run under this profile: c: more")));
}

TEST(Check, LargeJobsOfASetAreNotRunInSlowWays) {
  std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 2)};
  ways[1].slow = true;
  for (const std::size_t bytes : {16, 17}) {
    Job job;
    job.resources = {undefinedBuffer("0:0", bytes)};
    const CheckResult r = runCheck(1,
                                   [&](std::size_t) {
                                     return Expected<CheckJob>(CheckJob{"job", "group", job});
                                   },
                                   ways, {nullptr, nullptr, 16});
    EXPECT_EQ(r.large, bytes == 17 ? 1u : 0u);
    EXPECT_EQ(r.runs, bytes == 17 ? 1u : 2u);
    EXPECT_EQ(checkText(r, "s").find("too large to run lane by lane, interleaved or with stale memory") != std::string::npos, bytes == 17);
  }
}

// What ended with an error says nothing about bytes, and what never ran was not tried.
TEST(Check, SaysOnlyOfRunsThatEndedThatTheyWereTheSame) {
  std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 1), way(Axis::kMapping, 1)};
  EXPECT_THAT(checkText(checked(ways), "s"), HasSubstr("did not depend on the schedule, which"));
  ways.push_back(way(Axis::kSchedule, 1, Error{Outcome::kFinding, "it waits", "", ""}));
  EXPECT_THAT(checkText(checked(ways), "s"), AllOf(HasSubstr("did not depend on which"), Not(HasSubstr("depend on the schedule"))));
  ways[0] = way(Axis::kNone, 1, Error{Outcome::kFinding, "it waits", "", ""});
  const CheckResult one = checked(ways);
  EXPECT_EQ(one.runs, 1u);
  EXPECT_THAT(one.ways, ElementsAre("nothing"));
}

// One job is run in all ways, whatever its first run proves; so are the devices of a set.
TEST(Check, JobsOfASetThatNoOrderChangesAreNotRunInOtherOrders) {
  for (const bool orderFree : {false, true})
    for (const std::size_t most : {0, 16}) {
      std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 1), way(Axis::kMemory, 2), way(Axis::kMapping, 1),
                                    way(Axis::kDevice, 1)};
      ways[0].device = std::make_shared<OneByte>(1, std::nullopt, orderFree);
      ways[2].slow = true;
      const CheckResult r = runCheck(2,
                                     [](std::size_t) {
                                       return Expected<CheckJob>(CheckJob{"job", "group", {}});
                                     },
                                     ways, {nullptr, nullptr, most});
      const bool spared = orderFree && most != 0;
      EXPECT_EQ(r.runs, spared ? 4u : 10u);
      EXPECT_EQ(r.spared, spared ? 2u : 0u);
      EXPECT_EQ(r.outcome(), spared ? Outcome::kOk : Outcome::kFinding);
      EXPECT_EQ(checkText(r, "s").find("proved: no order") != std::string::npos, spared) << "another memory gave other bytes";
      EXPECT_EQ(checkText(r, "s").find("so they were not run in other orders") != std::string::npos, spared);
    }
}

TEST(Check, AStoppedOneSaysSo) {
  const std::atomic<bool> stop = true;
  const CheckResult r = runCheck(1, [](std::size_t) { return Expected<CheckJob>(CheckJob{}); }, {way(Axis::kNone, 1)}, {&stop, nullptr});
  EXPECT_EQ(r.outcome(), Outcome::kInterrupted);
  EXPECT_THAT(checkText(r, "s"), HasSubstr("s: interrupted"));
  EXPECT_EQ(r.jobs, 0u) << "it began none";
  EXPECT_THAT(checkSarif(r, {"1"}), HasSubstr("\"executionSuccessful\": false"));
  const CheckResult whole = checked({way(Axis::kNone, 1)});
  EXPECT_EQ(whole.jobs, 1u);
  EXPECT_THAT(checkSarif(whole, {"1"}), Not(HasSubstr("executionSuccessful")));
}

// Of an accepted finding whose job has not run nobody knows whether it is gone.
TEST(Check, AStoppedOneMissesNoAcceptedFinding) {
  CheckResult r = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 2)});
  r.interrupted = true;
  EXPECT_FALSE(acceptFindings(r, "f", "data race of another job # known\n"));
  EXPECT_THAT(r.unmatched, IsEmpty());
  EXPECT_EQ(r.outcome(), Outcome::kInterrupted);
  EXPECT_THAT(checkText(r, "s"), HasSubstr("s: interrupted, 1 finding\n"));
}

TEST(Accepted, HasAReasonAndMustOccur) {
  const std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 2)};
  CheckResult r = checked(ways);
  const std::string key = r.findings[0].key();
  EXPECT_FALSE(acceptFindings(r, "f", "# a comment\n\n" + key + " # known\r\n"));
  EXPECT_EQ(r.findings[0].accepted, "known");
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  CheckResult gone = checked({way(Axis::kNone, 1)});
  EXPECT_FALSE(acceptFindings(gone, "f", key + " # known\n"));
  EXPECT_EQ(gone.outcome(), Outcome::kFinding);
  EXPECT_THAT(checkText(gone, "s"), HasSubstr("accepted, but not found: " + key));
  for (const std::string& bad : {key, key + " # ", key + " #known"}) {
    const Status refused = acceptFindings(r, "f", "\n" + bad + "\n");
    ASSERT_TRUE(refused) << bad;
    EXPECT_EQ(refused->where, "f, line 2");
  }
}

TEST(Baseline, LeavesOutWhatWasThere) {
  const std::vector<CheckWay> before = {way(Axis::kNone, 1), way(Axis::kSchedule, 2)};
  std::vector<CheckWay> after = before;
  after.push_back(way(Axis::kMapping, 3));
  CheckResult r = checked(after);
  EXPECT_FALSE(leaveOutKnown(r, "f", checkJson(checked(before), "s")));
  EXPECT_THAT(keysOf(r), ElementsAre(HasSubstr("which invocations are a subgroup")));
  EXPECT_THAT(checkText(r, "s"), AllOf(HasSubstr("s: 1 finding\n"), HasSubstr("  1 finding of the baseline still there\n")));
  CheckResult same = checked(before);
  EXPECT_FALSE(leaveOutKnown(same, "f", checkJson(checked(before), "s")));
  EXPECT_THAT(checkText(same, "s"), HasSubstr("s: nothing new\n"));
  for (const char* bad : {"", "{}", "[]", R"({"findings":3})", R"({"findings":[{"key":1}]})"})
    EXPECT_TRUE(leaveOutKnown(r, "f", bad)) << bad;
}

// What is smaller by then is written, and the check itself is whole.
TEST(Check, SaysThatReducingWasInterrupted) {
  CheckResult r = checked({way(Axis::kNone, 1), way(Axis::kSchedule, 1)});
  r.reduced = ReducedTo{"small.spv", 40, 12, 9, false};
  EXPECT_THAT(checkText(r, "s"), HasSubstr("12 of 40 instructions show the first one too: small.spv (9 modules tried, and more could be)"));
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  r.reducingInterrupted = true;
  EXPECT_THAT(checkText(r, "s"),
              AllOf(HasSubstr("(9 modules tried, interrupted: more could be)"), HasSubstr("the bytes did not depend on")));
  EXPECT_EQ(r.outcome(), Outcome::kInterrupted);
}

TEST(Check, AddsWhatSeveralJobsRan) {
  LineCoverage all = {{"a", {{1, {0, {}}}, {2, {3, {}}}, {4, {0, {}}}, {5, {0, {}}}}}};
  EXPECT_EQ(missedLines(all), "a:1, 4-5");
  addTo(all, {{"a", {{4, {1, {}}}}}, {"b", {{7, {0, {}}}}}});
  EXPECT_EQ(missedLines(all), "a:1, 5; b:7");
}

// Each run tells of a place how often it came to it: the verdict has the most of them, and not their sum.
TEST(Check, CountsAPlaceOncePerRun) {
  RunFinding f;
  f.kind = FindingKind::kUninitialised;
  f.at = {"a.comp", 9, 3};
  std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 1), way(Axis::kSchedule, 1)};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i].name = std::to_string(i);
    f.count = i == 1 ? 7 : 5;
    ways[i].device = std::make_shared<Finds>(std::vector{f});
  }
  const CheckResult one = checked(ways);
  ASSERT_THAT(one.findings, SizeIs(1));
  EXPECT_EQ(one.findings[0].count, 7u);
  const CheckResult jobs = runCheck(
      3,
      [](std::size_t) {
        return Expected<CheckJob>(CheckJob{"job", "group", {}});
      },
      ways);
  EXPECT_EQ(jobs.findings[0].count, 21u) << "of several jobs the sum";
}

// Stale memory is told by what the same order gives without it, and what a device lacks is neither a finding nor a proof.
TEST(Check, ComparesWithTheWayThatAWayNames) {
  std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 2), way(Axis::kMemory, 2)};
  ways[1].name = "reverse";
  ways[2].against = "reverse";
  EXPECT_THAT(keysOf(checked(ways)), ElementsAre("depends on the schedule group"));
  ways[2].device = std::make_shared<OneByte>(3);
  EXPECT_THAT(checkText(checked(ways), "s"), HasSubstr("is 2 under reverse, and 3 under stale memory"));
  ways[1] = way(Axis::kSchedule, 2, Error{Outcome::kFinding, "it waits", "", ""});
  ways[1].name = "reverse";
  EXPECT_THAT(checked(ways).depends, IsEmpty()) << "nothing to compare with";
  const CheckResult lacks =
      checked({way(Axis::kNone, 1), way(Axis::kDevice, 1, Error{Outcome::kUnsupported, "the device lacks Int64", "", ""})});
  EXPECT_EQ(lacks.outcome(), Outcome::kOk);
  EXPECT_THAT(lacks.ways, ElementsAre("nothing")) << "the device was not tried";
  EXPECT_THAT(checkText(lacks, "s"),
              AllOf(HasSubstr("could not run under the device: the device lacks Int64"), Not(HasSubstr("whatever the device"))));
  // One that lacks something says nothing of another one.
  ways = {way(Axis::kNone, 1), way(Axis::kDevice, 1, Error{Outcome::kUnsupported, "the device lacks Int64", "", ""}),
          way(Axis::kDevice, 1)};
  ways[2].name = "other";
  EXPECT_THAT(checked(ways).ways, ElementsAre("nothing", "other"));
  EXPECT_THAT(checkText(checked(ways), "s"), HasSubstr("the bytes did not depend on the device"));
}

// As validate does: a kernel that is right for other subgroups than a device has says nothing of that device. The model's ways all run.
TEST(Check, LeavesOutADeviceThatTheJobIsNotFor) {
  const std::vector<CheckWay> ways = {way(Axis::kNone, 1), way(Axis::kSchedule, 1), way(Axis::kDevice, 2)};
  const auto checkedFor = [&](const std::string& why) {
    const auto make = [&](std::size_t) {
      return Expected<CheckJob>(CheckJob{"job", "group", {}, {}, [&](const Profile&) { return why; }});
    };
    return runCheck(1, make, ways);
  };
  const CheckResult leftOut = checkedFor("it is right for subgroups of 16 to 128 lanes, not of 8");
  EXPECT_EQ(leftOut.outcome(), Outcome::kOk);
  EXPECT_THAT(leftOut.ways, ElementsAre("nothing", "the schedule"));
  EXPECT_THAT(checkText(leftOut, "s"), HasSubstr("could not run under the device: it is right for subgroups of 16 to 128 lanes, not of 8"));
  EXPECT_THAT(keysOf(checkedFor("")), ElementsAre("depends on the device group"));
}

}  // namespace
}  // namespace lanewise
