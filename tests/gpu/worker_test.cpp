// Workers that hang, crash or stop: each is reported as what it was, leaves no process behind, and the next job works.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan_core.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/gpu/fixture.h"

namespace lanewise {
namespace {

class GpuWorker : public testing::Test {
 protected:
  void SetUp() override {
    device_ = openForTest("lavapipe", {});
    ASSERT_TRUE(device_);
  }
  void TearDown() override {
    device_.reset();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    EXPECT_EQ(errno, ECHILD);
  }
  // The device works, in a process other than `before`.
  void expectNewWorker(int before) {
    expectWords(device_->run(addJob({1}, 1)), {6});
    EXPECT_NE(device_->workerPid(), before);
    EXPECT_NE(device_->workerPid(), 0);
  }
  std::unique_ptr<WorkerDevice> device_;
};

Job endlessJob() {
  Job job = oneBufferJob("gpu_endless", {0, 0});
  job.dispatches[0].groups = {65535, 65535, 1};
  return job;
}

TEST_F(GpuWorker, AHungKernelIsKilled) {
  const int before = device_->workerPid();
  Job job = endlessJob();
  job.limits.timeoutSeconds = 0.3;
  const auto start = std::chrono::steady_clock::now();
  expectError(device_->run(job), Outcome::kDeviceTrouble, "timed out after 0.3 s while running the dispatches");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(kill(before, 0), -1) << "the hung worker still runs";
  expectNewWorker(before);
}

TEST_F(GpuWorker, ACrashedWorkerIsNamedByItsSignal) {
  const int before = device_->workerPid();
  kill(before, SIGABRT);  // sanitizers keep SIGSEGV and SIGBUS to themselves
  expectError(device_->run(addJob({1}, 1)), Outcome::kDeviceTrouble, "crashed with SIGABRT while ");
  expectNewWorker(before);
}

TEST_F(GpuWorker, AWorkerThatCrashesDuringADispatchIsNamedByItsSignal) {
  const int before = device_->workerPid();
  Job job = endlessJob();
  std::thread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(before, SIGTRAP);
  });
  expectError(device_->run(job), Outcome::kDeviceTrouble, "crashed with SIGTRAP while running the dispatches");
  killer.join();
  expectNewWorker(before);
}

TEST_F(GpuWorker, AStoppedWorkerTimesOut) {
  const int before = device_->workerPid();
  kill(before, SIGSTOP);
  Job job = addJob({1}, 1);
  job.limits.timeoutSeconds = 0.1;
  expectError(device_->run(job), Outcome::kDeviceTrouble, "timed out after 0.1 s");
  expectNewWorker(before);
}

TEST_F(GpuWorker, ManySmallJobsUseOneWorker) {
  const int before = device_->workerPid();
  for (std::uint32_t i = 0; i < 200; ++i) expectWords(device_->run(addJob({i}, 2)), {2 * i + 5});
  EXPECT_EQ(device_->workerPid(), before);
}

TEST_F(GpuWorker, JobsFromSeveralThreadsDoNotMix) {
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 20; ++i) expectWords(device_->run(addJob({100 * t + i}, 1)), {100 * t + i + 5});
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(GpuWorker, LargeResourcesTravel) {
  std::vector<std::uint32_t> source(3'000'001), expected(source.size());
  for (std::uint32_t i = 0; i < source.size(); ++i) source[i] = i * 2654435761u, expected[i] = source[i] * 3 + 5;
  Job job = addJob(source, 3);
  job.dispatches[0].spec = {{2, 256}};
  job.dispatches[0].groups.x = std::uint32_t(source.size() + 255) / 256;
  expectWords(device_->run(job), expected);
}

TEST(GpuWorkerOrphan, AWorkerEndsWithItsParentEvenWhileItsDriverHangs) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // the orphan becomes our child, so that we see its end
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    const std::unique_ptr<WorkerDevice> device = openForTest("lavapipe", {});
    const int worker = device ? device->workerPid() : 0;
    if (write(ends[1], &worker, sizeof worker) == sizeof worker && device) device->run(endlessJob());
    _exit(0);
  }
  int worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), ssize_t(sizeof worker));
  ASSERT_NE(worker, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // into the dispatch
  kill(parent, SIGKILL);
  EXPECT_EQ(waitpid(parent, nullptr, 0), parent);
  pid_t ended = 0;
  for (int i = 0; i < 500 && ended == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ended = waitpid(worker, nullptr, WNOHANG);
  }
  EXPECT_EQ(ended, worker) << "the worker still runs 5 s after its parent's death";
  if (ended == 0) kill(worker, SIGKILL);
  close(ends[0]);
  close(ends[1]);
}

