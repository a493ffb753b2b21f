#include "model/check/race_sync.h"

#include <algorithm>
#include <bit>

#include "model/check/race_text.h"
#include "model/state/lane_masks.h"

namespace lanewise::race {
namespace {

// Adds the lanes of a batch that begins with invocation `first`.
void addLanes(Known& known, std::uint32_t first, LaneMask lanes, std::uint32_t interval) {
  for (std::uint64_t word : lanes.word) {
    while (word != 0) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(word)), count = static_cast<std::uint32_t>(std::countr_one(word >> k));
      known.add({first + k, first + k + count, interval});
      word &= count == 64 ? 0 : ~(((std::uint64_t{1} << count) - 1) << k);
    }
    first += 64;
  }
}

}  // namespace

void Clocks::join(const Clocks& other) {
  happens.join(other.happens);
  available.join(other.available);
}

Sync::Peers& Sync::BatchState::add(std::unique_ptr<Peers> more) {
  forLanes(more->lanes, [&](std::uint32_t lane) { peersOfLane[lane] = static_cast<std::uint8_t>(peers.size() + 1); });
  peers.push_back(std::move(more));
  return *peers.back();
}

void Sync::BatchState::dropIdle() {
  const auto isIdle = [](const std::unique_ptr<Peers>& p) {
    const auto isSet = [](bool b) { return b; };
    return !p->fenced && !p->waits && std::ranges::none_of(p->own, isSet) && std::ranges::none_of(p->ownVisible, isSet);
  };
  if (std::ranges::none_of(peers, isIdle)) return;
  std::vector<std::unique_ptr<Peers>> left;
  peers.swap(left);
  peersOfLane.fill(0);
  for (std::unique_ptr<Peers>& p : left)
    if (!isIdle(p)) add(std::move(p));
}

template <class Visit>
void Sync::forPeers(Group& g, std::uint32_t batch, LaneMask lanes, const Visit& use) {
  BatchState& b = g.batches[batch];
  g.anyPeers = true;
  const std::size_t count = b.peers.size();
  for (std::size_t i = 0; i < count; ++i) {
    Peers& p = *b.peers[i];
    const LaneMask both = p.lanes & lanes;
    if (!both.any()) continue;
    lanes = without(lanes, both);
    if (both == p.lanes) {
      use(p);
      continue;
    }
    auto part = std::make_unique<Peers>(p);
    p.lanes = without(p.lanes, both);
    part->lanes = both;
    use(b.add(std::move(part)));
  }
  if (!lanes.any()) return;
  auto fresh = std::make_unique<Peers>();
  fresh->lanes = lanes;
  use(b.add(std::move(fresh)));
}

// Gives one lane a state of its own from now on.
Sync::Peers& Sync::alone(Group& g, std::uint32_t batch, std::uint32_t lane) {
  const BatchState& b = g.batches[batch];
  if (const std::uint8_t at = b.peersOfLane[lane]; at != 0 && b.peers[at - 1u]->lanes == oneLane(lane)) return *b.peers[at - 1u];
  Peers* own = nullptr;
  forPeers(g, batch, oneLane(lane), [&](Peers& p) { own = &p; });
  return *own;  // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): every lane has one
}

void Sync::clear() {
  messages_.clear();
}

void Sync::begin(const Environment& env, std::uint64_t group) {
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  Group& g = groups_[env.slot];
  // An equal workgroup reuses the storage of the one before.
  auto batches = std::move(g.batches);
  g = {};
  g.number = group;
  g.program = env.program;
  batches.clear();
  batches.resize(env.program->batches);
  g.batches = std::move(batches);
}

Executed Sync::execution(const Batch& batch, std::uint32_t pc, Class c) const {
  const Group& g = groupOf(batch);
  const BatchState& b = g.batches[batch.index];
  Executed e;
  e.group = g.number;
  e.pc = pc;
  e.phase = b.phase[c];
  e.interval = b.interval;
  e.dispatch = batch.env->dispatch;
  e.batch = batch.index;
  e.passed = b.passed;
  return e;
}

// The release at this moment.
Sync::Fence Sync::releaseNow(const Group& g, std::uint32_t batch, const Peers* p, std::uint32_t c, Reach reach, bool makesAvailable) {
  const BatchState& b = g.batches[batch];
  return {b.interval, b.phase[c], g.availablePhase[c], true, makesAvailable, reach, clocksOf(g, p, c)};
}

