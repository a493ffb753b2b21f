// Sessions: every move forwards and backwards, places to stop at, who wrote what, under every kind of schedule.
#include <array>
#include <cstring>

#include "model/contract/finding_kinds.h"
#include "model/debug/advice.h"
#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Lines at which an invocation stops, from where it stands to its end.
std::vector<std::uint32_t> linesAhead(Session& s, Unit unit, bool forward = true) {
  std::vector<std::uint32_t> out;
  for (;;) {
    const Expected<Stop> stop = s.step(unit, forward);
    EXPECT_TRUE(stop.ok()) << stop.error().text();
    if (!stop || stop->why != Why::kStep || out.size() > 1000) return out;
    out.push_back(lineNow(s));
  }
}

std::vector<std::uint32_t> reversed(std::vector<std::uint32_t> v) {
  std::ranges::reverse(v);
  return v;
}

// Newer versions of glslang give the return at the end of main the line of its brace.
std::vector<std::uint32_t> withoutBrace(std::vector<std::uint32_t> v, std::uint32_t brace = 38) {
  if (!v.empty() && v.back() == brace) v.pop_back();
  return v;
}

class Scopes : public testing::TestWithParam<const char*> {
 protected:
  Opened s{programJob("source_scopes.comp"), GetParam(), {1 << 28, 20, 1}};
};

// Lane 2 goes round the loop three times; the second time it calls twice() (lines 13 to 15).
TEST_P(Scopes, StepsByLineGoIntoFunctionsAndBackTheSameWay) {
  ASSERT_TRUE(s->toInvocation({2, 0, 0}).ok());
  EXPECT_EQ(lineNow(*s), 10u);
  EXPECT_THAT(withoutBrace(linesAhead(*s, Unit::kLineIn)),
              ElementsAre(18, 19, 21, 23, 24, 25, 26, 27, 28, 29, 33, 27, 28, 29, 30, 13, 14, 15, 30, 31, 33, 27, 28, 29, 33, 27, 36, 37));
  EXPECT_EQ(s->stop().why, Why::kReturns);
  EXPECT_THAT(
      withoutBrace(reversed(linesAhead(*s, Unit::kLineIn, false))),
      ElementsAre(10, 18, 19, 21, 23, 24, 25, 26, 27, 28, 29, 33, 27, 28, 29, 30, 13, 14, 15, 30, 31, 33, 27, 28, 29, 33, 27, 36, 37));
}

TEST_P(Scopes, StepsOverPassFunctionsBy) {
  ASSERT_TRUE(s->toInvocation({2, 0, 0}).ok());
  EXPECT_THAT(withoutBrace(linesAhead(*s, Unit::kLineOver)),
              ElementsAre(18, 19, 21, 23, 24, 25, 26, 27, 28, 29, 33, 27, 28, 29, 30, 31, 33, 27, 28, 29, 33, 27, 36, 37));
  EXPECT_THAT(withoutBrace(reversed(linesAhead(*s, Unit::kLineOver, false))),
              ElementsAre(10, 18, 19, 21, 23, 24, 25, 26, 27, 28, 29, 33, 27, 28, 29, 30, 31, 33, 27, 28, 29, 33, 27, 36, 37));
}

TEST_P(Scopes, OutGoesToTheCallerAndBackToTheCall) {
  ASSERT_TRUE(s->toInvocation({2, 0, 0}).ok());
  for (int i = 0; lineNow(*s) != 14 && i < 30; ++i) ASSERT_TRUE(s->step(Unit::kLineIn).ok());
  EXPECT_EQ(s->places().depth(s->standing().pc), 2u);
  EXPECT_EQ(now(*s, "x"), "int 10");
  EXPECT_EQ(now(*s, "y"), "int 20");
  EXPECT_EQ(now(*s, "main.x"), "int ?");  // the innermost, which is about to get its value
  ASSERT_TRUE(s->step(Unit::kOut, false).ok());
  EXPECT_EQ(lineNow(*s), 30u);
  ASSERT_TRUE(s->step(Unit::kLineIn).ok());
  EXPECT_EQ(lineNow(*s), 13u);
  ASSERT_TRUE(s->step(Unit::kOut).ok());
  EXPECT_EQ(lineNow(*s), 30u);
  EXPECT_EQ(s->places().depth(s->standing().pc), 1u);
}

