#include "model/exec/turns.h"

#include <algorithm>
#include <bit>

#include "model/ir/rows/facts.h"
#include "model/state/workgroup.h"

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

// Any number below `count`, each with the same probability.
std::uint64_t anyOf(std::uint64_t count, std::uint64_t seed, std::uint64_t turns) {
  std::uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + turns * 0xbf58476d1ce4e5b9u;  // splitmix64's last steps
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (x ^ x >> 31) % count;
}

Turn nthReady(const WorkgroupState& w, std::uint32_t slot, std::uint64_t n) {
  std::uint32_t batch = 0;
  while (!isReady(w.batches[batch]) || n-- != 0) ++batch;
  return {slot, batch};
}

// The subgroup of this number, if it is in that workgroup and ready.
std::optional<Turn> namedIn(const WorkgroupState& w, std::uint32_t slot, std::uint64_t subgroup) {
  const auto batch = static_cast<std::uint32_t>(subgroup % w.batches.size());
  return w.place == subgroup / w.batches.size() && isReady(w.batches[batch]) ? std::optional(Turn{slot, batch}) : std::nullopt;
}

// The workgroup's next batch in an order that does not switch.
std::optional<Turn> orderedTurn(const Schedule& schedule, const WorkgroupState& w, std::uint32_t slot) {
  const std::uint64_t count = w.batches.size();
  for (std::uint64_t i = w.next; i < count && w.running; ++i) {
    const auto batch = static_cast<std::uint32_t>(schedule.at(i, count));
    if (isReady(w.batches[batch])) return Turn{slot, batch};
  }
  return {};
}

std::uint32_t countReady(const Schedule& schedule, const WorkgroupState& w) {
  if (!schedule.switches()) return orderedTurn(schedule, w, 0) ? 1 : 0;
  return static_cast<std::uint32_t>(w.running ? std::ranges::count_if(w.batches, isReady) : 0);
}

// The workgroup in a slot alone.
std::optional<Turn> turnIn(const Schedule& schedule, const TurnFacts& facts, const WorkgroupState& w, std::uint32_t slot) {
  if (!schedule.switches()) return orderedTurn(schedule, w, slot);
  const std::uint32_t ready = countReady(schedule, w);
  if (ready == 0) return {};
  if (schedule.order == Schedule::Order::kInterleave) return nthReady(w, slot, anyOf(ready, schedule.seed, facts.turns));
  const std::optional<std::uint64_t> named = namedBy(schedule, facts);
  const std::optional<Turn> turn = named ? namedIn(w, slot, *named) : std::nullopt;
  return turn ? turn : nthReady(w, slot, 0);
}

// The proofs that lanes of a batch wait, if it cannot go on for them.
template <class Use>
void forProofs(const WorkgroupState& w, const Use& use) {
  for (const Batch& b : w.batches) {
    if (!w.running || !waits(b)) continue;
    if (b.lone.empty()) use(b.waits, b.index);
    for (const LoneLane& l : b.lone)
      if (l.waits != 0) use(l.waits, b.index);
  }
}

}  // namespace

// `more` is modulo 2^64, so that there may be fewer.
void Turns::addReady(std::uint32_t slot, std::uint64_t more) {
  for (std::size_t i = slot + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += more;
}

void Turns::look() {
  if (slots_.size() < residents_.size()) {
    for (std::uint32_t slot = static_cast<std::uint32_t>(slots_.size()); slot < residents_.size(); ++slot) {
      changed_.push_back(slot);
      free_.insert(slot);
    }
    slots_.resize(residents_.size());
    if (sums_.size() <= slots_.size()) {
      sums_.assign(std::bit_ceil(slots_.size() + 1), 0);
      for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) addReady(slot, slots_[slot].ready);
    }
  }
  for (const std::uint32_t slot : changed_) look(slot);
  changed_.clear();
}

