// The tier that chooses by itself: compiled code goes on in the middle of a dispatch, and the interpreter after it; nobody can tell.
#include <gmock/gmock.h>
#include <tbb/global_control.h>

#include "model/compiled/llvm.h"
#include "tests/model/compiled/compiled_code.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

using compiled::Trial;

ModelOptions with(Tier tier) {
  ModelOptions options;
  options.tier = tier;
  return options;
}

struct AutoTier : testing::Test {
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  }
};

struct Ran {
  std::string error;
  std::vector<std::vector<std::byte>> bytes;
  std::uint64_t compiled = 0;
  bool operator==(const Ran& other) const { return error == other.error && bytes == other.bytes; }
};

// Compiled code that is always there and says that it has been tried so far with this result.
struct Source {
  Trial trial;
  std::shared_ptr<const compiled::Compiled> code = nullptr;
  std::uint32_t asked = 0;

  CompiledSource source(const Dispatch& dispatch) {
    code = compiledCodeOf(dispatch);
    code->trial = trial;
    return {[this](const Dispatch&, const Program&, Tier, double, double) {
              ++asked;
              return code->trial == Trial::kSlower ? nullptr : code;
            },
            [](const Program&, double) {}};
  }
};

Ran run(const Job& job, Tier tier, const CompiledSource& source = {}, bool parallel = false) {
  Model model;
  Expected<Execution> execution = model.start(job, ir::Flavour::kUnwatched);
  EXPECT_TRUE(execution.ok());
  execution->setParallel({.allowed = parallel});
  execution->setTier(tier, source);
  Ran out;
  if (const Status error = execution->run()) out.error = error->text();
  out.compiled = execution->ranCompiled();
  for (const Resource& r : execution->resources()) out.bytes.push_back(r.bytes());
  return out;
}

// Kernels that take a few milliseconds; some of their workgroups depend on those before.
std::vector<Job> jobs() {
  constexpr std::uint32_t kGroups = 4096;
  struct One {
    const char* kernel;
    std::uint32_t groups;
    std::vector<std::uint32_t> words;
    int mode = -1;
  };
  std::vector<Job> all;
  std::vector<One> ones = {{"plain_histogram", kGroups, {1 << 14, 1, 256}}, {"plain_in_place", kGroups, {1 << 14, 1 << 14}}};
  for (const int mode : {0, 1, 2, 3, 5, 9, 12, 13, 14, 15}) ones.push_back({"parts_order", kGroups, {kGroups * 128 + 1, 5}, mode});
  for (const One& one : ones) {
    all.push_back(kernelJob(one.kernel, one.groups, one.words));
    if (one.mode >= 0) all.back().dispatches[0].spec = {{0, static_cast<std::uint64_t>(one.mode)}};
  }
  return all;
}

TEST_F(AutoTier, GivesTheBytesOfTheInterpreter) {
  std::uint64_t compiled = 0;
  for (const Job& job : jobs()) {
    if (!job.dispatches[0].spec.empty()) continue;  // whose program Source does not specialize
    const Ran expected = run(job, Tier::kInterpreter);
    for (const Trial trial : {Trial::kNone, Trial::kSlowerOnce, Trial::kQuicker, Trial::kSlower}) {
      Source source{trial};
      const Ran got = run(job, Tier::kAuto, source.source(job.dispatches[0]));
      EXPECT_EQ(got, expected) << job.dispatches[0].module->name << " " << static_cast<int>(trial);
      EXPECT_EQ(got.compiled != 0, trial != Trial::kSlower) << job.dispatches[0].module->name << " " << static_cast<int>(trial);
      compiled += got.compiled;
    }
  }
  EXPECT_GT(compiled, 0u);
}