// What others learn from it: what the lanes knew, their workgroup up to its phase, and the lanes themselves.
Clocks Sync::published(const Group& g, std::uint32_t batch, LaneMask lanes, const Fence& fence) {
  Known happens{fence.phase, {}}, available{fence.availablePhase, {}};
  addLanes(happens, invocationOf(*g.program, batch, 0), lanes, fence.interval);
  if (fence.makesAvailable) available = happens;
  Clocks out = fence.clocks;
  out.happens.join(g.number, happens);
  if (fence.makesAvailable || fence.availablePhase != 0) out.available.join(g.number, available);
  return out;
}

void Sync::acquire(const Group& g, Peers& p, std::uint32_t c, const Clocks& clocks) {
  if (!p.own[c]) p.acquired[c] = g.base[c];
  p.own[c] = true;
  p.acquired[c].join(clocks);
}

void Sync::makeVisible(const Group& g, std::uint32_t batch, Peers& p, std::uint32_t c) {
  Clocks& visible = p.visible[c] = clocksOf(g, &p, c);
  p.ownVisible[c] = true;
  const std::uint32_t phase = g.batches[batch].phase[c];
  if (phase <= g.visiblePhase[c]) return;
  // Barriers ordered accesses of the own workgroup and made them visible to nobody.
  visible.happens.join(g.number, {phase, {}});
  if (g.availablePhase[c] != 0) visible.available.join(g.number, {std::min(phase, g.availablePhase[c]), {}});
}

void Sync::barrierReleased(const BarrierReleased& at) {
  const Program& program = *at.batch.env->program;
  const ir::Order& order = program.orders[program.info[at.pc].order];
  const Semantics semantics = semanticsOf(order.semantics);
  Group& g = groupOf(at.batch);
  BatchState& b = g.batches[at.batch.index];
  if (at.scope == spv::Scope::Subgroup) return subgroupBarrier(g, at, semantics);
  // Semantics of subgroup scope order only the lanes of the subgroup. Between subgroups such a barrier has no semantics.
  const bool near = reachOf(order.scope) < Reach::kWorkgroup;
  if (near) subgroupBarrier(g, at, semantics);
  if (++b.passed > g.opened) {
    g.opened = b.passed;
    g.barrierPc = at.pc;
    workgroupBarrier(g, near ? Semantics{} : semantics);
  }
  for (std::uint32_t c = 0; c < kClasses; ++c) b.phase[c] = g.phase[c];
  ++b.interval;
}

// Once for all its invocations.
void Sync::workgroupBarrier(Group& g, Semantics semantics) {
  for (std::uint32_t c = 0; c < kClasses; ++c) {
    const bool releases = semantics.release && semantics.names(c), acquires = semantics.acquire && semantics.names(c);
    if (releases && acquires)
      orderClass(g, c, semantics);
    else if (g.anyPeers)
      handOver(g, c, acquires);
  }
  if (!g.anyPeers) return;
  g.anyPeers = false;
  for (BatchState& b : g.batches) {
    b.dropIdle();
    g.anyPeers = g.anyPeers || !b.peers.empty();
  }
}

// A barrier that releases and acquires a class.
void Sync::orderClass(Group& g, std::uint32_t c, Semantics semantics) {
  // No other workgroup needs to know about accesses to this workgroup memory, and all invocations of this one know them now.
  const bool isOver = c == kWorkgroupMemory && semantics.makesAvailable && semantics.makesVisible;
  for (BatchState& b : g.batches)
    for (const std::unique_ptr<Peers>& p : b.peers) {
      if (p->own[c]) g.base[c].join(p->acquired[c]);
      p->own[c] = false;
      p->acquired[c] = {};
      // What an invocation made visible to itself stays so.
      if (semantics.makesVisible) {
        p->ownVisible[c] = false;
        p->visible[c] = {};
      }
      if (!isOver) continue;
      p->fenced = p->waits = false;
      for (std::uint32_t k = 0; k < kClasses; ++k) {
        p->fence[k][c] = {};
        p->pending[k][c] = {};
        p->fenced = p->fenced || std::ranges::any_of(p->fence[k], &Fence::any);
        p->waits = p->waits || std::ranges::any_of(p->pending[k], &Pending::any);
      }
    }
  ++g.phase[c];
  if (semantics.makesAvailable) g.availablePhase[c] = g.phase[c];
  if (!semantics.makesVisible) return;
  g.visible[c] = g.base[c];
  g.visiblePhase[c] = g.phase[c];
}

