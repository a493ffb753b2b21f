// Groups of lanes behind the last one of the mask are not computed, because nobody needs their results: where few invocations of a batch
// are there, or are left, an instruction takes no longer than for those.
#include <gtest/gtest.h>

#include "model/operations/operations.h"
#include "model/state/lane_masks.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kGroups = 4, kUntouched = 7;

// How many groups of its result an addition of two rows writes.
std::uint32_t written(const OpTable& table, const LaneMask& mask, bool everyGroup, std::uint32_t groups = kGroups) {
  constexpr std::uint32_t kRow = kGroups * kGroup * sizeof(std::uint32_t);
  AlignedBytes registers(std::size_t{3} * kRow);
  Batch batch;
  batch.regs = registers.data();
  batch.width = kGroups * kGroup;
  batch.everyGroup = everyGroup;
  batch.setMask(mask);
  auto* const row = batch.slot<std::uint32_t>(0);
  std::fill_n(row, kGroups * kGroup, kUntouched);
  Instr code[2];
  code[0].dst = 0, code[0].a = kRow, code[0].b = 2 * kRow;
  code[0].stepA = code[0].stepB = 1;
  code[0].groups = static_cast<std::uint8_t>(groups);
  code[0].run = table.find({ir::core(spv::Op::OpIAdd), Scalar::kI32, Scalar::kI32})->quiet;
  EXPECT_EQ(code[0].run(code, batch), code + 1);
  std::uint32_t count = 0;
  while (count < kGroups && row[count * kGroup] != kUntouched) ++count;
  for (std::uint32_t g = 0; g < kGroups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) EXPECT_EQ(row[g * kGroup + k], g < count ? 0 : kUntouched) << g << ", " << k;
  return count;
}

TEST(Groups, AsManyAsHaveLanesOfTheMask) {
  for (const OpTable* table : {&operations(), &baseOperations()}) {
    EXPECT_EQ(written(*table, firstLanes(1), false), 1u);
    EXPECT_EQ(written(*table, firstLanes(kGroup), false), 1u);
    EXPECT_EQ(written(*table, firstLanes(kGroup + 1), false), 2u);
    EXPECT_EQ(written(*table, firstLanes(kGroups * kGroup), false), kGroups);
    EXPECT_EQ(written(*table, oneLane(2 * kGroup), false), 3u);
    EXPECT_EQ(written(*table, {}, false), 1u);
  }
}

TEST(Groups, AUniformResultIsOne) {
  EXPECT_EQ(written(operations(), firstLanes(kGroups * kGroup), false, 1), 1u);
  EXPECT_EQ(written(operations(), oneLane(3 * kGroup), false, 1), 1u);
}

// Compiled code sets the mask only where it counts, and takes the result as a whole.
TEST(Groups, AllOfThemForCompiledCode) {
  EXPECT_EQ(written(operations(), firstLanes(1), true), kGroups);
}

TEST(Groups, OfABatchOf128Lanes) {
  Batch batch;
  batch.width = kMaxLanes;
  batch.setMask(oneLane(64));
  EXPECT_EQ(batch.groups, 5u);
  batch.setMask(firstLanes(kMaxLanes));
  EXPECT_EQ(batch.groups, 8u);
  batch.setMask(firstLanes(64));
  EXPECT_EQ(batch.groups, 4u);
}

}  // namespace
}  // namespace lanewise
