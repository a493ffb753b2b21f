// Every text program with several workgroups in one batch (model/ir/together.h), and one after another; and its lanes together and one by
// one, where the schedule has them so: the same bytes, lines and errors.
// Most programs have one workgroup of a few invocations. Here they have seven along x, and they run once more as workgroups of 32; what is
// stored beyond a buffer is dropped.
#include <gtest/gtest.h>

#include <spirv/unified1/spirv.hpp11>

#include "model/contract/profiles.h"
#include "tests/model/program/both_flavours.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

FlavourRun runBy(std::uint64_t together, const Profile& profile, const Job& job, bool lanes = false, std::uint64_t* ran = nullptr) {
  Model model({.profile = profile, .schedule = {.lanes = lanes}, .parallel = {.allowed = false, .together = together}});
  const RunResult r = model.run(job);
  if (ran) *ran += model.tierReport().together;
  return flavourRun(r.printed, r.error, r.outputs);
}

// With workgroups of 32x1x1, unless a built-in says their size.
std::shared_ptr<const ShaderModule> withWorkgroupsOf32(const ShaderModule& module) {
  auto out = std::make_shared<ShaderModule>(module);
  std::vector<std::uint32_t>& words = out->words;
  constexpr std::size_t kHeader = 5;
  for (std::size_t at = kHeader; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    const bool isMode = (words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpExecutionMode) && words[at] >> 16 == 6;
    if (!isMode || words[at + 2] != static_cast<std::uint32_t>(spv::ExecutionMode::LocalSize)) continue;
    words[at + 3] = 32;
    words[at + 4] = words[at + 5] = 1;
  }
  return out;
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
    EXPECT_EQ(firstDifference(runBy(0, {}, *job, true), runBy(1, {}, *job, true)), "") << "lanes, subgroups of " << job->subgroupSize;
    if (!anySize) break;
  }
  if (anySize) job->subgroupSize = 0;
  const Profile adverse = *profileByName("adverse");
  EXPECT_EQ(firstDifference(runBy(0, adverse, *job), runBy(1, adverse, *job)), "") << "adverse";
  job->dispatches[0].module = withWorkgroupsOf32(*job->dispatches[0].module);
  EXPECT_EQ(firstDifference(runBy(0, {}, *job), runBy(1, {}, *job)), "") << "32 invocations";
  EXPECT_EQ(firstDifference(runBy(0, {}, *job, true), runBy(1, {}, *job, true)), "") << "lanes, 32 invocations";
}

INSTANTIATE_TEST_SUITE_P(All, TogetherPrograms, testing::ValuesIn(programFiles()));

// Some of them are together, whose workgroups store to places of their own or once: else the tests above compare a run with itself.
TEST(TogetherTake, SomePrograms) {
  std::uint64_t together = 0, lanes = 0;
  std::size_t all = 0;
  for (const std::string& file : programFiles()) {
    std::optional<Job> job = jobOf(file);
    if (!job) continue;
    job->dispatches[0].module = withWorkgroupsOf32(*job->dispatches[0].module);
    runBy(1, {}, *job, false, &together);
    runBy(1, {}, *job, true, &lanes);
    ++all;
  }
  constexpr std::uint64_t kAtLeast = 20;
  EXPECT_GE(together, kAtLeast) << "of " << all;
  EXPECT_GE(lanes, kAtLeast) << "of " << all;
}

}  // namespace
}  // namespace lanewise::text
