// A worker process, with its own environment. Its end is always collected, so no zombie and no orphan is left.
//
// The child's descriptor 3 is its end of the channel. Its stdout and stderr go to the parent, which keeps the last bytes. The child ends by
// itself when the channel closes, also when the parent dies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/channel.h"

namespace lanewise {

inline constexpr int kWorkerSocket = 3;

// Seconds of processor time that a process has used, all its threads together; 0: this process. 0 seconds if it is not there.
double processorSeconds(int pid);

struct WorkerCommand {
  std::string program;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  // on top of the parent's
};

// Not thread-safe: one user at a time.
class WorkerProcess {
 public:
  static Expected<std::unique_ptr<WorkerProcess>> start(const WorkerCommand& command);
  ~WorkerProcess() { kill(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Channel& channel() { return channel_; }
  int pid() const { return pid_; }  // 0 once it has ended
  // Ends it now if it still runs.
  void kill();
  // Waits a little for a process whose channel has closed, ends it if it is still running, and says how it ended: "crashed with SIGSEGV",
  // "ended with exit code 3".
  std::string howItEnded();

 private:
  WorkerProcess(int pid, Channel channel) : pid_(pid), channel_(std::move(channel)) {}
  int pid_ = 0;
  Channel channel_;
};

}  // namespace lanewise
