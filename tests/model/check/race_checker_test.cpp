// Races are found by happens-before, and not by results: in every schedule and at every subgroup size, the planted ones always and their
// corrected versions never; and between dispatches.
#include "model/check/race_clock.h"
#include "model/check/race_text.h"
#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

std::vector<std::string> racesOf(const Job& job, const Schedule& schedule) {
  Model model({.profile = {}, .schedule = schedule, .findings = true});
  const RunResult result = model.run(job);
  std::vector<std::string> out;
  if (result.error) out.push_back(result.error->text());
  for (const RunFinding& f : result.findings)
    if (isRace(f.kind)) out.push_back(f.text());
  return out;
}

class RaceTwins : public testing::TestWithParam<std::string> {};

TEST_P(RaceTwins, AreToldApartInEverySchedule) {
  for (const bool mended : {false, true}) {
    const std::string name = GetParam() + (mended ? "_mended.comp" : ".comp");
    Job job = programJob(name);
    for (const std::uint32_t size : {1u, 4u, 32u, 128u})
      for (const char* token : {"in-order", "reverse", "seed:7", "last:0", "lanes", "lanes-reverse", "interleave:seed:1", "in-order@all",
                                "interleave:seed:2@2", "interleave:seed:3@4"}) {
        job.subgroupSize = size;
        const std::vector<std::string> races = racesOf(job, *parseSchedule(token));
        if (mended)
          EXPECT_THAT(races, testing::IsEmpty()) << name << ", " << token << ", subgroups of " << size;
        else
          EXPECT_THAT(races, testing::Contains(testing::HasSubstr("data race"))) << name << ", " << token << ", subgroups of " << size;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, RaceTwins,
                         testing::Values("race_scan", "race_last_workgroup", "race_look_back", "race_lockstep", "race_histogram",
                                         "race_halo", "race_image"));

// The same dispatch twice: it reads what the first has written.
TEST(RaceChecker, DispatchesWithNoBarrierBetweenThem) {
  Job job = programJob("race_scan_mended.comp");
  job.dispatches.push_back(job.dispatches[0]);
  EXPECT_THAT(racesOf(job, {}), testing::IsEmpty()) << "a barrier stands between them";
  job.dispatches[1].barrierBefore = false;
  const std::vector<std::string> races = racesOf(job, {});
  ASSERT_FALSE(races.empty());
  EXPECT_THAT(races[0], testing::HasSubstr("of dispatch 1; against the store by 0,0,0 of dispatch 0 at"));
  EXPECT_THAT(races[0], testing::HasSubstr("no barrier stands between dispatches 0 and 1"));
  // Nor does one where another dispatch between them begins nothing.
  job.dispatches.insert(job.dispatches.begin() + 1, job.dispatches[0]);
  job.dispatches[1].groups = {0, 1, 1};
  EXPECT_THAT(racesOf(job, {}), testing::IsEmpty()) << "the barrier before the empty one stands all the same";
}

TEST(RaceClock, JoinsShareWhatIsEqual) {
  race::Clock a, b;
  EXPECT_TRUE(a.empty());
  a.join(5, {2, {{7, 8, 3}}});
  b.join(5, {1, {{7, 8, 4}, {9, 10, 1}}});
  b.join(1u << 30, {1, {}});
  a.join(b);
  ASSERT_NE(a.of(5), nullptr);
  EXPECT_EQ(*a.of(5), (race::Known{2, {{7, 8, 4}, {9, 10, 1}}}));
  EXPECT_TRUE(a.of(5)->has(0, 1, 100)) << "a smaller phase is known of everybody";
  EXPECT_FALSE(a.of(5)->has(0, 2, 1));
  EXPECT_TRUE(a.of(5)->has(7, 2, 4));
  EXPECT_FALSE(a.of(5)->has(7, 2, 5));
  EXPECT_NE(a.of(1u << 30), nullptr);
  EXPECT_EQ(a.of(6), nullptr);
  EXPECT_EQ(*b.of(5), (race::Known{1, {{7, 8, 4}, {9, 10, 1}}})) << "the other has not changed";
}

TEST(RaceClock, NeighboursAreOneSpan) {
  race::Known known;
  known.add({0, 4, 2});
  known.add({4, 8, 2});
  EXPECT_EQ(known.more, (std::vector<race::Known::Span>{{0, 8, 2}}));
  known.add({2, 6, 1});
  EXPECT_EQ(known.more, (std::vector<race::Known::Span>{{0, 8, 2}})) << "more is known already";
  known.add({2, 6, 3});
  EXPECT_EQ(known.more, (std::vector<race::Known::Span>{{0, 2, 2}, {2, 6, 3}, {6, 8, 2}}));
  known.join({0, {{1, 3, 1}, {5, 12, 2}}});
  EXPECT_EQ(known.more, (std::vector<race::Known::Span>{{0, 2, 2}, {2, 6, 3}, {6, 12, 2}}));
  EXPECT_FALSE(known.has(1, 0, 3));
  EXPECT_TRUE(known.has(2, 0, 3));
  EXPECT_TRUE(known.has(11, 0, 2));
  EXPECT_FALSE(known.has(12, 0, 1));
}

}  // namespace
}  // namespace lanewise::text
