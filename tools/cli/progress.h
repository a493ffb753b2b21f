// The progress of a sweep or a self-test on stderr: one line that is rewritten on a terminal, otherwise a line every few seconds.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tools/sweep/sweep.h"

namespace lanewise {

class ProgressDisplay {
 public:
  // `what` is counted; some of them are `bad`.
  explicit ProgressDisplay(const Progress& progress, const char* what = "runs", const char* bad = "failed");
  ~ProgressDisplay();  // wipes the line

 private:
  void loop();

  const Progress& progress_;
  const char *what_, *bad_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace lanewise
