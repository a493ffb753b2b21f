// What stands between two accesses: whether the memory model orders them, and what is there if it does not (race_sync.h).
#include <algorithm>

#include "model/check/race_sync.h"
#include "model/check/race_text.h"

namespace lanewise::race {

Reach apart(std::uint64_t groupA, std::uint32_t subgroupA, std::uint64_t groupB, std::uint32_t subgroupB) {
  return groupA != groupB ? Reach::kDevice : subgroupA != subgroupB ? Reach::kWorkgroup : Reach::kSubgroup;
}

bool Sync::orders(const Batch& batch, const Use& before, const Use& now) const {
  const Means &its = before.means, &own = now.means;
  const std::uint32_t invocation = invocationOf(before.program, before.at.batch, before.lane);
  const std::uint32_t self = invocationOf(now.program, now.at.batch, now.lane);
  const bool reference = oneReference(its.reference, own.reference);
  if (before.at.group == now.at.group && invocation == self && reference) return true;
  const std::uint32_t size = before.program.subgroupSize;
  const Reach distance = apart(before.at.group, invocation / size, now.at.group, self / size);
  if (its.atomic && own.atomic && reference && its.reach >= distance && own.reach >= distance) return true;
  if (!its.nonPrivate || !own.nonPrivate || its.in != own.in || (before.writes && !reference)) return false;
  const Needs needs{own.in, before.writes, its.available >= distance, now.writes || own.visible >= distance};
  return knows(batch, now.lane, before.at, invocation, needs);
}

Between Sync::standsBetween(const Batch& batch, std::uint32_t lane, const Executed& before, std::uint32_t invocation, Class c) const {
  const Group& g = groupOf(batch);
  const BatchState& b = g.batches[batch.index];
  const auto has = [&](const Pending& p) {
    const Known* known = p.any ? p.clocks.happens.of(before.group) : nullptr;
    return known && known->has(invocation, before.phase, before.interval);
  };
  Between out{before.group == g.number && before.passed < b.passed, g.barrierPc, has(g.barrier[c])};
  if (const Peers* p = b.of(lane))
    for (const auto& row : p->pending) out.isReleased = out.isReleased || has(row[c]);
  return out;
}

bool Sync::knows(const Batch& batch, std::uint32_t lane, const Executed& before, std::uint32_t invocation, Needs needs) const {
  const Group& g = groupOf(batch);
  const Peers* p = g.batches[batch.index].of(lane);
  const bool byVisible = needs.write && !needs.visible, byAvailable = needs.write && !needs.available;
  if (before.group == g.number) {
    if (invocationOf(*g.program, batch.index, lane) == invocation && !byVisible && !byAvailable) return true;
    std::uint32_t phase = g.batches[batch.index].phase[needs.c];
    if (byVisible) phase = std::min(phase, g.visiblePhase[needs.c]);
    if (byAvailable) phase = std::min(phase, g.availablePhase[needs.c]);
    if (before.phase < phase) return true;
  }
  const Clocks& clocks = byVisible ? (p && p->ownVisible[needs.c] ? p->visible[needs.c] : g.visible[needs.c]) : clocksOf(g, p, needs.c);
  const Known* known = (byAvailable ? clocks.available : clocks.happens).of(before.group);
  return known && known->has(invocation, before.phase, before.interval);
}

}  // namespace lanewise::race
