#include "model/check/race_sieve.h"

#include <algorithm>

#include "model/check/race_text.h"
#include "model/state/lane_masks.h"

namespace lanewise::race {

struct Sieve::Now {
  const AccessEvent& event;
  const Means& means;
  std::uint32_t kind;  // of kinds_
  AccessKind does;
  Periods& periods;
  Executed at;
  Mark own, since;        // without the lane
  mutable Mark anybody;   // the mark of anybody with the same meaning; without one, of many lanes
  std::uint32_t alike;    // the last period of others with the same meaning; 0: none
  bool commutes = false;  // atomics that race with none of their kind
  std::uint32_t resource = 0;
  HostLevel level{};
  User user() const { return {own, since, anybody, alike, commutes, level}; }
  // The last use that was judged.
  mutable std::uint32_t judged = 0;
  mutable bool judgedWrote = false;
  mutable Verdict verdict = Verdict::kNone;
};

void Sieve::Periods::drop() {
  first = since = next();
  list.clear();
  anybody.clear();
  latest.clear();
}

Sieve::Sieve(const Job& job, HostLevel level) : level_(level), segment_(job), suspects_(job), kindsOf_(job.dispatches.size()) {
  for (const Resource& r : job.resources) resources_.emplace_back(placeBytes(r), placeBitsOf(r.bytes().size(), placeBytes(r)));
}

void Sieve::suspectAll() {
  all_ = true;
  suspects_.addAll();
}

Answer Sieve::moment(const Moment& moment) {
  if (all_) return Answer::kGoOn;
  std::visit(
      Cases{[this](const DispatchBegins& e) { beginDispatch(e.env); }, [this](const WorkgroupBegins& e) { beginWorkgroup(e.env); },
            [this](const WorkgroupEnds& e) { endPhase(groups_[e.env.slot]); }, [this](const BarrierReleased& e) { barrierReleased(e); },
            [this](const FencePassed& e) {
              if (use_.hasAtomics) judgeNoted(groups_[e.batch.env->slot]);
              sync_.fence(e);
            },
            [](const auto&) {}},
      moment);
  return Answer::kGoOn;
}

void Sieve::beginDispatch(const Environment& env) {
  use_ = workgroupUse(*env.program);
  kindsOf_[env.dispatch].assign(env.program->info.size(), 0);
  if (!segment_.begin(env)) return;
  sync_.clear();
  periods_.drop();
  if (periods_.first < kMostPeriods / 2) return;
  for (MarkShadow& r : resources_) r.clear();
  periods_.first = periods_.since = 1;
}

void Sieve::beginWorkgroup(const Environment& env) {
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  Group& g = groups_[env.slot];
  suspectNoted(g);
  g.noted.begin(env.dispatch);
  g.notes = use_.canAge && use_.agesAlone && use_.hasPhases && clean_.areUseful();
  // All of workgroup memory is one page.
  const std::uint32_t words = (env.program->workgroupBytes + 3) / 4;
  if (g.words < words) {
    g.shadow = MarkShadow(4, static_cast<std::uint32_t>(std::bit_width(words)));
    g.words = words;
  }
  g.periods.drop();
  if (g.periods.first >= kMostPeriods / 2) {
    g.shadow.clear();
    g.periods.first = g.periods.since = 1;
  }
  g.phase = 0;
  for (std::vector<Current>& c : g.current) c.clear();
  g.current.resize(env.program->batches);
  sync_.begin(env, segment_.groupOf(env));
}

void Sieve::barrierReleased(const BarrierReleased& at) {
  Group& g = groups_[at.batch.env->slot];
  if (at.scope == spv::Scope::Subgroup)
    judgeNoted(g);
  else
    endPhase(g);
  sync_.barrierReleased(at);
  const std::uint32_t phase = sync_.execution(at.batch, at.pc, kWorkgroupMemory).phase;
  if (phase == g.phase || !use_.canAge || !(use_.agesAlone || sync_.isVisible(at.batch, kWorkgroupMemory))) return;
  g.phase = phase;
  g.periods.since = g.periods.next();
  g.notes = use_.agesAlone && use_.hasPhases && clean_.areUseful();
}

std::uint32_t Sieve::kindOf(const AccessEvent& event, const Means& m) {
  std::uint32_t& kind = kindsOf_[event.batch.env->dispatch][event.pc];
  if (kind != 0) return kind;
  const bool stores = writes(event.kind), loads = !stores;  // for an atomic that does both, its availability is checked
  const auto same = std::find_if(kinds_.begin() + 1, kinds_.end(), [&](const Kind& k) {
    return k.means.in == m.in && k.means.atomic == m.atomic && k.means.nonPrivate == m.nonPrivate && k.means.reach == m.reach &&
           k.means.reference == m.reference && (!stores || !k.stores || k.means.available == m.available) &&
           (!loads || !k.loads || k.means.visible == m.visible);
  });
  kind = static_cast<std::uint32_t>(same - kinds_.begin());
  if (same == kinds_.end()) kinds_.push_back({m, loads, stores});
  Kind& k = kinds_[kind];
  if (stores) k.means.available = m.available;
  if (loads) k.means.visible = m.visible;
  k.stores = k.stores || stores;
  k.loads = k.loads || loads;
  return kind;
}

std::uint32_t Sieve::periodNow(const AccessEvent& event, std::uint32_t kind, const Executed& now, Periods& periods) {
  std::vector<Current>& current = groups_[event.batch.env->slot].current[event.batch.index];
  if (kind >= current.size()) current.resize(kind + 1);
  Current& c = current[kind];
  // Synchronisation does not order private memory.
  if (c.number != 0 && (c.interval == now.interval || !kinds_[kind].means.nonPrivate)) return c.number;
  c = {now.interval, periods.next()};
  if (kind >= periods.latest.size()) periods.latest.resize(kind + 1);
  periods.latest[kind] = {c.number, periods.latest[kind][0]};
  periods.list.push_back({now, kind, false});
  if (periods.next() >= kMostPeriods - 1024) suspectAll();
  return c.number;
}

// 0 if it is of several kinds.
std::uint32_t Sieve::anybody(Periods& periods, std::uint32_t kind, const Now& now) {
  if (kind >= periods.anybody.size()) periods.anybody.resize(kind + 1);
  std::uint32_t& number = periods.anybody[kind];
  if (number >= periods.since) return number;
  number = periods.next();
  periods.list.push_back({now.at, kind, true});
  return number;
}

namespace {

bool isSamePlaces(const LaneRun& a, const LaneRun& b) {
  return !a.list && !b.list && a.offset == b.offset && a.stride == b.stride && a.size == b.size && a.count == b.count &&
         a.resource == b.resource;
}

}  // namespace

Sieve::Verdict Sieve::judge(const Now& now, const Period& before, bool wrote) const {
  const Means &its = kinds_[before.kind].means, &own = now.means;
  const bool one = oneReference(its.reference, own.reference);
  const bool sameGroup = before.anybody ? now.event.place == Place::kWorkgroup : before.at.group == now.at.group;
  const Reach distance = sameGroup ? Reach::kWorkgroup : Reach::kDevice;
  if (its.atomic && own.atomic && one && its.reach >= distance && own.reach >= distance) return Verdict::kAll;
  if (before.anybody) return Verdict::kNone;
  if (!its.nonPrivate || !own.nonPrivate || its.in != own.in || (wrote && !one))
    return sameGroup && before.at.batch == now.at.batch && one ? Verdict::kSame : Verdict::kNone;
  return sameGroup && !wrote && before.at.phase < now.at.phase ? Verdict::kAll : Verdict::kAsk;
}

bool Sieve::isOrdered(const Now& now, Mark before, bool wrote, std::uint32_t lane) const {
  if (before < now.since || before == (now.own | lane)) return true;
  const Period& period = now.periods.of(before);
  if (now.judged != periodOf(before) || now.judgedWrote != wrote) {
    now.judged = periodOf(before);
    now.judgedWrote = wrote;
    now.verdict = judge(now, period, wrote);
  }
  if (now.verdict == Verdict::kAll) return true;
  if (now.verdict == Verdict::kNone || (before & kMany) != 0) return false;
  const std::uint32_t its = before & (kMany - 1);
  if (now.verdict == Verdict::kSame) return its == lane;
  asked_ = true;
  return sync_.orders(now.event.batch, {period.at, kinds_[period.kind].means, segment_.program(period.at.dispatch), its, wrote},
                      {now.at, now.means, *now.event.batch.env->program, lane, writes(now.does)});
}

// The mark of a cell's loads or atomics after one more.
void Sieve::mark(const Now& now, Mark& m, std::uint32_t lane) {
  const Mark own = now.own | lane;
  if (m < now.since || m == own) {
    m = own;
    return;
  }
  if (periodOf(m) == periodOf(own)) {
    m = now.own | kMany;
    return;
  }
  const Period& before = now.periods.of(m);
  const Means& its = kinds_[before.kind].means;
  if (before.anybody && (before.kind == 0 || before.kind == now.kind)) return;
  // A later access that races with the earlier one also races with this one.
  const bool same = !before.anybody && before.at.group == now.at.group && before.at.batch == now.at.batch && (m & (kMany * 2 - 1)) == lane;
  if (same && !its.atomic && !now.means.atomic && its.reference == now.means.reference && its.nonPrivate == now.means.nonPrivate) {
    m = own;
    return;
  }
  const bool alike = before.kind == now.kind;
  m = markOf(anybody(now.periods, alike ? now.kind : 0, now));
  if (alike) now.anybody = m;
}

namespace {

// An access of a page makes marks, and none of periods from `end` on.
void makesMarks(Marks& marks, AccessKind does, std::uint32_t end) {
  KindMarks& own = !writes(does) ? marks.reads : isAtomic(does) ? marks.atomics : marks.writes;
  if (own.all.empty()) own.all.resize(marks.cells);
  own.newest = markOf(end);
}

}  // namespace

void Sieve::look(const Now& now, Marks& marks, std::uint32_t cell, std::uint32_t lane, std::uint64_t byte) {
  bool fine = isOrdered(now, marks.writes.at(cell), true, lane);
  fine = isOrdered(now, marks.atomics.at(cell), true, lane) && fine;
  if (writes(now.does)) fine = isOrdered(now, marks.reads.at(cell), false, lane) && fine;
  if (!fine) suspects_.add(now.event.place, now.resource, byte);
  asked_ = asked_ || !fine;
  makesMarks(marks, now.does, now.periods.next() + 1);  // and one that is made here
  if (!writes(now.does)) {
    mark(now, marks.reads.all[cell], lane);
  } else if (isAtomic(now.does)) {
    mark(now, marks.atomics.all[cell], lane);
  } else {
    marks.writes.all[cell] = now.own | lane;
    marks.reads.forget(cell);
    marks.atomics.forget(cell);
  }
}

// True if all of it was easy and in rows.
bool Sieve::lookAtRow(const Now& now, MarkShadow& shadow, const LaneRun& run) {
  const bool aligned = std::has_single_bit(run.size) && (run.offset & (run.size - 1)) == 0;
  if (isAtomic(now.does) || run.count < 4 || run.list || run.stride != run.size || !aligned) {
    if (!lookAtOne(now, shadow, run)) lookAt(now, shadow, run);
    return false;
  }
  bool easy = true;
  const auto sizeBits = static_cast<std::uint32_t>(std::countr_zero(run.size));
  const std::uint64_t inPage = shadow.pageBytes() - 1;
  for (std::uint32_t i = 0; i < run.count;) {
    const std::uint64_t byte = run.offsetOf(i);
    const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(run.count - i, (inPage + 1 - (byte & inPage)) >> sizeBits));
    if (run.size < shadow.unit()) lookAtLanes(now);  // the page may become one of bytes
    MarkShadow::Page& page = shadow.page(byte, run.size >= shadow.unit());
    const auto unitBits = static_cast<std::uint32_t>(std::countr_zero(page.whole ? shadow.unit() : 1)), shift = sizeBits - unitBits;
    makesMarks(page.cells, now.does, now.periods.next());
    const Row row{page.cells, static_cast<std::uint32_t>((byte & inPage) >> unitBits), lanes << shift, shift, run.lane + i};
    if (!(now.does == AccessKind::kRead ? readRow : writeRow)(row, now.user())) {
      easy = false;
      lookAt(now, shadow, {run.lane + i, lanes, run.resource, run.size, run.stride, byte});
      lookAtLanes(now);
    }
    i += lanes;
  }
  return easy;
}

