// The photo statistics against second formulations: counting by quadrant, float division, GMP fractions, separable filters, exact
// positions.
#include <gmp.h>

#include <cmath>
#include <numeric>

#include "golden/image/inputs.h"
#include "golden/image/random.h"
#include "golden/oracles/bilinear.h"
#include "golden/oracles/exact_number.h"
#include "golden/oracles/fingerprint.h"
#include "golden/oracles/saturation.h"
#include "golden/oracles/sobel.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

std::vector<Extent> sizes() {
  return {{1, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}, {3, 3}, {4, 4}, {7, 5}, {16, 9}, {33, 20}};
}

TEST(GoldenFingerprint, CountsEveryTexelInItsQuarter) {
  for (const Extent size : sizes()) {
    const Image picture = *makeInput("noise:1", size), counts = *fingerprint(picture);
    std::vector<std::uint32_t> expected(2048, 0);
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        // The lower half begins where 2y reaches H, the right half where 2x reaches W.
        std::uint32_t bucket = (2 * y >= size.height ? 2u : 0u) + (2 * x >= size.width ? 1u : 0u);
        std::uint32_t scale = 4;
        for (std::uint32_t c : {2u, 1u, 0u}) {
          bucket += scale * (picture.get<std::uint8_t>(0, x, y, c) / 32u);
          scale *= 8;
        }
        ++expected[bucket];
      }
    EXPECT_EQ(valuesOf<std::uint32_t>(counts), expected);
    EXPECT_EQ(std::accumulate(expected.begin(), expected.end(), 0u), size.width * size.height);
  }
}

TEST(GoldenFingerprint, PublishedOverflowDoesNotHappen) {
  // White at (0, 2) of 2x3: location 2, where the published formula makes 4 and leaves the histogram.
  Image picture = *makeInput("impulse:0,2", {2, 3});
  EXPECT_EQ(fingerprint(picture)->get<std::uint32_t>(0, 7 << 8 | 7 << 5 | 7 << 2 | 2, 0), 1u);
  EXPECT_FALSE(fingerprint(*makeInput("ramp", {2, 3}, 3)).ok());
}

Image vectorOf(std::vector<std::uint32_t> values) {
  Image image = makeImage({static_cast<std::uint32_t>(values.size()), 1}, 1, Component::kU32);
  setValues<std::uint32_t>(image, 0, values);
  return image;
}

TEST(GoldenCosine, ByHandAndWithoutWrapping) {
  EXPECT_EQ(cosine(vectorOf({3, 4}), vectorOf({3, 4}))->value, 1.0f);
  EXPECT_EQ(cosine(vectorOf({1, 0}), vectorOf({0, 1}))->value, 0.0f);
  EXPECT_EQ(cosine(vectorOf({1, 1}), vectorOf({1, 0}))->value, static_cast<float>(std::sqrt(0.5)));
  EXPECT_EQ(cosine(vectorOf({65536}), vectorOf({65536}))->value, 1.0f);
  EXPECT_EQ(cosine(vectorOf({65537}), vectorOf({1}))->value, 1.0f);
  const std::vector<std::uint32_t> most(2048, 0xFFFFFFFF);
  EXPECT_EQ(cosine(vectorOf(most), vectorOf(most))->value, 1.0f);
}

TEST(GoldenCosine, NearTheWideFloatFormula) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<std::uint32_t> a(17), b(17);
    long double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < 17; ++i) {
      a[i] = static_cast<std::uint32_t>(splitMix64(seed, i)) >> (seed % 20);
      b[i] = static_cast<std::uint32_t>(splitMix64(seed, 100 + i)) >> (seed % 13);
      ab += static_cast<long double>(a[i]) * b[i];
      aa += static_cast<long double>(a[i]) * a[i];
      bb += static_cast<long double>(b[i]) * b[i];
    }
    const long double value = ab / std::sqrt(aa * bb);
    const float rounded = cosine(vectorOf(a), vectorOf(b))->value;
    const long double half = (static_cast<long double>(std::nextafter(rounded, 2.0f)) - rounded) / 2;
    EXPECT_LE(std::fabs(value - rounded), half * 1.0001L);
  }
}

TEST(GoldenCosine, ZeroAndOtherShapesAreBadInput) {
  EXPECT_EQ(cosine(vectorOf({0, 0}), vectorOf({1, 2})).error().outcome, Outcome::kBadInput);
  EXPECT_FALSE(cosine(vectorOf({1}), vectorOf({1, 2})).ok());
  EXPECT_FALSE(cosine(*makeInput("ramp", {2, 1}), *makeInput("ramp", {2, 1})).ok());
}

