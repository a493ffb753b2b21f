// Pyramids: level counts by hand, depth by which base texels each texel covers, means by areas of overlap.
#include <cmath>
#include <numeric>

#include "golden/image/inputs.h"
#include "golden/oracles/depth_pyramid.h"
#include "golden/oracles/levels.h"
#include "golden/oracles/mean_pyramid.h"
#include "golden/oracles/natural.h"
#include "golden/oracles/pyramid_traffic.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

TEST(GoldenLevels, CountsByHand) {
  struct Row {
    std::uint32_t side, full, spd, ceil;
  };
  for (const Row& row : {Row{1, 1, 1, 0},
                         {2, 2, 2, 1},
                         {3, 2, 2, 2},
                         {4, 3, 3, 2},
                         {5, 3, 3, 3},
                         {64, 7, 7, 6},
                         {1024, 11, 11, 10},
                         {1920, 11, 11, 11},
                         {4096, 13, 13, 12},
                         {8191, 13, 13, 13},
                         {8192, 14, 13, 13},
                         {65535, 16, 13, 16}})
    for (const Extent e : {Extent{row.side, 1}, Extent{1, row.side}, Extent{row.side, row.side}}) {
      EXPECT_EQ(levelCount(e, LevelCount::kFull), row.full) << row.side;
      EXPECT_EQ(levelCount(e, LevelCount::kSpd), row.spd) << row.side;
      EXPECT_EQ(levelCount(e, LevelCount::kCeil), row.ceil) << row.side;
    }
  for (LevelCount c : kLevelCounts) EXPECT_EQ(levelCountByName(levelCountName(c)), c);
}

// The base texels [first, last] of an axis of D that texel j of level l stands for, from the meaning of each form, without going level by
// level.
struct Cover {
  std::int64_t first, last;
};

Cover coverFloor(std::int64_t d, std::uint32_t level, std::int64_t j) {
  // Halving stops when one texel is left: then a level stands for as much as the one before.
  const std::int64_t span = std::int64_t{1} << std::min<std::int64_t>(level, std::bit_width(static_cast<std::uint64_t>(d)) - 1);
  return {j * span, j * span + span - 1};
}

// All base texels b with min(b >> level, size - 1) == j.
Cover coverConservative(std::int64_t d, std::uint32_t level, std::int64_t j) {
  const std::int64_t size = std::max<std::int64_t>(1, d >> level);
  Cover cover{d, -1};
  for (std::int64_t b = 0; b < d; ++b)
    if (std::min(b >> level, size - 1) == j) cover = {std::min(cover.first, b), std::max(cover.last, b)};
  return cover;
}