// Adds a lane at a cell of the same page as those before.
bool Sieve::Lanes::takes(const LaneRun& run) {
  const std::uint64_t at = run.offset - firstByte;
  if (count == 0 || count == kMaxLanes || run.size != unit || at >= bytes || (at & (unit - 1)) != 0 || run.list) return false;
  cells[count] = static_cast<std::uint32_t>(at) >> std::countr_zero(unit);
  lanes[count++] = run.lane;
  return true;
}

template <class At>
void Sieve::lookAtAll(const Now& now, const At& at, std::uint64_t firstByte, std::uint32_t unit) {
  makesMarks(at.marks, now.does, now.periods.next());
  LaneMask hard = firstLanes(at.count);
  if (now.does == AccessKind::kRead) hard = readEach(at, now.user());
  if (now.does == AccessKind::kWrite) hard = writeEach(at, now.user());
  if (isAtomic(now.does) && writes(now.does)) hard = atomicEach(at, now.user());
  forLanes(hard, [&](std::uint32_t i) { look(now, at.marks, at.cell(i), at.lane(i), firstByte + std::uint64_t{at.cell(i)} * unit); });
}

// Handles the lanes that were collected.
void Sieve::lookAtLanes(const Now& now) {
  if (const std::uint32_t count = std::exchange(lanes_.count, 0); count != 0)
    lookAtAll(now, Scattered{*lanes_.marks, lanes_.cells, lanes_.lanes, count}, lanes_.firstByte, lanes_.unit);
}

