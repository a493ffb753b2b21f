#include "tools/cli/interrupt.h"

#include <time.h>

#include <cstdint>

namespace lanewise {
namespace {

// The only objects that a signal handler can reach.
std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> firstSignal{0};  // when the first signal came, milliseconds, times 128, and which it was; 0 for none
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void forgetSignals() {
  interrupted = false;
  firstSignal = 0;
}

void handleSignal(int number) {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t signal = (now.tv_sec * std::int64_t{1000} + now.tv_nsec / 1'000'000) * 128 + number;
  std::int64_t before = 0;
  if (firstSignal.compare_exchange_strong(before, signal)) {
    interrupted = true;
  } else if (before % 128 != number || (signal - before) / 128 > 500) {
    ::signal(number, SIG_DFL);
    ::raise(number);  // comes when the handler has returned
  }
}

bool install() {
  struct sigaction action = {};
  action.sa_handler = handleSignal;
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
  forgetSignals();
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  ::sigaction(SIGINT, &action, &before_);
}

SeenInterrupts::~SeenInterrupts() {
  ::sigaction(SIGINT, &before_, nullptr);
  forgetSignals();
}

bool SeenInterrupts::any() const {
  return interrupted;
}

}  // namespace lanewise
