// Devices that misbehave in the middle of a sweep: each costs the one case that it misbehaved in, is reported as what it was, and the sweep
// goes on. The devices are workers without a GPU (fake_worker.cpp).
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "gpu/patience.h"
#include "gpu/worker_device.h"
#include "tools/sweep/sweep.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

std::unique_ptr<WorkerDevice> fakeDevice(const std::string& how, const std::string& marker = "", double buildSeconds = 60,
                                         bool onCpu = false) {
  WorkerDeviceOptions options;
  options.buildSeconds = buildSeconds;
  options.onCpu = onCpu;
  options.command.program = LANEWISE_FAKE_WORKER;
  options.command.arguments = {how, "5", marker};
  options.name = "fake";
  auto device = WorkerDevice::open(options);
  if (!device) ADD_FAILURE() << device.error().text();
  return device ? std::move(*device) : nullptr;
}

// Ten pictures, of 1 to 10 texels' width, in rows of a blur: the fifth is the one.
SweepResult sweepOver(std::vector<WorkerDevice*> devices) {
  SweepPlan plan;
  for (int w = 1; w <= 10; ++w) plan.cases.push_back(*parseCase(fmt::format("box-blur/double/naive @ {}x3", w)));
  std::vector<Side> sides;
  for (std::size_t i = 0; i < devices.size(); ++i) sides.push_back({{fmt::format("fake{}", i), "", 32, false}, devices[i], false});
  return runSweep(plan, sides, Inputs(), {});
}

void expectOneCase(const SweepResult& r, Outcome outcome, const char* says) {
  for (std::size_t i = 0; i < r.cases.size(); ++i) {
    const SideResult& side = r.cases[i].sides[0];
    if (i != 4) {
      EXPECT_EQ(side.verdict, Verdict::kOk) << "case " << i << ": " << (side.error ? side.error->text() : "");
      continue;
    }
    EXPECT_EQ(side.verdict, Verdict::kError);
    ASSERT_TRUE(side.error.has_value());
    EXPECT_EQ(side.error->outcome, outcome);
    EXPECT_THAT(side.error->text(), HasSubstr(says));
  }
  EXPECT_EQ(r.outcome(), outcome);
}

TEST(RobustSweep, ACrashCostsOneCase) {
  expectOneCase(sweepOver({fakeDevice("crash").get()}), Outcome::kDeviceTrouble, "crashed with SIGABRT");
}

TEST(RobustSweep, AnExitCostsOneCase) {
  expectOneCase(sweepOver({fakeDevice("exit").get()}), Outcome::kDeviceTrouble, "ended with exit code 9");
}

TEST(RobustSweep, ALostDeviceCostsOneCase) {
  expectOneCase(sweepOver({fakeDevice("lose").get()}), Outcome::kDeviceTrouble, "the device is lost");
}

TEST(RobustSweep, AGarbledAnswerCostsOneCase) {
  expectOneCase(sweepOver({fakeDevice("garble").get()}), Outcome::kDeviceTrouble, "garbled message");
}

TEST(RobustSweep, AnOutputCutShortCostsOneCase) {
  const SweepResult r = sweepOver({fakeDevice("short").get()});
  EXPECT_EQ(r.count(Verdict::kOk), 9u);
  EXPECT_EQ(r.cases[4].sides[0].verdict, Verdict::kError);
}

TEST(RobustSweep, AFlippedBitCostsOneCase) {
  const SweepResult r = sweepOver({fakeDevice("flip").get()});
  EXPECT_EQ(r.count(Verdict::kOk), 9u);
  EXPECT_EQ(r.cases[4].sides[0].verdict, Verdict::kMismatch);
  EXPECT_EQ(r.outcome(), Outcome::kFinding);
}

