// The comparison finds one flipped bit anywhere, counts in the right units, and does not find what is not there.
#include "golden/image/compare.h"

#include <cmath>

#include "golden/image/half.h"
#include "golden/image/inputs.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

Contract exact() {
  return Contract{.name = "exact", .proof = ""};
}
Contract within(std::uint64_t tolerance) {
  return Contract{.name = "bounded", .tolerance = tolerance, .proof = "a test"};
}

TEST(GoldenCompare, EqualImagesDifferNowhere) {
  const Image image = *makeInput("noise:1", {7, 5}, 4, Component::kF32);
  const auto diff = compareImages(image, image, exact());
  ASSERT_TRUE(diff.ok());
  EXPECT_TRUE(diff->withinTolerance());
  EXPECT_EQ(diff->components, 140u);
  EXPECT_EQ(diff->histogram[0], 140u);
  EXPECT_EQ(diff->maximum, 0u);
  EXPECT_TRUE(std::isinf(diff->psnr));
  EXPECT_EQ(histogramText(*diff), "equal 140");
}

TEST(GoldenCompare, FindsOneFlippedBitAnywhere) {
  for (std::size_t c = 0; c <= static_cast<std::size_t>(kLastComponent); ++c) {
    const auto component = static_cast<Component>(c);
    Image image = makeImage({3, 2}, 2, component, 2);
    for (std::size_t i = 0; i < image.bytes.size(); ++i) image.bytes[i] = std::byte(17 * i);
    for (std::size_t bit = 0; bit < 8 * image.bytes.size(); ++bit) {
      Image got = image;
      got.bytes[bit / 8] ^= std::byte(1u << (bit % 8));
      const auto diff = compareImages(image, got, exact());
      ASSERT_EQ(diff->beyond, 1u) << componentName(component) << " bit " << bit;
      const TexelDiff& t = *diff->first;
      EXPECT_EQ(image.offset(t.level, t.x, t.y, t.channel), bit / 8 / componentBytes(component) * componentBytes(component));
      EXPECT_EQ(t.expectedBits ^ t.gotBits, std::uint64_t{1} << (bit % (8 * componentBytes(component))));
    }
  }
}

// Differences of signed integers are counted over 0, and those of 64 bits are exact where no double is.
TEST(GoldenCompare, SignedAndWideNumbersDifferByTheirValues) {
  Image expected = makeImage({1, 1}, 1, Component::kI32), got = expected;
  expected.set<std::int32_t>(0, 0, 0, 0, -2);
  got.set<std::int32_t>(0, 0, 0, 0, 3);
  EXPECT_EQ(compareImages(expected, got, exact())->maximum, 5u);
  EXPECT_EQ(rootMeanSquare(expected, got, std::nullopt), 5.0);
  Image wide = makeImage({1, 1}, 1, Component::kI64), next = wide;
  wide.set<std::int64_t>(0, 0, 0, 0, std::int64_t{1} << 62);
  next.set<std::int64_t>(0, 0, 0, 0, (std::int64_t{1} << 62) + 1);
  EXPECT_EQ(compareImages(wide, next, exact())->maximum, 1u);
  EXPECT_EQ(rootMeanSquare(wide, next, std::nullopt), 1.0) << "as doubles they are equal";
}

TEST(GoldenCompare, WhereTheBoundsAreTwoNansAnyNanIsRight) {
  Image nan = makeImage({1, 1}, 1, Component::kF64), got = nan;
  nan.set<std::uint64_t>(0, 0, 0, 0, 0x7FF8000000000000);
  got.set<std::uint64_t>(0, 0, 0, 0, 0xFFF8000000000001);
  Image other = nan;
  other.set<std::uint64_t>(0, 0, 0, 0, 0x7FF8000000000001);
  EXPECT_TRUE(compareWithin({nan, other}, got, exact())->withinTolerance());
  EXPECT_FALSE(compareWithin({nan, nan}, got, exact())->withinTolerance()) << "one NaN is a value";
  EXPECT_TRUE(compareWithin({got, got}, got, exact())->withinTolerance());
  EXPECT_EQ(rootMeanSquare(nan, got, std::nullopt), 0.0);
  EXPECT_FALSE(compareImages(nan, got, exact())->withinTolerance()) << "without bounds the bits decide";
  got.set<std::uint64_t>(0, 0, 0, 0, 0x7FF0000000000000);
  EXPECT_FALSE(compareWithin({nan, other}, got, exact())->withinTolerance()) << "an infinity is no NaN";
  EXPECT_FALSE(compareWithin({got, nan}, got, exact()).ok());
}

TEST(GoldenCompare, FirstIsFirstAndWorstIsWorst) {
  const Image expected = *makeInput("constant:100", {4, 4}, 1);
  Image got = expected;
  got.set<std::uint8_t>(0, 2, 1, 0, 101);
  got.set<std::uint8_t>(0, 1, 2, 0, 90);
  got.set<std::uint8_t>(0, 3, 3, 0, 110);
  const auto diff = compareImages(expected, got, exact());
  EXPECT_EQ(diff->differing, 3u);
  EXPECT_EQ(diff->maximum, 10u);
  EXPECT_EQ(std::pair(diff->first->x, diff->first->y), std::pair(2u, 1u));
  EXPECT_EQ(std::pair(diff->first->expectedBits, diff->first->gotBits), (std::pair<std::uint64_t, std::uint64_t>(100, 101)));
  EXPECT_EQ(diff->first->units, 1u);
  ASSERT_EQ(diff->worst.size(), 3u);
  EXPECT_EQ(diff->worst[0].x, 1u);  // equals in order of place
  EXPECT_EQ(diff->worst[1].x, 3u);
  EXPECT_EQ(diff->worst[2].units, 1u);
  EXPECT_EQ(histogramText(*diff), "equal 13, 1: 1, 8-15: 2");
  EXPECT_NEAR(diff->psnr, 10 * std::log10(255.0 * 255 * 16 / 201), 1e-9);
}

