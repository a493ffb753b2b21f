#include "model/check/race_checker.h"

#include <fmt/format.h>

#include "model/check/place_text.h"
#include "model/check/race_text.h"
#include "model/state/lane_masks.h"

namespace lanewise::race {
namespace {

constexpr std::uint32_t kNobody = 0;

}  // namespace

RaceChecker::RaceChecker(const Job& job, const Suspects* only) : job_(job), only_(only), segment_(job) {
  for (const Resource& r : job.resources) resources_.emplace_back(placeBytes(r));
}

Answer RaceChecker::moment(const Moment& moment) {
  std::visit(Cases{[this](const DispatchBegins& e) { beginDispatch(e.env); }, [this](const WorkgroupBegins& e) { beginWorkgroup(e.env); },
                   [this](const BarrierReleased& e) {
                     sync_.barrierReleased(e);
                     referee_.barrier(e.batch, segment_.groupOf(*e.batch.env), e.pc, e.lanes, e.scope);
                   },
                   [this](const FencePassed& e) {
                     sync_.fence(e);
                     referee_.fence(e.batch, segment_.groupOf(*e.batch.env), e.pc, e.lanes);
                   },
                   [](const auto&) {}},
             moment);
  return Answer::kGoOn;
}

void RaceChecker::beginDispatch(const Environment& env) {
  if (!segment_.begin(env)) return;
  for (Shadow& s : resources_) s.clear();
  sync_.clear();
  executions_.assign(1, Executed{});
  since_.assign(1, 0);
  referee_.clear();
}

void RaceChecker::beginWorkgroup(const Environment& env) {
  if (env.slot >= workgroups_.size()) {
    workgroups_.resize(env.slot + 1);
    intervals_.resize(env.slot + 1);
  }
  workgroups_[env.slot].clear();
  intervals_[env.slot].assign(env.program->batches, {});
  sync_.begin(env, segment_.groupOf(env));
}

std::uint32_t RaceChecker::executionOf(const AccessEvent& event, const Means& means) {
  const Executed now = sync_.execution(event.batch, event.pc, means.in);
  Interval& interval = intervals_[event.batch.env->slot][event.batch.index];
  if (interval.number != now.interval) {
    interval.number = now.interval;
    interval.executions.clear();
  }
  for (const auto& [pc, index] : interval.executions)
    if (pc == event.pc) return index;
  executions_.push_back(now);
  since_.push_back(referee_.now());
  interval.executions.emplace_back(event.pc, static_cast<std::uint32_t>(executions_.size() - 1));
  return interval.executions.back().second;
}

Shadow& RaceChecker::shadowOf(const AccessEvent& event, const LaneRun& run) {
  return event.place == Place::kWorkgroup ? workgroups_[event.batch.env->slot] : resources_[run.resource];
}

Answer RaceChecker::access(const AccessEvent& event) {
  if (segment_.cannotRace(event)) return Answer::kGoOn;
  const Means& means = segment_.means(event);
  if (event.kind == AccessKind::kWrite) sync_.overwrite(event);
  if (!only_ || only_->near(event)) look(event, means);
  if (!isAtomic(event.kind)) return Answer::kGoOn;
  sync_.atomic(event, means);
  const Executed now = sync_.execution(event.batch, event.pc, means.in);
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t byte) {
    Referee::Access access = accessOf(now, lane, means, locationOf(event, run, byte));
    access.reads = reads(event.kind);
    access.writes = writes(event.kind);
    referee_.atomic(access);
  });
  return Answer::kGoOn;
}

void RaceChecker::look(const AccessEvent& event, const Means& means) {
  const std::uint32_t execution = executionOf(event, means);
  std::uint64_t values = 0;
  for (const LaneRun& run : event.runs) {
    Shadow& shadow = shadowOf(event, run);
    for (std::uint32_t i = 0; i < run.count; ++i, values += run.size) {
      bool reported = false;
      Now now{event, means, execution, run.lane + i, event.kind, run, values, run.offsetOf(i), &reported};
      if (exchangeMissed(event, now.lane, values, run.size)) now.kind = AccessKind::kAtomicRead;
      shadow.rows(now.byte, run.size, [&](const Shadow::Row& row) {
        for (std::uint64_t k = 0; k < row.count; ++k)
          if (!only_ || only_->has(event.place, run.resource, row.byte + k * row.unit)) use(now, row.cells[row.first + k]);
      });
    }
  }
}

void RaceChecker::use(const Now& now, Cell& cell) {
  if (now.kind == AccessKind::kRead) return read(now, cell);
  isAtomic(now.kind) ? atomic(now, cell) : write(now, cell);
}

