// What a session finds out without moving: the length of a workgroup, and the last stores to its memory.
#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

class Surveys : public testing::TestWithParam<const char*> {
 protected:
  static Job job() {
    Job job = programJob("race_scan_mended.comp");
    job.dispatches[0].groups = {3, 1, 1};
    job.dispatches.push_back(job.dispatches[0]);
    return job;
  }
  Opened s{job(), GetParam(), {1 << 28, 50, 1}};
};

TEST_P(Surveys, TheStepsOfAWorkgroupAreThoseUpToTheNext) {
  for (const Time at : {Time{0, 1, 0}, Time{0, 3, 7}, Time{1, 3, 0}}) {
    ASSERT_TRUE(s->toTime(at).ok());
    const Time before = s->time();
    const Expected<std::uint64_t> steps = s->stepsOf(at.dispatch, at.opened);
    ASSERT_TRUE(steps.ok());
    EXPECT_EQ(s->time(), before);
    if (*steps == 0) continue;  // the next one is opened at once
    ASSERT_TRUE(s->toTime({at.dispatch, at.opened, *steps - 1}).ok());
    EXPECT_EQ(s->time(), (Time{at.dispatch, at.opened, *steps - 1}));
    ASSERT_TRUE(s->toTime({at.dispatch, at.opened, *steps}).ok());
    EXPECT_TRUE(s->atEnd() || s->time() > (Time{at.dispatch, at.opened, *steps})) << *steps;
  }
}

// Each is where a search for the last writer of that word alone ends.
TEST_P(Surveys, TheLastStoreToEachWordIsItsLastWriter) {
  ASSERT_TRUE(s->toInvocation({65, 0, 0}, 1).ok());
  Breakpoint place;
  place.line = 16;
  ASSERT_TRUE(s->until(place).ok());
  ASSERT_TRUE(s->until(place).ok());
  const Time now = s->time();
  const Extent3 focus = s->focus();
  const Expected<LastStores> all = s->workgroupStores();
  ASSERT_TRUE(all.ok()) << all.error().text();
  EXPECT_EQ(s->time(), now);
  EXPECT_EQ(s->focus(), focus);
  int stored = 0;
  for (const char* word : {"partial[0]", "partial[1]", "partial[40]", "partial[63]"}) {
    ASSERT_TRUE(s->toTime(now).ok());
    ASSERT_FALSE(s->look(focus));
    const Region region = *valueNow(*s, word).region;
    const LastStore store = all->at(region.begin);
    const Expected<Stop> stop = s->toWriter(region);
    ASSERT_TRUE(stop.ok());
    if (stop->why == Why::kNothing) {
      EXPECT_EQ(store.pc, kBlitted) << word;
      continue;
    }
    ++stored;
    EXPECT_EQ(s->time(), store.time) << word;
    EXPECT_EQ(s->focus(), store.invocation) << word;
    EXPECT_EQ(s->standing().pc, store.pc) << word;
  }
  EXPECT_GT(stored, 2);
}

INSTANTIATE_TEST_SUITE_P(Schedules, Surveys, testing::Values("in-order", "reverse", "lanes", "interleave:seed:1@4"));

TEST(Survey, EachByteOfAWordHasItsLastStore) {
  Opened s(programJob("workgroup_blocks.comp"));
  ASSERT_TRUE(s->toInvocation({0, 0, 0}).ok());
  Breakpoint place;
  place.line = 29;
  ASSERT_TRUE(s->until(place).ok());
  const Expected<LastStores> all = s->workgroupStores();
  ASSERT_TRUE(all.ok()) << all.error().text();
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(all->at(i).invocation, (Extent3{i, 0, 0}));  // b[i]
  for (std::uint32_t i = 4; i < 8; ++i) EXPECT_EQ(all->at(i).invocation, (Extent3{1, 0, 0}));  // w[1]
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_NE(all->at(i).pc, all->at(4).pc);
  for (std::uint32_t i = 16; i < 64; ++i) EXPECT_EQ(all->at(i).pc, kBlitted);
}

TEST(Survey, StoppedOnesLeaveTheRunWhereItIs) {
  Opened s(programJob("race_scan_mended.comp"));
  ASSERT_TRUE(s->toEnd().ok());
  EXPECT_EQ(s->workgroupStores().error().outcome, Outcome::kUnsupported);  // no workgroup is open
  ASSERT_TRUE(s->toInvocation({3, 0, 0}).ok());
  const Time now = s->time();
  s->setPulse([](const Time&) { return true; });
  EXPECT_EQ(s->stepsOf(0, 1).error().outcome, Outcome::kInterrupted);
  EXPECT_EQ(s->time(), now);
}

TEST(Survey, AMoveToAMomentIsStoppedByThePulse) {
  Job job = programJob("race_scan_mended.comp");
  job.dispatches[0].groups = {5000, 1, 1};
  Opened s(std::move(job), "in-order", {0, 50, 1});
  s->setPulse([](const Time& at) { return at.opened > 100; });
  const Expected<Stop> stop = s->toTime({0, 4000, 0});
  ASSERT_TRUE(stop.ok());
  EXPECT_EQ(stop->why, Why::kInterrupted);
  EXPECT_GT(s->time().opened, 100u);
  EXPECT_LT(s->time().opened, 4000u);
  s->setPulse({});
  EXPECT_EQ(s->toTime({0, 4000, 0})->why, Why::kArrived);
  EXPECT_EQ(s->time(), (Time{0, 4000, 0}));
}

}  // namespace
}  // namespace lanewise::debug