float extremeOver(const Image& base, Cover x, Cover y, Extreme extreme) {
  float best = base.get<float>(0, static_cast<std::uint32_t>(x.first), static_cast<std::uint32_t>(y.first));
  for (std::int64_t j = y.first; j <= y.last; ++j)
    for (std::int64_t i = x.first; i <= x.last; ++i) {
      const float v = base.get<float>(0, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
      best = extreme == Extreme::kMax ? std::max(best, v) : std::min(best, v);
    }
  return best;
}

std::vector<Extent> smallSizes() {
  std::vector<Extent> sizes;
  for (std::uint32_t h = 1; h <= 9; ++h)
    for (std::uint32_t w = 1; w <= 9; ++w) sizes.push_back({w, h});
  for (const Extent e : {Extent{33, 1}, Extent{1, 47}, Extent{63, 15}, Extent{17, 31}, Extent{20, 13}}) sizes.push_back(e);
  return sizes;
}

TEST(GoldenDepth, EachTexelIsTheExtremeOfWhatItCovers) {
  for (const Extent size : smallSizes()) {
    const Image base = *makeInput("noise:1", size, 1, Component::kF32);
    const std::uint32_t levels = levelCount(size, LevelCount::kFull);
    for (const Extreme extreme : {Extreme::kMax, Extreme::kMin})
      for (const auto& [form, cover] :
           {std::pair{DepthForm::kFloor, &coverFloor}, std::pair{DepthForm::kConservative, &coverConservative}}) {
        const Image chain = *depthPyramid(form, extreme, base, levels);
        for (std::uint32_t l = 0; l < levels; ++l)
          for (std::uint32_t y = 0; y < chain.size(l).height; ++y)
            for (std::uint32_t x = 0; x < chain.size(l).width; ++x)
              ASSERT_EQ(chain.get<float>(l, x, y), extremeOver(base, cover(size.width, l, x), cover(size.height, l, y), extreme))
                  << depthFormName(form) << " " << size.width << "x" << size.height << " level " << l << " (" << x << "," << y << ")";
      }
  }
}

// conservative-uv: a texel is at least as great as every base texel whose square its own meets, at any level; and a single far texel does
// not spread beyond the texels next to these.
TEST(GoldenDepth, UvCoversProportionally) {
  for (const Extent size : smallSizes()) {
    const std::uint32_t levels = levelCount(size, LevelCount::kFull);
    for (const InputSpec& spec : impulsesEverywhere(size)) {
      const Image chain = *depthPyramid(DepthForm::kConservativeUv, Extreme::kMax, *makeInput(spec, size, 1, Component::kF32), levels);
      for (std::uint32_t l = 0; l < levels; ++l) {
        const Extent e = chain.size(l);
        for (std::uint32_t y = 0; y < e.height; ++y)
          for (std::uint32_t x = 0; x < e.width; ++x) {
            // Texel x covers [x W / w, (x + 1) W / w) of the base, and the impulse [X, X + 1).
            const auto meets = [](std::uint64_t at, std::uint64_t small, std::uint64_t big, std::uint64_t b) {
              return at * big < (b + 1) * small && (at + 1) * big > b * small;
            };
            const bool inside = meets(x, e.width, size.width, spec.x) && meets(y, e.height, size.height, spec.y);
            if (inside) {
              ASSERT_EQ(chain.get<float>(l, x, y), 1.0f) << size.width << "x" << size.height << " level " << l;
            }
            if (l == 1) {
              ASSERT_EQ(chain.get<float>(l, x, y), inside ? 1.0f : 0.0f);
            }
          }
      }
    }
  }
}

TEST(GoldenDepth, PublishedDefectsWouldShow) {
  // The greatest depth in the last row of 3: lost by floor, kept by both conservative forms.
  const Image base = *makeInput("list:0,0,0,0,0.5,1", {2, 3}, 1, Component::kF32);
  EXPECT_EQ(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 2)->get<float>(1, 0, 0), 0.0f);
  EXPECT_EQ(depthPyramid(DepthForm::kConservative, Extreme::kMax, base, 2)->get<float>(1, 0, 0), 1.0f);
  EXPECT_EQ(depthPyramid(DepthForm::kConservativeUv, Extreme::kMax, base, 2)->get<float>(1, 0, 0), 1.0f);
}

TEST(GoldenDepth, ZerosAreOrderedAndNonsenseIsRefused) {
  Image base = makeImage({2, 1}, 1, Component::kF32);
  base.set<float>(0, 0, 0, 0, -0.0f);
  EXPECT_FALSE(std::signbit(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 2)->get<float>(1, 0, 0)));
  EXPECT_TRUE(std::signbit(depthPyramid(DepthForm::kFloor, Extreme::kMin, base, 2)->get<float>(1, 0, 0)));
  base.set<float>(0, 1, 0, 0, std::nanf(""));
  EXPECT_THAT(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 2).error().text(), testing::HasSubstr("(1, 0)"));
  base.set<float>(0, 1, 0, 0, INFINITY);
  EXPECT_EQ(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 2).error().outcome, Outcome::kBadInput);
  base.set<float>(0, 1, 0, 0, 0);
  EXPECT_FALSE(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 0).ok());
  EXPECT_FALSE(depthPyramid(DepthForm::kFloor, Extreme::kMax, base, 3).ok());
  EXPECT_FALSE(depthPyramid(DepthForm::kFloor, Extreme::kMax, *makeInput("ramp", {2, 1}), 2).ok());
}

// The length of what texel j of n and texel i of D have in common when both rows are n * D long.
std::int64_t overlap(std::int64_t j, std::int64_t n, std::int64_t i, std::int64_t d) {
  return std::max<std::int64_t>(0, std::min((j + 1) * d, (i + 1) * n) - std::max(j * d, i * n));
}

// One level of the energy form as an exact area average, rounded once.
std::uint8_t areaMean(const Image& chain, std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  const Extent from = chain.size(level - 1), to = chain.size(level);
  std::int64_t sum = 0, area = 0;
  for (std::uint32_t j = 0; j < from.height; ++j)
    for (std::uint32_t i = 0; i < from.width; ++i) {
      const std::int64_t part = overlap(x, to.width, i, from.width) * overlap(y, to.height, j, from.height);
      sum += part * chain.get<std::uint8_t>(level - 1, i, j, channel);
      area += part;
    }
  return static_cast<std::uint8_t>((2 * sum + area) / (2 * area));
}

