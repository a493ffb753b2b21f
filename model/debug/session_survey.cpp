// What a session finds out by running a part of the run again, without moving.
#include "model/debug/session.h"

namespace lanewise::debug {
namespace {

// The last step of a stretch.
class StepCounter final : public Seeker {
 public:
  std::optional<Hit> before(const InstructionEvent&) override {
    steps = now.step + 1;
    return {};
  }
  std::uint64_t steps = 0;
};

}  // namespace

Expected<std::uint64_t> Session::stepsOf(std::uint32_t dispatch, std::uint64_t opened) {
  StepCounter counter;
  const Status bad = line_.survey(counter, {dispatch, opened, 0}, {dispatch, opened + 1, 0});
  environments_.clear();
  if (bad) return *bad;
  if (line_.interrupted()) return Error{Outcome::kInterrupted, "stopped", "", ""};
  return counter.steps;
}

}  // namespace lanewise::debug
