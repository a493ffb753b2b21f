#include "model/debug/timeline.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanewise::debug {
namespace {

constexpr std::uint64_t kNoPause = ~std::uint64_t{0};
constexpr Time kNever{~0u, 0, 0};
constexpr std::uint64_t kInstructionsAPulse = 1 << 12;
constexpr std::chrono::milliseconds kSoon(700);            // how long it may take to come to a place again
constexpr std::uint64_t kBetween = ~std::uint64_t{0} - 1;  // steps from here on are behind those of a workgroup

}  // namespace

// The clock of a stretch of a run, with the seeker for it.
class Timeline::Walk final : public Observer {
 public:
  enum class Keeps : std::uint8_t { kFirst, kLast };
  Walk(Time from, Time target, Seeker* seeker = nullptr, Keeps keeps = Keeps::kFirst)
      : at(from), target_(target), seeker_(seeker), keeps_(keeps), start_(from) {}

  Time at;  // of the next instruction
  std::optional<Hit> hit;
  Time first = kNever;              // of the first hit
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
  Time pauseAt = kNever;  // where the run is changed
  bool paused = false;

  const Pulse* pulse = nullptr;
  bool mayStop = false, isStopped = false;

  // Before a run goes on. Until the target's workgroup is opened nobody watches instructions, unless something is looked for.
  // The workgroup where the walk begins is watched too if it may be stopped there: it may be long.
  void goOn() {
    paused = false;
    const Time group{at.dispatch, at.opened, 0};
    isOwn_ = !seeker_ && mayStop && pulse && *pulse && group <= start_;
    quiet_ = !seeker_ && !isOwn_ && group < groupAhead();
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
      if (paused || isOwn_ || (quiet_ && at >= groupAhead())) return Answer::kStop;
    }
    if (seeker_) {
      seeker_->now = std::holds_alternative<BlitTexel>(moment) ? at : running_;
      note(seeker_->moment(moment));
    }
    return isFound() ? Answer::kStop : Answer::kGoOn;
  }
  Answer beforeInstruction(const InstructionEvent& event) override {
    arrived_ = at >= target_;
    paused = !arrived_ && (paused || at.step >= pauseAtStep || at >= pauseAt);
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
  Answer afterInstruction(const InstructionEvent& event) override {
    if (!seeker_) return Answer::kGoOn;
    seeker_->now = running_;
    note(seeker_->after(event));
    return isFound() ? Answer::kStop : Answer::kGoOn;
  }
  Answer access(const AccessEvent& event) override {
    if (seeker_) seeker_->now = running_;
    if (seeker_ && (!skipsAccess || running_ != start_)) note(seeker_->access(event));
    return isFound() ? Answer::kStop : Answer::kGoOn;
  }

 private:
  // Where the workgroup begins in which it has to stop.
  Time groupAhead() const {
    const Time& next = std::min(target_, pauseAt);
    return {next.dispatch, next.opened, 0};
  }
  bool beats() {
    if (pulse && *pulse && (*pulse)(at)) isStopped = mayStop;
    return isStopped;
  }
  std::uint32_t seekerWatches() const { return !seeker_ ? 0 : byWorkgroup_ ? seeker_->watchesWorkgroups() : seeker_->watches(); }
  bool isFound() const { return keeps_ == Keeps::kFirst && hit; }
  void note(std::optional<Hit> found) {
    if (!found || isFound()) return;
    found->time = seeker_->now;
    first = std::min(first, found->time);
    if (all) all->push_back(*found);
    hit = std::move(found);
  }

  Time target_;
  Seeker* seeker_;
  Keeps keeps_;
  Time start_, running_ = kNever;
  std::uint64_t beaten_ = 0;
  bool quiet_ = false, isOwn_ = false, arrived_ = false, byWorkgroup_ = false;
};

Expected<Timeline> Timeline::open(RunStarter starter, Keeping keeping, const Job* job) {
  Timeline line;
  line.starter_ = std::move(starter);
  line.keeping_ = keeping;
  line.job_ = job;
  if (Status bad = line.rewind({})) return *bad;
  if (Status bad = line.goTo({})) return *bad;
  return line;
}

// A copy of the nearest state that is kept, not behind a moment; or the start of the run.
Expected<std::pair<Time, Execution>> Timeline::nearest(Time time) {
  const auto after = snapshots_.upper_bound(time);
  const bool isNear = near_ && near_->first <= time;
  if (after != snapshots_.begin() && (!isNear || near_->first <= std::prev(after)->first))
    return std::pair(std::prev(after)->first, std::prev(after)->second.clone());
  if (isNear) return std::pair(near_->first, near_->second.clone());
  Expected<Execution> fresh = starter_(ir::Flavour::kFaithful, nullptr);
  if (!fresh) return fresh.error();
  return std::pair(Time{}, std::move(*fresh));
}

Status Timeline::rewind(Time time) {
  Expected<std::pair<Time, Execution>> state = nearest(time);
  if (!state) return state.error();
  now_ = std::make_unique<Execution>(std::move(state->second));
  at_ = state->first;
  ended_ = false;
  fault_.reset();
  return {};
}