TEST(GoldenMean, EnergyIsTheMeanOverTheArea) {
  for (const Extent size : smallSizes()) {
    const std::uint32_t levels = levelCount(size, LevelCount::kFull);
    const Image chain = *pyramid({}, *makeInput("noise:5", size), levels);
    for (std::uint32_t l = 1; l < levels; ++l)
      for (std::uint32_t y = 0; y < chain.size(l).height; ++y)
        for (std::uint32_t x = 0; x < chain.size(l).width; ++x)
          for (std::uint32_t c = 0; c < 4; ++c)
            ASSERT_EQ(chain.get<std::uint8_t>(l, x, y, c), areaMean(chain, l, x, y, c))
                << size.width << "x" << size.height << " level " << l;
  }
}

TEST(GoldenMean, EnergyIsConserved) {
  // Every source texel of an axis weighs the same over all texels of the next level together: n of 2n + 1, or 1 of 2.
  for (std::uint32_t size = 2; size < 200; ++size) {
    std::vector<std::uint64_t> total(size, 0);
    for (std::uint32_t j = 0; j < size / 2; ++j) {
      const Taps t = pyramidTaps(PyramidKernel::kEnergy, j, size);
      EXPECT_EQ(t.weight[0] + t.weight[1] + t.weight[2], t.sum);
      for (std::uint32_t i = 0; i < t.count; ++i) total[t.first + i] += t.weight[i];
    }
    for (std::uint64_t weight : total) EXPECT_EQ(weight, size % 2 == 0 ? 1 : size / 2) << size;
  }
}

// The linear filter by Vulkan's formulas: u = (j + 1/2) D / n, i = floor(u - 1/2), weight u - 1/2 - i.
TEST(GoldenMean, AFiltersTapsAreThoseAroundTheMiddle) {
  for (std::uint32_t size = 2; size < 200; ++size)
    for (std::uint32_t j = 0; j < size / 2; ++j) {
      const Taps t = pyramidTaps(PyramidKernel::kFilter, j, size);
      const double place = (j + 0.5) * size / (size / 2) - 0.5;
      EXPECT_EQ(t.weight[0] + t.weight[1], t.sum);
      EXPECT_LT(t.first + 1, size);
      EXPECT_NEAR(t.first + static_cast<double>(t.weight[1]) / static_cast<double>(t.sum), place, 1e-9) << size << " " << j;
    }
}

TEST(GoldenMean, TwoByTwoByHand) {
  const PyramidForm form{.kernel = PyramidKernel::k2x2};
  const auto top = [&](const char* list, Extent e) { return pyramid(form, *makeInput(list, e, 1), 2)->get<std::uint8_t>(1, 0, 0); };
  EXPECT_EQ(top("list:1,2,3,4", {2, 2}), 3);  // (10 + 2) >> 2
  EXPECT_EQ(top("list:0,0,0,1", {2, 2}), 0);  // (1 + 2) >> 2
  EXPECT_EQ(top("list:0,0,1,1", {2, 2}), 1);  // a tie goes up
  EXPECT_EQ(top("list:7,8", {2, 1}), 8);      // along one axis: (15 + 1) >> 1
  EXPECT_EQ(top("list:7,8", {1, 2}), 8);
  EXPECT_EQ(top("list:0,0,255", {3, 1}), 0);  // the odd last column is dropped
  EXPECT_EQ(top("list:1,2,9,3,4,9,9,9,9", {3, 3}), 3);
}

TEST(GoldenMean, ConstantsAreFixedPoints) {
  for (const Extent size : {Extent{9, 7}, Extent{16, 16}, Extent{1, 5}})
    for (int v = 0; v < 256; ++v)
      for (const PyramidKernel kernel : {PyramidKernel::k2x2, PyramidKernel::kEnergy})
        for (const Encoding encoding : {Encoding::kLinear, Encoding::kSrgb}) {
          const Image base = *makeInput("constant:" + std::to_string(v), size);
          const Image chain = *pyramid({.kernel = kernel, .encoding = encoding}, base, 3);
          for (std::byte b : chain.bytes) ASSERT_EQ(std::to_integer<int>(b), v);
        }
}

