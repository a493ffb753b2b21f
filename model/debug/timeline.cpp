#include "model/debug/timeline.h"

namespace lanewise::debug {
namespace {

constexpr std::uint64_t kNoPause = ~std::uint64_t{0};
constexpr Time kNever{~0u, 0, 0};
constexpr std::uint64_t kInstructionsAPulse = 1 << 12;

}  // namespace

// The clock of a stretch of a run, with the seeker for it.
class Timeline::Walk final : public Observer {
 public:
  enum class Keeps : std::uint8_t { kFirst, kLast };
  Walk(Time from, Time target, Seeker* seeker = nullptr, Keeps keeps = Keeps::kFirst)
      : at(from), target_(target), seeker_(seeker), keeps_(keeps), start_(from) {}

  Time at;  // of the next instruction
  std::optional<Hit> hit;
  std::vector<Hit>* all = nullptr;  // where every hit goes
  // What does not count at the instruction where the walk begins.
  bool skipsInstruction = false, skipsAccess = false;
  // Nobody watches instructions from now on: a hit's step is not known. The walk begins at a workgroup's begin, and so does the target.
  void searchWorkgroups() {
    byWorkgroup_ = true;
    running_ = at;
    arrived_ = at >= target_;
  }
  bool isByWorkgroup() const { return byWorkgroup_; }
  // Where the caller is given the state: at a step of this workgroup or a later one, or when a workgroup is opened.
  std::uint64_t pauseAtStep = kNoPause, pauseAtGroup = kNoPause, stepsApart = kNoPause;
  bool paused = false;

  const Pulse* pulse = nullptr;
  bool mayStop = false, isStopped = false;

  // Before a run goes on. Until the target's workgroup is opened nobody watches instructions, unless something is looked for.
  void goOn() {
    paused = false;
    quiet_ = !seeker_ && Time{at.dispatch, at.opened, 0} < Time{target_.dispatch, target_.opened, 0};
  }
  bool isDone() const { return arrived_ || isFound() || isStopped; }

  std::uint32_t watches() const override { return watch::kWorkgroup | (quiet_ || byWorkgroup_ ? 0u : watch::kBefore) | seekerWatches(); }
  Answer moment(const Moment& moment) override {
    if (const auto* begins = std::get_if<WorkgroupBegins>(&moment)) {
      at = {begins->env.dispatch, begins->env.place + 1, 0};
      pauseAtStep = stepsApart;
      if (byWorkgroup_) running_ = at;
      arrived_ = byWorkgroup_ && at >= target_;
      if (arrived_ || beats()) return Answer::kStop;
      paused = paused || at.opened >= pauseAtGroup;
      if (paused || (quiet_ && at >= Time{target_.dispatch, target_.opened, 0})) return Answer::kStop;
    }
    if (seeker_) {
      seeker_->now = std::holds_alternative<BlitTexel>(moment) ? at : running_;
      note(seeker_->moment(moment));
    }
    return isFound() ? Answer::kStop : Answer::kGoOn;
  }
  Answer beforeInstruction(const InstructionEvent& event) override {
    arrived_ = at >= target_;
    paused = !arrived_ && (paused || at.step >= pauseAtStep);
    if (arrived_ || paused || (++beaten_ % kInstructionsAPulse == 0 && beats())) return Answer::kStop;
    if (seeker_) {
      seeker_->now = at;
      std::optional<Hit> found = seeker_->before(event);
      if (!skipsInstruction || at != start_) note(std::move(found));
    }
    if (isFound()) return Answer::kStop;
    running_ = at;
    ++at.step;
    return Answer::kGoOn;
  }
  Answer access(const AccessEvent& event) override {
    if (seeker_) seeker_->now = running_;
    if (seeker_ && (!skipsAccess || running_ != start_)) note(seeker_->access(event));
    return isFound() ? Answer::kStop : Answer::kGoOn;
  }

 private:
  bool beats() {
    if (pulse && *pulse && (*pulse)(at)) isStopped = mayStop;
    return isStopped;
  }
  std::uint32_t seekerWatches() const { return !seeker_ ? 0 : byWorkgroup_ ? seeker_->watchesWorkgroups() : seeker_->watches(); }
  bool isFound() const { return keeps_ == Keeps::kFirst && hit; }
  void note(std::optional<Hit> found) {
    if (!found || isFound()) return;
    found->time = seeker_->now;
    if (all) all->push_back(*found);
    hit = std::move(found);
  }

