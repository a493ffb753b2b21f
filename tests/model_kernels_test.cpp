// The model on the kernels of the catalogue: the oracle's bytes for every subgroup size and schedule, and the planted defect's wrong ones.
#include "golden/inputs.h"
#include "model/model.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

void runCase(Model& model, const Case& c, const golden::Image& input, const Expectation& expected, const std::string& schedule) {
  RunResult result = model.run(c.kernel->plan(c, kernelModule(*c.kernel), input));
  ASSERT_FALSE(result.error) << c.name() << ": " << result.error->text();
  const auto got = imagesOf(result, expected);
  ASSERT_TRUE(got) << got.error().text();
  const auto wrong = firstDifference(c, expected, *got);
  ASSERT_TRUE(wrong) << wrong.error().text();
  EXPECT_FALSE(*wrong) << c.name() << " " << schedule;
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
  for (std::uint32_t size : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    c->subgroupSize = size;
    runCase(model, *c, *input, *expected, schedule.token());
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

INSTANTIATE_TEST_SUITE_P(Model, EverySchedule,
                         testing::Values(Schedule{}, Schedule{Schedule::Order::kReverse, 0}, Schedule{Schedule::Order::kSeeded, 11},
                                         Schedule{Schedule::Order::kLast, 2}),
                         [](const auto& named) {
                           std::string name = named.param.token();
                           std::ranges::replace_if(
                               name, [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace lanewise
