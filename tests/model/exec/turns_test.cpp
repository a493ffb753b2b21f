// Turns against a definition that looks at every resident.
#include "model/exec/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "model/state/workgroup.h"

namespace lanewise {
namespace {

using Residents = std::vector<WorkgroupState>;

constexpr std::uint32_t kMany = 10'000;
constexpr Extent3 kGroups{kMany + 1, 1, 1};

// The ready batches, in the order of slots.
std::vector<Turn> readyIn(const Residents& residents) {
  std::vector<Turn> out;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
    for (std::uint32_t i = 0; residents[slot].running && i < residents[slot].batches.size(); ++i)
      if (isReady(residents[slot].batches[i])) out.push_back({slot, i});
  return out;
}

std::uint64_t subgroupAt(const Residents& residents, const Turn& turn) {
  return subgroupOf(residents[turn.slot], turn.batch);
}

// What a list of turns says: the named subgroup where it is ready, else the first.
std::optional<Turn> recorded(const std::optional<std::uint64_t>& named, const Residents& residents) {
  std::vector<Turn> all = readyIn(residents);
  std::ranges::sort(all, {}, [&](const Turn& t) { return subgroupAt(residents, t); });
  for (const Turn& t : all)
    if (named && subgroupAt(residents, t) == *named) return t;
  return all.empty() ? std::nullopt : std::optional(all[0]);
}

// In an order that does not switch: the next of the workgroup that is first in the schedule.
std::optional<Turn> ordered(const Schedule& schedule, const Residents& residents) {
  std::optional<Turn> first;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot) {
    const WorkgroupState& w = residents[slot];
    if (!w.running || (first && residents[first->slot].place < w.place)) continue;
    for (std::uint64_t i = w.batches.size(); i-- > w.next;) {
      const auto batch = static_cast<std::uint32_t>(schedule.at(i, w.batches.size()));
      if (isReady(w.batches[batch])) first = Turn{slot, batch};
    }
  }
  return first;
}

// The latest proof before one.
std::optional<std::pair<std::uint64_t, Turn>> lastBefore(std::uint64_t proof, const Residents& residents) {
  std::optional<std::pair<std::uint64_t, Turn>> last;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
    for (std::uint32_t i = 0; residents[slot].running && i < residents[slot].batches.size(); ++i)
      if (const Batch& b = residents[slot].batches[i]; waits(b) && b.waits < proof && (!last || last->first < b.waits))
        last = {b.waits, Turn{slot, i}};
  return last;
}

class Changing {
 public:
  explicit Changing(std::uint32_t seed) : random_(seed), residents_(1 + random_() % 70) {
    for (WorkgroupState& w : residents_) {
      w.batches.resize(3);
      for (std::uint32_t i = 0; i < 3; ++i) w.batches[i].index = i;
      open(w);
    }
  }
  // A slot that has changed.
  std::uint32_t change() {
    const auto slot = static_cast<std::uint32_t>(random_() % residents_.size());
    WorkgroupState& w = residents_[slot];
    if (random_() % 6 == 0) open(w);
    if (random_() % 6 == 0) w.running = false;
    using enum Batch::Status;
    constexpr Batch::Status kAll[] = {kReady, kAtBarrier, kDone};
    w.next = static_cast<std::uint32_t>(random_() % 3);
    for (Batch& b : w.batches) {
      b.status = kAll[random_() % 3];
      b.waits = random_() % 4 == 0 ? ++proofs_ : 0;
    }
    return slot;
  }
  const Residents& residents() const { return residents_; }
  std::uint64_t number() { return random_(); }