  Time target_;
  Seeker* seeker_;
  Keeps keeps_;
  Time start_, running_ = kNever;
  std::uint64_t beaten_ = 0;
  bool quiet_ = false, arrived_ = false, byWorkgroup_ = false;
};

Expected<Timeline> Timeline::open(Starter starter, Keeping keeping) {
  Timeline line;
  line.starter_ = std::move(starter);
  line.keeping_ = keeping;
  if (Status bad = line.rewind({})) return *bad;
  if (Status bad = line.goTo({})) return *bad;
  return line;
}

// To the nearest state that is kept, not behind a moment.
Status Timeline::rewind(Time time) {
  const auto after = snapshots_.upper_bound(time);
  const bool isNear = near_ && near_->first <= time;
  if (after != snapshots_.begin() && (!isNear || near_->first <= std::prev(after)->first)) {
    now_ = std::make_unique<Execution>(std::prev(after)->second.clone());
    at_ = std::prev(after)->first;
  } else if (isNear) {
    now_ = std::make_unique<Execution>(near_->second.clone());
    at_ = near_->first;
  } else {
    Expected<Execution> fresh = starter_();
    if (!fresh) return fresh.error();
    now_ = std::make_unique<Execution>(std::move(*fresh));
    at_ = {};
  }
  ended_ = false;
  fault_.reset();
  return {};
}

// How many states may be kept.
std::uint64_t Timeline::room() {
  std::uint64_t bytes = sizeof(Execution);
  for (const Resource& r : now_->resources()) bytes += r.bytes().size() * (std::holds_alternative<ImageData>(r.data) ? 2 : 1);
  for (const WorkgroupState& w : now_->residents()) {
    bytes += w.memory.size();
    for (const Batch& b : w.batches) bytes += b.registers.size() + b.laneMemory.size() + sizeof(Batch);
  }
  return keeping_.bytes / bytes;
}

// Where there is no more room, every other one goes, and the next stand twice as far apart.
void Timeline::keep() {
  const std::uint64_t most = room();
  if (ended_ || most < 2 || snapshots_.contains(at_)) return;
  snapshots_.try_emplace(at_, now_->clone());
  while (snapshots_.size() + 1 > most) {
    bool goes = true;
    for (auto it = snapshots_.begin(); it != snapshots_.end() && snapshots_.size() > 1; goes = !goes)
      it = goes ? snapshots_.erase(it) : std::next(it);
    keeping_.steps *= 2;
    keeping_.groups *= 2;
  }
}

void Timeline::walk(Walk& walk, bool mayStop) {
  walk.pulse = &pulse;
  walk.mayStop = mayStop;
  while (!ended_ && !walk.isDone()) {
    const auto after = snapshots_.upper_bound(at_);
    const Time last = after == snapshots_.begin() ? Time{} : std::prev(after)->first;
    const bool sameDispatch = last.dispatch == at_.dispatch, sameGroup = sameDispatch && last.opened == at_.opened;
    const auto next = [](std::uint64_t before, std::uint64_t now, std::uint64_t apart) {
      return before + apart > now ? before + apart : now + apart;
    };
    walk.stepsApart = keeping_.steps;
    walk.pauseAtStep = next(sameGroup ? last.step : 0, at_.step, keeping_.steps);
    walk.pauseAtGroup = next(sameDispatch ? last.opened : 0, at_.opened, keeping_.groups);
    walk.goOn();
    fault_ = now_->run(walk);
    at_ = walk.at;
    ended_ = fault_.has_value() || now_->finished();
    if (ended_) at_.step = ~std::uint64_t{0};  // behind every instruction, watched or not
    if (walk.paused) keep();
  }
  interrupted_ = walk.isStopped;
}

Status Timeline::goTo(Time time) {
  if (time < at_)
    if (Status bad = rewind(time)) return bad;
  Walk to(at_, time);
  walk(to);
  return {};
}

Status Timeline::goToEnd() {
  Walk to(at_, kNever);
  walk(to, true);
  return {};
}

Expected<std::optional<Hit>> Timeline::forward(Seeker& seeker, Here here, Time limit) {
  seeker.begin(false);
  Walk on(at_, limit, &seeker);
  on.skipsInstruction = !here.instruction;
  on.skipsAccess = !here.access;
  walk(on, true);
  if (on.hit)
    if (Status bad = goTo(on.hit->time)) return *bad;
  return on.hit;
}

Expected<std::optional<Hit>> Timeline::backward(Seeker& seeker, Time lowest) {
  const Time now = ended_ ? kNever : at_;
  const bool byWorkgroup = !seeker.needsInstructions();
  std::optional<Hit> found;
  for (Time end = now; !found && end > lowest;) {
    // The last stretch that begins at a state that is kept; of whole workgroups, or in one.
    const auto after = snapshots_.lower_bound(end);
    Time begin = after == snapshots_.begin() ? lowest : std::max(lowest, std::prev(after)->first);
    if (byWorkgroup && end.step != 0) begin = std::max(begin, Time{end.dispatch, end.opened, 0});
    if (Status bad = goTo(begin)) return *bad;
    if (begin == lowest && room() > 0) near_.emplace(at_, now_->clone());
    Walk part(at_, end, &seeker, Walk::Keeps::kLast);
    if (byWorkgroup && at_.step == 0 && end.step == 0) part.searchWorkgroups();
    seeker.begin(begin == lowest);
    walk(part, true);
    if (part.isStopped) {
      Status bad = goTo(now);
      interrupted_ = true;
      if (bad) return *bad;
      return std::optional<Hit>();
    }
    found = seeker.end();
    if (!found) found = std::move(part.hit);
    if (part.isByWorkgroup() && found) {  // again, by instruction
      const Time group{found->time.dispatch, found->time.opened, 0};
      if (Status bad = goTo(group)) return *bad;
      Walk whole(at_, {group.dispatch, group.opened + 1, 0}, &seeker, Walk::Keeps::kLast);
      walk(whole);
      found = std::move(whole.hit);
    }
    end = begin;
  }
  if (Status bad = goTo(found ? found->time : now)) return *bad;
  return found;
}

Expected<std::vector<Hit>> Timeline::every(Seeker& seeker) {
  Expected<Execution> run = starter_();
  if (!run) return run.error();
  std::vector<Hit> out;
  Walk walk({}, kNever, &seeker, Walk::Keeps::kLast);
  walk.all = &out;
  walk.pulse = &pulse;
  walk.mayStop = true;
  seeker.begin(true);
  walk.goOn();
  static_cast<void>(run->run(walk));  // where it ends with a fault, that is where it ends
  interrupted_ = walk.isStopped;
  return out;
}

}  // namespace lanewise::debug
