// Runs ahead where nobody looks, in a quicker flavour. Between workgroups a state belongs to every flavour; so where one workgroup is
// resident at a time the run changes flavour there and back.
#include <algorithm>
#include <chrono>

#include "model/debug/timeline.h"
#include "model/ir/resource_use.h"
#include "model/state/batch.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

constexpr std::uint64_t kWorthwhile = 64;  // workgroups: below that the copies cost more

// A run that nobody watches cannot be stopped. So it goes in pieces of about so many seconds, the first of one workgroup.
constexpr double kPiece = 0.2;
constexpr double kMostLonger = 8;
constexpr std::chrono::milliseconds kWorthKeeping(200);
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

// Which workgroups the last store to some bytes is in. Where a dispatch does nothing to a resource but to store to it, what the resource
// holds decides nothing there. So before each piece of the dispatch the bytes are set to what they do not hold in the end. Whoever stores
// last makes them what they hold in the end: in that piece they change, and in none of the pieces behind it.
constexpr std::uint64_t kPieces = 8;
constexpr std::uint64_t kFewest = 64;  // workgroups of a piece: below that nothing is gained

using Uses = ir::ResourceUse;

// Whether all that a dispatch does to a resource is to store to it, by its descriptors. `env`: of the dispatch.
bool isOnlyStored(const Environment& env, std::uint32_t resource) {
  const std::vector<Uses>& uses = env.program->uses.all;
  for (std::size_t r = 0; r < uses.size(); ++r)
    for (std::uint32_t i = env.descriptors[r].first; i < env.descriptors[r].first + env.descriptors[r].count; ++i) {
      const bool isThere =
          (env.buffers[i].data && env.buffers[i].resource == resource) || (env.images[i].data && env.images[i].resource == resource);
      if (isThere && (uses[r].how & ~Uses::kStores) != 0) return false;
    }
  return !env.program->uses.elsewhere;
}

}  // namespace

// A run that nobody watches, before a dispatch's first workgroup. Nothing: it was stopped, or is over before.
std::optional<Execution> Timeline::beginOf(std::uint32_t dispatch) {
  const bool isKept = last_ && last_->progress() <= Execution::Until{dispatch, 0};
  Expected<Execution> run = isKept ? Expected<Execution>(last_->clone()) : starter_(ir::Flavour::kUnwatched, nullptr);
  if (!run || runQuietly(*run, {dispatch, 0}, true) || interrupted_) return {};
  return std::move(*run);
}

// One workgroup at a time, in turns that no flavour cuts otherwise; and nothing is printed or late, which a state does not hold.
bool Timeline::canHurry() const {
  if (!job_ || isChanged()) return false;
  const Schedule& schedule = now_->schedule();
  if (schedule.resident != 1 || schedule.lanes || schedule.weak || schedule.switches()) return false;
  for (std::uint32_t d = 0; d < job_->dispatches.size(); ++d)
    if (!now_->programOf(d).prints.empty()) return false;
  return true;
}

bool Timeline::isWorthwhile(Time target) const {
  std::uint64_t ahead = target.dispatch == at_.dispatch ? target.opened - std::min(target.opened, at_.opened) : target.opened;
  for (std::uint32_t d = at_.dispatch; d < std::min<std::size_t>(target.dispatch, job_->dispatches.size()); ++d)
    ahead += workgroupsIn(job_->dispatches[d].groups);
  return ahead >= kWorthwhile;
}

// The moment behind the last workgroup that is over. Behind the last of all: as at the end of the run.
Time Timeline::timeOf(Execution::Until progress) const {
  if (progress.workgroups != 0) return {progress.dispatch, progress.workgroups, kBehind};
  for (std::uint32_t d = progress.dispatch; d-- > 0;)
    if (const std::uint64_t count = workgroupsIn(job_->dispatches[d].groups); count != 0) return {d, count, kBehind};
  return {};
}