TEST(GoldenSaturation, EveryPairIsTheRoundedQuotient) {
  Image picture = makeImage({256, 256}, 4, Component::kU8);
  for (std::uint32_t y = 0; y < 256; ++y)
    for (std::uint32_t x = 0; x < 256; ++x) {
      picture.set(0, x, y, x % 3, static_cast<std::uint8_t>(x));
      picture.set(0, x, y, (x + 1) % 3, static_cast<std::uint8_t>(y));
      picture.set(0, x, y, (x + 2) % 3, static_cast<std::uint8_t>(std::min(x, y)));
    }
  const Image out = *saturation(picture);
  for (std::uint32_t y = 0; y < 256; ++y)
    for (std::uint32_t x = 0; x < 256; ++x) {
      const std::uint32_t max = std::max(x, y), min = std::min(x, y);
      ASSERT_EQ(out.get<float>(0, x, y), max == 0 ? 0.0f : static_cast<float>(max - min) / static_cast<float>(max));
    }
}

// The sum of the fractions is the sum of the entries, each divided by its index.
TEST(GoldenSaturation, SumsGiveTheExactMean) {
  for (const Extent size : sizes()) {
    const Image picture = *makeInput("noise:3", size), sums = *saturationSums(picture);
    mpq_t sum, ours, one;
    for (mpq_ptr number : {sum, ours, one}) mpq_init(number);
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        unsigned max = 0, min = 255;
        for (std::uint32_t c = 0; c < 3; ++c) {
          max = std::max<unsigned>(max, picture.get<std::uint8_t>(0, x, y, c));
          min = std::min<unsigned>(min, picture.get<std::uint8_t>(0, x, y, c));
        }
        if (max == 0) continue;
        mpq_set_ui(one, max - min, max);
        mpq_canonicalize(one);
        mpq_add(sum, sum, one);
      }
    for (std::uint32_t m = 1; m < 256; ++m) {
      mpq_set_ui(one, sums.get<std::uint64_t>(0, m, 0), m);
      mpq_canonicalize(one);
      mpq_add(ours, ours, one);
    }
    EXPECT_TRUE(mpq_equal(sum, ours)) << mpq_get_d(sum) << " " << mpq_get_d(ours);
    for (mpq_ptr number : {sum, ours, one}) mpq_clear(number);
  }
}

// Smooth across, then take the difference along: the same filter in two steps, with the edge texels repeated by hand.
TEST(GoldenSobel, IsTheSeparableFilter) {
  for (const Extent size : sizes())
    for (const char* name : {"noise:4", "checkerboard", "extremes:1", "ramp", "constant:7"}) {
      const Image picture = *makeInput(name, size), out = *sobel(picture);
      const int w = static_cast<int>(size.width), h = static_cast<int>(size.height);
      std::vector<int> padded(static_cast<std::size_t>((w + 2) * (h + 2)));
      const auto at = [&](int x, int y) -> int& { return padded[static_cast<std::size_t>((y + 1) * (w + 2) + x + 1)]; };
      for (int y = -1; y <= h; ++y)
        for (int x = -1; x <= w; ++x) {
          const auto cx = static_cast<std::uint32_t>(std::min(std::max(x, 0), w - 1)),
                     cy = static_cast<std::uint32_t>(std::min(std::max(y, 0), h - 1));
          const double luma = 0.299 * picture.get<std::uint8_t>(0, cx, cy, 0) + 0.587 * picture.get<std::uint8_t>(0, cx, cy, 1) +
                              0.114 * picture.get<std::uint8_t>(0, cx, cy, 2);
          at(x, y) = static_cast<int>(std::floor(luma + 0.5 + 1e-7));  // thousandths: a tie is 1e-3 from anything else
        }
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          const auto down = [&](int i) { return at(i, y - 1) + 2 * at(i, y) + at(i, y + 1); };
          const auto across = [&](int j) { return at(x - 1, j) + 2 * at(x, j) + at(x + 1, j); };
          const double gx = down(x + 1) - down(x - 1), gy = across(y + 1) - across(y - 1);
          ASSERT_EQ(out.get<std::uint16_t>(0, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)),
                    std::lround(std::sqrt(gx * gx + gy * gy)))
              << name;
        }
      EXPECT_EQ(sobel8(picture)->get<std::uint8_t>(0, 0, 0), std::min<int>(255, out.get<std::uint16_t>(0, 0, 0)));
    }
}

TEST(GoldenSobel, MomentsAreExact) {
  const Image image = *makeInput("list:1,2,3,6", {4, 1}, 1, Component::kU16);
  const Moments m = *moments(image);
  EXPECT_EQ(m.sum, 12u);
  EXPECT_EQ(m.sumOfSquares, 50u);
  const Moments constant = *moments(*makeInput("constant:1443", {5, 5}, 1, Component::kU16));
  EXPECT_EQ(25 * constant.sumOfSquares, constant.sum * constant.sum);  // without variance
  EXPECT_FALSE(moments(*makeInput("ramp", {5, 5}, 1, Component::kF32)).ok());
}

