// Sampling's coordinates against second formulations: exact rationals, geometry on whole numbers, the specification's formulas on
// sequences.
#include "model/scalar/sampling.h"

#include <array>
#include <set>

namespace lanewise {
namespace {

using scalar::CubeTexel;

TEST(ScalarSampling, LinearPositionsAreRoundedToTheSubTexelBits) {
  // u = n / 4096 in texels; the position u - 1/2 in units of 1/256 is (n - 2048) / 16, rounded to the nearest, ties to even.
  for (std::int64_t n = -3 * 4096; n <= 5 * 4096; ++n) {
    const std::int64_t units = n - 2048, low = (units >= 0 ? units : units - 15) / 16, rest = units - low * 16;
    const std::int64_t rounded = low + (rest > 8 || (rest == 8 && (low & 1) != 0) ? 1 : 0);
    const std::int64_t first = (rounded >= 0 ? rounded : rounded - 255) / 256;
    const scalar::Neighbours got = scalar::linear(static_cast<float>(n) / 4096, 8, false);
    ASSERT_EQ(got.first, first) << n;
    ASSERT_EQ(got.weight, static_cast<float>(rounded - first * 256) / 256) << n;
    const scalar::Neighbours cut = scalar::linear(static_cast<float>(n) / 4096, 8, true);
    const std::int64_t cutFirst = (low >= 0 ? low : low - 255) / 256;
    ASSERT_EQ(cut.first, cutFirst) << n;
    ASSERT_EQ(cut.weight, static_cast<float>(low - cutFirst * 256) / 256) << n;
    const scalar::Neighbours exact = scalar::linear(static_cast<float>(n) / 4096, 0, false);
    ASSERT_EQ(static_cast<double>(exact.first) + static_cast<double>(exact.weight), static_cast<double>(units) / 4096) << n;
  }
}

TEST(ScalarSampling, WhatIsNoNumberHasAPlace) {
  const float nan = std::bit_cast<float>(0x7fc00000u), infinity = std::bit_cast<float>(0x7f800000u);
  EXPECT_EQ(scalar::floorToInteger(nan), 0);
  EXPECT_EQ(scalar::floorToInteger(infinity), 1 << 30);
  EXPECT_EQ(scalar::floorToInteger(-infinity), -(1 << 30));
  EXPECT_EQ(scalar::floorToInteger(-0.25f), -1);
  for (const float x : {nan, infinity, -infinity}) EXPECT_EQ(scalar::linear(x, 8, false).weight, 0.0f);
  EXPECT_EQ(scalar::arrayLayer(nan, 4), 0u);
  EXPECT_EQ(scalar::arrayLayer(infinity, 4), 3u);
  EXPECT_EQ(scalar::nearestLevel(nan), 0u);
}

TEST(ScalarSampling, WrappingWalksAsItsName) {
  // From left to right over texels 0, 1, 2 of a row of three: one texel a step from -7 to 8.
  const std::array<std::int32_t, 16> repeat = {2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  const std::array<std::int32_t, 16> mirror = {0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2};
  const std::array<std::int32_t, 16> once = {2, 2, 2, 2, 2, 1, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2};
  for (std::int32_t i = -7; i <= 8; ++i) {
    const auto at = static_cast<std::size_t>(i + 7);
    const std::int32_t edge = i < 0 ? 0 : i > 2 ? 2 : i;
    EXPECT_EQ(scalar::wrap(AddressMode::kRepeat, i, 3), repeat[at]) << i;
    EXPECT_EQ(scalar::wrap(AddressMode::kMirroredRepeat, i, 3), mirror[at]) << i;
    EXPECT_EQ(scalar::wrap(AddressMode::kMirrorClampToEdge, i, 3), once[at]) << i;
    EXPECT_EQ(scalar::wrap(AddressMode::kClampToEdge, i, 3), edge) << i;
    EXPECT_EQ(scalar::wrap(AddressMode::kClampToBorder, i, 3), i == edge ? i : -1) << i;
  }
  for (const auto mode : {AddressMode::kRepeat, AddressMode::kMirroredRepeat, AddressMode::kMirrorClampToEdge})
    for (const std::int32_t i : {-(1 << 30) - 1, (1 << 30) + 1}) {
      EXPECT_GE(scalar::wrap(mode, i, 5), 0);
      EXPECT_LT(scalar::wrap(mode, i, 5), 5);
    }
}

// The centre of a texel of a cube of side 2 size, in whole numbers, from the specification's table of sc and tc.
std::array<std::int32_t, 3> centre(CubeTexel t, std::int32_t size) {
  const std::int32_t s = 2 * t.i + 1 - size, u = 2 * t.j + 1 - size;
  switch (t.face) {
    case 0:
      return {size, -u, -s};
    case 1:
      return {-size, -u, s};
    case 2:
      return {s, size, u};
    case 3:
      return {s, -size, -u};
    case 4:
      return {s, -u, size};
    default:
      return {-s, -u, -size};
  }
}

std::int64_t distance(std::array<std::int32_t, 3> a, std::array<std::int32_t, 3> b) {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += std::int64_t{a[c] - b[c]} * (a[c] - b[c]);
  return sum;
}

TEST(ScalarSampling, ACubesNeighbourIsTheNearestTexelOfAnotherFace) {
  for (const std::int32_t size : {1, 2, 5}) {
    for (std::uint32_t face = 0; face < 6; ++face)
      for (std::int32_t n = 0; n < size; ++n)
        for (const CubeTexel out : {CubeTexel{face, -1, n}, {face, size, n}, {face, n, -1}, {face, n, size}}) {
          const CubeTexel inside{face, std::clamp(out.i, 0, size - 1), std::clamp(out.j, 0, size - 1)};
          // Across the edge: the texel of another face whose centre is as near as the fold allows, (1, 1) away from the edge texel's, and
          // on the side where `out` lies.
          const CubeTexel got = scalar::cubeNeighbour(out, size);
          ASSERT_NE(got.face, face);
          ASSERT_TRUE(got.i >= 0 && got.i < size && got.j >= 0 && got.j < size);
          ASSERT_EQ(distance(centre(got, size), centre(inside, size)), 2) << face << " " << out.i << " " << out.j;
          const auto beyond = centre(out, size);
          std::int64_t best = 1 << 30;
          for (std::uint32_t f = 0; f < 6; ++f)
            for (std::int32_t i = 0; i < size && f != face; ++i)
              for (std::int32_t j = 0; j < size; ++j) best = std::min(best, distance(centre({f, i, j}, size), beyond));
          ASSERT_EQ(distance(centre(got, size), beyond), best);
        }
  }
}

TEST(ScalarSampling, ADirectionMeetsTheFaceItPointsAt) {
  const struct {
    float x, y, z;
    std::uint32_t face;
    float s, t;
  } cases[] = {{2, 1, -1, 0, 0.75f, 0.25f},  {-2, 1, -1, 1, 0.25f, 0.25f}, {1, 2, -1, 2, 0.75f, 0.25f},
               {1, -2, -1, 3, 0.75f, 0.75f}, {1, -1, 2, 4, 0.75f, 0.75f},  {1, -1, -2, 5, 0.25f, 0.75f},
               {1, 1, 1, 4, 1, 0},           {1, -1, 0, 3, 1, 0.5f},       {-1, 0, 0, 1, 0.5f, 0.5f}};
  for (const auto& c : cases) {
    const std::uint32_t face = scalar::cubeFace(c.x, c.y, c.z);
    EXPECT_EQ(face, c.face);
    const auto axes = scalar::cubeAxes(face, c.x, c.y, c.z);
    EXPECT_EQ(scalar::cubeCoordinate(axes.sc, axes.rc), c.s);
    EXPECT_EQ(scalar::cubeCoordinate(axes.tc, axes.rc), c.t);
  }
}

TEST(ScalarSampling, LevelsOfDetail) {
  const float size[3] = {64, 32, 0}, quarter[3] = {0.25f, 0, 0}, eighth[3] = {0, 0.125f, 0}, none[3] = {0, 0, 0};
  EXPECT_EQ(scalar::gradientLod(quarter, none, size), 4.0f);
  EXPECT_EQ(scalar::gradientLod(eighth, none, size), 2.0f);
  EXPECT_EQ(scalar::gradientLod(eighth, quarter, size), 4.0f);
  EXPECT_EQ(scalar::gradientLod(none, none, size), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(scalar::nearestLevel(0.5f), 0u);
  EXPECT_EQ(scalar::nearestLevel(std::nextafter(0.5f, 1.0f)), 1u);
  EXPECT_EQ(scalar::nearestLevel(1.5f), 1u);
  EXPECT_EQ(scalar::nearestLevel(2.75f), 3u);
  EXPECT_EQ(scalar::arrayLayer(0.5f, 4), 0u);
  EXPECT_EQ(scalar::arrayLayer(1.5f, 4), 2u);
  EXPECT_EQ(scalar::arrayLayer(-7.0f, 4), 0u);
  EXPECT_EQ(scalar::arrayLayer(4.0f, 4), 3u);
}

TEST(ScalarSampling, InterpolationRoundsOnceOrTwice) {
  // 1/3 of the way from 1 to 1 + 2^-20: the product needs a bit more than the sum can hold.
  const float a = 1, b = 1 + 0x1p-20f, t = 0.34375f;
  EXPECT_EQ(scalar::lerp(a, b, t, false), 1 + 3 * 0x1p-23f);
  EXPECT_EQ(scalar::lerp(3, 5, 0.5f, true), 4.0f);
  int differ = 0;
  for (int i = 1; i < 1000; ++i) {
    const float x = static_cast<float>(i) / 999, y = static_cast<float>(i * 7 % 1000) / 1000, w = static_cast<float>(i * 13 % 256) / 255;
    const double exact = static_cast<double>(x) + static_cast<double>(y - x) * static_cast<double>(w);
    EXPECT_EQ(scalar::lerp(x, y, w, true), static_cast<float>(exact)) << i;  // 53 bits hold product and sum, or the sum rounds as they do
    differ += scalar::lerp(x, y, w, false) != scalar::lerp(x, y, w, true);
  }
  EXPECT_GT(differ, 0);
}

TEST(ScalarSampling, ComparisonsTakeTheReferenceFirst) {
  for (const auto& [op, less, equal, greater] : {std::tuple{CompareOp::kNever, 0, 0, 0},
                                                 {CompareOp::kLess, 1, 0, 0},
                                                 {CompareOp::kEqual, 0, 1, 0},
                                                 {CompareOp::kLessOrEqual, 1, 1, 0},
                                                 {CompareOp::kGreater, 0, 0, 1},
                                                 {CompareOp::kNotEqual, 1, 0, 1},
                                                 {CompareOp::kGreaterOrEqual, 0, 1, 1},
                                                 {CompareOp::kAlways, 1, 1, 1}}) {
    EXPECT_EQ(scalar::compares(op, 0.25f, 0.5f), less == 1);
    EXPECT_EQ(scalar::compares(op, 0.5f, 0.5f), equal == 1);
    EXPECT_EQ(scalar::compares(op, 0.75f, 0.5f), greater == 1);
  }
}

}  // namespace
}  // namespace lanewise
