// Runs ahead where nobody looks, in a quicker flavour. Between workgroups a state belongs to every flavour; so where one workgroup is
// resident at a time the run changes flavour there and back.
#include <algorithm>
#include <chrono>

#include "model/debug/timeline.h"

namespace lanewise::debug {
namespace {

constexpr std::uint64_t kWorthwhile = 64;  // workgroups: below that the copies cost more

// A run that nobody watches cannot be stopped. So it goes in pieces of about so many seconds, the first of one workgroup.
constexpr double kPiece = 0.2;
constexpr double kMostLonger = 8;
constexpr std::uint64_t kStepsAPulse = 1 << 12;

// The step of a moment behind a workgroup's last, where the next one is not open.
constexpr std::uint64_t kBehind = ~std::uint64_t{0} - 1;

// Stops where the workgroup that is open ends, or where pulse says so: it may be a long one.
class GroupEnds final : public Observer {
 public:
  GroupEnds(Time from, const Timeline::Pulse* pulse) : at(from), pulse_(pulse) {}
  Time at;
  bool isStopped = false;
  std::uint32_t watches() const override { return watch::kWorkgroup | (pulse_ ? std::uint32_t{watch::kBefore} : 0u); }
  Answer moment(const Moment& moment) override { return std::holds_alternative<WorkgroupEnds>(moment) ? Answer::kStop : Answer::kGoOn; }
  Answer beforeInstruction(const InstructionEvent&) override {
    isStopped = ++beaten_ % kStepsAPulse == 0 && (*pulse_)(at);
    if (isStopped) return Answer::kStop;
    ++at.step;
    return Answer::kGoOn;
  }

 private:
  const Timeline::Pulse* pulse_;
  std::uint64_t beaten_ = 0;
};

std::uint64_t workgroupsOf(const Dispatch& d) {
  return std::uint64_t{d.groups.x} * d.groups.y * d.groups.z;
}

}  // namespace

// One workgroup at a time, in turns that no flavour cuts otherwise; and nothing is printed or late, which a state does not hold.
bool Timeline::canHurry() const {
  if (!job_ || isChanged()) return false;
  const Schedule& schedule = now_->schedule();
  if (schedule.resident != 1 || schedule.lanes || schedule.weak || schedule.order == Schedule::Order::kInterleave) return false;
  for (std::uint32_t d = 0; d < job_->dispatches.size(); ++d)
    if (!now_->programOf(d).prints.empty()) return false;
  return true;
}

bool Timeline::isWorthwhile(Time target) const {
  std::uint64_t ahead = target.dispatch == at_.dispatch ? target.opened - std::min(target.opened, at_.opened) : target.opened;
  for (std::uint32_t d = at_.dispatch; d < std::min<std::size_t>(target.dispatch, job_->dispatches.size()); ++d)
    ahead += workgroupsOf(job_->dispatches[d]);
  return ahead >= kWorthwhile;
}

// The moment behind the last workgroup that is over. Behind the last of all: as at the end of the run.
Time Timeline::timeOf(Execution::Until progress) const {
  if (progress.workgroups != 0) return {progress.dispatch, progress.workgroups, kBehind};
  for (std::uint32_t d = progress.dispatch; d-- > 0;)
    if (const std::uint64_t count = workgroupsOf(job_->dispatches[d]); count != 0) return {d, count, kBehind};
  return {};
}

// By all cores, in pieces, between which pulse is asked.
Status Timeline::runQuietly(Execution& execution, Execution::Until until, bool mayStop) {
  using Clock = std::chrono::steady_clock;
  double piece = 1;
  while (!execution.finished() && execution.progress() < until) {
    Execution::Until next = execution.progress();
    next.workgroups += static_cast<std::uint64_t>(piece);
    if (next.dispatch < job_->dispatches.size() && next.workgroups >= workgroupsOf(job_->dispatches[next.dispatch]))
      next = {next.dispatch + 1, 0};
    if (next.dispatch >= job_->dispatches.size()) next = {};
    const Clock::time_point begin = Clock::now();
    if (Status fault = execution.runUntil(std::min(next, until))) return fault;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    constexpr double kMostGroups = 1e15;  // fits a number of workgroups
    piece = std::clamp(piece * std::clamp(kPiece / std::max(seconds, 1e-9), 0.1, kMostLonger), 1.0, kMostGroups);
    interrupted_ = pulse && pulse(timeOf(execution.progress())) && mayStop && !execution.finished();
    if (interrupted_) return {};
  }
  return {};
}

// To the last moment between two workgroups before the target's, or to the end of the run if the target is behind it. Where the quicker run
// ends with an error, the faithful one goes there again, and says where.
Status Timeline::hurry(Time target, bool mayStop) {
  if (ended_ || !canHurry() || !isWorthwhile(target)) return {};
  if (at_ != Time{}) {  // a workgroup is open
    GroupEnds own(at_, mayStop && pulse ? &pulse : nullptr);
    fault_ = now_->run(own);
    interrupted_ = own.isStopped;
    if (interrupted_) {
      at_ = own.at;
      return {};
    }
    ended_ = fault_.has_value() || now_->finished();
    at_ = ended_ ? Time{at_.dispatch, at_.opened, ~std::uint64_t{0}} : timeOf(now_->progress());
    if (ended_) return {};
  }
  Expected<Execution> run = starter_(ir::Flavour::kUnwatched, now_.get());
  if (!run) return run.error();
  const std::uint64_t before = target.opened == 0 ? 0 : target.opened - 1;
  if (runQuietly(*run, {target.dispatch, before}, mayStop)) return rewind(at_);
  at_ = timeOf(run->progress());
  ended_ = run->finished();
  if (ended_) at_.step = ~std::uint64_t{0};
  if (!now_->takeOver(std::move(*run))) return rewind(at_);
  return {};
}

// The last hit before a workgroup's begin, or the end of the run, as by-workgroup searches know it. Nothing at all: it cannot be done so.
Expected<std::optional<std::optional<Hit>>> Timeline::searchQuickly(Seeker& seeker, Time end) {
  using Answer = std::optional<std::optional<Hit>>;
  if (seeker.storesTo().empty() || !canHurry()) return Answer();
  Expected<Execution> run = starter_(ir::Flavour::kQuick, nullptr);
  if (!run) return run.error();
  return searchFromStart(seeker, *run, end);
}

}  // namespace lanewise::debug
