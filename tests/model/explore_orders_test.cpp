// The reduction by itself, on random small programs of accesses, sums and barriers: as many orders are run as there are kinds of order,
// counted one by one, and they come to the same results. Where an invocation goes next may depend on what it has read.
#include "model/explore_orders.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

namespace lanewise {
namespace {

constexpr std::uint32_t kPlaces = 3;

struct Step {
  enum class Kind : std::uint8_t { kRead, kWrite, kSum, kBarrier };
  Kind kind{};
  std::uint32_t place = 0;
};
struct RandomProgram {
  std::vector<std::vector<Step>> subgroups;
  std::uint32_t perWorkgroup = 1;
};

RandomProgram programOf(std::uint32_t seed) {
  std::mt19937 random(seed);
  RandomProgram p;
  p.subgroups.resize(2 + random() % 2);
  const auto count = static_cast<std::uint32_t>(p.subgroups.size());
  p.perWorkgroup = random() % 2 == 0 ? count : 1;
  constexpr std::array kKinds{Step::Kind::kRead,  Step::Kind::kRead, Step::Kind::kWrite,
                              Step::Kind::kWrite, Step::Kind::kSum,  Step::Kind::kBarrier};
  for (std::vector<Step>& steps : p.subgroups)
    for (std::size_t n = 1 + random() % 3; n > 0; --n)
      steps.push_back({kKinds[random() % kKinds.size()], static_cast<std::uint32_t>(random() % kPlaces)});
  return p;
}

struct Did {
  std::uint32_t subgroup = 0, number = 0;
  std::vector<TurnUse> uses;
  std::optional<std::uint64_t> released;
};

class Machine {
 public:
  explicit Machine(const RandomProgram& program)
      : program_(program), next_(program.subgroups.size()), seen_(next_.size()), waits_(next_.size()) {}

  std::vector<std::uint32_t> ready() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t s = 0; s < next_.size(); ++s)
      if (!waits_[s] && next_[s] < program_.subgroups[s].size()) all.push_back(s);
    return all;
  }

  Did run(std::uint32_t s) {
    const Step step = program_.subgroups[s][next_[s]++];
    Did did{s, next_[s], {}, {}};
    // An odd value that was read leads elsewhere.
    const std::uint32_t place = (step.place + seen_[s] % 2) % kPlaces;
    std::uint32_t& value = memory_[place];
    TurnUse use{0, std::uint64_t{place} * 4, std::uint64_t{place} * 4 + 4};
    switch (step.kind) {
      case Step::Kind::kRead:
        seen_[s] = value;
        break;
      case Step::Kind::kWrite:
        value = 10 * s + next_[s];
        use.writes = true;
        break;
      case Step::Kind::kSum:
        value += 100;
        use.writes = true;
        use.sum = spv::Op::OpAtomicIAdd;
        break;
      case Step::Kind::kBarrier:
        waits_[s] = 1;
        break;
    }
    if (step.kind != Step::Kind::kBarrier) did.uses.push_back(use);
    did.released = release(s / program_.perWorkgroup);
    return did;
  }

  std::vector<std::uint32_t> result() const {
    std::vector<std::uint32_t> all(memory_.begin(), memory_.end());
    all.insert(all.end(), seen_.begin(), seen_.end());
    return all;
  }

 private:
  // Opens the barrier of a workgroup if all wait at it that have not ended.
  std::optional<std::uint64_t> release(std::uint32_t workgroup) {
    const std::uint32_t first = workgroup * program_.perWorkgroup, end = first + program_.perWorkgroup;
    bool any = false;
    for (std::uint32_t s = first; s < end; ++s) {
      if (!waits_[s] && next_[s] < program_.subgroups[s].size()) return {};
      any = any || waits_[s];
    }
    if (!any) return {};
    std::fill(waits_.begin() + first, waits_.begin() + end, 0);
    return workgroup;
  }

  const RandomProgram& program_;
  std::vector<std::uint32_t> next_, seen_;
  std::vector<std::uint8_t> waits_;
  std::array<std::uint32_t, kPlaces> memory_{};
};