// What a model decides is a matter of time; the bytes are not, whatever the number of threads.
TEST_F(AutoTier, GivesTheSameWithEveryNumberOfThreads) {
  for (const Job& job : jobs()) {
    const RunResult expected = Model().run(job);
    for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      Model model(with(Tier::kAuto)), compiled(with(Tier::kCompiled));
      for (int time = 0; time < 2; ++time)
        for (Model* one : {&model, &compiled}) {
          const RunResult got = one->run(job);
          EXPECT_EQ(got.error.has_value(), expected.error.has_value());
          for (std::size_t r = 0; r < expected.outputs.size(); ++r)
            EXPECT_EQ(got.outputs[r].bytes(), expected.outputs[r].bytes()) << threads << " threads, mode " << job.dispatches[0].spec.size();
        }
    }
  }
}

TEST_F(AutoTier, ShortWorkIsLeftToTheInterpreter) {
  constexpr std::uint32_t kWords[] = {1 << 14, 1 << 14};
  Model model(with(Tier::kAuto));
  EXPECT_FALSE(model.run(kernelJob("plain_matrix", 1, kWords)).error);
  EXPECT_EQ(model.tierReport().programs, 0u);
}

// Work that is asked for again and again is compiled once it has taken as long as that would.
TEST_F(AutoTier, RepeatedWorkIsCompiled) {
  constexpr std::uint32_t kWords[] = {1 << 14, 1 << 14};
  const Job job = kernelJob("plain_matrix", 8, kWords);
  Model model({.profile = {}, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kAuto});
  for (int time = 0; time < 20000 && model.tierReport().programs == 0; ++time) ASSERT_FALSE(model.run(job).error);
  EXPECT_EQ(model.tierReport().programs, 1u);
}

double secondsOfProcess() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In the middle of the loop of one workgroup, and with the code as good as before.
TEST_F(AutoTier, NativeCodeStopsInALoop) {
  constexpr std::uint32_t kWords[] = {1, 256}, kTimes = 2'000'000;
  Job job = kernelJob("plain_long", 1, kWords);
  std::memcpy(std::get<BufferData>(job.resources[0].data).bytes.data(), &kTimes, sizeof kTimes);
  std::atomic<bool> stop = false;
  Model model({.profile = {}, .schedule = {}, .parallel = {.allowed = false}, .stop = &stop, .tier = Tier::kCompiled});
  ASSERT_FALSE(model.run(job).error);
  double begin = secondsOfProcess();
  const RunResult whole = model.run(job);
  const double all = secondsOfProcess() - begin;
  ASSERT_FALSE(whole.error);
  begin = secondsOfProcess();
  std::thread stopper([&] {
    while (secondsOfProcess() - begin < all / 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop = true;
  });
  const RunResult stopped = model.run(job);
  stopper.join();
  EXPECT_LE(secondsOfProcess() - begin, std::max(all / 3, 0.01));  // a clock's tick is no loop
  ASSERT_TRUE(stopped.error);
  EXPECT_EQ(stopped.error->outcome, Outcome::kInterrupted);
  stop = false;
  const RunResult again = model.run(job);
  EXPECT_EQ(model.tierReport().dispatches, 4u);
  EXPECT_EQ(again.outputs[1].bytes(), whole.outputs[1].bytes());
  EXPECT_EQ(again.outputs[1].bytes(), Model().run(job).outputs[1].bytes());
}

// A run that reaches a limit is the interpreter's from its beginning, and its program stays with it.
TEST_F(AutoTier, ALimitIsToldByTheInterpreter) {
  constexpr std::uint32_t kWords[] = {1 << 14, 1, 256};
  Job job = kernelJob("plain_histogram", 4096, kWords);
  job.limits.maxSteps = 3;
  const RunResult expected = Model().run(job);
  ASSERT_TRUE(expected.error);
  for (const Tier tier : {Tier::kAuto, Tier::kCompiled}) {
    const RunResult got = Model(with(tier)).run(job);
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->text(), expected.error->text());
  }
}

}  // namespace
}  // namespace lanewise