TEST(GpuWorkerStart, AProgramThatIsNotAWorkerIsReported) {
  const DeviceEntry* lavapipe = deviceNamed("lavapipe");
  ASSERT_TRUE(lavapipe);
  const auto missing = openDevice(*lavapipe, {.worker = "/nonexistent/lanewise-worker"});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), testing::HasSubstr("cannot start a device's worker process: No such file"));
  const auto other = openDevice(*lavapipe, {.worker = "/bin/ls"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().outcome, Outcome::kDeviceTrouble);
  EXPECT_THAT(other.error().text(), testing::HasSubstr("ended with exit code 2 while starting; the last it printed: /bin/ls:"));
}

// A program in place of the worker: a script that goes with the test.
class Script {
 public:
  explicit Script(const std::string& text) : path_(testing::TempDir() + "lanewise_worker_" + std::to_string(getpid()) + ".sh") {
    std::ofstream(path_) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Script() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string openingError(const DeviceOptions& options) {
  const DeviceEntry* lavapipe = deviceNamed("lavapipe");
  if (!lavapipe) return "no lavapipe";
  const auto device = openDevice(*lavapipe, options);
  return device ? "" : device.error().text();
}

TEST(GpuWorkerStart, AWorkerThatTalksNonsenseIsReported) {
  const Script script("echo 'this is not what a worker says' >&3; exec sleep 100");
  EXPECT_THAT(openingError({.worker = script.path()}), testing::HasSubstr("sent a garbled message while starting and was killed"));
}

TEST(GpuWorkerStart, AWorkerThatNeverStartsTimesOut) {
  const Script script("echo waiting for godot >&2; exec sleep 100");
  EXPECT_THAT(
      openingError({.startSeconds = 0.3, .worker = script.path()}),
      testing::HasSubstr("timed out after 0.3 s while starting; its worker process was killed; the last it printed: waiting for godot"));
}

TEST(GpuWorkerStart, WorkersGetTheThreadsAskedFor) {
  // lavapipe reads LP_NUM_THREADS; other CPU devices are kept to so many processors.
  for (const char* name : {"lavapipe", "swiftshader"}) {
    const DeviceEntry* entry = deviceNamed(name);
    if (!entry) continue;
    const auto device = openWorkerDevice(*entry, {.threads = 1});
    ASSERT_TRUE(device) << device.error().text();
    const std::string process = "/proc/" + std::to_string((*device)->workerPid());
    if (std::string_view(name) == "lavapipe") {
      std::ifstream file(process + "/environ");
      const std::string environment((std::istreambuf_iterator<char>(file)), {});
      EXPECT_THAT(environment, testing::HasSubstr("LP_NUM_THREADS=1"));
      EXPECT_THAT(environment, testing::HasSubstr("MESA_SHADER_CACHE_DISABLE=true"));
    } else {
      cpu_set_t set;
      ASSERT_EQ(sched_getaffinity((*device)->workerPid(), sizeof set, &set), 0);
      EXPECT_EQ(CPU_COUNT(&set), 1);
    }
  }
}

TEST(GpuWorkerStart, AGpusWorkerIsKeptToNoProcessors) {
  const std::string told = testing::TempDir() + "lanewise_worker_arguments_" + std::to_string(getpid());
  const Script script("echo \"$*\" > " + told);
  const auto argumentsFor = [&](VkDriverId driver) {
    DeviceEntry entry;
    entry.driverId = static_cast<std::uint32_t>(driver);
    EXPECT_FALSE(openWorkerDevice(entry, {.threads = 1, .worker = script.path()}));
    std::ifstream file(told);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  EXPECT_THAT(argumentsFor(VK_DRIVER_ID_GOOGLE_SWIFTSHADER), testing::HasSubstr("--threads 1"));
  EXPECT_THAT(argumentsFor(VK_DRIVER_ID_NVIDIA_PROPRIETARY), testing::Not(testing::HasSubstr("--threads")));
  std::filesystem::remove(told);
}

}  // namespace
}  // namespace lanewise
