#include "model/check/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "model/state/lane_masks.h"

namespace lanewise::race {
namespace {

namespace mm = memory_model;

mm::Scope scopeOf(Reach reach) {
  constexpr mm::Scope kScopes[] = {mm::Scope::kNone, mm::Scope::kSubgroup, mm::Scope::kWorkgroup, mm::Scope::kDevice};
  return kScopes[static_cast<std::size_t>(reach)];
}

void setSemantics(mm::Event& e, std::uint32_t mask, bool mayAcquire, bool mayRelease) {
  const Semantics s = semanticsOf(mask);
  e.acquire = s.acquire && mayAcquire && s.classes != 0;
  e.release = s.release && mayRelease && s.classes != 0;
  if (!e.acquire && !e.release) return;
  e.semanticsClasses = s.classes;
  e.semanticsAvailable = s.makesAvailable && e.release;
  e.semanticsVisible = s.makesVisible && e.acquire;
}

mm::Event eventOf(const Referee::Access& a) {
  const Means& m = *a.means;
  mm::Event e;
  e.read = a.reads;
  e.write = a.writes;
  e.atomic = m.atomic;
  e.nonPrivate = m.nonPrivate;
  e.storageClass = m.in;
  e.available = a.writes && (m.atomic || m.available != Reach::kInvocation);
  e.visible = a.reads && (m.atomic || m.visible != Reach::kInvocation);
  e.scope = scopeOf(m.atomic ? m.reach : a.writes ? m.available : m.visible);
  if (m.atomic) setSemantics(e, m.order->semantics, a.reads, a.writes);
  return e;
}

}  // namespace

void Referee::clear() {
  log_.clear();
  full_ = false;
  passed_.clear();
  instances_.clear();
}

void Referee::barrier(const Batch& b, std::uint64_t group, std::uint32_t pc, const LaneMask& lanes, spv::Scope execution) {
  if ((full_ = full_ || log_.size() == kMostLogged)) return;
  const Program& p = *b.env->program;
  std::uint32_t instance = ++nextInstance_;
  if (execution != spv::Scope::Subgroup) {
    const std::uint32_t number = ++passed_[{group, b.index}];
    instance = instances_.try_emplace({group, number}, instance).first->second;
  }
  log_.push_back({Kind::kBarrier,
                  {{group, b.index, 0}, nullptr, false, false, 0, {}},
                  lanes,
                  &p.orders[p.info[pc].order],
                  instance,
                  p.subgroupSize,
                  p.subgroupOf({b.index, 0}),
                  execution == spv::Scope::Subgroup ? 0 : p.invocations});
}

void Referee::fence(const Batch& b, std::uint64_t group, std::uint32_t pc, const LaneMask& lanes) {
  if ((full_ = full_ || log_.size() == kMostLogged)) return;
  const Program& p = *b.env->program;
  log_.push_back({Kind::kFence,
                  {{group, b.index, 0}, nullptr, false, false, 0, {}},
                  lanes,
                  &p.orders[p.info[pc].order],
                  0,
                  p.subgroupSize,
                  p.subgroupOf({b.index, 0}),
                  0});
}

void Referee::atomic(const Access& access) {
  if ((full_ = full_ || log_.size() == kMostLogged)) return;
  log_.push_back({Kind::kAtomic, access, {}, access.means->order, 0, 1, 0, 0});
}

// The events of a pair, in the order in which they ran.
class Referee::Slice {
 public:
  // What another invocation may have known before it did an atomic: of the pair through atomics alone, or through barriers as well.
  enum class Through { kAtomics, kBarriers };

  Slice(const Access& earlier, const Access& later, std::span<const Entry> between, Through through)
      : earlier_(earlier), later_(later), between_(between) {
    gather(through);
  }
  // Empty where the axioms cannot tell.
  std::optional<bool> races() {
    add(eventOf(earlier_), earlier_.by, earlier_.subgroup);
    settle(0, earlier_);
    bool own = earlier_.means->atomic;  // the earlier access is in the log too
    for (const Entry& e : between_) {
      if (program_.events.size() >= mm::kMaxEvents) return {};
      if (e.kind == Kind::kAtomic) {
        if (!wanted_.contains(e.access.by)) continue;
        if (own && e.access.by == earlier_.by && e.access.means == earlier_.means && e.access.at == earlier_.at) {
          own = false;
          continue;
        }
        add(eventOf(e.access), e.access.by, e.access.subgroup);
        settle(last(), e.access);
      } else {
        barrierOrFence(e);
      }
    }
    if (program_.events.size() >= mm::kMaxEvents) return {};
    add(eventOf(later_), later_.by, later_.subgroup);
    settle(last(), later_);
    return answer();
  }

 private:
  std::uint32_t last() const { return static_cast<std::uint32_t>(program_.events.size() - 1); }

  // The invocations that the pair may reach.
  void gather(Through through) {
    wanted_ = {earlier_.by, later_.by};
    std::set<Location> places;
    for (bool grew = true; grew && wanted_.size() <= mm::kMaxEvents;) {
      grew = false;
      for (const Entry& e : between_) {
        if (e.kind != Kind::kAtomic) continue;
        const bool known = wanted_.contains(e.access.by), met = places.contains(e.access.at);
        if (known && !met) grew = places.insert(e.access.at).second;
        if (!known && (met || (through == Through::kBarriers && meetsWanted(e.access.by)))) grew = wanted_.insert(e.access.by).second;
      }
    }
  }