TEST(GoldenCompare, KeepsTheWorstOfMany) {
  const Image expected = *makeInput("constant:0", {64, 4}, 1);
  Image got = expected;
  for (std::uint32_t x = 0; x < 64; ++x) got.set<std::uint8_t>(0, x, 2, 0, static_cast<std::uint8_t>((x * 37) % 64 + 1));
  const auto diff = compareImages(expected, got, exact());
  ASSERT_EQ(diff->worst.size(), Diff::kWorst);
  for (std::size_t i = 0; i < Diff::kWorst; ++i) EXPECT_EQ(diff->worst[i].units, 64 - i);
}

TEST(GoldenCompare, ToleranceNeedsAProofAndIsInclusive) {
  const Image expected = *makeInput("constant:100", {2, 1}, 1), got = *makeInput("list:102,97", {2, 1}, 1);
  EXPECT_EQ(compareImages(expected, got, within(3))->beyond, 0u);
  EXPECT_EQ(compareImages(expected, got, within(2))->beyond, 1u);
  EXPECT_EQ(compareImages(expected, got, within(2))->first->x, 1u);
  EXPECT_EQ(compareImages(expected, got, within(2))->differing, 2u);
  Contract unproved = within(3);
  unproved.proof = "";
  EXPECT_FALSE(compareImages(expected, got, unproved).ok());
}

Image floats(std::initializer_list<float> values) {
  Image image = makeImage({static_cast<std::uint32_t>(values.size()), 1}, 1, Component::kF32);
  setValues(image, 0, std::span(values.begin(), values.size()));
  return image;
}

TEST(GoldenCompare, FloatsAreCountedInUlp) {
  const float one = 1, next = std::nextafter(1.0f, 2.0f), tiny = std::ldexp(1.0f, -149);
  const auto units = [](float a, float b, bool zerosEqual = false) {
    Contract contract{.name = "f", .proof = "", .zerosEqual = zerosEqual};
    return compareImages(floats({a}), floats({b}), contract)->maximum;
  };
  EXPECT_EQ(units(one, next), 1u);
  EXPECT_EQ(units(-one, -next), 1u);
  EXPECT_EQ(units(0.0f, -0.0f), 1u);
  EXPECT_EQ(units(0.0f, -0.0f, true), 0u);
  EXPECT_EQ(units(tiny, -tiny), 3u);
  EXPECT_EQ(units(tiny, -tiny, true), 2u);
  EXPECT_EQ(units(2.0f, 1.0f), std::uint64_t{1} << 23);
  const float nan = std::nanf("");
  EXPECT_EQ(units(nan, nan), 0u);
  EXPECT_EQ(units(nan, 1), ~std::uint64_t{0});
  EXPECT_EQ(units(INFINITY, std::numeric_limits<float>::max()), 1u);
}

TEST(GoldenCompare, WhatWasNeverWrittenIsToldApart) {
  const Image expected = *makeInput("constant:1", {3, 1}, 4);
  Image got = expected;
  for (std::uint32_t c = 0; c < 4; ++c) got.set<std::uint8_t>(0, 1, 0, c, 0xA7);
  got.set<std::uint8_t>(0, 2, 0, 3, 0xA7);  // one byte only: written, with a wrong value
  const auto diff = compareImages(expected, got, exact());
  EXPECT_EQ(diff->undefinedTexels, 1u);
  EXPECT_TRUE(diff->first->undefined);
  EXPECT_EQ(diff->beyond, 5u);
  Contract unknown = exact();
  unknown.poison = std::nullopt;
  EXPECT_EQ(compareImages(expected, got, unknown)->undefinedTexels, 0u);
}

TEST(GoldenCompare, ShapesMustAgree) {
  const Image a = *makeInput("ramp", {3, 1}, 4);
  EXPECT_EQ(compareImages(a, *makeInput("ramp", {1, 3}, 4), exact()).error().outcome, Outcome::kBadInput);
  EXPECT_FALSE(compareImages(a, *makeInput("ramp", {3, 1}, 3), exact()).ok());
  EXPECT_FALSE(compareImages(a, *makeInput("ramp", {3, 1}, 4, Component::kU16), exact()).ok());
  Image torn = a;
  torn.bytes.pop_back();
  EXPECT_FALSE(compareImages(a, torn, exact()).ok());
}

TEST(GoldenCompare, DifferenceImageIsAmplified) {
  const Image expected = *makeInput("constant:10", {3, 1}, 4);
  Image got = expected;
  got.set<std::uint8_t>(0, 1, 0, 0, 15);
  got.set<std::uint8_t>(0, 2, 0, 3, 7);
  const auto automatic = differenceImage(expected, got);
  EXPECT_EQ(automatic->factor, 51u);
  EXPECT_EQ(valuesOf<std::uint8_t>(automatic->picture), (std::vector<std::uint8_t>{0, 0, 0, 255, 255, 0, 0, 255, 153, 153, 153, 255}));
  EXPECT_EQ(differenceImage(expected, got, 0, 100)->picture.get<std::uint8_t>(0, 1, 0, 0), 255);
  EXPECT_EQ(differenceImage(expected, got, 0, 2)->picture.get<std::uint8_t>(0, 1, 0, 0), 10);
  EXPECT_FALSE(differenceImage(expected, got, 1).ok());
}

}  // namespace
}  // namespace lanewise::golden