// How many states may be kept, beside the one before the last dispatch.
std::uint64_t Timeline::room() {
  std::uint64_t bytes = sizeof(Execution);
  for (const Resource& r : job_ ? job_->resources : now_->resources()) bytes += r.bytes().size();
  for (const WorkgroupState& w : now_->residents()) {
    bytes += w.memory.size();
    for (const Batch& b : w.batches) bytes += b.registers.size() + b.laneMemory.size() + sizeof(Batch);
  }
  const std::uint64_t most = keeping_.bytes / bytes;
  return most - (last_ && most > 0 ? 1 : 0);
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
    fault_ = run(*now_, walk);
    at_ = walk.at;
    ended_ = fault_.has_value() || now_->finished();
    if (ended_) at_.step = ~std::uint64_t{0};  // behind every instruction, watched or not
    if (walk.paused) keep();
  }
  interrupted_ = walk.isStopped;
}

// Until the walk stops it, or where it is changed: then it has the change.
Status Timeline::run(Execution& execution, Walk& walk) {
  const auto next = std::ranges::upper_bound(changes_, walk.at, {}, &std::pair<Time, std::vector<Change>>::first);
  walk.pauseAt = next == changes_.end() ? kNever : next->first;
  walk.goOn();
  Status fault = execution.run(walk);
  if (next != changes_.end() && walk.at >= next->first && !fault)
    for (const Change& c : next->second) execution.change(c);
  return fault;
}

bool Timeline::change(const std::vector<Change>& changes) {
  if (ended_) return false;
  for (const Change& c : changes)
    if (!now_->change(c)) return false;
  std::erase_if(changes_, [&](const auto& c) { return c.first > at_; });
  if (changes_.empty() || changes_.back().first != at_) changes_.emplace_back(at_, std::vector<Change>());
  changes_.back().second.insert(changes_.back().second.end(), changes.begin(), changes.end());
  std::erase_if(snapshots_, [&](const auto& s) { return s.first >= at_; });
  if (near_ && near_->first >= at_) near_.reset();
  return true;
}

Status Timeline::unchange() {
  if (changes_.empty()) return {};
  const Time first = changes_.front().first;
  changes_.clear();
  std::erase_if(snapshots_, [&](const auto& s) { return s.first >= first; });
  if (near_ && near_->first >= first) near_.reset();
  if (Status bad = rewind(first)) return bad;
  return goTo(first);
}

Status Timeline::goTo(Time time, bool mayStop) {
  const bool isBegin = at_ == Time{0, 1, 0} && !ended_;  // nothing is executed before
  if (time < at_ && !isBegin)
    if (Status bad = rewind(time)) return bad;
  interrupted_ = false;
  const Time from = at_;
  const bool wasAhead = ahead_.has_value();  // another time it takes longer
  const auto begin = std::chrono::steady_clock::now();
  if (Status bad = hurry(time, mayStop)) return bad;
  if (interrupted_ && at_.step < kBetween) return {};  // in a workgroup
  const bool stopped = std::exchange(interrupted_, false);
  // Whoever goes on from there may go back to there, unless that was so quick that a copy of all resources is dear beside it. Where it had
  // to go back, the walk below may be stopped.
  if (from < at_ && !ended_ && !stopped) {
    Walk group(at_, {time.dispatch, time.opened, 0});
    walk(group);
    const bool isDear = wasAhead || std::chrono::steady_clock::now() - begin > kSoon;
    if (isDear) near_.reset();  // its memory first
    if (!ended_ && isDear && room() > 0) near_.emplace(at_, now_->clone());
  }
  Walk to(at_, stopped ? Time{at_.dispatch, at_.opened + 1, 0} : time);
  walk(to, mayStop);
  interrupted_ = interrupted_ || stopped;
  return {};
}

Status Timeline::goToEnd() {
  return goTo(kNever, true);
}

