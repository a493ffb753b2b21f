#include "model/check/race_sieve.h"

#include <algorithm>

#include "model/check/race_text.h"

namespace lanewise::race {
namespace {

// What a program does to workgroup memory.
struct WorkgroupUse {
  bool canAge = true, agesAlone = true;
};

WorkgroupUse workgroupUse(const Program& program) {
  WorkgroupUse use;
  std::uint32_t reference = kAnyReference;
  const auto& capabilities = program.module.capabilities;
  const bool mayOverlap = std::ranges::find(capabilities, spv::Capability::WorkgroupMemoryExplicitLayoutKHR) != capabilities.end();
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    if (op != ir::kLoad && op != ir::kStore && op != ir::kAtomic) continue;
    const ir::Access& access = *program.accessOf(pc);
    if (access.space != ir::Space::kWorkgroup) continue;
    const Means m = meansOf(program, pc, Place::kWorkgroup, access.variable);
    const AccessKind kind = op == ir::kLoad    ? AccessKind::kRead
                            : op == ir::kStore ? AccessKind::kWrite
                                               : atomicKind(static_cast<spv::Op>(program.codeOf(pc)));
    const bool several = mayOverlap && !oneReference(reference, m.reference);
    if (m.reference != kAnyReference) reference = m.reference;
    use.canAge = use.canAge && m.nonPrivate && !several;
    use.agesAlone = use.agesAlone && (writes(kind) ? m.available : m.visible) >= Reach::kWorkgroup;
  }
  return use;
}

// A row of cells side by side, 1 << shift of them a lane. `first`: the mark of the first lane.
struct Row {
  Mark *writes, *reads;
  std::uint32_t count, shift;
  Mark first, since;
};

// Nobody has used them since, or each the lane that does now, and loads besides by this period or, where `anybody` is a mark, anybody.
bool readRow(const Row& row, Mark anybody) {
  const auto [writes, reads, count, shift, first, since] = row;
  const std::uint32_t period = periodOf(first);
  std::uint32_t hard = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Mark w = writes[i], r = reads[i], own = first + (i >> shift);
    hard |= static_cast<std::uint32_t>((w >= since) & (w != own)) |
            static_cast<std::uint32_t>((r >= since) & (periodOf(r) != period) & (r != anybody));
  }
  if (hard != 0) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Mark r = reads[i], own = first + (i >> shift);
    const Mark other = r == anybody ? anybody : markOf(period) | kMany;
    reads[i] = (r < since) | (r == own) ? own : other;
  }
  return true;
}

bool writeRow(const Row& row) {
  const auto [writes, reads, count, shift, first, since] = row;
  std::uint32_t hard = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Mark w = writes[i], r = reads[i], own = first + (i >> shift);
    hard |= static_cast<std::uint32_t>((w >= since) & (w != own)) | static_cast<std::uint32_t>((r >= since) & (r != own));
  }
  if (hard != 0) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    writes[i] = first + (i >> shift);
    reads[i] = 0;
  }
  return true;
}

// Whether atomics have used a cell.
inline bool used(const Cells::Page& page, std::uint32_t cell, Mark since) {
  return !page.atomics.empty() && page.atomics[cell] >= since;
}

bool used(const Cells::Page& page, std::uint32_t cell, const Row& row) {
  if (page.atomics.empty()) return false;
  std::uint32_t any = 0;
  for (std::uint32_t i = 0; i < row.count; ++i) any |= static_cast<std::uint32_t>(page.atomics[cell + i] >= row.since);
  return any != 0;
}

// The same for one cell.
inline bool plainRead(Mark w, Mark& r, Mark own, Mark since, Mark anybody) {
  if ((w >= since && w != own) || (r >= since && periodOf(r) != periodOf(own) && r != anybody)) return false;
  if (r != anybody) r = r < since || r == own ? own : markOf(periodOf(own)) | kMany;
  return true;
}

inline bool plainWrite(Mark& w, Mark& r, Mark own, Mark since) {
  if ((w >= since && w != own) || (r >= since && r != own)) return false;
  w = own;
  r = 0;
  return true;
}

// Nobody has stored or read plainly since, and all atomics since are of one kind, which race with none of theirs.
inline bool plainAtomic(Mark w, Mark r, Mark& a, Mark own, Mark since, Mark anybody, bool commute) {
  if (w >= since || r >= since || (a >= since && (!commute || (a != anybody && periodOf(a) != periodOf(own))))) return false;
  if (a != anybody) a = a < since || a == own ? own : markOf(periodOf(own)) | kMany;
  return true;
}

}  // namespace

