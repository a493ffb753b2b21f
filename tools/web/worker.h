// Runs a session's moves one after another on a thread of its own, so that it can be asked how far it is, and be stopped.
//
// Two kinds: a move that a person asked for, which others wait for no longer than they want; and work that only finds something out, which
// gives way to a move. The session itself is for one thread at a time: whoever holds lock().
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "model/debug/timeline.h"

namespace lanewise::web {

class Worker {
 public:
  struct Work {
    std::string name;
    bool givesWay = false;
    std::function<void()> run;
  };
  Worker();
  ~Worker();  // stops what runs
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False: a move goes on, and this is not done.
  bool add(Work work);
  // Behind all others.
  void addLater(Work work);
  // Until nothing runs or waits, but no longer than this.
  void wait(std::chrono::milliseconds most);
  // What runs ends soon, and what waits is dropped.
  void stop();
  // Work may say until when what it now does is worth it: pulse() stops it then.
  void setDeadline(std::optional<std::chrono::steady_clock::time_point> deadline) { deadline_ = deadline; }

  // The session's pulse.
  bool pulse(const debug::Time& now);

  struct Progress {
    std::string name;
    double seconds = 0;
    debug::Time at;
  };
  // Nothing: it is idle.
  std::optional<Progress> progress() const;
  // Nothing: work holds it, and for longer than this.
  std::optional<std::unique_lock<std::timed_mutex>> lock(std::chrono::milliseconds most);

 private:
  void loop();

  std::timed_mutex session_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::optional<Work> now_;
  std::chrono::steady_clock::time_point begun_;
  debug::Time at_;
  bool isOver_ = false;
  std::atomic<bool> isStopped_ = false;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // of the worker's thread alone
  std::thread thread_;
};

}  // namespace lanewise::web
