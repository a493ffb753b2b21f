#include "model/check/race_sync.h"

#include <algorithm>

#include "model/check/race_text.h"

namespace lanewise::race {
namespace {

// How far a scope must reach to have both.
Reach between(std::uint32_t groupA, std::uint32_t subgroupA, std::uint32_t groupB, std::uint32_t subgroupB) {
  return groupA != groupB ? Reach::kDevice : subgroupA != subgroupB ? Reach::kWorkgroup : Reach::kSubgroup;
}

}  // namespace

void Clocks::join(const Clocks& other) {
  happens.join(other.happens);
  available.join(other.available);
}

void Sync::clear() {
  messages_.clear();
}

void Sync::begin(const Environment& env, std::uint32_t group) {
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  Group& g = groups_[env.slot];
  // A workgroup like the one before keeps its storage.
  auto batches = std::move(g.batches);
  auto threads = std::move(g.threads);
  if (g.anyThread) threads.clear();
  g = {};
  g.number = group;
  g.program = env.program;
  batches.assign(env.program->batches, {});
  threads.resize(std::size_t{env.program->batches} * env.program->lanesPerBatch());
  g.batches = std::move(batches);
  g.threads = std::move(threads);
}

Sync::Self Sync::selfOf(const Batch& batch, std::uint32_t lane) {
  const Program& p = *batch.env->program;
  const std::uint32_t invocation = invocationOf(p, batch.index, lane);
  return {batch, invocation, invocation / p.subgroupSize};
}

Sync::Thread& Sync::threadOf(Group& g, std::uint32_t invocation) {
  std::unique_ptr<Thread>& t = g.threads[invocation];
  if (!t) t = std::make_unique<Thread>();
  g.anyThread = true;
  return *t;
}

Execution Sync::execution(const Batch& batch, std::uint32_t pc, Class c) const {
  const Group& g = groupOf(batch);
  const BatchState& b = g.batches[batch.index];
  Execution e;
  e.group = g.number;
  e.pc = pc;
  e.phase = b.phase[c];
  e.interval = b.interval;
  e.dispatch = batch.env->dispatch;
  e.batch = batch.index;
  return e;
}

// A release by an invocation as it is now.
Sync::Fence Sync::releaseNow(const Self& self, std::uint32_t c, Reach reach, bool makesAvailable) {
  Group& g = groupOf(self.batch);
  const BatchState& b = g.batches[self.batch.index];
  Fence f;
  f.any = true;
  f.interval = b.interval;
  f.phase = b.phase[c];
  f.reach = reach;
  f.makesAvailable = makesAvailable;
  f.clocks = clocksOf(g, g.threads[self.invocation].get(), c);
  if (makesAvailable) threadOf(g, self.invocation).availableInterval[c] = b.interval;
  return f;
}

// What others learn from it: what the invocation knew, its workgroup up to its phase, and itself.
Clocks Sync::published(const Group& g, std::uint32_t invocation, const Fence& fence) const {
  Clocks out = fence.clocks;
  out.happens.join(g.number, {fence.phase, {{invocation, fence.interval}}});
  if (fence.makesAvailable) out.available.join(g.number, {fence.phase, {{invocation, fence.interval}}});
  return out;
}

void Sync::acquire(Group& g, Thread& t, std::uint32_t c, const Clocks& clocks) {
  if (!t.own[c]) t.acquired[c] = g.base[c];
  t.own[c] = true;
  t.acquired[c].join(clocks);
}

void Sync::makeVisible(Group& g, Thread& t, std::uint32_t c) {
  t.visible[c] = clocksOf(g, &t, c);
  t.ownVisible[c] = true;
}

void Sync::barrierReleased(const BarrierReleased& at) {
  const Program& program = *at.batch.env->program;
  const ir::Order& order = program.orders[program.info[at.pc].order];
  const Semantics semantics = semanticsOf(order.semantics);
  Group& g = groupOf(at.batch);
  BatchState& b = g.batches[at.batch.index];
  if (at.scope == spv::Scope::Subgroup) return subgroupBarrier(at, semantics);
  // Semantics that reach a subgroup alone order its lanes; between subgroups such a barrier has none.
  const bool near = reachOf(order.scope) < Reach::kWorkgroup;
  if (near) subgroupBarrier(at, semantics);
  if (++b.passed > g.opened) {
    g.opened = b.passed;
    workgroupBarrier(g, near ? Semantics{} : semantics);
  }
  for (std::uint32_t c = 0; c < kClasses; ++c) b.phase[c] = g.phase[c];
  ++b.interval;
}

// Once for all its invocations.
void Sync::workgroupBarrier(Group& g, Semantics semantics) {
  for (std::uint32_t c = 0; c < kClasses; ++c) {
    const bool releases = semantics.release && semantics.names(c), acquires = semantics.acquire && semantics.names(c);
    Pending& pending = g.barrier[c];
    if (releases && acquires) {
      for (const auto& t : g.threads)
        if (g.anyThread && t && t->own[c]) {
          g.base[c].join(t->acquired[c]);
          t->own[c] = t->ownVisible[c] = false;
          t->acquired[c] = t->visible[c] = {};
        }
      ++g.phase[c];
      if (semantics.makesAvailable) {
        g.availablePhase[c] = g.phase[c];
        g.base[c].available.join(g.number, {g.phase[c], {}});
      }
      if (semantics.makesVisible) {
        g.visible[c] = g.base[c];
        g.visiblePhase[c] = g.phase[c];
      }
      continue;
    }
    if (!g.anyThread) continue;
    Clocks released;
    Known own, available;
    bool any = false;
    for (std::uint32_t i = 0; i < g.threads.size(); ++i) {
      const Thread* t = g.threads[i].get();
      if (!t || !t->fence[c][c].any || t->fence[c][c].reach < Reach::kWorkgroup) continue;
      const Fence& f = t->fence[c][c];
      any = true;
      own.phase = std::max(own.phase, f.phase);
      own.add(i, f.interval);
      if (f.makesAvailable) available.add(i, f.interval);
      released.join(f.clocks);
    }
    if (!any) continue;
    released.happens.join(g.number, own);
    if (!available.more.empty()) released.available.join(g.number, available);
    if (acquires) {
      for (std::uint32_t i = 0; i < g.threads.size(); ++i) acquire(g, threadOf(g, i), c, released);
      continue;
    }
    pending.clocks.join(released);
    pending.any = true;
  }
}

// The lanes of each subgroup among themselves.
void Sync::subgroupBarrier(const BarrierReleased& at, Semantics semantics) {
  Group& g = groupOf(at.batch);
  const Program& program = *at.batch.env->program;
  const bool full = semantics.release && semantics.acquire;
  const bool any = full || g.anyThread;  // else nobody has anything to hand over
  for (std::uint32_t first = 0; any && first < at.batch.width; first += program.subgroupSize) {
    std::vector<std::uint32_t> invocations;
    for (std::uint32_t lane = first; lane < first + program.subgroupSize && lane < at.batch.width; ++lane)
      if (at.lanes.test(lane)) invocations.push_back(invocationOf(program, at.batch.index, lane));
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      if (!full || !semantics.names(c)) {
        handOver(g, invocations, c);
        continue;
      }
      Clocks all;
      Known own;
      own.phase = stateOf(at.batch).phase[c];
      for (const std::uint32_t i : invocations) {
        if (g.threads[i] && g.threads[i]->own[c]) all.join(g.threads[i]->acquired[c]);
        own.add(i, stateOf(at.batch).interval);
      }
      all.happens.join(g.number, own);
      if (semantics.makesAvailable) all.available.join(g.number, own);
      for (const std::uint32_t i : invocations) {
        Thread& t = threadOf(g, i);
        acquire(g, t, c, all);
        if (semantics.makesVisible) makeVisible(g, t, c);
      }
    }
  }
  ++stateOf(at.batch).interval;
}