Cells::Page& Cells::make(std::uint64_t number, bool whole) {
  if (number >= pages_.size()) pages_.resize(number + 1);
  std::unique_ptr<Page>& p = pages_[number];
  const std::size_t cells = whole ? kPage : std::size_t{kPage} << shift_;
  if (!p) {
    p = std::make_unique<Page>(Page{whole, std::vector<Mark>(cells), std::vector<Mark>(cells), {}});
    return *p;
  }
  // From places to bytes: each byte has been used as its place was.
  const auto spread = [&](const std::vector<Mark>& places) {
    std::vector<Mark> bytes(places.empty() ? 0 : cells);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = places[i >> shift_];
    return bytes;
  };
  *p = {false, spread(p->writes), spread(p->reads), spread(p->atomics)};
  return *p;
}

struct Sieve::Now {
  const AccessEvent& event;
  const Means& means;
  std::uint32_t kind;  // of kinds_
  AccessKind does;
  Periods& periods;
  Execution at;
  Mark own, since;        // without a lane
  Mark anybody;           // the mark of anybody who means the same; where there is none, of many lanes
  bool commutes = false;  // atomics that race with none of their kind
  std::uint32_t resource = 0;
  // The last that was judged.
  mutable std::uint32_t judged = 0;
  mutable bool judgedWrote = false;
  mutable Verdict verdict = Verdict::kNone;
};

void Sieve::Periods::drop() {
  first = since = next();
  list.clear();
  anybody.clear();
}

Sieve::Sieve(const Job& job) : job_(job), segment_(job), suspects_(job), kindsOf_(job.dispatches.size()) {
  for (const Resource& r : job.resources) cells_.emplace_back(placeBytes(r));
}

void Sieve::suspectAll() {
  all_ = true;
  suspects_.addAll();
}

Answer Sieve::moment(const Moment& moment) {
  if (all_) return Answer::kGoOn;
  std::visit(
      Cases{[this](const DispatchBegins& e) { beginDispatch(e.env); }, [this](const WorkgroupBegins& e) { beginWorkgroup(e.env); },
            [this](const BarrierReleased& e) { barrierReleased(e); }, [this](const FencePassed& e) { sync_.fence(e); }, [](const auto&) {}},
      moment);
  return Answer::kGoOn;
}

void Sieve::beginDispatch(const Environment& env) {
  const WorkgroupUse use = workgroupUse(*env.program);
  groupsCanAge_ = use.canAge;
  groupsAgeAlone_ = use.agesAlone;
  kindsOf_[env.dispatch].assign(env.program->info.size(), 0);
  if (!segment_.begin(env)) return;
  sync_.clear();
  periods_.drop();
  if (periods_.first < kMostPeriods / 2) return;
  for (Cells& c : cells_) c.clear();
  periods_.first = periods_.since = 1;
}

void Sieve::beginWorkgroup(const Environment& env) {
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  Group& g = groups_[env.slot];
  g.periods.drop();
  if (g.periods.first >= kMostPeriods / 2) {
    g.cells.clear();
    g.periods.first = g.periods.since = 1;
  }
  g.phase = 0;
  for (std::vector<Current>& c : g.current) c.clear();
  g.current.resize(env.program->batches);
  sync_.begin(env, segment_.groupOf(env));
}

void Sieve::barrierReleased(const BarrierReleased& at) {
  sync_.barrierReleased(at);
  Group& g = groups_[at.batch.env->slot];
  const std::uint32_t phase = sync_.execution(at.batch, at.pc, kWorkgroupMemory).phase;
  if (phase == g.phase || !groupsCanAge_ || !(groupsAgeAlone_ || sync_.isVisible(at.batch, kWorkgroupMemory))) return;
  g.phase = phase;
  g.periods.since = g.periods.next();
}