// A barrier that does not order a class orders it between the fences before and after.
void Sync::handOver(Group& g, std::uint32_t c, bool acquires) {
  Clocks released;
  Known own, available;
  bool any = false;
  for (std::uint32_t i = 0; i < g.batches.size(); ++i)
    for (const std::unique_ptr<Peers>& p : g.batches[i].peers) {
      const Fence& f = p->fence[c][c];
      if (!f.any || f.reach < Reach::kWorkgroup) continue;
      const std::uint32_t first = invocationOf(*g.program, i, 0);
      any = true;
      own.phase = std::max(own.phase, f.phase);
      addLanes(own, first, p->lanes, f.interval);
      if (f.makesAvailable) addLanes(available, first, p->lanes, f.interval);
      released.join(f.clocks);
    }
  if (!any) return;
  released.happens.join(g.number, own);
  if (!available.more.empty()) released.available.join(g.number, available);
  if (!acquires) {
    g.barrier[c].clocks.join(released);
    g.barrier[c].any = true;
    return;
  }
  const LaneMask all = firstLanes(g.program->lanesPerBatch());
  for (std::uint32_t i = 0; i < g.batches.size(); ++i) forPeers(g, i, all, [&](Peers& p) { acquire(g, p, c, released); });
}

// Orders the lanes of each subgroup among themselves.
void Sync::subgroupBarrier(Group& g, const BarrierReleased& at, Semantics semantics) {
  const std::uint32_t batch = at.batch.index;
  BatchState& b = g.batches[batch];
  const bool full = semantics.release && semantics.acquire;
  forSubgroups(at.batch, [&](std::uint32_t, const LaneMask& subgroup) {
    const LaneMask lanes = at.lanes & subgroup;
    for (std::uint32_t c = 0; c < kClasses && lanes.any(); ++c) {
      if (!full || !semantics.names(c)) {
        handOver(g, batch, lanes, c);
        continue;
      }
      Clocks all;
      Known own{b.phase[c], {}};
      addLanes(own, invocationOf(*g.program, batch, 0), lanes, b.interval);
      for (const std::unique_ptr<Peers>& p : b.peers)
        if (p->own[c] && (p->lanes & lanes).any()) all.join(p->acquired[c]);
      all.happens.join(g.number, own);
      if (semantics.makesAvailable) all.available.join(g.number, own);
      forPeers(g, batch, lanes, [&](Peers& p) {
        acquire(g, p, c, all);
        if (semantics.makesVisible) makeVisible(g, batch, p, c);
      });
    }
  });
  ++b.interval;
}

// The same as for a workgroup, for the lanes of one subgroup.
void Sync::handOver(Group& g, std::uint32_t batch, LaneMask lanes, std::uint32_t c) {
  Clocks released;
  bool any = false;
  for (const std::unique_ptr<Peers>& p : g.batches[batch].peers) {
    const LaneMask both = p->lanes & lanes;
    if (!both.any() || !p->fence[c][c].any || p->fence[c][c].reach < Reach::kSubgroup) continue;
    released.join(published(g, batch, both, p->fence[c][c]));
    any = true;
  }
  if (!any) return;
  forPeers(g, batch, lanes, [&](Peers& p) {
    Pending& pending = p.pending[c][c];
    pending.clocks.join(released);
    pending.reach = std::max(pending.reach, Reach::kSubgroup);
    pending.any = p.waits = true;
  });
}

void Sync::fence(const FencePassed& at) {
  const Program& program = *at.batch.env->program;
  const ir::Order& order = program.orders[program.info[at.pc].order];
  const Semantics s = semanticsOf(order.semantics);
  const Reach reach = reachOf(order.scope);
  Group& g = groupOf(at.batch);
  forPeers(g, at.batch.index, at.lanes, [&](Peers& p) {
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      if (!s.names(c)) continue;
      if (s.acquire) {
        for (std::uint32_t k = 0; k < kClasses; ++k)
          if (const Pending& pending = p.pending[k][c]; s.names(k) && pending.any && reach >= pending.reach)
            acquire(g, p, c, pending.clocks);
        if (g.barrier[c].any && reach >= Reach::kWorkgroup) acquire(g, p, c, g.barrier[c].clocks);
        if (s.makesVisible) makeVisible(g, at.batch.index, p, c);
      }
      if (!s.release) continue;
      const Fence f = releaseNow(g, at.batch.index, &p, c, reach, s.makesAvailable);
      p.fenced = true;
      for (std::uint32_t k = 0; k < kClasses; ++k)
        if (s.names(k)) p.fence[k][c] = f;
    }
  });
  ++stateOf(at.batch).interval;
}

void Sync::addHead(Message& m, Head head) {
  for (Head& h : m.heads)
    if (h.reach == head.reach && (h.reach == Reach::kDevice || (h.group == head.group && h.subgroup == head.subgroup))) {
      h.classes |= head.classes;
      for (std::uint32_t c = 0; c < kClasses; ++c) h.clocks[c].join(head.clocks[c]);
      return;
    }
  m.heads.push_back(std::move(head));
}

