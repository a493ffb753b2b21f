#include "model/check/memory_model.h"

#include <bit>

namespace lanewise::memory_model {
namespace {

using Set = std::uint64_t;

Set bit(std::uint32_t e) {
  return Set{1} << e;
}

Relation operator|(const Relation& a, const Relation& b) {
  Relation r;
  for (std::uint32_t i = 0; i < kMaxEvents; ++i) r.row(i) = a.row(i) | b.row(i);
  return r;
}
Relation operator&(const Relation& a, const Relation& b) {
  Relation r;
  for (std::uint32_t i = 0; i < kMaxEvents; ++i) r.row(i) = a.row(i) & b.row(i);
  return r;
}
Relation operator-(const Relation& a, const Relation& b) {
  Relation r;
  for (std::uint32_t i = 0; i < kMaxEvents; ++i) r.row(i) = a.row(i) & ~b.row(i);
  return r;
}
// First a, then b.
Relation operator*(const Relation& a, const Relation& b) {
  Relation r;
  for (std::uint32_t i = 0; i < kMaxEvents; ++i)
    for (Set left = a.row(i); left != 0; left &= left - 1) r.row(i) |= b.row(static_cast<std::uint32_t>(std::countr_zero(left)));
  return r;
}
Relation inverse(const Relation& a) {
  Relation r;
  for (std::uint32_t i = 0; i < kMaxEvents; ++i)
    for (Set left = a.row(i); left != 0; left &= left - 1) r.add(static_cast<std::uint32_t>(std::countr_zero(left)), i);
  return r;
}
Relation bothWays(const Relation& a) {
  return a | inverse(a);
}
Relation closure(Relation a) {
  for (std::uint32_t k = 0; k < kMaxEvents; ++k)
    for (std::uint32_t i = 0; i < kMaxEvents; ++i)
      if (a.has(i, k)) a.row(i) |= a.row(k);
  return a;
}
// Only those next to one another in a transitive relation.
Relation immediate(const Relation& a) {
  return a - a * closure(a);
}
Relation same(Set s) {
  Relation r;
  for (; s != 0; s &= s - 1) r.add(static_cast<std::uint32_t>(std::countr_zero(s)), static_cast<std::uint32_t>(std::countr_zero(s)));
  return r;
}
Relation product(Set a, Set b) {
  Relation r;
  for (; a != 0; a &= a - 1) r.row(static_cast<std::uint32_t>(std::countr_zero(a))) = b;
  return r;
}

// The sets and relations that a program has before anything runs.
struct Static {
  const Program& p;
  const Rules& rules;
  std::uint32_t n = 0;
  Set all = 0, read = 0, write = 0, atomic = 0, fence = 0, barrier = 0, acquire = 0, release = 0, nonPrivate = 0;
  Set makesAvailable = 0, makesVisible = 0;          // per access or by semantics
  Set availableAccess = 0, visibleAccess = 0;        // per access
  Set semanticsAvailable = 0, semanticsVisible = 0;  // by semantics
  Set deviceAvailability = 0, deviceVisibility = 0;
  Set inClass[kClasses] = {}, semantics[kClasses] = {};
  Set atLeast[5] = {};  // by Scope: this scope or a greater one
  Relation identity, order, invocation, subgroup, workgroup, queueFamily, location, reference, inScope, mutuallyOrdered, instances,
      madeAvailable, madeVisible, availableOnward, visibleOnward, system;
  bool wellFormed = true;

  Static(const Program& program, const Rules& r) : p(program), rules(r), n(static_cast<std::uint32_t>(program.events.size())) {
    for (std::uint32_t e = 0; e < n; ++e) sort(e);
    identity = same(all);
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = 0; b < n; ++b) relate(a, b);
    for (const auto& [a, b] : p.systemSynchronizes) system.add(a, b);
    scopes();
    inclusion();
    wellFormed = wellFormed && ((order * instances * order) & instances).empty() && (instances & bothWays(order)).empty();
  }

  void sort(std::uint32_t e) {
    const Event& v = p.events[e];
    const Set b = bit(e);
    const auto put = [b](Set& set, bool in) { set |= in ? b : 0; };
    all |= b;
    put(read, v.read);
    put(write, v.write);
    put(atomic, v.atomic);
    put(fence, v.fence);
    put(barrier, v.controlBarrier);
    put(acquire, v.acquire);
    put(release, v.release);
    put(nonPrivate, (v.read || v.write) && (v.nonPrivate || rules.privateIsNonPrivate));
    put(availableAccess, v.available);
    put(visibleAccess, v.visible);
    put(semanticsAvailable, v.semanticsAvailable);
    put(semanticsVisible, v.semanticsVisible);
    put(deviceAvailability, v.deviceAvailability);
    put(deviceVisibility, v.deviceVisibility);
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      put(inClass[c], (v.read || v.write) && v.storageClass == c);
      put(semantics[c], rules.ignoreStorageClasses ? v.semanticsClasses != 0 : (v.semanticsClasses >> c & 1) != 0);
    }
    const Scope scope = rules.ignoreScopes && v.scope != Scope::kNone ? Scope::kDevice : v.scope;
    for (std::uint32_t s = 0; s < 5; ++s) put(atLeast[s], static_cast<std::uint32_t>(scope) >= s);
    check(v);
  }

