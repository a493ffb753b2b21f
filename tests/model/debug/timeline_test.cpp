// A run that goes to any of its moments: the same state, whatever way it was come to, however many copies may be kept.
#include "model/debug/timeline.h"

#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

// Notes each moment that an instruction is executed at.
class AllMoments final : public Seeker {
 public:
  std::optional<Hit> before(const InstructionEvent&) override { return Hit{}; }
};

struct Shape {
  const char* schedule;
  Keeping keeping;
};

constexpr Keeping kMany{1 << 28, 50, 1}, kNone{0, 50, 1}, kFew{300000, 50, 1}, kUsual{};

class Timelines : public testing::TestWithParam<Shape> {};

// Three workgroups of 64 invocations with workgroup memory and barriers; two dispatches of them.
Job twoDispatches() {
  Job job = programJob("race_scan_mended.comp");
  job.dispatches[0].groups = {3, 1, 1};
  job.dispatches.push_back(job.dispatches[0]);
  return job;
}

TEST_P(Timelines, AMomentIsTheSameStateFromBeforeAndFromBehind) {
  const Job job = twoDispatches();
  Model model(Opened::options(GetParam().schedule));
  Expected<Timeline> line = Timeline::open([&](ir::Flavour f, Execution* from) { return model.start(job, f, from); }, GetParam().keeping);
  ASSERT_TRUE(line.ok()) << line.error().text();
  AllMoments every;
  const Expected<std::vector<Hit>> all = line->every(every);
  ASSERT_TRUE(all.ok());
  ASSERT_GT(all->size(), 500u);
  for (std::size_t i = 1; i < all->size(); ++i) ASSERT_LT((*all)[i - 1].time, (*all)[i].time);
  std::vector<std::vector<std::byte>> states;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < all->size(); i += 1 + all->size() / 40) which.push_back(i);
  for (const std::size_t i : which) {  // forwards
    ASSERT_FALSE(line->goTo((*all)[i].time));
    ASSERT_EQ(line->time(), (*all)[i].time);
    states.push_back(line->execution().save());
  }
  ASSERT_FALSE(line->goToEnd());
  EXPECT_TRUE(line->atEnd());
  for (std::size_t k = which.size(); k-- > 0;) {  // backwards
    ASSERT_FALSE(line->goTo((*all)[which[k]].time));
    ASSERT_EQ(line->execution().save(), states[k]) << which[k];
  }
  for (std::size_t k = 0; k < which.size(); ++k) {  // to and fro
    const std::size_t other = k * 7 % which.size();
    ASSERT_FALSE(line->goTo((*all)[which[other]].time));
    ASSERT_EQ(line->execution().save(), states[other]);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, Timelines,
                         testing::Values(Shape{"in-order", kMany}, Shape{"in-order", kNone}, Shape{"in-order", kFew},
                                         Shape{"in-order", kUsual}, Shape{"reverse", kMany}, Shape{"lanes-seed:3", kMany},
                                         Shape{"lanes-seed:3", kFew}, Shape{"interleave:seed:1@4", kMany},
                                         Shape{"interleave:seed:2@4", kNone}));

// With many short stretches between copies a search backwards finds the same as a search that looks at everything.
TEST(Timeline, TheLastHitBeforeAMomentIsTheLastOfAll) {
  const Job job = twoDispatches();
  Model model(Opened::options("in-order"));
  Expected<Timeline> line = Timeline::open([&](ir::Flavour f, Execution* from) { return model.start(job, f, from); }, kMany);
  ASSERT_TRUE(line.ok());
  AllMoments every;
  const std::vector<Hit> all = *line->every(every);
  for (std::size_t i = 1; i < all.size(); i += 97) {
    ASSERT_FALSE(line->goTo(all[i].time));
    const Expected<std::optional<Hit>> before = line->backward(every, {});
    ASSERT_TRUE(before.ok() && before->has_value());
    EXPECT_EQ((*before)->time, all[i - 1].time);
    EXPECT_EQ(line->time(), all[i - 1].time);
    const Expected<std::optional<Hit>> next = line->forward(every, {.access = true});
    ASSERT_TRUE(next.ok() && next->has_value());
    EXPECT_EQ((*next)->time, all[i].time);
  }
  ASSERT_FALSE(line->goTo(all[0].time));
  const Expected<std::optional<Hit>> none = line->backward(every, {});
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  EXPECT_EQ(line->time(), all[0].time);
}

// Every store is found by workgroups as it is by instructions, from every moment.
class Stores : public Seeker {
 public:
  explicit Stores(bool byInstruction) : byInstruction_(byInstruction) {}
  std::uint32_t watches() const override { return watch::kAccess; }
  bool needsInstructions() const override { return byInstruction_; }
  std::optional<Hit> access(const AccessEvent& e) override {
    if (!writes(e.kind)) return {};
    Hit hit;
    hit.pc = e.pc;
    return hit;
  }

 private:
  bool byInstruction_;
};

TEST(Timeline, WholeWorkgroupsAreSearchedAsTheirInstructionsAre) {
  const Job job = twoDispatches();
  for (const char* schedule : {"in-order", "reverse", "lanes-seed:3", "interleave:seed:1@4"}) {
    Model model(Opened::options(schedule));
    const auto starter = [&](ir::Flavour f, Execution* from) { return model.start(job, f, from); };
    Expected<Timeline> slow = Timeline::open(starter, kUsual), quick = Timeline::open(starter, {1 << 28, 1 << 16, 2});
    ASSERT_TRUE(slow.ok() && quick.ok());
    AllMoments every;
    const std::vector<Hit> all = *slow->every(every);
    Stores byInstruction(true), byWorkgroup(false);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 60) {
      ASSERT_FALSE(slow->goTo(all[i].time) || quick->goTo(all[i].time));
      const auto a = slow->backward(byInstruction, {}), b = quick->backward(byWorkgroup, {});
      ASSERT_TRUE(a.ok() && b.ok());
      ASSERT_EQ(a->has_value(), b->has_value()) << schedule << " " << i;
      if (!*a) continue;
      ++hits;
      EXPECT_EQ((*a)->time, (*b)->time) << schedule << " " << i;
      EXPECT_EQ((*a)->pc, (*b)->pc);
      EXPECT_EQ(slow->time(), quick->time());
    }
    EXPECT_GT(hits, 30u);
    ASSERT_FALSE(slow->goToEnd() || quick->goToEnd());
    EXPECT_EQ((**slow->backward(byInstruction, {})).time, (**quick->backward(byWorkgroup, {})).time) << schedule;
  }
}

}  // namespace
}  // namespace lanewise::debug