// The value at the exact position as a fraction, one texel at a time.
TEST(GoldenBilinear, IsTheValueAtTheExactPosition) {
  for (const Extent from : {Extent{1, 1}, Extent{2, 3}, Extent{7, 5}, Extent{16, 4}})
    for (const Extent to : {Extent{1, 1}, Extent{2, 3}, Extent{5, 7}, Extent{9, 1}, Extent{33, 8}}) {
      const Image picture = *makeInput("noise:2", from), out = *bilinearScale(picture, to);
      for (std::uint32_t y = 0; y < to.height; ++y)
        for (std::uint32_t x = 0; x < to.width; ++x)
          for (std::uint32_t c = 0; c < 4; ++c) {
            // Tent weights max(0, 1 - |position - i|) in units of 1 / (2w), texels outside counted at the edge.
            const auto tent = [](std::int64_t i, std::int64_t at, std::int64_t size, std::int64_t target) {
              return std::max<std::int64_t>(0, 2 * target - std::abs((2 * at + 1) * size - target - 2 * target * i));
            };
            std::int64_t sum = 0, total = 0;
            for (std::int64_t j = -1; j <= from.height; ++j)
              for (std::int64_t i = -1; i <= from.width; ++i) {
                const std::int64_t weight = tent(i, x, from.width, to.width) * tent(j, y, from.height, to.height);
                const auto ci = static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, from.width - 1));
                const auto cj = static_cast<std::uint32_t>(std::clamp<std::int64_t>(j, 0, from.height - 1));
                sum += weight * picture.get<std::uint8_t>(0, ci, cj, c);
                total += weight;
              }
            ASSERT_EQ(total, 4 * std::int64_t{to.width} * to.height);
            ASSERT_EQ(out.get<std::uint8_t>(0, x, y, c), (2 * sum + total) / (2 * total)) << x << "," << y;
          }
    }
}

TEST(GoldenBilinear, IdentityConstantsAndRefusals) {
  const Image picture = *makeInput("noise:2", {9, 6});
  EXPECT_EQ(*bilinearScale(picture, {9, 6}), picture);
  EXPECT_EQ(*bilinearScale(*makeInput("constant:77", {9, 6}), {4, 31}), *makeInput("constant:77", {4, 31}));
  EXPECT_EQ(valuesOf<std::uint8_t>(*bilinearScale(*makeInput("list:0,100", {2, 1}, 1), {4, 1})),
            (std::vector<std::uint8_t>{0, 25, 75, 100}));
  EXPECT_FALSE(bilinearScale(picture, {0, 1}).ok());
  EXPECT_FALSE(bilinearScale(picture, {65536, 1}).ok());
}

TEST(ExactNumber, IsAFractionInLowestTermsAndItsNearestDecimal) {
  EXPECT_EQ((ExactNumber{"", {6, 8}}.fraction()), "3/4");
  EXPECT_EQ((ExactNumber{"", {6, 8}}.decimal()), "0.750000000");
  EXPECT_EQ((ExactNumber{"", {14, 7}}.fraction()), "2");
  EXPECT_EQ((ExactNumber{"", {2, 3}}.decimal()), "0.666666667");
  EXPECT_EQ((ExactNumber{"", {0, 3}}.fraction()), "0");
  EXPECT_EQ((ExactNumber{"", {2, 4}, true}.fraction()), "the square root of 1/2");
  EXPECT_EQ((ExactNumber{"", {2, 4}, true}.decimal()), "0.707106781");
  EXPECT_EQ((ExactNumber{"", {9, 1}, true}.decimal()), "3.000000000");
  EXPECT_EQ(numberText(Natural(1'000'000'007) * Natural(1'000'000'000)), "1000000007000000000");
}

// Each against its definition, texel by texel.
TEST(ExactNumber, OfThePhotoStatisticsIsWhatTheyAreAbout) {
  const Image picture = *makeInput("list:255,0,0,9,10,20,40,9,0,0,0,9,100,75,50,9", {2, 2});
  const ExactNumber mean = meanSaturation(*saturationSums(picture), 4);
  // 1, 3/4, 0 and 1/2.
  EXPECT_EQ(mean.fraction(), "9/16");
  EXPECT_EQ(mean.decimal(), "0.562500000");

  const Image edges = *sobel(picture);
  std::uint64_t sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint64_t v = edges.get<std::uint16_t>(0, i % 2, i / 2);
    sum += v;
    squares += v * v;
  }
  Image sums = makeImage({2, 1}, 1, Component::kU64);
  sums.set(0, 0, 0, 0, sum);
  sums.set(0, 1, 0, 0, squares);
  const std::vector<ExactNumber> moments = sobelMoments(sums, 4);
  const auto value = [](const ExactNumber& n) { return std::stod(n.decimal()); };
  EXPECT_DOUBLE_EQ(value(moments[0]), static_cast<double>(sum) / 4);
  EXPECT_DOUBLE_EQ(value(moments[1]), static_cast<double>(4 * squares - sum * sum) / 16);

  // (1, 2) and (2, 1): 4 / 5.
  Image words = makeImage({12, 1}, 1, Component::kU32);
  words.set(0, 0, 0, 0, 4u);
  words.set(0, 4, 0, 0, 5u);
  words.set(0, 8, 0, 0, 5u);
  EXPECT_EQ(cosineOf(words).decimal(), "0.800000000");
  EXPECT_EQ(cosineOf(words).fraction(), "the square root of 16/25");
}

}  // namespace
}  // namespace lanewise::golden