// Atomics are later than the last store: the race with them is told first.
void RaceChecker::read(const Now& now, Cell& cell) {
  if (cell.list) against(now, cell.list->atomics, true);
  if (cell.write != kNobody) check(now, cell.write, true);
  if (!cell.list) {
    const auto before = static_cast<std::uint32_t>(cell.read >> 7);
    const bool sameOne = before == now.execution && (cell.read & (kMaxLanes - 1)) == now.lane;
    if (cell.read == kNobody || sameOne || replaces(now, before, static_cast<std::uint32_t>(cell.read & (kMaxLanes - 1)))) {
      cell.read = useOf(now.execution, now.lane);
      return;
    }
  }
  add(now, cell.listed().reads, false);
}

void RaceChecker::write(const Now& now, Cell& cell) {
  if (cell.list) against(now, cell.list->atomics, true);
  if (cell.write != kNobody) check(now, cell.write, true);
  if (cell.list) {
    against(now, cell.list->reads, false);
  } else if (cell.read != kNobody) {
    check(now, cell.read, false);
  }
  cell.drop();
  cell.write = useOf(now.execution, now.lane);
}

void RaceChecker::atomic(const Now& now, Cell& cell) {
  if (cell.write != kNobody) check(now, cell.write, true);
  UseList& list = cell.listed();
  const bool alike = now.means.reach == Reach::kDevice && (list.atomics.empty() || list.reference == now.means.reference);
  if (!list.alike || !alike) against(now, list.atomics, true);
  list.alike = list.alike && alike;
  list.reference = now.means.reference;
  if (!writes(now.kind)) return add(now, list.reads, false);
  against(now, list.reads, false);
  add(now, list.atomics, true);
}

// Whether a later access that races with one read also races with the other.
bool RaceChecker::replaces(const Now& now, std::uint32_t execution, std::uint32_t lane) const {
  const Executed &e = executions_[execution], &self = executions_[now.execution];
  const Means& before = meansOf(e);
  return e.group == self.group && e.batch == self.batch && lane == now.lane && before.reference == now.means.reference &&
         before.nonPrivate == now.means.nonPrivate && !before.atomic && !now.means.atomic;
}

void RaceChecker::add(const Now& now, std::vector<Uses>& to, bool write) {
  const auto place = [&] { return std::ranges::lower_bound(to, now.execution, {}, &Uses::execution); };
  if (const auto own = place(); own != to.end() && own->execution == now.execution) return own->lanes.set(now.lane);
  if (to.size() >= kMostUses) {
    const auto allOrdered = [&](const Uses& uses) {
      for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane)
        if (uses.lanes.test(lane) && !ordered(now, uses.execution, lane, write)) return false;
      return true;
    };
    if (!now.means.atomic) std::erase_if(to, allOrdered);
    // Many at once: each time all are looked at.
    constexpr std::size_t kGone = kMostUses / 8;
    if (to.size() > kMostUses - kGone) {
      const std::size_t gone = to.size() - (kMostUses - kGone);
      to.erase(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(gone));
      forgotten_ += gone;
    }
  }
  to.insert(place(), {now.execution, oneLane(now.lane)});
}

void RaceChecker::against(const Now& now, const std::vector<Uses>& uses, bool write) {
  for (const Uses& u : uses) forLanes(u.lanes, [&](std::uint32_t lane) { check(now, useOf(u.execution, lane), write); });
}

bool RaceChecker::ordered(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write) const {
  const Executed& before = executions_[execution];
  return sync_.orders(now.event.batch, {before, meansOf(before), segment_.program(before.dispatch), lane, write},
                      {executions_[now.execution], now.means, *now.event.batch.env->program, now.lane, writes(now.kind)});
}

void RaceChecker::check(const Now& now, Use use, bool write) {
  const auto execution = static_cast<std::uint32_t>(use >> 7);
  const auto lane = static_cast<std::uint32_t>(use & (kMaxLanes - 1));
  if (*now.reported || (execution == now.execution && lane == now.lane)) return;
  if (ordered(now, execution, lane, write)) {
    if (referee_.samples()) referee(now, execution, lane, write, false);
    return;
  }
  *now.reported = true;
  const Executed& before = executions_[execution];
  const Program& itsProgram = segment_.program(before.dispatch);
  const Program& program = *now.event.batch.env->program;
  const bool equal = write && now.kind == AccessKind::kWrite && equalValues(now, execution, lane);
  // Whichever of the two comes first.
  std::array a{before.dispatch, placeInSource(itsProgram, before.pc), write ? 1u : 0u};
  std::array b{now.event.batch.env->dispatch, placeInSource(program, now.event.pc), writes(now.kind) ? 1u : 0u};
  if (b < a) std::swap(a, b);
  const auto [it, fresh] = raceOf_.try_emplace({a[0], a[1], a[2], b[0], b[1], b[2], now.event.variable}, races_.size());
  if (!fresh) {
    Race& race = races_[it->second];
    ++race.count;
    race.equal = race.equal && equal;
    return;
  }
  tell(now, execution, lane, write, equal);
  referee(now, execution, lane, write, true);
}