void Sync::atomic(const AccessEvent& event, const Means& means) {
  const Semantics semantics = semanticsOf(means.order->semantics), unequal = semanticsOf(means.order->unequal);
  const bool relaxed = !semantics.acquire && !semantics.release && !unequal.acquire;
  if (relaxed && messages_.empty() && !groupOf(event.batch).anyPeers) return;  // no release has to be passed on
  std::uint64_t values = 0;
  bool released = false;
  for (const LaneRun& run : event.runs)
    for (std::uint32_t i = 0; i < run.count; ++i, values += run.size) {
      const bool missed = exchangeMissed(event, run.lane + i, values, run.size);
      released |= atomic(event.batch, run.lane + i, means, missed ? unequal : semantics, missed ? AccessKind::kAtomicRead : event.kind,
                         mailboxOf(event, run, run.offsetOf(i)));
    }
  if (released) ++stateOf(event.batch).interval;
}

// True if others may now learn something about the batch.
bool Sync::atomic(const Batch& batch, std::uint32_t lane, const Means& means, Semantics s, AccessKind kind, const Mailbox& at) {
  const bool writes = kind != AccessKind::kAtomicRead, reads = kind != AccessKind::kAtomicWrite;
  Group& g = groupOf(batch);
  const std::uint32_t subgroup = invocationOf(*g.program, batch.index, lane) / g.program->subgroupSize;
  const auto it = messages_.find(at);
  const std::uint32_t k = means.in;
  if (reads && it != messages_.end()) {
    const Message& m = it->second;
    const Reach away = apart(m.group, m.subgroup, g.number, subgroup);
    const bool ordered = oneReference(m.reference, means.reference) && m.reach >= away && means.reach >= away;
    for (const Head& h : m.heads) {
      const Reach distance = apart(h.group, h.subgroup, g.number, subgroup);
      if (!ordered || h.reach < distance) continue;
      Peers& own = alone(g, batch.index, lane);
      for (std::uint32_t c = 0; c < kClasses; ++c) {
        if ((h.classes >> c & 1) == 0) continue;
        if (s.acquire && s.names(c) && means.reach >= distance) acquire(g, own, c, h.clocks[c]);
        Pending& p = own.pending[k][c];
        p.clocks.join(h.clocks[c]);
        p.reach = std::max(p.reach, distance);
        p.any = own.waits = true;
      }
    }
  }
  if (s.acquire && s.makesVisible)
    for (std::uint32_t c = 0; c < kClasses; ++c)
      if (s.names(c)) makeVisible(g, batch.index, alone(g, batch.index, lane), c);
  if (!writes) return false;
  const Peers* peers = g.batches[batch.index].of(lane);
  const bool releases = s.release && s.classes != 0, fenced = peers && peers->fenced;
  if (!releases && !fenced && it == messages_.end()) return false;
  Message& m = it != messages_.end() ? it->second : messages_[at];
  if (!reads) m.heads.clear();
  m.group = g.number;
  m.subgroup = subgroup;
  m.reach = means.reach;
  m.reference = means.reference;
  if (releases) {
    Head head{g.number, subgroup, means.reach, s.classes, {}};
    for (std::uint32_t c = 0; c < kClasses; ++c)
      if (s.names(c))
        head.clocks[c] = published(g, batch.index, oneLane(lane), releaseNow(g, batch.index, peers, c, means.reach, s.makesAvailable));
    addHead(m, std::move(head));
  }
  if (fenced)
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      const Fence& f = peers->fence[k][c];
      if (!f.any) continue;
      Head head{g.number, subgroup, f.reach, static_cast<std::uint8_t>(1u << c), {}};
      head.clocks[c] = published(g, batch.index, oneLane(lane), f);
      addHead(m, std::move(head));
    }
  if (m.heads.empty()) messages_.erase(at);
  return releases;
}

void Sync::endMessages(const AccessEvent& event) {
  for (const LaneRun& run : event.runs) endMessages(mailboxOf(event, run, run.offset), run);
}

void Sync::endMessages(const Mailbox& first, const LaneRun& run) {
  if (run.list) {
    for (std::uint32_t i = 0; i < run.count; ++i) messages_.erase({first.memory, run.list[i]});
    return;
  }
  for (auto it = messages_.lower_bound(first); it != messages_.end();) {
    const std::uint64_t apart = it->first.offset - first.offset;
    if (it->first.memory != first.memory || apart >= run.bytes()) return;
    const bool isLane = apart == 0 || (run.stride != 0 && apart % run.stride == 0);
    it = isLane ? messages_.erase(it) : std::next(it);
  }
}

}  // namespace lanewise::race