// A barrier of a subgroup that does not order a class orders it between the fences of its lanes before and after.
void Sync::handOver(Group& g, std::span<const std::uint32_t> invocations, std::uint32_t c) {
  if (!g.anyThread) return;
  Clocks released;
  bool any = false;
  for (const std::uint32_t i : invocations) {
    const Thread* t = g.threads[i].get();
    if (!t || !t->fence[c][c].any || t->fence[c][c].reach < Reach::kSubgroup) continue;
    released.join(published(g, i, t->fence[c][c]));
    any = true;
  }
  for (std::size_t i = 0; any && i < invocations.size(); ++i) {
    Thread& t = threadOf(g, invocations[i]);
    Pending& p = t.pending[c][c];
    p.clocks.join(released);
    p.reach = std::max(p.reach, Reach::kSubgroup);
    p.any = t.waits = true;
  }
}

void Sync::fence(const FencePassed& at) {
  const Program& program = *at.batch.env->program;
  const ir::Order& order = program.orders[program.info[at.pc].order];
  const Semantics s = semanticsOf(order.semantics);
  const Reach reach = reachOf(order.scope);
  Group& g = groupOf(at.batch);
  for (std::uint32_t lane = 0; lane < at.batch.width; ++lane) {
    if (!at.lanes.test(lane)) continue;
    const Self self = selfOf(at.batch, lane);
    Thread& t = threadOf(g, self.invocation);
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      if (!s.names(c)) continue;
      if (s.acquire) {
        for (std::uint32_t k = 0; k < kClasses; ++k)
          if (const Pending& p = t.pending[k][c]; s.names(k) && p.any && reach >= p.reach) acquire(g, t, c, p.clocks);
        if (g.barrier[c].any && reach >= Reach::kWorkgroup) acquire(g, t, c, g.barrier[c].clocks);
        if (s.makesVisible) makeVisible(g, t, c);
      }
      if (!s.release) continue;
      const Fence f = releaseNow(self, c, reach, s.makesAvailable);
      t.fenced = true;
      for (std::uint32_t k = 0; k < kClasses; ++k)
        if (s.names(k)) t.fence[k][c] = f;
    }
  }
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
  if (relaxed && messages_.empty() && !groupOf(event.batch).anyThread) return;  // no release is under way
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