 private:
  void open(WorkgroupState& w) {
    w.running = true;
    w.place = next_++;
    w.id = {static_cast<std::uint32_t>(kMany - w.place), 0, 0};
    for (Batch& b : w.batches) b.status = Batch::Status::kReady;
  }
  std::uint64_t proofs_ = 0;
  std::mt19937 random_;  // NOLINT(cert-msc51-cpp): the same in every run
  Residents residents_;
  std::uint64_t next_ = 0;
};

TEST(Turns, AreThoseOfALookAtEveryResident) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Changing changing(seed);
    const Residents& residents = changing.residents();
    const Schedule interleave{.order = Schedule::Order::kInterleave, .seed = seed}, empty{.order = Schedule::Order::kTurns},
        reverse{.order = Schedule::Order::kReverse};
    Schedule list = empty;
    Turns any(interleave, kGroups, residents), listed(list, kGroups, residents), unlisted(empty, kGroups, residents),
        inReverse(reverse, kGroups, residents);
    for (std::uint64_t turns = 0; turns < 300; ++turns) {
      const std::vector<Turn> ready = readyIn(residents);
      const std::optional<Turn> picked = any.next({.turns = turns});
      EXPECT_EQ(picked.has_value(), !ready.empty());
      if (picked) {
        EXPECT_EQ(std::ranges::count(ready, *picked), 1) << picked->slot << " " << picked->batch;
      }
      const std::uint64_t named = changing.number() % (4 * residents.size());
      list.turns = {{{named, turns + 1}}};
      EXPECT_EQ(listed.next({.turns = turns}), recorded(named, residents));
      EXPECT_EQ(unlisted.next({.turns = turns}), recorded({}, residents));
      EXPECT_EQ(inReverse.next({.turns = turns}), ordered(reverse, residents));
      const auto only = static_cast<std::uint32_t>(changing.number() % residents.size());
      const std::optional<Turn> alone = any.next({.turns = turns, .only = only});
      EXPECT_EQ(alone.has_value(), std::ranges::count(ready, only, &Turn::slot) != 0);
      EXPECT_TRUE(!alone || std::ranges::count(ready, *alone) == 1);
      const std::uint32_t slot = changing.change();
      for (Turns* each : {&any, &listed, &unlisted, &inReverse}) each->changed(slot);
    }
  }
}

TEST(Turns, KnowWhoRunsAndWaits) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Changing changing(seed);
    const Residents& residents = changing.residents();
    const Schedule inOrder;
    Turns turns(inOrder, kGroups, residents);
    for (int i = 0; i < 300; ++i) {
      const auto free = std::ranges::find(residents, false, &WorkgroupState::running);
      EXPECT_EQ(turns.firstFree(), free == residents.end() ? std::nullopt : std::optional(std::uint32_t(free - residents.begin())));
      std::optional<std::pair<std::uint64_t, std::uint32_t>> lowest;
      for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
        if (const std::uint64_t index = linearOf(residents[slot].id, kGroups);
            residents[slot].running && (!lowest || index < lowest->first))
          lowest = {index, slot};
      EXPECT_EQ(turns.lowestRunning(), lowest);
      EXPECT_EQ(turns.anyWaits(), lastBefore(~std::uint64_t{0}, residents).has_value());
      const std::uint64_t proof = changing.number() % 300;
      EXPECT_EQ(turns.lastProofBefore(proof, TurnFacts::kAnySlot), lastBefore(proof, residents));
      turns.changed(changing.change());
    }
  }
}

// Each of those that are ready, about as often as the others.
TEST(Turns, GiveEachTheSameChance) {
  Residents residents(50);
  for (WorkgroupState& w : residents) {
    w.running = true;
    w.batches.resize(2);
  }
  const Schedule interleave{.order = Schedule::Order::kInterleave, .seed = 3};
  Turns turns(interleave, kGroups, residents);
  std::vector<int> count(100);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const Turn turn = *turns.next({.turns = i});
    ++count[turn.slot * 2 + turn.batch];
  }
  EXPECT_GT(*std::ranges::min_element(count), 800);
  EXPECT_LT(*std::ranges::max_element(count), 1200);
}

}  // namespace
}  // namespace lanewise