// Lanes are collected if they are few or have a list.
void Sieve::lookAt(const Now& now, MarkShadow& shadow, const LaneRun& run) {
  const std::uint32_t size = run.size, count = run.count;
  const std::uint64_t first = run.offsetOf(0), inPage = shadow.pageBytes() - 1;
  std::uint64_t low = first | run.stride, apart = first ^ run.offsetOf(count - 1);
  if (run.list)
    for (std::uint32_t i = 0; i < count; ++i) low |= run.list[i], apart |= run.list[i] ^ first;
  const bool aligned = (size & (size - 1)) == 0 && (low & (size - 1)) == 0, whole = ((low | size) & (shadow.unit() - 1)) == 0;
  if (!aligned || apart > inPage) return lookAtEach(now, shadow, run);
  if (!whole) lookAtLanes(now);  // the page may become one of bytes
  MarkShadow::Page& page = shadow.page(first, whole);
  const std::uint32_t unit = page.whole ? shadow.unit() : 1, shift = static_cast<std::uint32_t>(std::countr_zero(unit));
  const std::uint64_t firstByte = first & ~inPage;
  const std::uint32_t start = static_cast<std::uint32_t>(first & inPage) >> shift, step = run.stride >> shift;
  for (std::uint32_t part = 0; part < size >> shift; ++part) {
    if (!run.list && count >= 4 && run.stride >= size) {
      lookAtAll(now, Strided{page.cells, start + part, step, run.lane, count}, firstByte, unit);
      continue;
    }
    if (lanes_.marks != &page.cells || lanes_.count + count > kMaxLanes) lookAtLanes(now);
    std::uint32_t *const at = lanes_.cells + lanes_.count, *const lanes = lanes_.lanes + lanes_.count;
    for (std::uint32_t i = 0; i < count; ++i)
      at[i] = (run.list ? static_cast<std::uint32_t>(run.list[i] & inPage) >> shift : start + i * step) + part;
    for (std::uint32_t i = 0; i < count; ++i) lanes[i] = run.lane + i;
    lanes_.marks = &page.cells;
    lanes_.firstByte = firstByte;
    lanes_.bytes = shadow.pageBytes();
    lanes_.unit = unit;
    lanes_.count += count;
  }
}

