// The model on the kernels of the catalogue: the oracle's bytes for every subgroup size and schedule, and the planted defect's wrong ones.
#include <algorithm>

#include "golden/image/inputs.h"
#include "model/model.h"
#include "model/operations/table.h"
#include "model/program/decode.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

void runCase(Model& model, const Case& c, const golden::Image& input, const Expectation& expected, const std::string& schedule) {
  RunResult result = model.run(c.kernel->plan(c, kernelModule(*c.kernel), input));
  ASSERT_FALSE(result.error) << c.name() << ": " << result.error->text();
  const auto judged = judge(expected, result);
  ASSERT_TRUE(judged) << judged.error().text();
  EXPECT_FALSE(judged->wrong) << c.name() << " " << schedule;
}

void expectOracle(const std::string& name, Schedule schedule) {
  ModelOptions options;
  options.schedule = schedule;
  Model model(options);
  Expected<Case> c = parseCase(name);
  ASSERT_TRUE(c.ok()) << c.error().text();
  Expected<golden::Image> input = inputOf(*c);
  ASSERT_TRUE(input.ok()) << input.error().text();
  const Expected<Expectation> expected = expectationOf(*c, *input);
  ASSERT_TRUE(expected.ok());
  options.parallel = {.inOrder = {}, .least = {}, .parts = 3};
  Model inParts(options);
  for (std::uint32_t size : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    c->subgroupSize = size;
    runCase(model, *c, *input, *expected, schedule.token());
    runCase(inParts, *c, *input, *expected, schedule.token() + ", in parts");
  }
}

class EverySchedule : public testing::TestWithParam<Schedule> {};

TEST_P(EverySchedule, NaiveBlur) {
  expectOracle("box-blur/double/naive @ 33x17 radius=3 edge=mirror input=noise:5", GetParam());
}
TEST_P(EverySchedule, AccumulatedBlur) {
  expectOracle("box-blur/double/accumulated-x1 @ 9x70 radius=40 edge=mirror-101 input=noise:6", GetParam());
}
TEST_P(EverySchedule, Checksum) {
  expectOracle("checksum/sum/shuffle @ 61x35 input=noise:7", GetParam());
}
// More than one tile, odd sides, and texels left for the last workgroup.
TEST_P(EverySchedule, DepthPyramid) {
  expectOracle("depth/floor/spd @ 200x131 input=noise:8", GetParam());
}
TEST_P(EverySchedule, ConservativeDepthPyramid) {
  expectOracle("depth/conservative-uv/spd @ 131x67 reduction=min input=noise:9", GetParam());
}
TEST_P(EverySchedule, MeanPyramid) {
  expectOracle("pyramid/mean2x2/spd-memory @ 130x66 layers=2 rect=corner input=noise:10", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Model, EverySchedule,
                         testing::Values(Schedule{}, Schedule{Schedule::Order::kReverse, 0}, Schedule{Schedule::Order::kSeeded, 11},
                                         Schedule{Schedule::Order::kLast, 2}),
                         [](const auto& named) {
                           std::string name = named.param.token();
                           std::ranges::replace_if(
                               name, [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
                           return name;
                         });

// A module stands where another one stood: what the model knows of that one says nothing about it. Both are dispatched in the same way.
TEST(Model, TakesEachModuleForItself) {
  const Expected<Case> c = parseCase("box-blur/double/linear @ 33x17 radius=3 edge=clamp input=noise:5");
  ASSERT_TRUE(c.ok()) << c.error().text();
  const Expected<golden::Image> input = inputOf(*c);
  ASSERT_TRUE(input.ok());
  const Expected<Expectation> expected = expectationOf(*c, *input);
  ASSERT_TRUE(expected.ok());
  ShaderModule place;
  Model model;
  for (const char* name : {"box-blur/double/linear", "broken/box-blur-centres"}) {
    const Kernel* kernel = findKernel(name);
    ASSERT_TRUE(kernel);
    place = *kernelModule(*kernel);
    const std::shared_ptr<const ShaderModule> module(&place, [](const ShaderModule*) {});
    RunResult result = model.run(c->kernel->plan(*c, module, *input));
    const auto judged = judge(*expected, result);
    ASSERT_TRUE(judged) << judged.error().text();
    EXPECT_EQ(static_cast<bool>(judged->wrong), kernel != c->kernel) << name;
  }
}

// Quad operations, in every subgroup that has quads; and the sides and levels of a tile are free to choose.
TEST(Pyramids, QuadsMeetInEverySubgroup) {
  Expected<Case> c = parseCase("pyramid/mean2x2/spd-quads @ 130x67 input=noise:11");
  ASSERT_TRUE(c.ok());
  const golden::Image input = *inputOf(*c);
  const Expectation expected = *expectationOf(*c, input);
  Model model;
  for (c->subgroupSize = 4; c->subgroupSize <= 128; c->subgroupSize *= 2) runCase(model, *c, input, expected, "");
}

TEST(Pyramids, SmallerTilesGiveTheSameLevels) {
  for (const char* form : {"floor", "conservative", "conservative-uv"}) {
    const Expected<Case> c = parseCase(std::string("depth/") + form + "/spd @ 137x67 input=noise:12");
    ASSERT_TRUE(c.ok());
    const golden::Image input = *inputOf(*c);
    const auto expected = *c->kernel->expect(*c, input);
    Job job = c->kernel->plan(*c, kernelModule(*c->kernel), input);
    Dispatch& d = job.dispatches[0];
    d.groups = {5, 3, 1};  // tiles of 32
    d.spec[0].value = 8;
    d.spec.push_back({2, 5});
    const std::uint32_t groups = 15;
    std::memcpy(d.push.data() + 12, &groups, sizeof groups);
    Model model;
    const RunResult result = model.run(job);
    ASSERT_FALSE(result.error) << result.error->text();
    EXPECT_EQ(result.outputs[0].bytes(), expected[0].bytes) << form;
  }
}

std::ptrdiff_t branches(const char* name, ir::Flavour flavour) {
  const Case c = *parseCase(name);
  const Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
  ProgramOptions options;
  options.spec = job.dispatches[0].spec;
  options.flavour = flavour;
  const auto program = decode(*job.dispatches[0].module, options);
  EXPECT_TRUE(program.ok());
  return std::ranges::count((*program)->info, ir::Code{control::kBranchVarying}, &InstrInfo::op);
}

// Rounding and the bounds test become selections; what stores, and the division that is too long for a side, stays behind its branch.
TEST(Flatten, SmallBranchesBecomeSelections) {
  EXPECT_EQ(branches("photo/saturation/checked @ 4x4", ir::Flavour::kQuick), 7);
  EXPECT_EQ(branches("photo/saturation/checked @ 4x4", ir::Flavour::kUnwatched), 2);
  // Loops, barriers and stores only, but for two; and one of the loops is of seven rounds, each of which stores.
  EXPECT_EQ(branches("checksum/sum/shuffle @ 4x4", ir::Flavour::kQuick), 7);
  EXPECT_EQ(branches("checksum/sum/shuffle @ 4x4", ir::Flavour::kUnwatched), 11);
}

}  // namespace
}  // namespace lanewise
