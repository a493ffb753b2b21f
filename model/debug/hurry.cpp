// Runs ahead where nobody looks, in a quicker flavour. Between workgroups a state belongs to every flavour; so where one workgroup is
// resident at a time the run changes flavour there and back.
#include <algorithm>

#include "model/debug/timeline.h"

namespace lanewise::debug {
namespace {

constexpr std::uint64_t kWorthwhile = 64;  // workgroups: below that the copies cost more

// Stops between two workgroups: behind the last one before a moment's, behind the first one, or where pulse says so.
class GroupsWalk final : public Observer {
 public:
  GroupsWalk(const Job& job, Time target, const Timeline::Pulse* pulse) : job_(job), target_(target), pulse_(pulse) {}
  Time at;  // of the workgroup that ended last
  bool isStopped = false, isFirst = false;
  std::uint32_t watches() const override { return watch::kWorkgroup; }
  Answer moment(const Moment& moment) override {
    const auto* ends = std::get_if<WorkgroupEnds>(&moment);
    if (!ends) return Answer::kGoOn;
    const Extent3 groups = ends->env.groups;
    const bool isLast = ends->env.place + 1 == std::uint64_t{groups.x} * groups.y * groups.z;
    at = {ends->env.dispatch, ends->env.place + 1, 0};
    const Time next = isLast ? Time{nextDispatch(at.dispatch), 1, 0} : Time{at.dispatch, at.opened + 1, 0};
    isStopped = pulse_ && *pulse_ && (*pulse_)(at);
    return isFirst || isStopped || next >= Time{target_.dispatch, target_.opened, 0} ? Answer::kStop : Answer::kGoOn;
  }

 private:
  // Some have no workgroups.
  std::uint32_t nextDispatch(std::uint32_t d) const {
    for (++d; d < job_.dispatches.size(); ++d)
      if (const Extent3 g = job_.dispatches[d].groups; std::uint64_t{g.x} * g.y * g.z != 0) return d;
    return ~0u - 1;  // before the end, which is a target too
  }
  const Job& job_;
  Time target_;
  const Timeline::Pulse* pulse_;
};

}  // namespace

// One workgroup at a time, in turns that no flavour cuts otherwise; and nothing is printed or late, which a state does not hold.
bool Timeline::canHurry() const {
  if (!quick_.start || isChanged()) return false;
  const Schedule& schedule = now_->schedule();
  if (schedule.resident != 1 || schedule.lanes || schedule.weak || schedule.order == Schedule::Order::kInterleave) return false;
  for (std::uint32_t d = 0; d < quick_.job->dispatches.size(); ++d)
    if (!now_->programOf(d).prints.empty()) return false;
  return true;
}

bool Timeline::isWorthwhile(Time target) const {
  std::uint64_t ahead = target.dispatch == at_.dispatch ? target.opened - std::min(target.opened, at_.opened) : target.opened;
  for (std::uint32_t d = at_.dispatch; d < std::min<std::size_t>(target.dispatch, quick_.job->dispatches.size()); ++d) {
    const Extent3 g = quick_.job->dispatches[d].groups;
    ahead += std::uint64_t{g.x} * g.y * g.z;
  }
  return ahead >= kWorthwhile;
}

// To the last moment between two workgroups before the target's, or to the end of the run if the target is behind it. Where the quicker run
// ends with an error, the faithful one goes there again, and says where.
Status Timeline::hurry(Time target, bool mayStop) {
  if (ended_ || !canHurry() || !isWorthwhile(target)) return {};
  if (at_ != Time{}) {  // a workgroup is open
    GroupsWalk own(*quick_.job, target, nullptr);
    own.isFirst = true;
    fault_ = now_->run(own);
    ended_ = fault_.has_value() || now_->finished();
    at_ = ended_ ? Time{at_.dispatch, at_.opened, ~std::uint64_t{0}} : Time{own.at.dispatch, own.at.opened, ~std::uint64_t{0} - 1};
    if (ended_) return {};
  }
  Expected<Execution> run = quick_.start();
  if (!run) return run.error();
  if (!run->takeOver(std::move(*now_))) return {};
  GroupsWalk on(*quick_.job, target, mayStop ? &pulse : nullptr);
  on.at = at_;
  if (run->run(on)) return rewind(at_);
  if (!now_->takeOver(std::move(*run))) return rewind(at_);
  at_ = {on.at.dispatch, on.at.opened, ~std::uint64_t{0} - 1};
  ended_ = now_->finished();
  if (ended_) at_.step = ~std::uint64_t{0};
  interrupted_ = on.isStopped;
  return {};
}

// The last hit before a workgroup's begin, or the end of the run, as by-workgroup searches know it. Nothing at all: it cannot be done so.
Expected<std::optional<std::optional<Hit>>> Timeline::searchQuickly(Seeker& seeker, Time end) {
  using Answer = std::optional<std::optional<Hit>>;
  if (seeker.storesTo().empty() || !canHurry()) return Answer();
  Expected<Execution> run = quick_.start();
  if (!run) return run.error();
  return searchFromStart(seeker, *run, end);
}

}  // namespace lanewise::debug
