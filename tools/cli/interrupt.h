// Ctrl-C and SIGTERM, by which a batch system ends a job: finish what runs, start nothing new.
#pragma once

#include <signal.h>

#include <atomic>

namespace lanewise {

// From now on the first signal sets this flag, and another one ends the process at once. The same one within half a second of the first
// is no other: timeout(1) sends a signal to the process and to its group.
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
