#include "model/exec/turns.h"

#include <algorithm>
#include <bit>
#include <numeric>

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

// The subgroup that a list of turns names.
std::optional<std::uint64_t> namedBy(const Schedule& schedule, const TurnFacts& facts) {
  if (facts.dispatch >= schedule.turns.size()) return {};
  const std::vector<Schedule::Turns>& turns = schedule.turns[facts.dispatch];
  const auto it = std::ranges::upper_bound(turns, facts.turns, {}, &Schedule::Turns::end);
  return it == turns.end() ? std::nullopt : std::optional(it->subgroup);
}

Turn nthReady(const WorkgroupState& w, std::uint32_t slot, std::uint64_t n) {
  std::uint32_t batch = 0;
  while (!isReady(w.batches[batch]) || n-- != 0) ++batch;
  return {slot, batch};
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

// One workgroup after another.
std::optional<Turn> orderedTurn(const Schedule& schedule, std::span<const WorkgroupState> residents) {
  const WorkgroupState* first = nullptr;
  std::optional<std::uint32_t> batch;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot) {
    const WorkgroupState& w = residents[slot];
    if (!w.running || (first && first->place < w.place)) continue;
    if (const auto own = nextBatch(schedule, w)) {
      first = &w;
      batch = own;
    }
  }
  if (!first) return {};
  return Turn{static_cast<std::uint32_t>(first - residents.data()), *batch};
}

}  // namespace

void Turns::count(std::span<const WorkgroupState> residents) {
  if (sums_.size() != residents.size() + 1) {
    ready_.assign(residents.size(), 0);
    sums_.assign(residents.size() + 1, 0);
    places_.assign(residents.size(), 0);
    byPlace_.clear();
    changed_.resize(residents.size());
    std::iota(changed_.begin(), changed_.end(), 0u);
  }
  for (const std::uint32_t slot : changed_) {
    const WorkgroupState& w = residents[slot];
    const auto now = static_cast<std::uint32_t>(w.running ? std::ranges::count_if(w.batches, isReady) : 0);
    for (std::size_t i = slot + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] = sums_[i] - ready_[slot] + now;
    if (ready_[slot] != 0) byPlace_.erase({places_[slot], slot});
    if (now != 0) byPlace_.insert({w.place, slot});
    ready_[slot] = now;
    places_[slot] = w.place;
  }
  changed_.clear();
}

// Picks any batch that is ready, each with the same probability.
std::optional<Turn> Turns::anyTurn(std::uint64_t seed, std::uint64_t turns, std::span<const WorkgroupState> residents) const {
  std::uint64_t ready = 0;
  for (std::size_t i = sums_.size() - 1; i != 0; i &= i - 1) ready += sums_[i];
  if (ready == 0) return {};
  std::uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + turns * 0xbf58476d1ce4e5b9u;  // splitmix64's last steps
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  std::uint64_t skip = (x ^ x >> 31) % ready;
  std::size_t slot = 0;  // all slots before it have no more than `skip` together
  for (std::size_t step = std::bit_floor(sums_.size()); step != 0; step /= 2) {
    if (slot + step >= sums_.size() || sums_[slot + step] > skip) continue;
    slot += step;
    skip -= sums_[slot];
  }
  return nthReady(residents[slot], static_cast<std::uint32_t>(slot), skip);
}

std::optional<Turn> Turns::recordedTurn(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents) const {
  if (byPlace_.empty()) return {};
  if (const std::optional<std::uint64_t> named = namedBy(schedule, facts)) {
    const std::uint64_t batches = residents[byPlace_.begin()->second].batches.size();
    const auto batch = static_cast<std::uint32_t>(*named % batches);
    const auto own = byPlace_.lower_bound({*named / batches, 0});
    if (own != byPlace_.end() && own->first == *named / batches && isReady(residents[own->second].batches[batch]))
      return Turn{own->second, batch};
  }
  const std::uint32_t first = byPlace_.begin()->second;
  return nthReady(residents[first], first, 0);
}

std::optional<Turn> Turns::next(const Schedule& schedule, const TurnFacts& facts, std::span<const WorkgroupState> residents) {
  if (facts.only != TurnFacts::kAnySlot) {
    if (facts.only >= residents.size()) return {};
    std::optional<Turn> turn = Turns().next(schedule, {.turns = facts.turns, .dispatch = facts.dispatch}, residents.subspan(facts.only, 1));
    if (turn) turn->slot = facts.only;
    return turn;
  }
  if (!schedule.switches()) return orderedTurn(schedule, residents);
  count(residents);
  if (schedule.order == Schedule::Order::kInterleave) return anyTurn(schedule.seed, facts.turns, residents);
  return recordedTurn(schedule, facts, residents);
}

std::uint8_t switchesAt(const Schedule& schedule) {
  return schedule.switches() ? kAtBarrier | kAtAtomic | kAtAccess | kAtJumpBack : 0;
}

}  // namespace lanewise
