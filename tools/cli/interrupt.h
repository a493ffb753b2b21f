// Ctrl-C and SIGTERM, by which a batch system ends a job: finish what runs, start nothing new.
#pragma once

#include <signal.h>

#include <atomic>

namespace lanewise {

// From now on the first signal sets this flag, and the second ends the process at once.
const std::atomic<bool>& catchInterrupt();

// While it lives Ctrl-C does nothing but to be seen, however often it comes; then it has the effect again that it had before.
class SeenInterrupts {
 public:
  SeenInterrupts();
  ~SeenInterrupts();
  SeenInterrupts(const SeenInterrupts&) = delete;
  SeenInterrupts& operator=(const SeenInterrupts&) = delete;
  bool any() const;

 private:
  struct sigaction before_;
};

}  // namespace lanewise