void Turns::look(std::uint32_t slot) {
  const WorkgroupState& w = residents_[slot];
  Slot& was = slots_[slot];
  Slot now{w.running, countReady(schedule_, w), w.place, linearOf(w.id, groups_), {}};
  forProofs(w, [&](std::uint64_t proof, std::uint32_t batch) { now.proofs.emplace_back(proof, batch); });
  if (now.ready != was.ready) addReady(slot, std::uint64_t{now.ready} - was.ready);
  if ((now.ready != 0) != (was.ready != 0) || now.place != was.place) {
    if (was.ready != 0) byPlace_.erase({was.place, slot});
    if (now.ready != 0) byPlace_.insert({now.place, slot});
  }
  if (now.running != was.running || now.index != was.index) {
    if (was.running) byIndex_.erase({was.index, slot});
    if (now.running) byIndex_.insert({now.index, slot});
    if (now.running) free_.erase(slot);
    if (!now.running) free_.insert(slot);
  }
  for (const auto& [proof, batch] : was.proofs) proofs_.erase({proof, ~slot, ~batch});
  for (const auto& [proof, batch] : now.proofs) proofs_.insert({proof, ~slot, ~batch});
  was = std::move(now);
}

// Picks any batch that is ready, each with the same probability.
std::optional<Turn> Turns::anyTurn(std::uint64_t turns) const {
  std::uint64_t ready = 0;
  for (std::size_t i = sums_.size() - 1; i != 0; i &= i - 1) ready += sums_[i];
  if (ready == 0) return {};
  std::uint64_t skip = anyOf(ready, schedule_.seed, turns);
  std::size_t slot = 0;  // all slots before it have no more than `skip` together
  for (std::size_t step = std::bit_floor(sums_.size()); step != 0; step /= 2) {
    if (slot + step >= sums_.size() || sums_[slot + step] > skip) continue;
    slot += step;
    skip -= sums_[slot];
  }
  return nthReady(residents_[slot], static_cast<std::uint32_t>(slot), skip);
}

std::optional<Turn> Turns::recordedTurn(const TurnFacts& facts) const {
  if (byPlace_.empty()) return {};
  const std::uint32_t first = byPlace_.begin()->second;
  if (const std::optional<std::uint64_t> named = namedBy(schedule_, facts)) {
    const std::uint64_t place = *named / residents_[first].batches.size();
    if (const auto own = byPlace_.lower_bound({place, 0}); own != byPlace_.end())
      if (const std::optional<Turn> turn = namedIn(residents_[own->second], own->second, *named)) return turn;
  }
  return nthReady(residents_[first], first, 0);
}

std::optional<Turn> Turns::next(const TurnFacts& facts) {
  if (facts.only != TurnFacts::kAnySlot)
    return facts.only < residents_.size() ? turnIn(schedule_, facts, residents_[facts.only], facts.only) : std::nullopt;
  if (residents_.size() == 1) return turnIn(schedule_, facts, residents_[0], 0);
  look();
  if (schedule_.order == Schedule::Order::kInterleave) return anyTurn(facts.turns);
  if (schedule_.order == Schedule::Order::kTurns) return recordedTurn(facts);
  if (byPlace_.empty()) return {};
  const std::uint32_t first = byPlace_.begin()->second;
  return orderedTurn(schedule_, residents_[first], first);
}

std::optional<std::uint32_t> Turns::firstFree() {
  if (residents_.size() == 1) return residents_[0].running ? std::nullopt : std::optional(0u);
  look();
  return free_.empty() ? std::nullopt : std::optional(*free_.begin());
}

std::optional<std::pair<std::uint64_t, std::uint32_t>> Turns::lowestRunning() {
  look();
  return byIndex_.empty() ? std::nullopt : std::optional(*byIndex_.begin());
}

bool Turns::anyWaits() {
  look();
  return !proofs_.empty();
}

std::optional<std::pair<std::uint64_t, Turn>> Turns::lastProofBefore(std::uint64_t proof, std::uint32_t only) {
  std::optional<std::pair<std::uint64_t, Turn>> last;
  if (only != TurnFacts::kAnySlot) {
    forProofs(residents_[only], [&](std::uint64_t own, std::uint32_t batch) {
      if (own < proof && (!last || last->first < own)) last = {own, Turn{only, batch}};
    });
    return last;
  }
  look();
  auto it = proofs_.lower_bound({proof, 0, 0});
  if (it == proofs_.begin()) return {};
  const auto& [own, slot, batch] = *--it;
  return std::pair{own, Turn{~slot, ~batch}};
}

std::uint8_t switchesAt(const Schedule& schedule) {
  return schedule.switches() ? kAtBarrier | kAtAtomic | kAtAccess | kAtJumpBack : 0;
}

}  // namespace lanewise
