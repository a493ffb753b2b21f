// Compiled code and the interpreter on every text program: the same bytes, lines and errors, for every subgroup size and with profiles
// whose operations are not the strict ones. See also flavour_test.cpp, and the random kernels.
#include "model/compiled/llvm.h"
#include "model/contract/profiles.h"
#include "tests/model/program/both_flavours.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

class Tiers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
    program_ = readProgram(programPath(GetParam()));
    const auto module = programModule(GetParam());
    ASSERT_TRUE(module.ok()) << module.error().text();
    program_.job.dispatches[0].module = *module;
  }
  static FlavourRun runBy(Tier tier, const Profile& profile, const Job& job) {
    Model model({.profile = profile, .schedule = {}, .parallel = {.allowed = false}, .tier = tier});
    const RunResult r = model.run(job);
    return flavourRun(r.printed, r.error, r.outputs);
  }
  void expectSame(const Profile& profile, const Job& job, const std::string& what) {
    EXPECT_EQ(firstDifference(runBy(Tier::kInterpreter, profile, job), runBy(Tier::kCompiled, profile, job)), "") << what;
  }
  ProgramText program_;
};

TEST_P(Tiers, GiveTheSame) {
  Job job = program_.job;
  const bool own = job.subgroupSize != 0;
  for (const std::uint32_t size : {32u, 8u, 64u, 128u, 1u}) {
    if (!own) job.subgroupSize = size;
    expectSame({}, job, fmt::format("subgroups of {}", job.subgroupSize));
    if (own) break;
  }
  if (const auto better = optimised(*job.dispatches[0].module, false)) {
    job.dispatches[0].module = better;
    expectSame({}, job, "optimised");
  }
}

TEST_P(Tiers, GiveTheSameInParts) {
  ModelOptions options;
  options.tier = Tier::kCompiled;
  options.parallel = {.inOrder = {}, .least = {}, .parts = 3};
  const RunResult r = Model(options).run(program_.job);
  EXPECT_EQ(firstDifference(runBy(Tier::kInterpreter, {}, program_.job), flavourRun(r.printed, r.error, r.outputs)), "");
}

TEST_P(Tiers, GiveTheSameWithEveryProfile) {
  for (const char* name : {"adverse", "nvidia", "lavapipe"})
    if (const auto profile = profileByName(name)) expectSame(*profile, program_.job, name);
  Profile interleaved;
  interleaved.subgroupMapping = SubgroupMapping::kInterleaved;
  expectSame(interleaved, program_.job, "interleaved");
}

INSTANTIATE_TEST_SUITE_P(All, Tiers, testing::ValuesIn(programFiles()));

// Most programs are compiled: otherwise the tests above compare the interpreter with itself.
TEST(TiersTake, MostPrograms) {
  if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  std::size_t compiled = 0, all = 0;
  std::map<std::string, std::size_t> refusals;
  for (const std::string& file : programFiles()) {
    ProgramText program = readProgram(programPath(file));
    const auto module = programModule(file);
    if (!module || program.errorOutcome) continue;
    program.job.dispatches[0].module = *module;
    Model model({.profile = *profileByName("strict"), .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
    static_cast<void>(model.run(program.job));
    const TierReport report = model.tierReport();
    ++all;
    compiled += report.dispatches != 0;
    for (const std::string& why : report.refusals) ++refusals[why];
  }
  std::string why;
  for (const auto& [refusal, times] : refusals) why += fmt::format("{} times {}\n", times, refusal);
  EXPECT_GT(compiled * 10, all * 9) << why;
}

}  // namespace
}  // namespace lanewise::text