// The same jobs straight to the device: a sweep's jobs have a time limit of half a minute.
TEST(RobustSweep, AHangCostsItsTimeLimitAndTheNextJobWorks) {
  const auto device = fakeDevice("hang");
  ASSERT_TRUE(device);
  const auto run = [&](std::uint32_t width) {
    const Case c = *parseCase(fmt::format("box-blur/double/naive @ {}x3", width));
    Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
    job.limits.timeoutSeconds = 0.3;
    return device->run(job);
  };
  EXPECT_FALSE(run(4).error.has_value());
  const auto begin = std::chrono::steady_clock::now();
  const RunResult hung = run(5);
  ASSERT_TRUE(hung.error.has_value());
  EXPECT_THAT(hung.error->text(), HasSubstr("timed out after 0.3 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_FALSE(run(6).error.has_value());
}

// The error of a job of the misbehaving size, whose limit is 300 ms.
std::string endOf(WorkerDevice& device) {
  const Case c = *parseCase("box-blur/double/naive @ 5x3");
  Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
  job.limits.timeoutSeconds = 0.3;
  const RunResult result = device.run(job);
  return result.error ? result.error->text() : "";
}

// On a busy machine a device on the CPU gets little of its time: that is no time-out. One that does nothing, or has had its time, ends.
TEST(RobustSweep, ADeviceOnTheCpuIsGivenProcessorTime) {
  EXPECT_EQ(endOf(*fakeDevice("starve", "", 60, true)), "");
  EXPECT_THAT(endOf(*fakeDevice("starve", "", 60, false)), HasSubstr("timed out after 0.3 s")) << "a GPU works by itself";
  EXPECT_THAT(endOf(*fakeDevice("hang", "", 60, true)), HasSubstr("timed out after 0.3 s"));
  EXPECT_THAT(endOf(*fakeDevice("spin", "", 60, true)), HasSubstr("timed out after 0.3 s"));
}

TEST(Patience, LastsUntilTheLimitIsUsedNothingHappensOrTenTurns) {
  Patience used(2, true, 5);
  EXPECT_TRUE(used.waitsOn(5.1));
  EXPECT_TRUE(used.waitsOn(6.9));
  EXPECT_FALSE(used.waitsOn(7)) << "two seconds";
  Patience idle(2, true, 5);
  EXPECT_TRUE(idle.waitsOn(5.1));
  EXPECT_FALSE(idle.waitsOn(5.1));
  EXPECT_FALSE(Patience(2, false, 5).waitsOn(5.1)) << "not on the CPU";
  Patience slow(2, true, 0);
  for (int turn = 1; turn < 10; ++turn) EXPECT_TRUE(slow.waitsOn(0.1 * turn)) << turn;
  EXPECT_FALSE(slow.waitsOn(1));
}

// Building has a limit of its own, and what it stopped is not built again; other pipelines are.
TEST(RobustSweep, APipelineThatIsNeverBuiltIsTriedOnce) {
  const auto device = fakeDevice("build", "", 0.3);
  ASSERT_TRUE(device);
  const auto run = [&](const char* point) {
    const Case c = *parseCase(fmt::format("box-blur/double/naive @ {}", point));
    return device->run(c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c)));
  };
  EXPECT_FALSE(run("4x3").error.has_value());
  const RunResult slow = run("5x3");
  ASSERT_TRUE(slow.error.has_value());
  EXPECT_EQ(slow.error->outcome, Outcome::kDeviceTrouble);
  EXPECT_THAT(slow.error->text(), HasSubstr("timed out after 0.3 s while building the pipeline of slow.comp"));
  const RunResult again = run("6x3");
  ASSERT_TRUE(again.error.has_value());
  EXPECT_EQ(again.error->text(), slow.error->text());
  EXPECT_EQ(device->workerPid(), 0) << "no worker was started for it";
  EXPECT_FALSE(run("6x3 edge=zero").error.has_value());
}

// A device that does not come back is tried a few times and then left alone: the rest of the sweep costs no time.
TEST(RobustSweep, ADeviceThatNeverStartsAgainIsLeftAlone) {
  const std::string marker = testing::TempDir() + fmt::format("lanewise_refuse_{}", getpid());
  std::filesystem::remove(marker);
  const SweepResult r = sweepOver({fakeDevice("refuse", marker).get()});
  std::filesystem::remove(marker);
  EXPECT_EQ(r.count(Verdict::kOk), 4u);
  EXPECT_EQ(r.count(Verdict::kError), 6u);
  EXPECT_THAT(r.cases[5].sides[0].error->text(), HasSubstr("ended with exit code 7 while starting"));
  EXPECT_THAT(r.cases[9].sides[0].error->text(), HasSubstr("it is not started again"));
}

// Several devices run side by side, each with its own troubles.
TEST(RobustSweep, DevicesDoNotDisturbOneAnother) {
  const auto good = fakeDevice("none"), bad = fakeDevice("crash"), wrong = fakeDevice("flip"), other = fakeDevice("none");
  const SweepResult r = sweepOver({good.get(), bad.get(), wrong.get(), other.get()});
  for (std::size_t i = 0; i < r.cases.size(); ++i) {
    EXPECT_EQ(r.cases[i].sides[0].verdict, Verdict::kOk);
    EXPECT_EQ(r.cases[i].sides[3].verdict, Verdict::kOk);
  }
  EXPECT_EQ(r.cases[4].sides[1].verdict, Verdict::kError);
  EXPECT_EQ(r.cases[4].sides[2].verdict, Verdict::kMismatch);
  EXPECT_EQ(r.count(Verdict::kOk), 38u);
}

}  // namespace
}  // namespace lanewise