std::uint32_t Sieve::kindOf(const AccessEvent& event, const Means& m) {
  std::uint32_t& kind = kindsOf_[event.batch.env->dispatch][event.pc];
  if (kind != 0) return kind;
  const bool stores = writes(event.kind), loads = !stores;  // an atomic that does both is asked what it made available
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

std::uint32_t Sieve::periodNow(const AccessEvent& event, std::uint32_t kind, Group& group, Periods& periods) {
  std::vector<Current>& current = group.current[event.batch.index];
  if (kind >= current.size()) current.resize(kind + 1);
  Current& c = current[kind];
  const Execution now = sync_.execution(event.batch, event.pc, kinds_[kind].means.in);
  // What is private, no synchronisation orders.
  if (c.number != 0 && (c.interval == now.interval || !kinds_[kind].means.nonPrivate)) return c.number;
  c = {now.interval, periods.next()};
  periods.list.push_back({now, kind, false});
  if (periods.next() >= kMostPeriods - 1024) suspectAll();
  return c.number;
}

// 0: of several kinds.
std::uint32_t Sieve::anybody(Periods& periods, std::uint32_t kind, const Now& now) {
  if (kind >= periods.anybody.size()) periods.anybody.resize(kind + 1);
  std::uint32_t& number = periods.anybody[kind];
  if (number >= periods.since) return number;
  number = periods.next();
  periods.list.push_back({now.at, kind, true});
  return number;
}

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
  return sync_.orders(now.event.batch, {period.at, kinds_[period.kind].means, segment_.program(period.at.dispatch), its, wrote},
                      {now.at, now.means, *now.event.batch.env->program, lane, writes(now.does)});
}

// The mark of the loads or of the atomics of a cell, with one more.
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
  // What the earlier one would race with, this one would too.
  const bool same = !before.anybody && before.at.group == now.at.group && before.at.batch == now.at.batch && (m & (kMany * 2 - 1)) == lane;
  if (same && !its.atomic && !now.means.atomic && its.reference == now.means.reference && its.nonPrivate == now.means.nonPrivate)
    m = own;
  else
    m = markOf(anybody(now.periods, before.kind == now.kind ? now.kind : 0, now));
}

void Sieve::look(const Now& now, Cells::Page& page, std::uint32_t cell, std::uint32_t lane, std::uint64_t byte) {
  bool fine = isOrdered(now, page.writes[cell], true, lane);
  if (isAtomic(now.does) && page.atomics.empty()) page.atomics.resize(page.writes.size());
  if (!page.atomics.empty()) fine = isOrdered(now, page.atomics[cell], true, lane) && fine;
  if (writes(now.does)) fine = isOrdered(now, page.reads[cell], false, lane) && fine;
  if (!fine) suspects_.add(now.event.place, now.resource, byte);
  if (!writes(now.does)) {
    mark(now, page.reads[cell], lane);
  } else if (isAtomic(now.does)) {
    mark(now, page.atomics[cell], lane);
  } else {
    page.writes[cell] = now.own | lane;
    page.reads[cell] = 0;
    if (!page.atomics.empty()) page.atomics[cell] = 0;
  }
}

// Lanes side by side, of whole cells. False where somebody has to look at each.
bool Sieve::lookAtRow(const Now& now, Cells& cells, const LaneRun& run) {
  const bool aligned = std::has_single_bit(run.size) && run.offset % run.size == 0;
  if (isAtomic(now.does) || run.count < 4 || run.list || run.stride != run.size || !aligned) return false;
  for (std::uint32_t i = 0; i < run.count;) {
    const std::uint64_t byte = run.offsetOf(i), pageBytes = cells.pageBytes();
    const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(run.count - i, (pageBytes - byte % pageBytes) / run.size));
    Cells::Page& page = cells.page(cells.pageOf(byte), run.size >= cells.unit());
    const std::uint32_t unit = page.whole ? cells.unit() : 1, cell = static_cast<std::uint32_t>(byte % pageBytes / unit);
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(run.size / unit));
    const Row row{&page.writes[cell], &page.reads[cell], lanes << shift, shift, now.own | (run.lane + i), now.since};
    if (used(page, cell, row) || !(now.does == AccessKind::kRead ? readRow(row, now.anybody) : writeRow(row)))
      lookAt(now, cells, {run.lane + i, lanes, run.resource, run.size, run.stride, byte});
    i += lanes;
  }
  return true;
}