// Each instruction of the module once, and the same back.
TEST_P(Scopes, InstructionsForwardsAndBackwards) {
  ASSERT_TRUE(s->toInvocation({3, 0, 0}).ok());
  std::vector<Time> forward{s->time()}, backward;
  while (s->step(Unit::kInstruction)->why == Why::kStep) forward.push_back(s->time());
  EXPECT_GT(forward.size(), 100u);
  backward.push_back(s->time());
  while (s->step(Unit::kInstruction, false)->why == Why::kStep) backward.push_back(s->time());
  std::ranges::reverse(backward);
  while (!backward.empty() && backward.front() < forward.front()) backward.erase(backward.begin());  // what has no line stands before
  EXPECT_EQ(forward, backward);
}

std::string stopText(const Stop& stop) {
  return fmt::format("{}:{} {},{}+{}", static_cast<int>(stop.why), stop.number, stop.hit->time.dispatch, stop.hit->time.opened,
                     stop.hit->time.step);
}

TEST_P(Scopes, BreakpointsAreMetBackwardsWhereTheyWereForwards) {
  Breakpoint line;
  line.line = 28;
  Breakpoint function;
  function.what = Breakpoint::What::kFunction;
  function.name = "twice";
  ASSERT_TRUE(s->add(line).ok());
  ASSERT_TRUE(s->add(function).ok());
  std::vector<std::string> forward, backward;
  while (true) {
    const Expected<Stop> stop = s->go();
    ASSERT_TRUE(stop.ok());
    if (stop->why == Why::kEnd) break;
    ASSERT_EQ(stop->why, Why::kBreakpoint);
    EXPECT_EQ(lineNow(*s), stop->number == 1 ? 28u : 13u);
    forward.push_back(stopText(*stop));
  }
  while (true) {
    const Expected<Stop> stop = s->go(false);
    ASSERT_TRUE(stop.ok());
    if (stop->why == Why::kBegin) break;
    backward.push_back(stopText(*stop));
  }
  std::ranges::reverse(backward);
  EXPECT_EQ(forward, backward);
  EXPECT_GE(forward.size(), 6u);
}

TEST_P(Scopes, AConditionStopsForTheLanesThatMeetIt) {
  Breakpoint b;
  b.line = 28;
  b.condition = std::make_shared<Expression>(*parseExpression("i == 2 && lane > 2"));
  ASSERT_TRUE(s->add(b).ok());
  const Expected<Stop> stop = s->go();
  ASSERT_TRUE(stop.ok());
  ASSERT_EQ(stop->why, Why::kBreakpoint);
  EXPECT_EQ(s->focus(), (Extent3{3, 0, 0}));
  EXPECT_EQ(now(*s, "i"), "int 2");
  EXPECT_EQ(s->go()->why, Why::kEnd);
}

TEST_P(Scopes, IgnoredHitsAreCountedAndDoNotStop) {
  Breakpoint b;
  b.line = 28;
  b.ignored = 1;
  ASSERT_TRUE(s->add(b).ok());
  ASSERT_EQ(s->go()->why, Why::kBreakpoint);
  EXPECT_EQ(s->breakpoint(1)->hits, 2u);
}

INSTANTIATE_TEST_SUITE_P(Schedules, Scopes, testing::Values("in-order", "reverse", "lanes", "interleave:seed:1@4"));

TEST(Session, WhatMeansNothingIsRefusedWithItsReason) {
  Opened s(programJob("source_scopes.comp"));
  Breakpoint b;
  b.line = 999;
  EXPECT_THAT(s->add(b).error().text(), HasSubstr("no instruction stands at line 999"));
  b.line = 28;
  b.name = "other.comp";
  EXPECT_THAT(s->add(b).error().text(), HasSubstr("other.comp"));
  b.name = "source_scopes.comp";
  b.condition = std::make_shared<Expression>(*parseExpression("colour == 1"));
  EXPECT_THAT(s->add(b).error().text(), testing::AllOf(HasSubstr("no variable 'colour'"), HasSubstr("column 1")));
  b.condition = nullptr;
  b.line = 22;  // nothing stands there: the next line that has something
  ASSERT_TRUE(s->add(b).ok());
  EXPECT_EQ(s->breakpoints()[0].line, 23u);
  EXPECT_THAT(s->toInvocation({4, 0, 0}).error().text(), HasSubstr("no invocation 4,0,0"));
}

Region regionOf(Session& s, const std::string& text) {
  const Value v = valueNow(s, text);
  EXPECT_TRUE(v.region) << text;
  return v.region.value_or(Region{});
}