// For accesses in several pages, or at offsets that are not a multiple of their size.
void Sieve::lookAtEach(const Now& now, MarkShadow& shadow, const LaneRun& run) {
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const LaneRun one{run.lane + i, 1, run.resource, run.size, 0, run.offsetOf(i)};
    if ((run.size & (run.size - 1)) == 0 && one.offset % run.size == 0) {
      lookAt(now, shadow, one);
      continue;
    }
    lookAtLanes(now);
    shadow.rows(one.offset, one.size, [&](const MarkShadow::Row& row) {
      for (std::uint64_t k = 0; k < row.count; ++k)
        look(now, row.cells, static_cast<std::uint32_t>(row.first + k), one.lane, row.byte + k * row.unit);
    });
  }
}

// All lanes at one cell. False in any other case, or if each lane must be handled by itself.
bool Sieve::lookAtOne(const Now& now, MarkShadow& shadow, const LaneRun& run) {
  if (run.stride != 0 || run.list || run.count < 2 || run.size != shadow.unit() || (run.offset & (run.size - 1)) != 0) return false;
  MarkShadow::Page& page = shadow.page(run.offset, true);
  if (!page.whole) return false;
  makesMarks(page.cells, now.does, now.periods.next());
  const auto cell = static_cast<std::uint32_t>(run.offset & (shadow.pageBytes() - 1)) >> std::countr_zero(run.size);
  if (now.does == AccessKind::kRead) return readOne(page.cells, cell, now.user());
  return isAtomic(now.does) && writes(now.does) && atomicOne(page.cells, cell, now.user());
}