void Sieve::lookAt(const Now& now, Cells& cells, const LaneRun& run) {
  const auto each = [&](std::uint32_t i) {
    cells.each(run.offsetOf(i), run.size,
               [&](Cells::Page& page, std::uint32_t cell, std::uint64_t byte) { look(now, page, cell, run.lane + i, byte); });
  };
  bool two = !run.list && run.stride == 0 && run.count > 2;
  if (two)  // all at one place, which nobody has used: two of them make it many
    cells.each(run.offset, run.size, [&](Cells::Page& page, std::uint32_t cell, std::uint64_t) {
      two =
          two && page.writes[cell] < now.since && (!writes(now.does) || page.reads[cell] < now.since) &&
          (page.atomics.empty() || page.atomics[cell] < now.since || judge(now, now.periods.of(page.atomics[cell]), true) == Verdict::kAll);
    });
  if (two) {
    each(0);
    return each(run.count - 1);
  }
  const auto cell = [&](auto isPlain) {
    Cells::Page* page = nullptr;
    std::uint64_t number = 0;
    std::uint32_t unit = 1;  // bytes of a cell
    const std::uint32_t inPage = static_cast<std::uint32_t>(cells.pageBytes()) - 1;
    const LaneRun own = run;
    for (std::uint32_t i = 0; i < own.count; ++i) {
      const std::uint64_t byte = own.offsetOf(i);
      if (const std::uint64_t its = cells.pageOf(byte); page == nullptr || its != number) {
        number = its;
        page = &cells.page(number, ((byte | own.size) & (cells.unit() - 1)) == 0);
        unit = page->whole ? cells.unit() : 1;
      }
      const std::uint32_t lane = own.lane + i, at = static_cast<std::uint32_t>(byte) & inPage, n = at >> std::countr_zero(unit);
      if (own.size != unit || (at & (unit - 1)) != 0) {
        each(i);
        page = nullptr;  // it may have become one of bytes
      } else if (!isPlain(*page, n, lane))
        look(now, *page, n, lane, byte);
    }
  };
  const Mark mine = now.own, since = now.since, anybody = now.anybody;
  if (now.does == AccessKind::kRead)
    return cell([=](Cells::Page& page, std::uint32_t n, std::uint32_t lane) {
      return !used(page, n, since) && plainRead(page.writes[n], page.reads[n], mine | lane, since, anybody);
    });
  if (now.does == AccessKind::kWrite)
    return cell([=](Cells::Page& page, std::uint32_t n, std::uint32_t lane) {
      return !used(page, n, since) && plainWrite(page.writes[n], page.reads[n], mine | lane, since);
    });
  const bool commutes = now.commutes, stores = writes(now.does);
  cell([=](Cells::Page& page, std::uint32_t n, std::uint32_t lane) {
    return stores && !page.atomics.empty() &&
           plainAtomic(page.writes[n], page.reads[n], page.atomics[n], mine | lane, since, anybody, commutes);
  });
}

Answer Sieve::access(const AccessEvent& event) {
  if (all_ || segment_.cannotRace(event)) return Answer::kGoOn;
  const Means& m = segment_.means(event);
  const std::uint32_t kind = kindOf(event, m);
  Group& group = groups_[event.batch.env->slot];
  Periods& periods = event.place == Place::kWorkgroup ? group.periods : periods_;
  const Mark own = markOf(periodNow(event, kind, group, periods));
  const std::vector<std::uint32_t>& any = periods.anybody;
  const bool several = kind < any.size() && any[kind] >= periods.since;
  Now now{.event = event,
          .means = m,
          .kind = kind,
          .does = event.kind,
          .periods = periods,
          .at = sync_.execution(event.batch, event.pc, m.in),
          .own = own,
          .since = markOf(periods.since),
          .anybody = several ? markOf(any[kind]) : own | kMany,
          .commutes = m.atomic && m.reach >= (event.place == Place::kWorkgroup ? Reach::kWorkgroup : Reach::kDevice)};
  if (event.kind == AccessKind::kWrite) sync_.overwrite(event);
  std::uint64_t values = 0;
  for (const LaneRun& run : event.runs) {
    now.resource = run.resource;
    Cells& cells = event.place == Place::kWorkgroup ? group.cells : cells_[run.resource];
    if (event.before.empty() || event.kind != AccessKind::kAtomic) {
      if (!lookAtRow(now, cells, run)) lookAt(now, cells, run);
      continue;
    }
    for (std::uint32_t i = 0; i < run.count; ++i, values += run.size) {
      now.does = exchangeMissed(event, run.lane + i, values, run.size) ? AccessKind::kAtomicRead : event.kind;
      lookAt(now, cells, {run.lane + i, 1, run.resource, run.size, 0, run.offsetOf(i)});
    }
  }
  if (isAtomic(event.kind)) sync_.atomic(event, m);
  return Answer::kGoOn;
}

}  // namespace lanewise::race