// True where others may now learn something of the batch.
bool Sync::atomic(const Batch& batch, std::uint32_t lane, const Means& means, Semantics s, AccessKind kind, const Mailbox& at) {
  const bool writes = kind != AccessKind::kAtomicRead, reads = kind != AccessKind::kAtomicWrite;
  Group& g = groupOf(batch);
  const Self self = selfOf(batch, lane);
  const auto it = messages_.find(at);
  const std::uint32_t k = means.in;
  if (reads && it != messages_.end()) {
    const Message& m = it->second;
    const Reach apart = between(m.group, m.subgroup, g.number, self.subgroup);
    const bool ordered = oneReference(m.reference, means.reference) && m.reach >= apart && means.reach >= apart;
    for (const Head& h : m.heads) {
      const Reach distance = between(h.group, h.subgroup, g.number, self.subgroup);
      if (!ordered || h.reach < distance) continue;
      Thread& t = threadOf(g, self.invocation);
      for (std::uint32_t c = 0; c < kClasses; ++c) {
        if ((h.classes >> c & 1) == 0) continue;
        if (s.acquire && s.names(c) && means.reach >= distance) acquire(g, t, c, h.clocks[c]);
        Pending& p = t.pending[k][c];
        p.clocks.join(h.clocks[c]);
        p.reach = std::max(p.reach, distance);
        p.any = t.waits = true;
      }
    }
  }
  if (s.acquire && s.makesVisible)
    for (std::uint32_t c = 0; c < kClasses; ++c)
      if (s.names(c)) makeVisible(g, threadOf(g, self.invocation), c);
  if (!writes) return false;
  const Thread* thread = g.threads[self.invocation].get();
  const bool releases = s.release && s.classes != 0, fenced = thread && thread->fenced;
  if (!releases && !fenced && it == messages_.end()) return false;
  Message& m = it != messages_.end() ? it->second : messages_[at];
  if (!reads) m.heads.clear();
  m.group = g.number;
  m.subgroup = self.subgroup;
  m.reach = means.reach;
  m.reference = means.reference;
  if (releases) {
    Head head{g.number, self.subgroup, means.reach, s.classes, {}};
    for (std::uint32_t c = 0; c < kClasses; ++c)
      if (s.names(c)) head.clocks[c] = published(g, self.invocation, releaseNow(self, c, means.reach, s.makesAvailable));
    addHead(m, std::move(head));
  }
  if (fenced)
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      const Fence& f = thread->fence[k][c];
      if (!f.any) continue;
      Head head{g.number, self.subgroup, f.reach, static_cast<std::uint8_t>(1u << c), {}};
      head.clocks[c] = published(g, self.invocation, f);
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
    for (std::uint32_t i = 0; i < run.count; ++i) messages_.erase({first.resource, run.list[i]});
    return;
  }
  for (auto it = messages_.lower_bound(first); it != messages_.end();) {
    const std::uint64_t apart = it->first.offset - first.offset;
    if (it->first.resource != first.resource || apart >= run.bytes()) return;
    const bool isLane = apart == 0 || (run.stride != 0 && apart % run.stride == 0);
    it = isLane ? messages_.erase(it) : std::next(it);
  }
}

