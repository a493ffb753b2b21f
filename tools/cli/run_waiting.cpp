#include "tools/cli/run_waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "model/base/wait_at_most.h"
#include "tools/cli/interrupt.h"

namespace lanewise {
namespace {

// A run to wait for. The thread shares it: after a time limit only the thread has it. A thread that is done is joined, so that nothing of it
// is left when the process ends.
struct Waited {
  std::mutex mutex;
  std::condition_variable done;
  std::optional<RunResult> result;
};

// Empty if interrupted or out of time.
std::optional<RunResult> waitFor(RunSide& side, const Job& job, double limit, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  auto waited = std::make_shared<Waited>();
  std::thread thread([waited, device = side.device, &job] {
    RunResult result = device->run(job);
    const std::lock_guard lock(waited->mutex);
    waited->result = std::move(result);
    waited->done.notify_all();
  });
  const auto begin = Clock::now();
  double said = 0;
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  std::unique_lock lock(waited->mutex);
  while (!waitAtMost(waited->done, lock, std::chrono::milliseconds(50), [&] { return waited->result.has_value(); })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (stop || (limit > 0 && side.model && seconds > limit)) {
      thread.detach();
      return std::nullopt;
    }
    if (seconds - said < (terminal ? 1 : 10)) continue;
    said = seconds;
    fmt::print(stderr, "{}{}: running for {:.0f} s{}", terminal ? "\r\033[K" : "", side.run.name, seconds, terminal ? "" : "\n");
  }
  if (terminal && said != 0) fmt::print(stderr, "\r\033[K");
  lock.unlock();
  thread.join();
  return std::move(waited->result);
}

// Ends the process while a run that cannot be stopped is still running in it.
[[noreturn]] void abandon(const Error& error) {
  fmt::print(stderr, "lanewise: {}: {}\n", outcomeName(error.outcome), error.text());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(error.outcome));
}

}  // namespace

RunResult runWaiting(RunSide& side, const Job& job, double limit) {
  const std::atomic<bool>& stop = catchInterrupt();
  std::optional<RunResult> result = waitFor(side, job, limit, stop);
  if (result) return std::move(*result);
  if (stop) abandon({Outcome::kInterrupted, "stopped; no file was written", side.run.name, ""});
  abandon({Outcome::kDeviceTrouble, fmt::format("not done within {} s; no file was written", limit), side.run.name, "--timeout"});
}

void runAgain(const RunOptions& o, std::span<RunSide> sides, const std::function<const Job&(const RunSide&)>& jobOf) {
  const auto run = [&](RunSide& side) {
    RunResult result = runWaiting(side, jobOf(side), o.subject.module.timeout);
    if (result.error) side.run.result.error = result.error;
    return result;
  };
  for (RunSide& side : sides)
    if (side.model && !side.run.result.error) untilChosen(o.tier, [&] { return !run(side).error; });
  for (std::uint32_t n = 0; n < o.repeat; ++n)
    for (RunSide& side : sides) {
      if (side.run.result.error) continue;
      const RunResult result = run(side);
      if (result.error) continue;
      side.run.warm.push_back(result.seconds);
      const auto bytes = [](const Resource& r) -> const std::vector<std::byte>& { return r.bytes(); };
      if (!std::ranges::equal(result.outputs, side.run.result.outputs, {}, bytes, bytes)) ++side.run.parted;
    }
}

}  // namespace lanewise