// sums[1] of race_scan_mended.comp is stored at line 10 by lane 1, and once more in each turn of the loop.
TEST(Session, WatchpointsAndLastWritersOfWorkgroupMemory) {
  for (const char* schedule : {"in-order", "lanes-reverse", "interleave:seed:1@4"}) {
    Opened s(programJob("race_scan_mended.comp"), schedule, {1 << 28, 50, 1});
    Breakpoint b;
    b.what = Breakpoint::What::kMemory;
    b.region = regionOf(*s, "partial[1]");
    b.onWrite = true;
    ASSERT_TRUE(s->add(b).ok());
    std::vector<std::uint32_t> lines;
    std::vector<Time> times;
    while (s->go()->why == Why::kBreakpoint) {
      EXPECT_EQ(s->focus(), (Extent3{1, 0, 0}));
      lines.push_back(lineNow(*s));
      times.push_back(s->time());
    }
    EXPECT_THAT(lines, ElementsAre(10, 16, 16, 16, 16, 16, 16)) << schedule;
    // Only the first of them changes what is there to 2.
    s->breakpoint(1)->becomes = {std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0}};
    s->breakpoint(1)->onChange = true;
    ASSERT_TRUE(s->toBegin().ok());
    ASSERT_EQ(s->go()->why, Why::kBreakpoint);
    EXPECT_EQ(s->time(), times[1]);
    EXPECT_EQ(s->stop().hit->before[0], std::byte{1});
    EXPECT_EQ(s->go()->why, Why::kEnd);
    // Who wrote it last, again and again.
    ASSERT_TRUE(s->toTime(times[3]).ok());
    for (const int i : {2, 1, 0}) {
      ASSERT_EQ(s->toWriter(*b.region)->why, Why::kWriter);
      EXPECT_EQ(s->time(), times[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(s->toWriter(*b.region)->why, Why::kNothing);
  }
}

TEST(Session, ReadsAreToldApartFromWrites) {
  Opened s(programJob("race_scan_mended.comp"));
  Breakpoint b;
  b.what = Breakpoint::What::kMemory;
  b.region = regionOf(*s, "partial[5]");
  b.onRead = true;
  ASSERT_TRUE(s->add(b).ok());
  ASSERT_EQ(s->go()->why, Why::kBreakpoint);
  EXPECT_EQ(lineNow(*s), 13u);  // partial[i - step] of lane 6
  EXPECT_EQ(s->focus(), (Extent3{6, 0, 0}));
  ASSERT_EQ(s->go()->why, Why::kBreakpoint);
  EXPECT_EQ(lineNow(*s), 14u);
  EXPECT_EQ(s->focus(), (Extent3{5, 0, 0}));
}

// A call that has neither arguments nor a result is a line like others.
TEST(Session, ACallIsAStop) {
  Opened s(programJob("weak_halves.comp"));
  ASSERT_TRUE(s->toInvocation({1, 0, 0}).ok());
  EXPECT_THAT(withoutBrace(linesAhead(*s, Unit::kLineOver), 36), ElementsAre(20, 21, 22, 23, 24, 25, 27, 28, 32));
  EXPECT_THAT(withoutBrace(reversed(linesAhead(*s, Unit::kLineOver, false)), 36), ElementsAre(19, 20, 21, 22, 23, 24, 25, 27, 28, 32));
}

TEST(Session, AVariablesLastWriterIsTheLineThatSetIt) {
  Opened s(programJob("source_scopes.comp"));
  ASSERT_TRUE(s->toInvocation({3, 0, 0}).ok());
  while (lineNow(*s) != 37) ASSERT_EQ(s->step(Unit::kLineOver)->why, Why::kStep);
  ASSERT_EQ(s->toWriter(regionOf(*s, "total"))->why, Why::kWriter);
  EXPECT_EQ(lineNow(*s), 14u);
  ASSERT_EQ(s->toWriter(regionOf(*s, "y"))->why, Why::kWriter);
  EXPECT_EQ(lineNow(*s), 13u);
  ASSERT_EQ(s->toWriter(regionOf(*s, "total"))->why, Why::kWriter);  // lane 3 calls twice() twice
  EXPECT_EQ(lineNow(*s), 14u);
  ASSERT_EQ(s->toWriter(regionOf(*s, "total"))->why, Why::kWriter);
  EXPECT_EQ(lineNow(*s), 10u);
  EXPECT_EQ(s->toWriter(regionOf(*s, "total"))->why, Why::kNothing);
}

TEST(Session, BarriersAndStores) {
  Opened s(programJob("race_scan_mended.comp"));
  ASSERT_EQ(s->toBarrier()->why, Why::kArrived);
  EXPECT_EQ(lineNow(*s), 12u);
  ASSERT_EQ(s->toBarrier()->why, Why::kArrived);
  EXPECT_EQ(lineNow(*s), 15u);
  ASSERT_EQ(s->toBarrier(false)->why, Why::kArrived);
  EXPECT_EQ(lineNow(*s), 12u);
  ASSERT_EQ(s->toStore(0)->why, Why::kArrived);
  EXPECT_EQ(lineNow(*s), 18u);
  EXPECT_EQ(s->toStore(0)->why, Why::kEnd);
  ASSERT_EQ(s->toStore(0, false)->why, Why::kArrived);
  EXPECT_EQ(lineNow(*s), 18u);
}

TEST(Session, FindingsAreStops) {
  Opened s(programJob("finding_workgroup_memory.comp"));
  s->stopsAtFindings = {FindingKind::kUninitialised, FindingKind::kWorkgroupOutOfRange};
  ASSERT_EQ(s->go()->why, Why::kFinding);
  EXPECT_EQ(lineNow(*s), 13u);
  EXPECT_EQ(s->focus(), (Extent3{3, 0, 0}));
  EXPECT_EQ(s->go()->why, Why::kEnd);
  ASSERT_EQ(s->go(false)->why, Why::kFinding);
  EXPECT_EQ(s->go(false)->why, Why::kBegin);
  s->stopsAtFindings = {FindingKind::kStepLimit};  // of another kind
  EXPECT_EQ(s->go()->why, Why::kEnd);
  Opened clean(programJob("race_scan_mended.comp"));  // the near miss
  clean->stopsAtFindings = {std::begin(kFindingKinds), std::end(kFindingKinds)};
  EXPECT_EQ(clean->go()->why, Why::kEnd);
}

// Those that only Model::run finds are told where the invocation comes to the instruction, or at the end.
TEST(Session, FindsWhatARunFinds) {
  Opened s(programJob("undefined_places.comp"));
  const auto findings = s->findings();
  ASSERT_TRUE(findings.ok());
  ASSERT_EQ((*findings)->size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ((**findings)[i].finding.kind, FindingKind::kUndefinedValue);
  ASSERT_TRUE(s->toFinding(2).ok());
  EXPECT_EQ(lineNow(*s), (**findings)[2].finding.at.line);
  EXPECT_EQ(s->focus(), (Extent3{0, 0, 0}));
  Opened waits(programJob("wait_nobody.comp"));
  const auto told = waits->findings();
  ASSERT_TRUE(told.ok());
  ASSERT_EQ((*told)->size(), 2u);
  EXPECT_EQ((**told)[0].finding.kind, FindingKind::kStepLimit);
  EXPECT_EQ((**told)[1].finding.kind, FindingKind::kEndlessLoop);
  ASSERT_TRUE(waits->toFinding(1).ok());
  EXPECT_TRUE(waits->atEnd());
}

// What a store has not made available is in no snapshot that a quick run could start from.
TEST(Session, AQuickRunLosesNoLateStore) {
  Job job = programJob("race_scan_mended.comp");
  job.dispatches[0].groups = {200, 1, 1};
  Opened s(job, "in-order+weak:1"), straight(job, "in-order+weak:1");
  ASSERT_TRUE(s->toInvocation({150 * s->program().localSize[0], 0, 0}).ok());
  ASSERT_TRUE(s->toEnd().ok());
  ASSERT_TRUE(straight->toEnd().ok());
  for (std::size_t i = 0; i < job.resources.size(); ++i) EXPECT_EQ(s->resources()[i].bytes(), straight->resources()[i].bytes());
}

// The other run may have been compiled from a source that has changed since.
TEST(Session, RunsOfOtherInvocationsAreNotCompared) {
  Job other = programJob("race_scan_mended.comp");
  other.dispatches[0].groups = {2, 1, 1};
  Opened one(programJob("race_scan_mended.comp")), two(other);
  EXPECT_FALSE(one->part(*two).ok());
}

TEST(Session, ARunThatEndsWithAnErrorCanGoBack) {
  Opened s(programJob("endless_loop.comp"));
  const Expected<Stop> stop = s->go();
  ASSERT_TRUE(stop.ok());
  ASSERT_EQ(stop->why, Why::kFault);
  EXPECT_THAT(stop->error->text(), HasSubstr("step limit"));
  EXPECT_TRUE(s->atEnd());
  EXPECT_GT(lineNow(*s), 0u);
  ASSERT_EQ(s->step(Unit::kLineIn, false)->why, Why::kStep);
  EXPECT_FALSE(s->atEnd());
  EXPECT_EQ(s->go()->why, Why::kFault);
}

// Stretches that nobody looks at run in another flavour; what is found is the same.
TEST(Session, HurryingChangesNothing) {
  for (const char* schedule : {"in-order", "reverse", "seed:3"}) {
    Job many = programJob("source_scopes.comp");
    many.dispatches[0].groups = {200, 1, 1};
    many.dispatches.push_back(many.dispatches[0]);
    const auto visit = [&](bool hurries) {
      Opened s(many, schedule, {0, 1 << 20, 1 << 20}, hurries);
      std::vector<Time> out;
      const auto note = [&](const Expected<Stop>& stop) {
        EXPECT_TRUE(stop.ok());
        out.push_back(s->time());
      };
      note(s->toInvocation({700, 0, 0}, 1));
      note(s->step(Unit::kLineIn, false));
      note(s->step(Unit::kLineIn));
      note(s->toEnd());
      const std::vector<Resource> last = s->resources();
      Region region;
      region.end = 4;
      note(s->toWriter(region));
      EXPECT_EQ(s->stop().why, Why::kWriter);
      note(s->toWriter(region));
      const std::array<ByteRange, 1> bytes{ByteRange{0, 0, 16}};
      note(s->toEnd());
      note(s->toFirstWriter(bytes));
      EXPECT_EQ(s->stop().why, Why::kWriter);
      note(s->toInvocation({4, 0, 0}, 0));
      return std::pair(out, last[0].bytes());
    };
    EXPECT_EQ(visit(true), visit(false)) << schedule;
  }
}

// What was set stays set on the way back and forth, until it is unset.
TEST(Session, ASetVariableMakesAnotherRun) {
  Opened s(programJob("source_scopes.comp"));
  ASSERT_TRUE(s->toInvocation({2, 0, 0}).ok());
  while (lineNow(*s) != 36) ASSERT_EQ(s->step(Unit::kLineIn)->why, Why::kStep);
  const Time here = s->time();
  EXPECT_EQ(now(*s, "x"), "int 1");
  const Expected<Value> set = s->set(*parseExpression("x"), *parseExpression("1000"), s->focus());
  ASSERT_TRUE(set.ok()) << set.error().text();
  EXPECT_EQ(textOf(*set), "int 1000");
  ASSERT_EQ(s->step(Unit::kLineIn, false)->why, Why::kStep);
  EXPECT_EQ(now(*s, "x"), "int 21") << "that of the loop, which the line before is in";
  ASSERT_EQ(s->step(Unit::kLineIn)->why, Why::kStep);
  EXPECT_EQ(s->time(), here);
  EXPECT_EQ(now(*s, "x"), "int 1000");
  const Expected<std::vector<Hit>> stores = s->history(valueNow(*s, "data[2]").region.value());
  ASSERT_TRUE(stores.ok());
  ASSERT_FALSE(stores->empty());
  ASSERT_TRUE(s->toEnd().ok());
  std::int32_t last = 0;
  std::memcpy(&last, s->resources()[0].bytes().data() + 8, 4);
  EXPECT_GT(last, 1000);
  ASSERT_TRUE(s->unset().ok());
  EXPECT_EQ(s->time(), here);
  ASSERT_TRUE(s->toEnd().ok());
  std::memcpy(&last, s->resources()[0].bytes().data() + 8, 4);
  EXPECT_EQ(last, 70);
  EXPECT_FALSE(s->unset().ok());
}

// In words that name no command of a front end; and a front end can tell which one it is.
TEST(Advice, IsInWordsForEveryFrontEnd) {
  for (auto i = static_cast<int>(Advice::kAnInvocation); i <= static_cast<int>(Advice::kBeginAgain); ++i) {
    const auto advice = static_cast<Advice>(i);
    EXPECT_EQ(textOf(advice).find('`'), std::string::npos);
    EXPECT_EQ(adviceOf({Outcome::kBadInput, "", "", textOf(advice)}), advice);
  }
  EXPECT_EQ(adviceOf({Outcome::kBadInput, "", "", "raise the limit"}), std::nullopt);
}

}  // namespace
}  // namespace lanewise::debug