  // What every program keeps to.
  void check(const Event& v) {
    const bool access = v.read || v.write;
    const auto must = [this](bool holds) { wellFormed = wellFormed && holds; };
    must(!(access && (v.fence || v.controlBarrier)));
    must(!v.atomic || access);
    must(!(v.read && v.write) || v.atomic);
    must(!v.acquire || (v.read && v.atomic) || v.fence);
    must(!v.release || (v.write && v.atomic) || v.fence);
    must(!v.fence || v.acquire || v.release);
    must((v.acquire || v.release) == (v.semanticsClasses != 0));
    must(!v.semanticsAvailable || v.release);
    must(!v.semanticsVisible || v.acquire);
    must(!(v.atomic || v.fence || v.controlBarrier) || v.scope != Scope::kNone);
    must(!v.available || v.write);
    must(!v.visible || v.read);
  }

  void relate(std::uint32_t a, std::uint32_t b) {
    const Event& x = p.events[a];
    const Event& y = p.events[b];
    const auto put = [a, b](Relation& r, bool in) {
      if (in) r.add(a, b);
    };
    const bool accesses = (x.read || x.write) && (y.read || y.write);
    put(invocation, x.invocation == y.invocation);
    put(order, x.invocation == y.invocation && a < b);
    put(subgroup, x.subgroup == y.subgroup);
    put(workgroup, x.workgroup == y.workgroup);
    put(queueFamily, x.queueFamily == y.queueFamily);
    put(location, accesses && x.location == y.location);
    put(reference, accesses && (x.reference == y.reference || (rules.ignoreReferences && x.location == y.location)));
    put(instances, x.controlBarrier && y.controlBarrier && x.instance == y.instance);
    if (x.controlBarrier && y.controlBarrier && x.instance == y.instance)
      wellFormed =
          wellFormed && x.scope == y.scope && x.acquire == y.acquire && x.release == y.release && x.semanticsClasses == y.semanticsClasses;
  }

  Set scopeAtLeast(Scope s) const { return atLeast[static_cast<std::size_t>(s)]; }

  // Two operations are in scope of one another if both reach an instance of a scope that has both.
  void scopes() {
    const auto both = [this](Scope s) { return product(scopeAtLeast(s), scopeAtLeast(s)); };
    inScope = both(Scope::kDevice) | (queueFamily & both(Scope::kQueueFamily)) | (workgroup & both(Scope::kWorkgroup)) |
              (subgroup & both(Scope::kSubgroup));
    mutuallyOrdered = (location & reference & product(atomic, atomic) & inScope) - identity;
    makesAvailable = availableAccess | semanticsAvailable;
    makesVisible = visibleAccess | semanticsVisible;
  }

  // (access, operation): which accesses an availability or a visibility operation includes: one of the device all; one by semantics the
  // storage classes that they name, but not itself; one of an access that access and those of its reference and location. An atomic may be
  // both, and neither makes the other wider.
  void inclusion() {
    const auto included = [this](Set device, Set bySemantics, Set byAccess) {
      Relation r;
      for (std::uint32_t c = 0; c < kClasses; ++c) r = r | product(inClass[c], device | (bySemantics & semantics[c]));
      return (r - identity) | (reference & location) * same(byAccess);
    };
    madeAvailable = included(deviceAvailability, semanticsAvailable, availableAccess);
    madeVisible = included(deviceVisibility, semanticsVisible, visibleAccess);
    // From one operation of a chain to the next: an access that it includes, or another by semantics that name a class of its own. Khronos'
    // formal statement has the first alone; the appendix asks for no access in between.
    availableOnward = madeAvailable;
    visibleOnward = inverse(madeVisible);
    for (const Set named : semantics) {
      availableOnward = availableOnward | product(semanticsAvailable & named, semanticsAvailable & named);
      visibleOnward = visibleOnward | product(semanticsVisible & named, semanticsVisible & named);
    }
  }
};

