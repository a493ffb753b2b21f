// Compiled code and the interpreter on every text program: the same bytes, lines and errors, for several subgroup sizes and with profiles
// whose operations are not the strict ones. See also flavour_test.cpp, and the random kernels.
//
// Here each program takes one of the other sizes and one of the other profiles, by its name, so that each of them has a fourth or third of
// the programs; with LANEWISE_TIERS=all, at night, every program takes all of them.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "model/compiled/llvm.h"
#include "model/contract/profiles.h"
#include "tests/model/program/both_flavours.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

bool isNight() {
  return std::getenv("LANEWISE_TIERS") != nullptr;
}

// All of them at night, else one that the name chooses.
template <class T, std::size_t N>
std::vector<T> chosen(const T (&all)[N], const std::string& name) {
  if (isNight()) return {std::begin(all), std::end(all)};
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return {all[hash % N]};
}

class Tiers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
    program_ = wholeProgram(GetParam());
  }

 public:
  static FlavourRun runBy(Tier tier, const Profile& profile, const Job& job, const ParallelRule& parallel = {.allowed = false},
                          const std::filesystem::path& kept = {}, const Schedule& schedule = {}) {
    Model model({.profile = profile, .schedule = schedule, .parallel = parallel, .tier = tier, .codeFolder = kept});
    const RunResult r = model.run(job);
    return flavourRun(r.printed, r.error, r.outputs);
  }

 protected:
  static void expectSame(const Profile& profile, const Job& job, const std::string& what) {
    EXPECT_EQ(firstDifference(runBy(Tier::kInterpreter, profile, job), runBy(Tier::kCompiled, profile, job)), "") << what;
  }
  ProgramText program_;
};

TEST_P(Tiers, GiveTheSame) {
  // Alone and in parts, which take the same code from disk.
  const std::filesystem::path kept = std::filesystem::path(testing::TempDir()) / fmt::format("lanewise tiers {}", ::getpid());
  const FlavourRun plain = runBy(Tier::kInterpreter, {}, program_.job);
  EXPECT_EQ(firstDifference(plain, runBy(Tier::kCompiled, {}, program_.job, {.allowed = false}, kept)), "");
  EXPECT_EQ(firstDifference(plain, runBy(Tier::kCompiled, {}, program_.job, {.inOrder = {}, .least = {}, .parts = 3}, kept)), "")
      << "in parts";

  constexpr std::uint32_t kSizes[] = {8, 64, 128, 1};  // the plain ones have 32 lanes
  const Schedule lanes{.order = Schedule::Order::kReverse, .lanes = true};
  std::vector<std::uint32_t> sizes = chosen(kSizes, GetParam());
  if (program_.job.subgroupSize != 0) sizes = {program_.job.subgroupSize};
  Job job = program_.job;
  for (const std::uint32_t size : sizes) {
    SCOPED_TRACE(fmt::format("subgroups of {}", size));
    job.subgroupSize = size;
    expectSame({}, job, "together");
    const FlavourRun alone = runBy(Tier::kInterpreter, {}, job, {.allowed = false}, {}, lanes);
    EXPECT_EQ(firstDifference(alone, runBy(Tier::kCompiled, {}, job, {.allowed = false}, kept, lanes)), "") << "lanes one by one";
    EXPECT_EQ(firstDifference(alone, runBy(Tier::kCompiled, {}, job, {.inOrder = {}, .least = {}, .parts = 3}, kept, lanes)), "")
        << "lanes one by one, in parts";
  }
  std::filesystem::remove_all(kept);
  if (const auto better = optimised(*job.dispatches[0].module, false)) {
    job.dispatches[0].module = better;
    expectSame({}, job, "optimised");
  }

  Profile interleaved;
  interleaved.subgroupMapping = SubgroupMapping::kInterleaved;
  const Profile others[] = {*profileByName("nvidia"), *profileByName("lavapipe"), interleaved};
  expectSame(*profileByName("adverse"), program_.job, "adverse");
  for (const Profile& profile : chosen(others, GetParam())) expectSame(profile, program_.job, profile.name);
}

INSTANTIATE_TEST_SUITE_P(All, Tiers, testing::ValuesIn(programFiles()));

// Most programs are compiled (here of every fourth one): otherwise the tests above compare the interpreter with itself.
void expectMostTaken(const Schedule& schedule) {
  if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  std::size_t compiled = 0, all = 0, seen = 0;
  std::map<std::string, std::size_t> refusals;
  for (const std::string& file : programFiles()) {
    if (!isNight() && seen++ % 4 != 0) continue;
    ProgramText program = readProgram(programPath(file));
    const auto module = programModule(file);
    if (!module || program.errorOutcome) continue;
    program.job.dispatches[0].module = *module;
    Model model({.profile = *profileByName("strict"), .schedule = schedule, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
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
TEST(TiersTake, MostPrograms) {
  expectMostTaken({});
}
TEST(TiersTake, MostProgramsLaneByLane) {
  expectMostTaken({.lanes = true});
}

// Each subgroup is a batch of the interpreter, and one or several of native code.
TEST(TiersTake, SubgroupsThatRunByThemselves) {
  if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  Profile interleaved;
  interleaved.subgroupMapping = SubgroupMapping::kInterleaved;
  for (const std::uint32_t size : {1, 4, 8, 16, 32, 64, 128}) {
    Job job = wholeProgram("wait_lock_invocations.comp").job;
    job.subgroupSize = size;
    for (const Profile& profile : {Profile{}, interleaved}) {
      Model model({.profile = profile, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
      const RunResult r = model.run(job);
      EXPECT_EQ(firstDifference(flavourRun(r.printed, r.error, r.outputs), Tiers::runBy(Tier::kInterpreter, profile, job)), "") << size;
      EXPECT_EQ(model.tierReport().dispatches, 1) << size;
    }
  }
}

}  // namespace
}  // namespace lanewise::text
