#include "tools/cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>

#include "model/base/wait_at_most.h"
#include "tools/report/tally.h"

namespace lanewise {

ProgressDisplay::ProgressDisplay(const Progress& progress, const char* what, const char* bad)
    : progress_(progress), what_(what), bad_(bad), terminal_(::isatty(STDERR_FILENO) == 1), thread_([this] { loop(); }) {}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressDisplay::loop() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto every = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  std::unique_lock lock(mutex_);
  while (!waitAtMost(wake_, lock, every, [this] { return done_; })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const std::size_t done = progress_.done, total = progress_.total;
    if (total == 0) {
      fmt::print(stderr, "{}preparing{}", terminal_ ? "\r\033[K" : "", terminal_ ? "" : "\n");
      continue;
    }
    const double rate = static_cast<double>(done - progress_.recalled) / seconds;
    const std::string left = rate == 0 ? "" : fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate);
    fmt::print(stderr, "{}{} of {} {}, {} {}, {} a second{}{}", terminal_ ? "\r\033[K" : "", done, total, what_, progress_.failed.load(),
               bad_, rateText(rate), left, terminal_ ? "" : "\n");
  }
}

}  // namespace lanewise