// Everything that follows once reads and atomics are settled.
class Judge {
 public:
  Judge(const Static& statics, const Execution& execution) : s_(statics), x_(execution) {
    for (std::uint32_t e = 0; e < s_.n; ++e) {
      if (!(s_.read & bit(e))) continue;
      if (x_.readsFrom[e] == Execution::kInitial)
        readsInitial_ |= bit(e);
      else
        readsFrom_.add(static_cast<std::uint32_t>(x_.readsFrom[e]), e);
    }
  }

  Judgement run() {
    Judgement j;
    j.wellFormed = true;
    j.releaseSequence = sequences(s_.release & s_.atomic);
    j.synchronizesWith = synchronizes(j.releaseSequence);
    hb_ = happensBefore(j.synchronizesWith);
    j.happensBefore = hb_;
    j.locationOrder = locationOrder();
    // A read stands before every write that follows the one it got its value from.
    const Relation laterWrite = x_.modificationOrder | same(s_.write) * j.locationOrder * same(s_.write);
    const Relation fromRead = (inverse(readsFrom_) * laterWrite | same(readsInitial_) * s_.location * same(s_.write)) - s_.identity;
    j.consistent = (j.locationOrder | readsFrom_ | fromRead | x_.modificationOrder).acyclic(s_.n);
    const Relation conflicts = s_.location & (product(s_.write, s_.write) | product(s_.write, s_.read) | product(s_.read, s_.write));
    const Relation race = conflicts - s_.mutuallyOrdered - (s_.invocation & s_.reference) - bothWays(j.locationOrder);
    for (std::uint32_t a = 0; a < s_.n; ++a)
      for (std::uint32_t b = a + 1; b < s_.n; ++b)
        if (race.has(a, b)) j.races.emplace_back(a, b);
    return j;
  }

 private:
  // A release, or a write that a fence before it would release, and the read-modify-writes that directly follow it.
  Relation sequences(Set heads) const {
    Relation step = immediate(x_.modificationOrder) * same(s_.read & s_.write);
    if (s_.rules.noReleaseSequences) step = {};
    return same(heads) * (closure(step) | s_.identity);
  }