Answer Sieve::access(const AccessEvent& event) {
  if (all_ || segment_.cannotRace(event)) return Answer::kGoOn;
  const bool plain = event.kind == AccessKind::kRead || event.kind == AccessKind::kWrite;
  Group& group = groups_[event.batch.env->slot];
  if (!plain) judgeNoted(group);
  if (plain && group.notes && event.place == Place::kWorkgroup)
    note(event);
  else
    look(event);
  return Answer::kGoOn;
}

void Sieve::look(const AccessEvent& event) {
  const Means& m = segment_.means(event);
  const std::uint32_t kind = kindOf(event, m);
  Group& group = groups_[event.batch.env->slot];
  Periods& periods = event.place == Place::kWorkgroup ? group.periods : periods_;
  const Executed at = sync_.execution(event.batch, event.pc, m.in);
  const Mark own = markOf(periodNow(event, kind, at, periods));
  const std::vector<std::uint32_t>& any = periods.anybody;
  const bool several = kind < any.size() && any[kind] >= periods.since;
  Now now{.event = event,
          .means = m,
          .kind = kind,
          .does = event.kind,
          .periods = periods,
          .at = at,
          .own = own,
          .since = markOf(periods.since),
          .anybody = several ? markOf(any[kind]) : own | kMany,
          .alike = 0,
          .commutes = m.atomic && m.reach >= (event.place == Place::kWorkgroup ? Reach::kWorkgroup : Reach::kDevice),
          .level = level_};
  const auto [last, before] = periods.latest[kind];
  const std::uint32_t other = last == periodOf(own) ? before : last;
  if (other >= periods.since && other != 0) {
    const Executed& its = periods.list[other - periods.first].at;
    if (its.group != at.group || its.batch != at.batch) {
      now.alike = other;
      now.anybody = markOf(anybody(periods, kind, now));
    }
  }
  if (event.kind == AccessKind::kWrite) sync_.overwrite(event);
  std::uint64_t values = 0;
  const LaneRun* easy = nullptr;  // the previous run, if it was easy
  for (std::uint32_t times = 0; const LaneRun& run : event.runs) {
    if (run.resource != now.resource) lookAtLanes(now);
    now.resource = run.resource;
    MarkShadow& shadow = event.place == Place::kWorkgroup ? group.shadow : resources_[run.resource];
    if (event.before.empty() || event.kind != AccessKind::kAtomic) {
      if (run.count == 1 && lanes_.takes(run)) continue;
      const bool again = easy && run.lane > easy->lane && isSamePlaces(run, *easy);
      times = again ? times + 1 : 0;
      // If two groups of lanes were easy readers, so are the others, and they leave the same marks.
      if (times < 2) easy = lookAtRow(now, shadow, run) && now.does == AccessKind::kRead ? &run : nullptr;
      continue;
    }
    for (std::uint32_t i = 0; i < run.count; ++i, values += run.size) {
      now.does = exchangeMissed(event, run.lane + i, values, run.size) ? AccessKind::kAtomicRead : event.kind;
      lookAt(now, shadow, {run.lane + i, 1, run.resource, run.size, 0, run.offsetOf(i)});
      lookAtLanes(now);
    }
  }
  lookAtLanes(now);
  if (isAtomic(event.kind)) sync_.atomic(event, m);
}

}  // namespace lanewise::race
