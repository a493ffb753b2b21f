#include <gtest/gtest.h>
#include <lanewise/gmock.h>

TEST(Twice, IsTwiceAsMuch) {
  const auto module = lw::Module::load(KERNEL);
  ASSERT_TRUE(module) << module.error->text();
  lw::Job job;
  job.resources = {lw::buffer<std::uint32_t>("values", {1, 2, 3, 4}), lw::output("twice", 16)};
  job.dispatches = {{*module, {1}, {{0, 0, "values"}, {0, 1, "twice"}}}};
  lw::RunOptions options;
  options.findings = true;
  const lw::Run run = lw::run(job, options);
  EXPECT_THAT(run, lw::HasNoFindings());
  EXPECT_THAT(run, lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 8}));
}