struct Counted {
  std::uint64_t orders = 0;
  std::set<std::vector<std::uint32_t>> results;
  friend bool operator==(const Counted&, const Counted&) = default;
};

// Which of each two turns that depend on each other came first.
std::set<std::array<std::uint32_t, 4>> kindOf(const std::vector<Did>& order) {
  std::set<std::array<std::uint32_t, 4>> pairs;
  for (const Did& b : order)
    for (const Did& a : order) {
      if (&a == &b) break;
      const auto meets = [&](const TurnUse& x) { return std::ranges::any_of(b.uses, [&](const TurnUse& y) { return dependsOn(x, y); }); };
      if (a.subgroup != b.subgroup && std::ranges::any_of(a.uses, meets)) pairs.insert({a.subgroup, a.number, b.subgroup, b.number});
    }
  return pairs;
}

Counted oneByOne(const RandomProgram& program) {
  Counted out;
  std::set<std::set<std::array<std::uint32_t, 4>>> kinds;
  for (std::vector<std::size_t> choices;;) {
    Machine machine(program);
    std::vector<Did> order;
    std::vector<std::size_t> of;
    for (std::vector<std::uint32_t> ready = machine.ready(); !ready.empty(); ready = machine.ready()) {
      const std::size_t pick = of.size() < choices.size() ? choices[of.size()] : 0;
      of.push_back(ready.size());
      order.push_back(machine.run(ready[pick]));
    }
    kinds.insert(kindOf(order));
    out.results.insert(machine.result());
    choices.resize(of.size(), 0);
    while (!choices.empty() && choices.back() + 1 == of[choices.size() - 1]) choices.pop_back();
    if (choices.empty()) break;
    ++choices.back();
  }
  out.orders = kinds.size();
  return out;
}

Counted reduced(const RandomProgram& program) {
  Counted out;
  Orders orders(static_cast<std::uint32_t>(program.subgroups.size()), program.perWorkgroup);
  do {
    Machine machine(program);
    bool repeats = false;
    for (std::vector<std::uint32_t> ready = machine.ready(); !ready.empty() && !repeats; ready = machine.ready()) {
      const std::optional<std::uint32_t> chosen = orders.choose(ready);
      repeats = !chosen;
      if (repeats) break;
      Did did = machine.run(*chosen);
      orders.ended(std::move(did.uses), did.released);
    }
    if (repeats) continue;
    ++out.orders;
    out.results.insert(machine.result());
  } while (orders.next());
  return out;
}

TEST(Orders, AsManyAreRunAsThereAreKinds) {
  std::uint64_t most = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    const RandomProgram program = programOf(seed);
    const Counted all = oneByOne(program), some = reduced(program);
    EXPECT_EQ(all.orders, some.orders) << seed;
    EXPECT_EQ(all.results, some.results) << seed;
    most = std::max(most, all.orders);
  }
  EXPECT_GT(most, 20u);
}

// A dependence that is overlooked is an order that is missing: here one turn says of what it wrote that it only read.
TEST(Orders, AWriteThatIsNotToldLosesAnOrder) {
  const auto count = [](bool tells) {
    Orders orders(2, 1);
    std::uint64_t runs = 0;
    do {
      std::array<bool, 2> ran{};
      for (;;) {
        std::vector<std::uint32_t> ready;
        for (const std::uint32_t s : {0u, 1u})
          if (!ran[s]) ready.push_back(s);
        if (ready.empty()) break;
        const std::optional<std::uint32_t> chosen = orders.choose(ready);
        if (!chosen) break;
        ran[*chosen] = true;
        orders.ended({{0, 0, 4, *chosen == 0 && tells}}, {});
      }
      ++runs;
    } while (orders.next());
    return runs;
  };
  EXPECT_EQ(count(true), 2u);
  EXPECT_EQ(count(false), 1u);
}

}  // namespace
}  // namespace lanewise
