// A clock against a map, joined in any order, with workgroups on either side of each power of 16; and the numbers of workgroups.
#include "model/check/race_clock.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/state/workgroup.h"

namespace lanewise::race {
namespace {

TEST(Clock, KnowsOfEachWorkgroupWhatAMapDoes) {
  std::vector<std::uint64_t> groups{0};
  for (std::uint32_t bit = 0; bit < 64; bit += 4)
    for (const std::uint64_t more : {0, 1}) groups.push_back((std::uint64_t{1} << bit) + more);
  std::mt19937 random(1);
  Clock clocks[4];
  std::map<std::uint64_t, std::uint32_t> known[4];
  for (std::uint32_t phase = 1; phase <= 400; ++phase) {
    const std::size_t to = random() % 4, from = random() % 4;
    // At first those that 16 bits have.
    const std::uint64_t group = groups[random() % (phase < 100 ? 9 : groups.size())];
    clocks[to].join(group, {phase, {}});
    known[to][group] = phase;
    if (phase % 8 == 0) {
      clocks[to].join(clocks[from]);
      for (const auto& [g, p] : known[from]) known[to][g] = std::max(known[to][g], p);
    }
    for (std::size_t c = 0; c < 4; ++c)
      for (const std::uint64_t g : groups) {
        const Known* k = clocks[c].of(g);
        ASSERT_EQ(k ? k->phase : 0, known[c].contains(g) ? known[c][g] : 0) << "workgroup " << g << " after " << phase;
      }
  }
}

TEST(Known, CoversWhatChangesNothing) {
  std::mt19937 engine(1);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  std::uint32_t covered = 0;
  for (std::uint32_t trial = 0; trial < 4000; ++trial) {
    Known two[2];
    for (Known& k : two) {
      k.phase = random() % 2;
      for (std::uint32_t spans = random() % 4; spans != 0; --spans) {
        const std::uint32_t first = random() % 8;
        k.add({first, first + 1 + random() % 6, 1 + random() % 2});
      }
    }
    Known joined = two[0];
    joined.join(two[1]);
    ASSERT_EQ(two[0].covers(two[1]), joined == two[0]) << trial;
    covered += two[0].covers(two[1]) ? 1 : 0;
  }
  EXPECT_GT(covered, 400u);
  EXPECT_LT(covered, 3600u);
}

TEST(Workgroup, HasANumberOfItsOwnBeyond32Bits) {
  const Extent3 most{65535, 65535, 65535};
  EXPECT_EQ(linearOf({1, 2, 3}, {10, 20, 30}), 621u);
  EXPECT_EQ(linearOf({65534, 65534, 65534}, most), 65535ull * 65535 * 65535 - 1);
  for (const Extent3& id : {Extent3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 2, 1}, {65534, 0, 65534}, {7, 65534, 1}})
    EXPECT_EQ(workgroupAt(linearOf(id, most), most), id);
}

}  // namespace
}  // namespace lanewise::race
