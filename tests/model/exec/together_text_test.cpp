// Every text program with several workgroups in one batch (model/ir/together.h), and one after another: the same bytes, lines and errors.
// Most programs have one workgroup, so here they have seven along x; what the others store beyond a buffer is dropped.
#include <gtest/gtest.h>

#include "model/contract/profiles.h"
#include "tests/model/program/both_flavours.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

FlavourRun runBy(std::uint64_t together, const Profile& profile, const Job& job, std::uint64_t* ran = nullptr) {
  Model model({.profile = profile, .schedule = {}, .parallel = {.allowed = false, .together = together}});
  const RunResult r = model.run(job);
  if (ran) *ran += model.tierReport().together;
  return flavourRun(r.printed, r.error, r.outputs);
}

// Not read: the module does not compile here.
std::optional<Job> jobOf(const std::string& file) {
  ProgramText program = readProgram(programPath(file));
  const auto module = programModule(file);
  if (!module) return {};
  Dispatch& d = program.job.dispatches[0];
  d.module = *module;
  d.groups.x = std::max(d.groups.x, 7u);
  return program.job;
}

class TogetherPrograms : public testing::TestWithParam<std::string> {};

TEST_P(TogetherPrograms, GiveTheSame) {
  std::optional<Job> job = jobOf(GetParam());
  ASSERT_TRUE(job);
  const bool anySize = job->subgroupSize == 0;
  for (const std::uint32_t size : {32u, 16u, 8u}) {
    if (anySize) job->subgroupSize = size;
    EXPECT_EQ(firstDifference(runBy(0, {}, *job), runBy(1, {}, *job)), "") << "subgroups of " << job->subgroupSize;
    if (!anySize) break;
  }
  if (anySize) job->subgroupSize = 0;
  const Profile adverse = *profileByName("adverse");
  EXPECT_EQ(firstDifference(runBy(0, adverse, *job), runBy(1, adverse, *job)), "") << "adverse";
}

INSTANTIATE_TEST_SUITE_P(All, TogetherPrograms, testing::ValuesIn(programFiles()));

// Enough of them are together, here of every fourth one: otherwise the tests above compare a run with itself.
TEST(TogetherTake, ManyPrograms) {
  std::uint64_t together = 0;
  std::size_t all = 0, seen = 0;
  for (const std::string& file : programFiles()) {
    if (seen++ % 4 != 0) continue;
    std::optional<Job> job = jobOf(file);
    if (!job) continue;
    if (job->subgroupSize == 0) job->subgroupSize = 16;
    runBy(1, {}, *job, &together);
    ++all;
  }
  EXPECT_GT(together * 5, all) << together << " of " << all;
}

}  // namespace
}  // namespace lanewise::text