// Dispatches that cannot store to what is sought run unwatched.
std::optional<std::optional<Hit>> Timeline::searchFrom(Seeker& seeker, Execution& execution, Time end) {
  Walk part({}, end, &seeker, Walk::Keeps::kLast);
  part.searchWorkgroups();
  part.pulse = &pulse;
  part.mayStop = true;
  seeker.begin(true);
  part.goOn();
  interrupted_ = false;
  Status fault;
  const std::vector<std::uint32_t> sought = seeker.storesTo();
  for (std::uint32_t d = execution.progress().dispatch;
       !fault && !execution.finished() && !part.isDone() && !interrupted_ && Time{d, 1, 0} < end; ++d) {
    const bool isLast = d + 1 >= job_->dispatches.size();
    const Execution::Until until{isLast ? ~0u : d + 1, 0};
    fault = execution.mayStore(d, sought) ? execution.runForStores(part, sought, until) : runQuietly(execution, until, true);
  }
  interrupted_ = interrupted_ || part.isStopped;
  if (fault && end == kNever) return {};  // the faithful run says what comes before it
  if (interrupted_) return std::optional<Hit>();
  std::optional<Hit> found = seeker.end();
  if (!found) found = std::move(part.hit);
  if (found) found->isFirst = part.first.dispatch == found->time.dispatch && part.first.opened == found->time.opened;
  return found;
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

// The last hit in a workgroup, by instruction. The run then stands where the workgroup begins.
std::optional<Hit> Timeline::lastIn(Seeker& seeker, Time group) {
  if (goTo(group) || ended_) return {};
  const Time begin = at_;
  Execution here = now_->clone();
  Walk whole(at_, {group.dispatch, group.opened + 1, 0}, &seeker, Walk::Keeps::kLast);
  walk(whole);
  now_ = std::make_unique<Execution>(std::move(here));
  at_ = begin;
  ended_ = false;
  fault_.reset();
  if (whole.hit) whole.hit->isFirst = whole.first == whole.hit->time;
  return std::move(whole.hit);
}

Expected<std::optional<Hit>> Timeline::backward(Seeker& seeker, Time lowest, Time highest) {
  const Time now = ended_ ? kNever : at_;
  const bool byWorkgroup = !seeker.needsInstructions() && changes_.empty();
  std::optional<Hit> found;
  for (Time end = std::min(now, highest); !found && end > lowest;) {
    // The last stretch that begins at a state that is kept; of whole workgroups, or in one.
    const auto after = snapshots_.lower_bound(end);
    Time begin = after == snapshots_.begin() ? lowest : std::max(lowest, std::prev(after)->first);
    if (byWorkgroup && end.step != 0) begin = std::max(begin, Time{end.dispatch, end.opened, 0});
    if (byWorkgroup && end.step == 0 && begin == Time{}) {
      const auto quickly = searchQuickly(seeker, end);
      if (!quickly) return quickly.error();
      if (*quickly) {
        found = interrupted_ ? std::nullopt : **quickly;
        const bool isInFirst = found && found->isFirst;
        if (found) found = lastIn(seeker, {found->time.dispatch, found->time.opened, 0});
        if (found) found->isFirst = found->isFirst && isInFirst;
        ahead_.reset();
        if (std::exchange(interrupted_, false)) {
          Status bad = goTo(now);
          interrupted_ = true;
          if (bad) return *bad;
          return std::optional<Hit>();
        }
        break;
      }
    }
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
    if (part.isByWorkgroup() && found) found = lastIn(seeker, {found->time.dispatch, found->time.opened, 0});
    if (found) found->isFirst = false;
    end = begin;
  }
  if (Status bad = goTo(found ? found->time : now)) return *bad;
  return found;
}

Status Timeline::upToNow(Seeker& seeker, Time from) {
  if (ended_ && !fault_ && from == Time{} && !seeker.needsInstructions()) {
    const auto quickly = searchQuickly(seeker, kNever);
    if (!quickly) return quickly.error();
    if (*quickly) return {};
  }
  Expected<std::pair<Time, Execution>> state = nearest(from);
  if (!state) return state.error();
  Time& at = state->first;
  Execution& execution = state->second;
  const Time target = ended_ ? kNever : at_, group{target.dispatch, target.opened, 0};
  const auto go = [&](Walk&& walk) {
    walk.pulse = &pulse;
    walk.mayStop = true;
    while (!run(execution, walk) && !execution.finished() && !walk.isDone()) {
    }
    at = walk.at;
    interrupted_ = walk.isStopped;
    return !interrupted_;
  };
  if (at < from && !go(Walk(at, from))) return {};
  seeker.begin(true);
  if (changes_.empty() && !seeker.needsInstructions() && at < group) {
    Walk groups(at, group, &seeker, Walk::Keeps::kLast);
    groups.searchWorkgroups();
    if (!go(std::move(groups))) return {};
  }
  if (at < target && !execution.finished()) go(Walk(at, target, &seeker, Walk::Keeps::kLast));
  return {};
}

Status Timeline::survey(Seeker& seeker, Time begin, Time end) {
  const Time now = ended_ ? kNever : at_;
  if (Status bad = goTo(begin, true)) return bad;
  bool isStopped = interrupted_;
  if (!isStopped) {
    Walk part(at_, end, &seeker, Walk::Keeps::kLast);
    walk(part, true);
    isStopped = part.isStopped;
  }
  Status bad = goTo(now);
  interrupted_ = isStopped;
  return bad;
}

void Timeline::peek(Seeker& seeker) {
  if (ended_) return;
  Execution copy = now_->clone();
  Walk one(at_, {at_.dispatch, at_.opened, at_.step + 1}, &seeker, Walk::Keeps::kLast);
  static_cast<void>(run(copy, one));
}

Expected<std::vector<Hit>> Timeline::every(Seeker& seeker) {
  Expected<Execution> run = starter_(ir::Flavour::kFaithful, nullptr);
  if (!run) return run.error();
  std::vector<Hit> out;
  Walk walk({}, kNever, &seeker, Walk::Keeps::kLast);
  walk.all = &out;
  walk.pulse = &pulse;
  walk.mayStop = true;
  seeker.begin(true);
  do {
    walk.paused = false;
  } while (!this->run(*run, walk) && walk.paused && !walk.isStopped);  // where it ends with a fault, that is where it ends
  interrupted_ = walk.isStopped;
  return out;
}

}  // namespace lanewise::debug