Referee::Location RaceChecker::locationOf(const AccessEvent& event, const LaneRun& run, std::uint64_t byte) const {
  const bool own = event.place == Place::kWorkgroup;
  return {own ? job_.resources.size() + segment_.groupOf(*event.batch.env) : run.resource, byte};
}

Referee::Access RaceChecker::accessOf(const Executed& e, std::uint32_t lane, const Means& means, const Referee::Location& at) const {
  return {{e.group, e.batch, lane}, &means, false, false, segment_.program(e.dispatch).subgroupOf({e.batch, lane}), at};
}

void RaceChecker::referee(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write, bool raced) {
  const Executed& before = executions_[execution];
  const Means& its = meansOf(before);
  const Referee::Location at = locationOf(now.event, now.run, now.byte);
  Referee::Access earlier = accessOf(before, lane, its, at), later = accessOf(executions_[now.execution], now.lane, now.means, at);
  earlier.reads = !write || its.atomic;
  earlier.writes = write;
  later.reads = reads(now.kind);
  later.writes = writes(now.kind);
  referee_.judge(earlier, since_[execution], later, raced,
                 fmt::format("{} against {}", now.event.batch.env->program->instructionPlace(now.event.pc).text(),
                             segment_.program(before.dispatch).instructionPlace(before.pc).text()));
}

void RaceChecker::tell(const Now& now, std::uint32_t execution, std::uint32_t lane, bool write, bool equal) {
  const Executed& before = executions_[execution];
  const Means& its = meansOf(before);
  Race r;
  r.first = partyOf(before, lane, its);
  r.first.writes = write;
  r.first.reads = !write || its.atomic;
  r.second = partyOf(executions_[now.execution], now.lane, now.means);
  r.second.writes = writes(now.kind);
  r.second.reads = reads(now.kind);
  r.in = now.means.in;
  r.oneReference = oneReference(its.reference, now.means.reference);
  r.between = sync_.standsBetween(now.event.batch, now.lane, before, r.first.lane, now.means.in);
  r.resource = now.run.resource;
  r.offset = now.byte;
  r.object = placeName(job_, now.event, accessedBy(now.run), now.byte, now.run.size);
  // Behind a pointer that is a value an index is known by its name alone.
  if (now.event.place == Place::kPhysical && r.object.part.find('%') != std::string::npos)
    r.object.part += fmt::format(", byte {} of {}", now.byte, job_.resources[now.run.resource].name);
  r.place = now.event.place == Place::kImage ? levelText(job_.resources[now.run.resource], now.byte) : "";
  const auto bytes = [&](std::span<const std::byte> from) {
    const auto part = from.subspan(now.values, now.run.size);
    return std::vector<std::byte>(part.begin(), part.end());
  };
  r.before = bytes(now.event.before);
  r.after = bytes(now.event.after);
  r.reading = readingOf(now.event, now.run);
  r.equal = equal;
  r.own = (execution != now.execution || equal || isAtomic(now.kind)) && leftItsValue(now);
  races_.push_back(std::move(r));
}

Party RaceChecker::partyOf(const Executed& e, std::uint32_t lane, const Means& means) const {
  Party p;
  p.dispatch = e.dispatch;
  p.pc = e.pc;
  p.workgroup = e.group - segment_.firstGroup(e.dispatch);
  p.lane = Sync::invocationOf(segment_.program(e.dispatch), e.batch, lane);
  p.interval = e.interval;
  p.atomic = means.atomic;
  p.isPrivate = !means.nonPrivate;
  return p;
}

// Whether two stores write the same value. For lanes of one instruction the registers show it; else the bytes that the first one left.
bool RaceChecker::equalValues(const Now& now, std::uint32_t execution, std::uint32_t lane) const {
  if (execution == now.execution && goesTo(now.event, lane, now.byte)) return sameStoredValue(now.event, lane, now.lane);
  return leftItsValue(now) && std::memcmp(now.event.before.data() + now.values, now.event.after.data() + now.values, now.run.size) == 0;
}

// If several lanes of one store write one place, the last one's value stays.
bool RaceChecker::leftItsValue(const Now& now) const {
  if (now.kind != AccessKind::kWrite) return true;
  for (std::uint32_t lane = now.event.batch.width; lane-- > now.lane + 1;)
    if (goesTo(now.event, lane, now.byte)) return sameStoredValue(now.event, lane, now.lane);
  return true;
}

}  // namespace lanewise::race
