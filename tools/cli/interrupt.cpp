#include "tools/cli/interrupt.h"

#include <signal.h>

namespace lanewise {
namespace {

// The one thing a signal handler can reach.
std::atomic<bool> interrupted{false};

bool install() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  return ::sigaction(SIGINT, &action, nullptr) == 0 && ::sigaction(SIGTERM, &action, nullptr) == 0;
}

}  // namespace

const std::atomic<bool>& catchInterrupt() {
  [[maybe_unused]] static const bool installed = install();
  return interrupted;
}

}  // namespace lanewise
