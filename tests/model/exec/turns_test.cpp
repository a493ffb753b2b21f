// Turns against a definition that looks at every resident.
#include "model/exec/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lanewise {
namespace {

using Residents = std::vector<WorkgroupState>;

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

class Changing {
 public:
  explicit Changing(std::uint32_t seed) : random_(seed), residents_(1 + random_() % 70) {
    for (WorkgroupState& w : residents_) {
      w.batches.resize(3);
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
    for (Batch& b : w.batches) {
      b.status = kAll[random_() % 3];
      b.waits = random_() % 4 == 0 ? 1 : 0;
    }
    return slot;
  }
  const Residents& residents() const { return residents_; }
  std::uint64_t number() { return random_(); }

 private:
  void open(WorkgroupState& w) {
    w.running = true;
    w.place = next_++;
    for (Batch& b : w.batches) b.status = Batch::Status::kReady;
  }
  std::mt19937 random_;  // NOLINT(cert-msc51-cpp): the same in every run
  Residents residents_;
  std::uint64_t next_ = 0;
};

TEST(Turns, AreThoseOfALookAtEveryResident) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Changing changing(seed);
    const Residents& residents = changing.residents();
    Turns any, listed;
    for (std::uint64_t turns = 0; turns < 300; ++turns) {
      const std::vector<Turn> ready = readyIn(residents);
      const std::optional<Turn> picked = any.next({.order = Schedule::Order::kInterleave, .seed = seed}, {.turns = turns}, residents);
      EXPECT_EQ(picked.has_value(), !ready.empty());
      if (picked) {
        EXPECT_EQ(std::ranges::count(ready, *picked), 1) << picked->slot << " " << picked->batch;
      }
      Schedule list{.order = Schedule::Order::kTurns};
      const std::uint64_t named = changing.number() % (4 * residents.size());
      list.turns = {{{named, turns + 1}}};
      EXPECT_EQ(listed.next(list, {.turns = turns}, residents), recorded(named, residents));
      EXPECT_EQ(listed.next({.order = Schedule::Order::kTurns}, {.turns = turns}, residents), recorded({}, residents));
      const auto only = static_cast<std::uint32_t>(changing.number() % residents.size());
      const std::optional<Turn> alone =
          any.next({.order = Schedule::Order::kInterleave, .seed = seed}, {.turns = turns, .only = only}, residents);
      EXPECT_EQ(alone.has_value(), std::ranges::count(ready, only, &Turn::slot) != 0);
      EXPECT_TRUE(!alone || std::ranges::count(ready, *alone) == 1);
      const std::uint32_t slot = changing.change();
      any.changed(slot);
      listed.changed(slot);
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
  Turns turns;
  std::vector<int> count(100);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const Turn turn = *turns.next({.order = Schedule::Order::kInterleave, .seed = 3}, {.turns = i}, residents);
    ++count[turn.slot * 2 + turn.batch];
  }
  EXPECT_GT(*std::ranges::min_element(count), 800);
  EXPECT_LT(*std::ranges::max_element(count), 1200);
}

}  // namespace
}  // namespace lanewise
