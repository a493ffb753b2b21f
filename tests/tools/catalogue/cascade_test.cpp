// Into which stages shaders/cascade.glsl's plan cuts a pyramid.
#include "tools/catalogue/cascade.h"

#include <gtest/gtest.h>

#include <bit>

#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

std::uint32_t fullLevels(Size size) {
  return static_cast<std::uint32_t>(std::bit_width(std::max(size.width, size.height)));
}

// "6 3 rest": levels of each stage.
std::string textOf(const std::vector<CascadeStage>& stages) {
  std::string out;
  for (const CascadeStage& s : stages) out += (out.empty() ? "" : " ") + (s.side == kWholeLevel ? "rest" : std::to_string(s.levels));
  return out;
}

std::string staged(Size size, bool borders) {
  return textOf(cascadeStages(size, fullLevels(size), borders));
}

TEST(CascadePlan, StagesOfSomeSizes) {
  EXPECT_EQ(staged({1, 1}, true), "");
  EXPECT_EQ(staged({97, 97}, true), "rest");
  EXPECT_EQ(staged({98, 97}, true), "5 rest");        // level 1 of a single tile would be 49x48
  EXPECT_EQ(staged({1920, 1080}, true), "5 rest");    // 1.4 times the reads, but one stage less
  EXPECT_EQ(staged({3840, 2160}, true), "4 3 rest");  // even sides down to level 4
  EXPECT_EQ(staged({4096, 4096}, true), "6 rest");
  EXPECT_EQ(staged({2047, 2047}, true), "3 3 rest");
  EXPECT_EQ(staged({4095, 4095}, true), "3 4 rest");  // four, so that what is left is one tile
  EXPECT_EQ(staged({16383, 16383}, true), "3 3 3 rest");
  EXPECT_EQ(staged({16384, 1}, true), "6 rest");
  EXPECT_EQ(staged({2051, 1}, true), "rest");    // 1025 texels of level 1, 512 of level 2: two runs an invocation
  EXPECT_EQ(staged({2052, 1}, true), "6 rest");  // 513
  EXPECT_EQ(staged({1, 2306}, true), "rest");    // of a column half as many
  // Without borders only the last tile of an axis reads more: with six levels 120 rows, with five 56.
  EXPECT_EQ(staged({1920, 1080}, false), "5 rest");
  EXPECT_EQ(staged({1920, 1056}, false), "6 rest");  // 96 rows
  EXPECT_EQ(staged({300, 200}, false), "6 rest");    // 72 rows and 108 columns, but few tiles
  EXPECT_EQ(staged({4095, 4095}, false), "5 3 rest");
}

TEST(CascadePlan, ChainsCutShort) {
  EXPECT_EQ(textOf(cascadeStages({4095, 4095}, 3, true)), "2");
  EXPECT_TRUE(cascadeStages({64, 64}, 1, true).empty());
}

// What the shader relies on: every level is made once, four stages at most, the last of three or four is one tile, and of two for all
// levels.
TEST(CascadePlan, EverySizeHasItsLevels) {
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const Size size{1 + i * 7919u % 16384, 1 + i * 104729u % (i % 2 == 0 ? 16384u : 100u)};
    for (const bool borders : {false, true})
      for (const std::uint32_t levels : {2u, 3u, 4u, fullLevels(size)}) {
        if (levels > fullLevels(size)) continue;
        const std::vector<CascadeStage> stages = cascadeStages(size, levels, borders);
        std::uint32_t at = 0, counters = 0;
        for (const CascadeStage& s : stages) {
          ASSERT_EQ(s.base, at) << sizeText(size);
          at += s.levels;
          if (&s - stages.data() < 2) continue;
          ASSERT_EQ(s.counters, counters) << sizeText(size);
          const Size tiles = cascadeTiles(size, s);
          counters += tiles.width * tiles.height;
        }
        ASSERT_EQ(at + 1, levels) << sizeText(size);
        ASSERT_LE(stages.size(), 4u) << sizeText(size);
        if (stages.size() > (levels == fullLevels(size) ? 1u : 2u)) {
          ASSERT_EQ(cascadeTiles(size, stages.back()), (Size{1, 1})) << sizeText(size);
        }
      }
  }
}

// The invocations of a group of the first dispatch, by the constant that says it; 0 where none does.
std::uint64_t groupOf(const std::string& name) {
  const Expected<Case> c = parseCase(name);
  if (!c) return ~std::uint64_t{0};
  const auto planned = c->kernel->plan(*c, kernelModule(*c->kernel), *inputOf(*c));
  for (const SpecConstant& constant : planned.dispatches.at(0).spec)
    if (constant.id == 12) return constant.value;
  return 0;
}

// Runs of columns have groups of their own, which nothing else works with: not a copy of level 0, quads, or a tile that is not regular.
TEST(CascadePlan, GroupsOfColumns) {
  EXPECT_EQ(groupOf("pyramid/energy/cascade @ 131x73"), 224u);
  EXPECT_EQ(groupOf("pyramid/energy/cascade @ 131x130"), 224u);
  EXPECT_EQ(groupOf("pyramid/energy-float/cascade @ 130x131"), 224u);
  EXPECT_EQ(groupOf("depth/conservative-uv/cascade-in-place @ 131x73"), 224u);
  EXPECT_EQ(groupOf("depth/conservative-uv/cascade @ 131x73"), 0u);
  EXPECT_EQ(groupOf("depth/conservative/cascade-in-place @ 131x73"), 0u);
  EXPECT_EQ(groupOf("pyramid/energy/cascade @ 132x130"), 0u);
  EXPECT_EQ(groupOf("pyramid/energy/cascade @ 37x73"), 0u);
  EXPECT_EQ(groupOf("pyramid/energy/cascade @ 3000x7"), 0u);
}

}  // namespace
}  // namespace lanewise