// By all cores, in pieces, between which pulse is asked.
Status Timeline::runQuietly(Execution& execution, Execution::Until until, bool mayStop) {
  using Clock = std::chrono::steady_clock;
  double piece = 1;
  while (!execution.finished() && execution.progress() < until) {
    Execution::Until next = execution.progress();
    next.workgroups += static_cast<std::uint64_t>(piece);
    if (next.dispatch < job_->dispatches.size() && next.workgroups >= workgroupsIn(job_->dispatches[next.dispatch].groups))
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
  const Execution::Until until{target.dispatch, target.opened == 0 ? 0 : target.opened - 1};
  const Execution::Until last{static_cast<std::uint32_t>(job_->dispatches.size() - 1), 0};
  const bool isAhead = ahead_ && now_->progress() < ahead_->progress() && ahead_->progress() <= until;
  const bool isKept = !isAhead && last_ && now_->progress() < last && last <= until;
  Expected<Execution> run = isAhead  ? Expected<Execution>(std::move(*ahead_))
                            : isKept ? Expected<Execution>(last_->clone())
                                     : starter_(ir::Flavour::kUnwatched, now_.get());
  ahead_.reset();
  if (!run) return run.error();
  const auto begin = std::chrono::steady_clock::now();
  if (!last_ && run->progress() < last && last < until) {
    if (runQuietly(*run, last, mayStop)) return rewind(at_);
    const bool isLong = std::chrono::steady_clock::now() - begin > kWorthKeeping;
    if (isLong && run->progress() == last && !run->finished() && room() > 0) last_.emplace(run->clone());
  }
  if (!interrupted_ && runQuietly(*run, until, mayStop)) return rewind(at_);
  at_ = timeOf(run->progress());
  ended_ = run->finished();
  if (ended_) at_.step = ~std::uint64_t{0};
  if (!now_->takeOver(std::move(*run))) return rewind(at_);
  return {};
}

// A run that stands before these workgroups; `end` becomes the moment behind them. If only earlier dispatches can have the store, `end` is
// before the others, and nothing is returned; and if it cannot be told, or pulse stops it. `isEarlier`: there may be stores before them;
// no, if poison is there behind them.
std::optional<Execution> Timeline::beforeLastStore(const Seeker& seeker, Time& end, bool& isEarlier) {
  const std::optional<StoredBytes> bytes = seeker.everyStoreTo();
  if (!bytes || fault_ || bytes->end > job_->resources[bytes->resource].bytes().size()) return {};
  const std::uint32_t resource[] = {bytes->resource};
  const auto countOf = [&](std::uint32_t d) {
    const std::uint64_t count = workgroupsIn(job_->dispatches[d].groups);
    return d == end.dispatch ? std::min(count, end.opened - std::min<std::uint64_t>(end.opened, 1)) : count;
  };
  std::uint32_t d = std::min(end.dispatch, static_cast<std::uint32_t>(job_->dispatches.size() - 1));
  while (d > 0 && (countOf(d) == 0 || !now_->mayStore(d, resource))) --d;
  const std::uint64_t count = countOf(d);
  const bool isBlitted =
      std::ranges::any_of(job_->blits, [&](const Blit& b) { return b.resource == job_->resources[bytes->resource].name; });
  if (count < kPieces * kFewest || isBlitted) return {};
  Change mark{.resource = bytes->resource, .offset = bytes->begin, .bytes = {}};
  for (const std::byte b : now_->bytesOf(bytes->resource, bytes->begin, bytes->end))
    mark.bytes.push_back(~b == kPoisonByte ? b ^ std::byte{1} : ~b);
  std::optional<Execution> run = beginOf(d);
  if (!run) return {};
  // Kept where there is room for it: otherwise the dispatches before run once more.
  const bool isKept = last_ && last_->progress() == Execution::Until{d, 0};
  std::optional<Execution> before = !isKept && d > 0 && room() > 0 ? std::optional(run->clone()) : std::nullopt;
  if (!run->change(mark) || runQuietly(*run, {d, 1}, true) || interrupted_ || !isOnlyStored(run->environmentOf(0), bytes->resource))
    return {};
  std::optional<std::uint64_t> piece;
  for (std::uint64_t i = 0; i < kPieces; ++i) {
    if (i != 0) run->change(mark);
    if (runQuietly(*run, {d, count * (i + 1) / kPieces}, true) || interrupted_) return {};
    if (run->bytesOf(bytes->resource, bytes->begin, bytes->end) == mark.bytes) continue;
    isEarlier = piece.has_value();
    piece = i;
  }
  for (std::uint32_t earlier = 0; earlier < d; ++earlier) isEarlier = isEarlier || now_->mayStore(earlier, resource);
  run.reset();
  if (piece && !before) before = beginOf(d);
  end = piece ? Time{d, count * (*piece + 1) / kPieces + 1, 0} : Time{d, 1, 0};
  if (!piece || !before || runQuietly(*before, {d, count * *piece / kPieces}, true) || interrupted_) return {};
  return before;
}

// The last hit before a workgroup's begin, or the end of the run, as by-workgroup searches know it. Nothing at all: it cannot be done so.
Expected<std::optional<std::optional<Hit>>> Timeline::searchQuickly(Seeker& seeker, Time end) {
  using Answer = std::optional<std::optional<Hit>>;
  if (seeker.storesTo().empty() || !canHurry()) return Answer();
  interrupted_ = false;
  bool isEarlier = false;
  std::optional<Execution> before = beforeLastStore(seeker, end, isEarlier);
  if (interrupted_) return Answer(std::optional<Hit>());
  if (before && room() > 0) ahead_.emplace(before->clone());
  Expected<Execution> run = starter_(ir::Flavour::kQuick, before ? &*before : nullptr);
  if (!run) return run.error();
  Expected<Answer> found = searchFrom(seeker, *run, end);
  if (found && *found && **found && before) (***found).isFirst = (***found).isFirst && !isEarlier;
  return found;
}

}  // namespace lanewise::debug
