// Registers of workgroups that have ended, for the next dispatch of their program (model/exec/idle_workgroups.h).
#include <gtest/gtest.h>

#include "model/exec/idle_workgroups.h"
#include "model/exec/part.h"
#include "model/model.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

std::shared_ptr<Program> programOf(std::uint32_t registerBytes) {
  auto program = std::make_shared<Program>();
  program->registerBytes = registerBytes;
  program->batches = 1;
  return program;
}

WorkgroupState ended(const std::shared_ptr<Program>& program, std::uint64_t place) {
  WorkgroupState w;
  w.program = program;
  w.place = place;
  return w;
}

TEST(IdleWorkgroups, OneOfTheProgramOnce) {
  IdleWorkgroups idle;
  const auto a = programOf(64), b = programOf(64);
  idle.keep(ended(a, 1));
  idle.keep(ended(a, 2));
  EXPECT_FALSE(idle.take(*b));
  EXPECT_EQ(idle.take(*a)->place, 2u);
  EXPECT_EQ(idle.take(*a)->place, 1u);
  EXPECT_FALSE(idle.take(*a));
}

TEST(IdleWorkgroups, NoneThatRunsOrWasNeverUsed) {
  IdleWorkgroups idle;
  const auto a = programOf(64);
  WorkgroupState running = ended(a, 1);
  running.running = true;
  idle.keep(std::move(running));
  idle.keep({});
  EXPECT_FALSE(idle.take(*a));
}

TEST(IdleWorkgroups, OfManyTheLastOnes) {
  IdleWorkgroups idle;
  const auto small = programOf(64), large = programOf(IdleWorkgroups::kMost / 2), tooLarge = programOf(IdleWorkgroups::kMost);
  idle.keep(ended(small, 1));
  idle.keep(ended(large, 2));
  idle.keep(ended(large, 3));
  idle.keep(ended(tooLarge, 4));
  EXPECT_FALSE(idle.take(*tooLarge));
  EXPECT_FALSE(idle.take(*small));
  EXPECT_EQ(idle.take(*large)->place, 3u);
  EXPECT_FALSE(idle.take(*large));
}

// Each job a second time, after others of the same program and of others: what was left in the registers does not show.
TEST(IdleWorkgroups, TheSameBytesAsOfAModelThatHasRunNothing) {
  Model model({.profile = {}, .schedule = {}, .tier = Tier::kInterpreter});
  for (int round = 0; round < 2; ++round)
    for (const std::uint32_t mode : {0u, 1u, 2u, 5u, 6u, 7u, 8u, 9u})
      for (const std::uint32_t groups : {1u, 3u, 2u}) {
        const std::uint32_t words[] = {32 * groups, 32 * groups, 32 * groups};
        Job job = kernelJob("together", groups, words);
        job.dispatches[0].spec = {{0, mode}, {1, 32}, {2, 1}};
        const RunResult again = model.run(job), first = Model({.profile = {}, .schedule = {}, .tier = Tier::kInterpreter}).run(job);
        ASSERT_FALSE(again.error || first.error);
        ASSERT_EQ(again.outputs.size(), first.outputs.size());
        for (std::size_t i = 0; i < again.outputs.size(); ++i)
          EXPECT_TRUE(again.outputs[i].bytes() == first.outputs[i].bytes()) << mode << ", " << groups;
      }
}

}  // namespace
}  // namespace lanewise