  // A fence works through an atomic whose storage class its semantics name.
  Relation throughAtomic(bool fenceFirst) const {
    Relation r;
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      const Set accesses = s_.rules.fencePairsThroughAnyAtomic ? s_.atomic : s_.inClass[c];
      r = r | (fenceFirst ? product(s_.semantics[c], accesses) : product(accesses, s_.semantics[c]));
    }
    return s_.order & r;
  }

  Relation synchronizes(const Relation& releaseSequence) const {
    const Set releaseFence = s_.release & s_.fence, acquireFence = s_.acquire & s_.fence;
    const Relation reads = readsFrom_ & s_.mutuallyOrdered;
    const Relation fromAtomic = releaseSequence * reads;
    const Relation fromFence =
        same(releaseFence) * throughAtomic(true) * same(s_.atomic & s_.write) * sequences(s_.write & s_.atomic) * reads;
    const Relation toFence = same(s_.atomic & s_.read) * throughAtomic(false) * same(acquireFence);
    const Relation toAtomic = same(s_.acquire & s_.atomic);
    const Relation maybeOrder = s_.order | s_.identity;
    const Relation met = same(s_.barrier) * ((s_.instances & s_.inScope) - s_.identity) * same(s_.barrier);
    Relation barriers = same(releaseFence) * maybeOrder * met * maybeOrder * same(acquireFence);
    const Relation sw = fromAtomic * toAtomic | fromFence * toAtomic | fromAtomic * toFence | fromFence * toFence | barriers;
    return (s_.inScope & sw) | (s_.rules.barriersSynchronizeAlways ? met : Relation{});
  }

  // For every set of storage classes: synchronizes-with where both sides name them all, with what stands before the release and behind the
  // acquire in program order. Not closed over different sets, nor with program order.
  Relation happensBefore(const Relation& synchronizesWith) const {
    Relation hb = s_.order;
    for (std::uint32_t classes = 1; classes < 1u << kClasses; ++classes) {
      Set named = s_.all, accesses = 0;
      for (std::uint32_t c = 0; c < kClasses; ++c) {
        if (!(classes >> c & 1)) continue;
        named &= s_.semantics[c];
        accesses |= s_.inClass[c];
      }
      const Set here = accesses | named;
      hb = hb | closure(s_.system | same(named) * synchronizesWith * same(named) |
                        (s_.rules.barriersSynchronizeAlways ? synchronizesWith | s_.order : Relation{}) |
                        same(here) * s_.order * same(s_.release & named) | same(s_.acquire & named) * s_.order * same(here));
    }
    return s_.rules.transitive ? closure(hb) : hb;
  }

  // Made available (or visible) to the instance of a scope, by a chain of operations of growing scope.
  struct Chains {
    Relation subgroup, workgroup, queueFamily, shader;
  };
  Relation optional(const Relation& r) const { return r | s_.identity; }
  Relation allowed(const Relation& r) const { return s_.rules.noChains ? r & s_.identity : r; }

  Chains availability() const {
    const Relation within = hb_ & s_.availableOnward;
    Chains c;
    c.subgroup = same(s_.makesAvailable);
    const Relation bySubgroup = optional(c.subgroup * (within & s_.subgroup));
    c.workgroup = allowed(bySubgroup) * same(s_.makesAvailable & s_.scopeAtLeast(Scope::kWorkgroup));
    const Relation byWorkgroup = optional(c.workgroup * (within & s_.workgroup));
    c.queueFamily = allowed(bySubgroup * byWorkgroup) * same(s_.makesAvailable & s_.scopeAtLeast(Scope::kQueueFamily));
    const Relation byFamily = optional(c.queueFamily * (within & s_.queueFamily));
    c.shader = allowed(bySubgroup * byWorkgroup * byFamily) * same(s_.makesAvailable & s_.scopeAtLeast(Scope::kDevice));
    return c;
  }

  Chains visibility() const {
    const Relation within = hb_ & s_.visibleOnward;
    Chains c;
    c.subgroup = same(s_.makesVisible);
    const Relation bySubgroup = optional((within & s_.subgroup) * c.subgroup);
    c.workgroup = same(s_.makesVisible & s_.scopeAtLeast(Scope::kWorkgroup)) * allowed(bySubgroup);
    const Relation byWorkgroup = optional((within & s_.workgroup) * c.workgroup);
    c.queueFamily = same(s_.makesVisible & s_.scopeAtLeast(Scope::kQueueFamily)) * allowed(byWorkgroup * bySubgroup);
    const Relation byFamily = optional((within & s_.queueFamily) * c.queueFamily);
    c.shader = same(s_.makesVisible & s_.scopeAtLeast(Scope::kDevice)) * allowed(byFamily * byWorkgroup * bySubgroup);
    return c;
  }

  Relation locationOrder() const {
    const Set reads = s_.read & s_.nonPrivate, writes = s_.write & s_.nonPrivate;
    const Relation system = closure(s_.system);
    const Chains av = availability(), vis = visibility();
    const Relation write = same(writes) * (optional(s_.order) & s_.madeAvailable);
    const Relation read = (optional(s_.order) & inverse(s_.madeVisible)) * same(reads);
    // To a write that the first write is available for, and to a read that it is visible to.
    const auto through = [&](const Relation& a, const Relation& hb, const Relation& v) {
      return write * a * hb * (same(writes) | v * read);
    };
    Relation domains = through(av.subgroup, hb_ & s_.subgroup, vis.subgroup) | through(av.workgroup, hb_ & s_.workgroup, vis.workgroup) |
                       through(av.queueFamily, hb_ & s_.queueFamily, vis.queueFamily) | through(av.shader, hb_, vis.shader);
    if (s_.rules.noAvailability) domains = same(writes) * hb_ * same(reads | writes);
    const Relation available = same(s_.write) * (hb_ & s_.madeAvailable) * same(s_.deviceAvailability) * hb_;
    const Relation device =
        available * same(s_.write) | available * same(s_.deviceVisibility) * (hb_ & inverse(s_.madeVisible)) * same(s_.read);
    return s_.location & product(s_.read | s_.write, s_.read | s_.write) &
           ((hb_ & s_.invocation & s_.reference) | same(reads) * hb_ * same(reads | writes) |
            same(s_.read) * system * same(s_.read | s_.write) | (s_.reference & domains) | device);
  }

  const Static& s_;
  const Execution& x_;
  Set readsInitial_ = 0;
  Relation readsFrom_, hb_;
};

}  // namespace

bool Relation::empty() const {
  return *this == Relation{};
}

std::uint32_t Relation::count() const {
  std::uint32_t n = 0;
  for (const std::uint64_t row : row_) n += static_cast<std::uint32_t>(std::popcount(row));
  return n;
}

bool Relation::acyclic(std::uint32_t events) const {
  const Relation all = closure(*this);
  for (std::uint32_t e = 0; e < events; ++e)
    if (all.has(e, e)) return false;
  return true;
}

Relation mutuallyOrdered(const Program& program) {
  return program.events.size() > kMaxEvents ? Relation{} : Static(program, Rules{}).mutuallyOrdered;
}

Judgement judge(const Program& program, const Execution& execution, const Rules& rules) {
  if (program.events.size() > kMaxEvents || execution.readsFrom.size() != program.events.size()) return {};
  const Static statics(program, rules);
  if (!statics.wellFormed) return {};
  return Judge(statics, execution).run();
}

}  // namespace lanewise::memory_model
