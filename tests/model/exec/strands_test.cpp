// Strands of a batch: which one runs first between a split and the place where they meet shows only where their invocations race, and then
// the schedules in which lanes run alone have each order of them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "model/model.h"
#include "tests/text/compute_module.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

using testing::ElementsAre;

// Two invocations take two sides. Each asks a counter who came first: `racing`. Else its side computes something of its own.
std::shared_ptr<const ShaderModule> sides(std::uint32_t takesFirst, bool racing) {
  const auto side = [&](const char* name, const char* value) {
    return fmt::format("%{} = OpLabel\n%{} = {}\nOpBranch %join\n", name, value,
                       racing ? "OpAtomicIAdd %uint %counter %one %zero %one" : "OpIMul %uint %i %i");
  };
  const std::string body = fmt::format(R"(
    %i = OpLoad %uint %index
    %counter = OpAccessChain %word %out %zero %zero
    %slot = OpIAdd %uint %i %one
    %at = OpAccessChain %word %out %zero %slot
    %takes = OpIEqual %bool %i %{}
    OpSelectionMerge %join None
    OpBranchConditional %takes %first %second
  )",
                                       takesFirst == 0 ? "zero" : "one") +
                           side("first", "a") + side("second", "b") +
                           "%join = OpLabel\n%came = OpPhi %uint %a %first %b %second\nOpStore %at %came\n";
  return assembled(computeText({.body = body, .size = 2}));
}

// What the two have stored.
std::vector<std::uint32_t> stored(const std::shared_ptr<const ShaderModule>& module, const std::string& schedule) {
  Job job;
  job.resources = {{"b", BufferData{std::vector<std::byte>(12)}, false, true}};
  Dispatch d;
  d.module = module;
  d.bindings = {{}};
  d.bindings[0].resource = "b";
  job.dispatches = {d};
  ModelOptions options;
  options.schedule = *parseSchedule(schedule);
  Model model(options);
  const RunResult run = model.run(job);
  EXPECT_FALSE(run.error) << run.error->text();
  std::vector<std::uint32_t> words(3);
  if (!run.error) std::memcpy(words.data(), run.outputs[0].bytes().data(), 12);
  return {words[1], words[2]};
}

TEST(Strands, TheFurthestBehindRunsAndSchedulesOfLanesHaveBothOrders) {
  for (const std::uint32_t takesFirst : {0u, 1u}) {
    const auto module = sides(takesFirst, true);
    const std::vector<std::uint32_t> byBlock = takesFirst == 0 ? std::vector{0u, 1u} : std::vector{1u, 0u};
    EXPECT_EQ(stored(module, "in-order"), byBlock) << "the side that comes first in the order of blocks";
    EXPECT_EQ(stored(module, "reverse"), byBlock) << "the order of workgroups and subgroups says nothing of strands";
    EXPECT_THAT(stored(module, "lanes"), ElementsAre(0, 1)) << "the schedule's order of lanes decides";
    EXPECT_THAT(stored(module, "lanes-reverse"), ElementsAre(1, 0));
  }
}

TEST(Strands, WithoutARaceNoOrderShows) {
  for (const std::uint32_t takesFirst : {0u, 1u})
    for (const std::string schedule : {"in-order", "reverse", "lanes", "lanes-reverse", "lanes-seed:3", "interleave:seed:5"})
      EXPECT_THAT(stored(sides(takesFirst, false), schedule), ElementsAre(0, 1)) << schedule;
}

}  // namespace
}  // namespace lanewise::text
