// An invocation's steps are the instructions of the module on its own path: the step limit and the clock count the same, and neither
// depends on how the invocation is scheduled, batched or lowered.
#include <fmt/format.h>

#include <cstring>

#include "model/model.h"
#include "tests/text/compute_module.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kLanes = 70;  // more than one batch

// Invocation i makes i turns of a loop, of which the odd ones take a side, and stores the clock. Without a clock it stores another word.
std::shared_ptr<const ShaderModule> turns(bool clock) {
  const std::string body =
      fmt::format(R"(
    %i = OpLoad %uint %index
    OpBranch %head
    %head = OpLabel
    %k = OpPhi %uint %zero %entry %next %continue
    %sum = OpPhi %uint %zero %entry %added %continue
    OpLoopMerge %done %continue None
    OpBranch %test
    %test = OpLabel
    %more = OpULessThan %bool %k %i
    OpBranchConditional %more %body %done
    %body = OpLabel
    %bit = OpBitwiseAnd %uint %k %one
    %odd = OpINotEqual %bool %bit %zero
    OpSelectionMerge %join None
    OpBranchConditional %odd %side %join
    %side = OpLabel
    %square = OpIMul %uint %k %k
    %larger = OpIAdd %uint %square %sum
    OpBranch %join
    %join = OpLabel
    %added = OpPhi %uint %sum %body %larger %side
    OpBranch %continue
    %continue = OpLabel
    %next = OpIAdd %uint %k %one
    OpBranch %head
    %done = OpLabel
    %at = OpAccessChain %word %out %zero %i
    %now = {}
    %low = OpCompositeExtract %uint %now 0
    %stored = OpIAdd %uint %low %{}
    OpStore %at %stored
  )",
                  clock ? "OpReadClockKHR %pair %subgroup" : "OpCompositeConstruct %pair %one %one", clock ? "zero" : "sum");
  return assembled(computeText({.body = body,
                                .globals = "%pair = OpTypeVector %uint 2\n%subgroup = OpConstant %uint 3\n",
                                .head = clock ? "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"" : "",
                                .size = kLanes}));
}

constexpr std::uint64_t kAfterClock = 4;  // OpCompositeExtract, OpIAdd, OpStore, OpReturn

// 2 in %entry, 12 a turn and 3 more an odd one, 5 to leave the loop, and %done.
std::uint64_t stepsOf(std::uint32_t i) {
  return 2 + 12 * std::uint64_t{i} + 3 * (i / 2) + 5 + 2 + kAfterClock;
}

Job jobOf(std::shared_ptr<const ShaderModule> module, std::uint32_t subgroupSize, std::uint64_t maxSteps) {
  Job job;
  job.resources = {{"b", BufferData{std::vector<std::byte>(4 * kLanes)}, false, true}};
  Dispatch d;
  d.module = std::move(module);
  d.bindings = {{0, 0, 0, "b"}};
  job.dispatches = {d};
  job.subgroupSize = subgroupSize;
  job.limits.maxSteps = maxSteps;
  return job;
}

std::vector<std::uint32_t> wordsOf(const Resource& resource) {
  std::vector<std::uint32_t> words(resource.bytes().size() / 4);
  std::memcpy(words.data(), resource.bytes().data(), resource.bytes().size());
  return words;
}

constexpr const char* kSchedules[] = {"in-order", "reverse", "lanes", "lanes-seed:7", "interleave:seed:7", "interleave:seed:8@2"};

class Steps : public testing::TestWithParam<const char*> {
 protected:
  ModelOptions options(bool findings = false) const {
    return {.profile = {}, .schedule = *parseSchedule(GetParam()), .findings = findings};
  }
};

TEST_P(Steps, TheClockCountsThem) {
  const auto module = turns(true);
  for (const std::uint32_t size : {1u, 4u, 32u, 64u})
    for (const ir::Flavour flavour : {ir::Flavour::kUnwatched, ir::Flavour::kQuick, ir::Flavour::kFaithful}) {
      const Job job = jobOf(module, size, 10'000);
      Model model(options());
      Expected<Execution> execution = model.start(job, flavour);
      ASSERT_TRUE(execution.ok()) << execution.error().text();
      const Status error = execution->run();
      ASSERT_FALSE(error) << error->text();
      const std::vector<std::uint32_t> clock = wordsOf(execution->takeOutputs()[0]);
      for (std::uint32_t i = 0; i < kLanes; ++i)
        EXPECT_EQ(clock[i], stepsOf(i) - kAfterClock) << "invocation " << i << ", subgroup size " << size;
    }
}

TEST_P(Steps, TheLimitCountsThem) {
  const std::uint64_t most = stepsOf(kLanes - 1);
  for (const bool clock : {false, true})
    for (const std::uint32_t size : {1u, 4u, 32u, 64u})
      for (const bool findings : {false, true}) {
        const auto run = [&](std::uint64_t limit) { return Model(options(findings)).run(jobOf(turns(clock), size, limit)); };
        const RunResult enough = run(most), less = run(most - 1);
        EXPECT_FALSE(enough.error) << enough.error->text();
        EXPECT_TRUE(enough.findings.empty());
        ASSERT_TRUE(less.error);
        EXPECT_THAT(less.error->text(), HasSubstr(fmt::format("the step limit of {} was reached in main", most - 1)));
        ASSERT_EQ(less.findings.size(), findings ? 1u : 0u);
        if (findings) {
          EXPECT_EQ(less.findings[0].kind, FindingKind::kStepLimit);
          EXPECT_EQ(run(13).findings.at(0).place, "more than 13 steps of one invocation");
          EXPECT_EQ(run(1).findings.at(0).place, "more than 1 step of one invocation");
        }
        EXPECT_THAT(run(13).error->text(), HasSubstr("the step limit of 13 was reached in a loop of main"));
      }
}

INSTANTIATE_TEST_SUITE_P(Schedules, Steps, testing::ValuesIn(kSchedules), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace lanewise::text