TEST(GoldenMean, MinAndMaxTakeEveryTexelWithWeight) {
  for (const Extent size : smallSizes())
    for (const PyramidKernel kernel : {PyramidKernel::k2x2, PyramidKernel::kEnergy}) {
      const std::uint32_t levels = std::min(2u, levelCount(size, LevelCount::kFull));
      const Image base = *makeInput("noise:6", size, 1);
      const Image high = *pyramid({.kernel = kernel, .reduction = Reduction::kMax}, base, levels),
                  low = *pyramid({.kernel = kernel, .reduction = Reduction::kMin}, base, levels);
      if (levels < 2) continue;
      const Extent to = high.size(1);
      for (std::uint32_t y = 0; y < to.height; ++y)
        for (std::uint32_t x = 0; x < to.width; ++x) {
          std::uint8_t most = 0, least = 255;
          for (std::uint32_t j = 0; j < size.height; ++j)
            for (std::uint32_t i = 0; i < size.width; ++i) {
              const bool weighs = kernel == PyramidKernel::kEnergy
                                      ? overlap(x, to.width, i, size.width) > 0 && overlap(y, to.height, j, size.height) > 0
                                      : i / 2 == x && j / 2 == y;
              if (!weighs) continue;
              most = std::max(most, base.get<std::uint8_t>(0, i, j));
              least = std::min(least, base.get<std::uint8_t>(0, i, j));
            }
          ASSERT_EQ(high.get<std::uint8_t>(1, x, y), most);
          ASSERT_EQ(low.get<std::uint8_t>(1, x, y), least);
        }
    }
}

TEST(GoldenMean, PremultipliedColoursAreRoundedProducts) {
  for (unsigned c = 0; c < 256; ++c)
    for (unsigned a = 0; a < 256; ++a) {
      Image one = makeImage({1, 1}, 4, Component::kU8);
      one.bytes = {std::byte(c), std::byte(c), std::byte(c), std::byte(a)};
      ASSERT_EQ(premultiplied(one).get<std::uint8_t>(0, 0, 0, 1), std::lround(c * a / 255.0));
      ASSERT_EQ(premultiplied(one).get<std::uint8_t>(0, 0, 0, 3), a);
    }
  const Image chain = *pyramid({.premultiply = true}, *makeInput("list:200,100,50,128,10,20,30,0", {2, 1}), 2);
  EXPECT_EQ(valuesOf<std::uint8_t>(chain, 0), (std::vector<std::uint8_t>{100, 50, 25, 128, 0, 0, 0, 0}));
  EXPECT_EQ(valuesOf<std::uint8_t>(chain, 1), (std::vector<std::uint8_t>{50, 25, 13, 64}));
  EXPECT_FALSE(pyramid({.premultiply = true}, *makeInput("ramp", {2, 1}, 3), 2).ok());
}

TEST(GoldenMean, NonsenseIsRefused) {
  const Image base = *makeInput("ramp", {4, 4});
  EXPECT_FALSE(pyramid({}, base, 0).ok());
  EXPECT_FALSE(pyramid({}, base, 4).ok());
  EXPECT_EQ(pyramid({}, base, 1)->bytes, base.bytes);
  EXPECT_FALSE(pyramid({}, *makeInput("ramp", {4, 4}, 4, Component::kF32), 2).ok());
  EXPECT_FALSE(pyramid({}, *makeInput("ramp", {65536, 1}, 1), 2).ok());
}

TEST(GoldenMean, TheWidestSidesDoNotOverflow) {
  // The largest divisor there is, all white: stays white, in both encodings.
  for (const Encoding encoding : {Encoding::kLinear, Encoding::kSrgb}) {
    const Image chain = *pyramid({.encoding = encoding}, *makeInput("constant:255", {65535, 3}, 3), 2);
    for (std::byte b : chain.bytes) ASSERT_EQ(b, std::byte{255});
  }
}

TEST(GoldenTraffic, EveryBaseTexelIsInLevelOneAndTheRestIsPicked) {
  for (const Extent size : smallSizes())
    for (const InputSpec& impulse : impulsesEverywhere({std::min(size.width, 7u), std::min(size.height, 7u)})) {
      const std::uint32_t levels = levelCount(size, LevelCount::kFull);
      const Image chain = *pyramidTraffic(*makeInput(impulse, size), levels);
      std::uint32_t seen = 0;
      for (std::uint32_t l = 1; l < levels; ++l)
        for (std::uint32_t y = 0; y < chain.size(l).height; ++y)
          for (std::uint32_t x = 0; x < chain.size(l).width; ++x) {
            if (l == 1) seen += chain.get<std::uint8_t>(1, x, y) == 255;
            // The tile's first texel of level 1, and the place inside of the tile.
            const std::uint32_t side = std::max(1u, 64u >> l), first = l > 6 ? 1u << (l - 1) : 32u;
            ASSERT_EQ(chain.get<std::uint8_t>(l, x, y),
                      chain.get<std::uint8_t>(1, x / side * first + x % side, y / side * first + y % side));
          }
      EXPECT_EQ(seen, levels > 1 ? 1u : 0u);
    }
  EXPECT_FALSE(pyramidTraffic(*makeInput("ramp", {4, 4}), 4).ok());
}

}  // namespace
}  // namespace lanewise::golden
