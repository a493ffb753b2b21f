#include "tools/cli/interrupt.h"

namespace lanewise {
namespace {

// The only object that a signal handler can reach.
std::atomic<bool> interrupted{false};

// The second signal, of either kind, waits until the first was handled, and then has its default effect. This also holds if two threads
// receive them at the same time.
bool install() {
  struct sigaction action = {};
  action.sa_handler = [](int number) {
    const bool second = interrupted.exchange(true);
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    if (second) ::raise(number);
  };
  ::sigaddset(&action.sa_mask, SIGINT);
  ::sigaddset(&action.sa_mask, SIGTERM);
  return ::sigaction(SIGINT, &action, nullptr) == 0 && ::sigaction(SIGTERM, &action, nullptr) == 0;
}

}  // namespace

const std::atomic<bool>& catchInterrupt() {
  [[maybe_unused]] static const bool installed = install();
  return interrupted;
}

SeenInterrupts::SeenInterrupts() : before_{} {
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  ::sigaction(SIGINT, &action, &before_);
}

SeenInterrupts::~SeenInterrupts() {
  ::sigaction(SIGINT, &before_, nullptr);
  interrupted = false;
}

bool SeenInterrupts::any() const {
  return interrupted;
}

}  // namespace lanewise