  // Whether it executed a barrier together with one that is wanted.
  bool meetsWanted(const Invocation& by) const {
    std::set<std::uint32_t> instances;
    for (const Entry& e : between_)
      if (e.kind == Kind::kBarrier && e.access.by.group == by.group && e.access.by.batch == by.batch && e.lanes.test(by.lane))
        instances.insert(e.instance);
    return std::ranges::any_of(between_, [&](const Entry& e) {
      return e.kind == Kind::kBarrier && instances.contains(e.instance) && std::ranges::any_of(wanted_, [&](const Invocation& w) {
               return w.group == e.access.by.group && w.batch == e.access.by.batch && e.lanes.test(w.lane);
             });
    });
  }

  void add(mm::Event e, const Invocation& by, std::uint32_t subgroup) {
    e.invocation = numberOf(invocations_, by);
    e.workgroup = numberOf(groups_, by.group);
    e.subgroup = numberOf(subgroups_, std::pair(by.group, subgroup));
    program_.events.push_back(e);
    execution_.readsFrom.push_back(mm::Execution::kInitial);
  }
  template <class Key>
  static std::uint32_t numberOf(std::map<Key, std::uint32_t>& numbers, const Key& key) {
    return numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
  }

  // An access: its location, and for an atomic what it reads.
  void settle(std::uint32_t index, const Access& a) {
    mm::Event& e = program_.events[index];
    const bool ofPair = &a == &earlier_ || &a == &later_;
    const Location at = ofPair ? (earlier_.means->atomic ? earlier_.at : later_.at) : a.at;
    e.location = numberOf(locations_, at);
    e.reference = a.means->reference == kAnyReference ? 0x80000000u + e.location : a.means->reference;
    if (a.means->reference == kAnyReference) any_.insert(e.location);
    if (!e.atomic) return;
    for (std::uint32_t w = 0; w < index; ++w)
      if (const mm::Event& other = program_.events[w]; other.write && other.atomic && other.location == e.location) {
        if (e.read) execution_.readsFrom[index] = static_cast<std::int32_t>(w);
        if (e.write) inTime_.add(w, index);
      }
  }

  void barrierOrFence(const Entry& entry) {
    mm::Event e;
    e.controlBarrier = entry.kind == Kind::kBarrier;
    e.instance = entry.instance;
    e.scope = scopeOf(reachOf(entry.order->scope));
    setSemantics(e, entry.order->semantics, true, true);
    e.fence = e.acquire || e.release;
    if (e.scope == mm::Scope::kNone || (!e.fence && !e.controlBarrier)) return;
    for (std::uint32_t lane = 0; lane < kMaxLanes && program_.events.size() <= mm::kMaxEvents; ++lane) {
      const Invocation by{entry.access.by.group, entry.access.by.batch, lane};
      if (entry.lanes.test(lane) && wanted_.contains(by)) add(e, by, entry.firstSubgroup + lane / entry.lanesPerSubgroup);
    }
  }

  std::optional<bool> answer() {
    if (program_.events.size() > mm::kMaxEvents) return {};
    for (mm::Event& e : program_.events)
      if ((e.read || e.write) && any_.contains(e.location)) e.reference = 0x80000000u + e.location;
    const mm::Relation ordered = mm::mutuallyOrdered(program_);
    for (std::uint32_t a = 0; a <= last(); ++a) execution_.modificationOrder.row(a) = inTime_.row(a) & ordered.row(a);
    const mm::Judgement j = mm::judge(program_, execution_);
    if (!j.wellFormed) return {};
    return std::ranges::find(j.races, std::pair(0u, last())) != j.races.end();
  }

  const Access &earlier_, &later_;
  std::span<const Entry> between_;
  mm::Program program_;
  mm::Execution execution_;
  mm::Relation inTime_;
  std::set<Invocation> wanted_;
  std::set<std::uint32_t> any_;
  std::map<Invocation, std::uint32_t> invocations_;
  std::map<std::uint64_t, std::uint32_t> groups_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> subgroups_;
  std::map<Location, std::uint32_t> locations_;
};

bool Referee::isMissed(std::span<const Entry> between, std::uint64_t group) const {
  std::map<std::uint32_t, std::uint32_t> missing;  // by instance
  for (const Entry& e : between) {
    if (e.invocations == 0 || e.access.by.group != group) continue;
    missing.try_emplace(e.instance, e.invocations).first->second -= laneCount(e.lanes);
  }
  return std::ranges::any_of(missing, [](const auto& m) { return m.second != 0; });
}

void Referee::judge(const Access& earlier, std::size_t since, const Access& later, bool raced, const std::string& where) {
  constexpr std::size_t kMostBetween = 4096;
  const bool fits = !full_ && log_.size() - since <= kMostBetween;
  const std::span<const Entry> between = std::span(log_).subspan(since);
  if (fits && (isMissed(between, earlier.by.group) || isMissed(between, later.by.group))) return;
  const auto judged = [&](Slice::Through through) { return fits ? Slice(earlier, later, between, through).races() : std::nullopt; };
  std::optional<bool> races = judged(Slice::Through::kAtomics);
  if (races && *races && !raced) races = judged(Slice::Through::kBarriers);  // more events can only order more
  if (!races) {
    ++told_.tooLong;
    return;
  }
  ++(raced ? told_.races : told_.silences);
  if (*races != raced)
    told_.disagreements.push_back(
        fmt::format("{}: the checker says {}, the axioms say {}", where, raced ? "race" : "no race", *races ? "race" : "no race"));
}

}  // namespace lanewise::race