bool Sync::orders(const Batch& batch, const Use& before, const Use& now) const {
  const Means &its = before.means, &own = now.means;
  const std::uint32_t invocation = invocationOf(before.program, before.at.batch, before.lane);
  const std::uint32_t self = invocationOf(now.program, now.at.batch, now.lane);
  const bool reference = oneReference(its.reference, own.reference);
  if (before.at.group == now.at.group && invocation == self && reference) return true;
  const std::uint32_t size = before.program.subgroupSize;
  const Reach distance = between(before.at.group, invocation / size, now.at.group, self / size);
  if (its.atomic && own.atomic && reference && its.reach >= distance && own.reach >= distance) return true;
  if (!its.nonPrivate || !own.nonPrivate || its.in != own.in || (before.writes && !reference)) return false;
  const Needs needs{own.in, before.writes, its.available >= distance, now.writes || own.visible >= distance};
  return knows(batch, now.lane, before.at, invocation, needs);
}

bool Sync::knows(const Batch& batch, std::uint32_t lane, const Execution& before, std::uint32_t invocation, Needs needs) const {
  const Group& g = groupOf(batch);
  const Self self = selfOf(batch, lane);
  const Thread* t = g.threads[self.invocation].get();
  const bool byVisible = needs.write && !needs.visible, byAvailable = needs.write && !needs.available;
  if (before.group == g.number) {
    if (self.invocation == invocation && !byVisible && !byAvailable) return true;
    std::uint32_t phase = g.batches[batch.index].phase[needs.c];
    if (byVisible) phase = std::min(phase, g.visiblePhase[needs.c]);
    if (byAvailable) phase = std::min(phase, g.availablePhase[needs.c]);
    if (before.phase < phase) return true;
  }
  const Clocks& clocks = byVisible ? (t && t->ownVisible[needs.c] ? t->visible[needs.c] : g.visible[needs.c]) : clocksOf(g, t, needs.c);
  const Known* known = (byAvailable ? clocks.available : clocks.happens).of(before.group);
  return known && known->has(invocation, before.phase, before.interval);
}

}  // namespace lanewise::race
