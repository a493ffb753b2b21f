#include "model/exec/turns.h"

#include <algorithm>

namespace lanewise {

// Lanes that run alone wait one by one; a batch whose lanes are all at meeting points can go on.
std::uint64_t lastProof(const Batch& b) {
  if (b.lone.empty()) return b.waits;
  std::uint64_t last = 0;
  for (const LoneLane& l : b.lone) last = std::max(last, l.waits);
  return last;
}

bool waits(const Batch& b) {
  if (b.status != Batch::Status::kReady) return false;
  if (b.lone.empty()) return b.waits != 0;
  if (b.lane != kNoLane) return false;
  const auto canRun = [](const LoneLane& l) {
    return l.waits == 0 && (l.status == LoneLane::Status::kReady || l.status == LoneLane::Status::kMet);
  };
  return lastProof(b) != 0 && std::ranges::none_of(b.lone, canRun);
}

std::uint64_t subgroupOf(const WorkgroupState& w, std::uint32_t batch) {
  return w.place * w.batches.size() + batch;
}

bool isReady(const Batch& b) {
  return b.status == Batch::Status::kReady && !waits(b);
}

namespace {

// Picks any batch that is ready, each with the same probability.
std::optional<Turn> anyTurn(std::uint64_t seed, const TurnFacts& facts, std::span<const WorkgroupState> residents) {
  const auto isOpen = [&](std::uint32_t slot) {
    return residents[slot].running && (facts.only == TurnFacts::kAnySlot || facts.only == slot);
  };
  const std::uint64_t turns = facts.turns;
  std::uint64_t ready = 0;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
    if (const WorkgroupState& w = residents[slot]; isOpen(slot))
      ready += static_cast<std::uint64_t>(std::ranges::count_if(w.batches, isReady));
  if (ready == 0) return {};
  std::uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + turns * 0xbf58476d1ce4e5b9u;  // splitmix64's last steps
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  std::uint64_t skip = (x ^ x >> 31) % ready;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
    for (std::uint32_t i = 0; isOpen(slot) && i < residents[slot].batches.size(); ++i)
      if (isReady(residents[slot].batches[i]) && skip-- == 0) return Turn{slot, i};
  return {};
}

std::optional<Turn> recordedTurn(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents) {
  std::optional<std::uint64_t> named;
  if (facts.dispatch < schedule.turns.size()) {
    const std::vector<Schedule::Turns>& turns = schedule.turns[facts.dispatch];
    const auto it = std::ranges::upper_bound(turns, facts.turns, {}, &Schedule::Turns::end);
    if (it != turns.end()) named = it->subgroup;
  }
  std::optional<Turn> first;
  std::uint64_t lowest = 0;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot) {
    const WorkgroupState& w = residents[slot];
    if (!w.running || (facts.only != TurnFacts::kAnySlot && facts.only != slot)) continue;
    for (std::uint32_t i = 0; i < w.batches.size(); ++i) {
      const std::uint64_t subgroup = subgroupOf(w, i);
      if (!isReady(w.batches[i])) continue;
      if (subgroup == named) return Turn{slot, i};
      if (!first || subgroup < lowest) {
        first = Turn{slot, i};
        lowest = subgroup;
      }
    }
  }
  return first;
}

// The workgroup's next batch in the schedule.
std::optional<std::uint32_t> nextBatch(const Schedule& schedule, const WorkgroupState& w) {
  const std::uint64_t count = w.batches.size();
  for (std::uint64_t i = w.next; i < count; ++i) {
    const auto batch = static_cast<std::uint32_t>(schedule.at(i, count));
    if (isReady(w.batches[batch])) return batch;
  }
  return {};
}

}  // namespace

std::optional<Turn> nextTurn(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents) {
  if (schedule.order == Schedule::Order::kInterleave) return anyTurn(schedule.seed, facts, residents);
  if (schedule.order == Schedule::Order::kTurns) return recordedTurn(schedule, facts, residents);
  const WorkgroupState* first = nullptr;
  std::optional<std::uint32_t> batch;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot) {
    const WorkgroupState& w = residents[slot];
    if (!w.running || (first && first->place < w.place) || (facts.only != TurnFacts::kAnySlot && facts.only != slot)) continue;
    if (const auto own = nextBatch(schedule, w)) {
      first = &w;
      batch = own;
    }
  }
  if (!first) return {};
  return Turn{static_cast<std::uint32_t>(first - residents.data()), *batch};
}

std::uint8_t switchesAt(const Schedule& schedule) {
  return schedule.switches() ? kAtBarrier | kAtAtomic | kAtAccess | kAtJumpBack : 0;
}

}  // namespace lanewise
