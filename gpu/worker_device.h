// A Vulkan device in a worker process of its own, as a Device. A driver that hangs or crashes ends only its worker.
//
// Every wait has a time limit. A hung worker is killed; a crashed one is collected and its signal named. Both are kDeviceTrouble with the
// end of the worker's output, and the next run starts a new worker. After kMostStarts failed starts in a row the device is not started
// again, and every further run gives that error at once. So does a run that needs a pipeline that was not built within its limit before.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

#include "gpu/process.h"
#include "gpu/slow_builds.h"

namespace lanewise {

struct WorkerDeviceOptions {
  WorkerCommand command;
  std::string name;                          // its name in `--devices`, and the profile's name
  double startSeconds = 60;                  // for the loader, the driver and the validation layer to start
  double buildSeconds = 60;                  // for one pipeline
  bool onCpu = false;                        // its limits count processor time too (gpu/patience.h)
  std::shared_ptr<SlowBuilds> slowBuilds{};  // none: one of its own
};

// run() may be called from several threads: jobs wait for each other.
class WorkerDevice final : public Device {
 public:
  // Starts the worker and waits for its profile.
  static Expected<std::unique_ptr<WorkerDevice>> open(WorkerDeviceOptions options);

  const Profile& profile() const override { return profile_; }
  RunResult run(const Job& job) override { return run(job, nullptr); }
  // `stop`: a flag that another thread sets. Then the worker is ended, and the run is one that was interrupted. nullptr: nobody does.
  RunResult run(const Job& job, const std::atomic<bool>* stop);

  // The process id of the current worker; 0 if there is none. For tests that end it.
  int workerPid();

 private:
  explicit WorkerDevice(WorkerDeviceOptions options) : options_(std::move(options)) {
    if (!options_.slowBuilds) options_.slowBuilds = std::make_shared<SlowBuilds>();
  }
  Status start();
  Status restart();
  Status sendModules(const Job& job, Deadline deadline);
  RunResult converse(const Job& job);
  // The next message, for which the worker has this much time.
  std::variant<Message, ChannelTrouble> answerWithin(double seconds);
  bool arrivesWithin(double seconds);
  bool isStopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  // Ends the worker and says why it is gone; `during` is what it was doing.
  Error gone(ChannelTrouble trouble, const std::string& during, double seconds);

  WorkerDeviceOptions options_;
  Profile profile_;
  std::mutex mutex_;
  std::unique_ptr<WorkerProcess> worker_;
  std::set<ModuleHash> sent_;
  std::uint32_t failedStarts_ = 0;           // in a row
  const std::atomic<bool>* stop_ = nullptr;  // of the job that runs
};

// Starts `command`, receives one message of `kind` within `seconds`, and returns its payload with the process still running.
struct Greeting {
  std::unique_ptr<WorkerProcess> process;
  Bytes payload;
};
Expected<Greeting> startAndReceive(const WorkerCommand& command, const std::string& name, MessageKind kind, double seconds);

}  // namespace lanewise
