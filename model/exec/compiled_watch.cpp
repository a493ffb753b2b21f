// When compiled code should go on where the interpreter runs.
#include <fmt/format.h>

#include <ctime>

#include "model/exec/compiled_run.h"

namespace lanewise {

Expected<Tier> parseTier(std::string_view name) {
  if (name == "auto") return Tier::kAuto;
  if (name == "interpreter") return Tier::kInterpreter;
  if (name == "compiled") return Tier::kCompiled;
  return Error{Outcome::kBadInput, fmt::format("there is no tier '{}'", name), "--tier", "auto, interpreter or compiled"};
}

namespace {

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Processor time, which other work on the host does not change.
double secondsOfThread() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

CompiledWatch::CompiledWatch(Tier tier, const CompiledSource& source, const Part& part, const DispatchRun& run, const Dispatch& dispatch,
                             bool watched)
    : source_(source),
      part_(part),
      dispatch_(dispatch),
      program_(*run.program),
      tier_(tier),
      possible_(tier != Tier::kInterpreter && source.get && !watched && part.residents.size() == 1 &&
                (run.schedule.lanes ? !run.schedule.switches() && run.schedule.progress == Schedule::Progress::kNone
                                    : !run.schedule.separateSubgroups())),
      first_(part.next),
      warm_(part.next),
      warmOfThread_(possible_ ? secondsOfThread() : 0) {}

// The second half of the time until somebody asks is compared: its workgroups are nearest to those that code runs next, too.
void CompiledWatch::look() {
  if (warm_ != first_ || part_.next == first_ || !isBetweenWorkgroups()) return;
  const auto spent = Clock::now() - begin_;
  if (spent < next_ / 2 || spent >= next_) return;
  warm_ = part_.next;
  warmOfThread_ = secondsOfThread();
}

// Before anything is compiled in this dispatch.
void CompiledWatch::measure() {
  if (each_ == 0 && part_.next != warm_) each_ = (secondsOfThread() - warmOfThread_) / static_cast<double>(part_.next - warm_);
}

std::shared_ptr<const compiled::Compiled> CompiledWatch::codeForParts(double left) {
  if (!possible_ || !part_.ahead.empty()) return nullptr;
  measure();
  return source_.get(dispatch_, program_, tier_, seconds(Clock::now() - begin_), left);
}

bool CompiledWatch::isBetweenWorkgroups() const {
  return possible_ && part_.running == 0 && part_.next != part_.end && part_.ahead.empty();
}

std::shared_ptr<const compiled::Compiled> CompiledWatch::known() {
  if (!isBetweenWorkgroups()) return nullptr;
  constexpr std::chrono::microseconds kFirst{500}, kToCompare{100};
  next_ = kFirst;
  auto known = source_.get(dispatch_, program_, tier_, 0, 0);
  possible_ = tier_ == Tier::kAuto;
  if (!known || tier_ == Tier::kCompiled || known->trial == compiled::Trial::kQuicker) return known;
  next_ = kToCompare;  // until the interpreter has run enough to be compared with it
  return nullptr;
}

std::shared_ptr<const compiled::Compiled> CompiledWatch::code() {
  if (!isBetweenWorkgroups()) return nullptr;
  const auto spent = Clock::now() - begin_;
  if (spent < next_ || part_.next == first_) return nullptr;
  next_ = 2 * spent;
  measure();
  const double each = seconds(spent) / static_cast<double>(part_.next - first_);
  return source_.get(dispatch_, program_, tier_, seconds(spent), each * static_cast<double>(part_.end - part_.next));
}

std::uint64_t CompiledWatch::toTry(const compiled::Compiled& code) const {
  if (tier_ != Tier::kAuto || code.trial == compiled::Trial::kQuicker || each_ == 0) return 0;
  return std::min(part_.next - first_, part_.end - part_.next);
}

bool CompiledWatch::isQuicker(const compiled::Compiled& code, std::uint64_t workgroups, const std::function<void()>& run) const {
  using compiled::Trial;
  const double begin = secondsOfThread(), interpreted = each_ * static_cast<double>(workgroups);
  run();
  const double compiled = secondsOfThread() - begin;
  code.timesAsFast = interpreted / std::max(compiled, 1e-9);
  if (compiled < interpreted) {
    code.trial = Trial::kQuicker;
    return true;
  }
  code.trial = code.trial == Trial::kNone ? Trial::kSlowerOnce : Trial::kSlower;
  return false;
}

void CompiledWatch::ended() {
  if (possible_) source_.note(program_, seconds(Clock::now() - begin_));
}

}  // namespace lanewise
