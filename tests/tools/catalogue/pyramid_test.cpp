// The pyramids' host side: schedules of published sizes, groups beyond one axis, nothing to make; and every small size on the model.
#include "golden/image/inputs.h"
#include "model/model.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/energy_parts.h"

namespace lanewise {
namespace {

std::uint32_t fullLevels(Size size) {
  return static_cast<std::uint32_t>(std::bit_width(std::max(size.width, size.height)));
}

// "F3 G2 G2 G1": the pipelines, and how many levels each makes.
std::string pyramidText(const std::vector<PyramidStep>& steps) {
  std::string out;
  for (const PyramidStep& step : steps) out += (out.empty() ? "" : " ") + std::string(step.fast ? "F" : "G") + std::to_string(step.levels);
  return out;
}

std::string scheduled(Size size, const PyramidRules& rules = {}) {
  return pyramidText(pyramidSteps(size, fullLevels(size), rules));
}

TEST(PyramidPlan, PublishedSizesHaveTheirSchedules) {
  EXPECT_EQ(scheduled({1920, 1080}), "F3 G2 G2 G2 G1");
  EXPECT_EQ(scheduled({2560, 1440}), "F5 G2 G2 G2");
  EXPECT_EQ(scheduled({3840, 2160}), "F4 G2 G2 G2 G1");
  EXPECT_EQ(scheduled({2048, 2048}), "F6 F5");
  EXPECT_EQ(scheduled({4096, 4096}), "F6 F6");
  EXPECT_EQ(scheduled({4094, 4094}), "G2 G2 G2 G2 G2 G1");
  EXPECT_EQ(scheduled({4095, 4095}), "G2 G2 G2 G2 G2 G1");
  EXPECT_EQ(scheduled({2047, 2047}), "G2 G2 G2 G2 G2");
  EXPECT_EQ(scheduled({2052, 2052}), "F2 G2 F6 G1");
  EXPECT_EQ(scheduled({2, 2}), "G1");
  EXPECT_EQ(scheduled({8, 4}), "F2 G1");
  EXPECT_EQ(scheduled({1024, 1}), "G2 G2 G2 G2 G2");
}

TEST(PyramidPlan, NothingToMakeIsNoDispatch) {
  EXPECT_EQ(scheduled({1, 1}), "");
  EXPECT_TRUE(pyramidSteps({4, 4}, 1, {}).empty());
  EXPECT_EQ(pyramidText(pyramidSteps({4, 4}, 2, {})), "F1");
}

TEST(PyramidPlan, AlternativesChangeTheSchedule) {
  EXPECT_EQ(scheduled({64, 64}, {.fastMost = 0}), "G2 G2 G2");
  EXPECT_EQ(scheduled({12, 12}, {.fastLeast = 1, .fastMost = 1, .generalMost = 1}), "F1 F1 G1");
  EXPECT_EQ(scheduled({64, 64}, {.fastLeast = 1, .fastMost = 3}), "F3 F3");
  EXPECT_EQ(scheduled({64, 64}, {.fastLeast = 1, .fastMost = 5}), "F5 F1");
  EXPECT_EQ(scheduled({4094, 4094}, {.fastLeast = 1}), "F1 G2 G2 G2 G2 G2");
}

// 65535 groups an axis is all that is guaranteed: general dispatches pass it from 8165 on, fast ones from 8196.
TEST(PyramidPlan, MoreGroupsThanAnAxisTakesGoOnTwo) {
  const auto general = [](std::uint32_t side) { return pyramidWork({false, 0, 2, {side, side}}, {}).groups; };
  EXPECT_EQ(general(8163), (Extent3{65025, 1, 1}));
  EXPECT_EQ(general(8165), (Extent3{32768, 2, 1}));
  const auto fast = [](std::uint32_t side) { return pyramidWork({true, 0, 2, {side, side}}, {}).groups; };
  EXPECT_EQ(fast(8188), (Extent3{65473, 1, 1}));
  EXPECT_EQ(fast(8196), (Extent3{32801, 2, 1}));
  for (const std::uint32_t most : {1u, 2u, 3u, 7u, 1000u}) {
    const Extent3 groups = pyramidWork({false, 0, 1, {1000, 1000}}, {}, most).groups;
    EXPECT_GE(std::uint64_t{groups.x} * groups.y, (500u * 500 + 127) / 128);
    EXPECT_LE(groups.x, most);
  }
}

// The model's answer to a case, with at most so many groups an axis.
void expectExact(const std::string& text, const PyramidRules& rules, std::uint32_t mostGroups) {
  const Case c = *parseCase(text);
  const golden::Image input = *inputOf(c);
  const Expectation expected = *expectationOf(c, input);
  Model model;
  RunResult run = model.run(energyJob(c, kernelModule(*c.kernel), input, rules, mostGroups));
  ASSERT_FALSE(run.error) << text << ": " << run.error->text();
  EXPECT_FALSE(judge(expected, run)->wrong) << text << " in " << mostGroups;
}

TEST(Pyramid, FoldedGroupsGiveTheSameBytes) {
  for (const std::uint32_t most : {1u, 2u, 3u, 5u}) {
    expectExact("pyramid/energy/nvpro-hybrid @ 64x96", {}, most);
    expectExact("pyramid/energy/nvpro-hybrid @ 53x131", {}, most);
    expectExact("pyramid/energy/one-level @ 40x24", {.fastLeast = 1, .fastMost = 1, .generalMost = 1}, most);
  }
}

// Within the bound; and outside of it with the defect of a blit from the wrong level, or from a coordinate without its half.
TEST(Pyramid, BlitsStayInsideTheirBoundAndAWrongLevelDoesNot) {
  for (const char* text : {"pyramid/filter-float/blit @ 37x22", "pyramid/filter-float/nvpro-general-blits @ 72x20"})
    for (const bool planted : {false, true}) {
      const Case c = *parseCase(text);
      const golden::Image input = *inputOf(c);
      const Expectation expected = *expectationOf(c, input);
      Job job = c.kernel->plan(c, kernelModule(*c.kernel), input);
      ASSERT_FALSE(job.blits.empty());
      if (planted) job.blits.back().from = 0;
      RunResult run = Model().run(job);
      ASSERT_FALSE(run.error) << run.error->text();
      EXPECT_EQ(judge(expected, run)->wrong.has_value(), planted) << text;
    }
}

TEST(Pyramid, GeneralBlitsTakeThePlaceOfTheGeneralPipelineAlone) {
  const Case c = *parseCase("pyramid/filter-float/nvpro-general-blits @ 36x20");  // F2, then 9x5
  const Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
  EXPECT_EQ(job.dispatches.size(), 1u);
  EXPECT_EQ(job.blits, (std::vector<Blit>{{"pyramid", 2, 3, 1}, {"pyramid", 3, 4, 1}, {"pyramid", 4, 5, 1}}));
}

// Every size up to 72x72, spread over the subgroup sizes and both pipelines; the nightly set has the full product.
TEST(Pyramid, EverySmallSizeOnTheModel) {
  Model model;
  std::uint32_t turn = 0;
  for (std::uint32_t h = 1; h <= 72; ++h)
    for (std::uint32_t w = 1 + h % 3; w <= 72; w += 3) {
      Case c = *parseCase(++turn % 2 == 0 ? "pyramid/energy/nvpro-hybrid @ 1x1" : "pyramid/energy/nvpro-general @ 1x1");
      c.size = {w, h};
      c.subgroupSize = 4u << (turn % 3);
      c.values[2] = turn % 5 == 0 ? 1 : 0;
      const golden::Image input = *inputOf(c);
      const Expectation expected = *expectationOf(c, input);
      RunResult run = model.run(c.kernel->plan(c, kernelModule(*c.kernel), input));
      ASSERT_FALSE(run.error) << c.name() << ": " << run.error->text();
      ASSERT_FALSE(judge(expected, run)->wrong) << c.name();
    }
}

}  // namespace
}  // namespace lanewise
