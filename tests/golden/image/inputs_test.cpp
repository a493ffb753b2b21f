// Inputs: names both ways, the values they promise, and nonsense refused.
#include "golden/image/inputs.h"

#include <cmath>
#include <set>

#include "golden/image/half.h"
#include "golden/image/random.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

std::vector<int> bytesOf(const Expected<Image>& image) {
  std::vector<int> bytes;
  if (image)
    for (std::byte b : image->bytes) bytes.push_back(std::to_integer<int>(b));
  return bytes;
}

TEST(GoldenInputs, SplitMixIsThePublishedSequence) {
  // Published test values for seed 1234567.
  const std::uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                                    16408922859458223821u};
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(splitMix64(1234567, i), expected[i]);
}

TEST(GoldenInputs, NamesRoundTrip) {
  for (const char* name : {"impulse:3,4", "constant:7", "constant:1,2,3,255", "constant:0.25", "ramp", "checkerboard", "checkerboard:8",
                           "noise:0", "noise:18446744073709551615", "extremes", "extremes:5", "list:255,0"}) {
    const auto spec = parseInput(name);
    ASSERT_TRUE(spec.ok()) << name << ": " << spec.error().text();
    EXPECT_EQ(inputName(*spec), name);
    EXPECT_EQ(*parseInput(inputName(*spec)), *spec);
  }
  EXPECT_EQ(inputName(*parseInput("checkerboard:1")), "checkerboard");
  EXPECT_EQ(inputName(*parseInput("extremes:0")), "extremes");
}

TEST(GoldenInputs, NonsenseIsBadInputThatNamesIt) {
  for (const char* name : {"",
                           "nois:1",
                           "noise",
                           "noise:",
                           "noise:-1",
                           "noise:x",
                           "noise:99999999999999999999",
                           "impulse",
                           "impulse:1",
                           "impulse:1,",
                           "impulse:1,2,3",
                           "impulse:-1,2",
                           "constant",
                           "constant:",
                           "constant:1,,2",
                           "constant:nan",
                           "constant:1e999",
                           "ramp:1",
                           "checkerboard:0",
                           "checkerboard:x",
                           "extremes:",
                           "list:",
                           "list:1;2",
                           "noise:1 "}) {
    const auto spec = parseInput(name);
    ASSERT_FALSE(spec.ok()) << name;
    EXPECT_EQ(spec.error().outcome, Outcome::kBadInput);
    EXPECT_THAT(spec.error().text(), testing::HasSubstr(std::string("'") + name + "'"));
  }
}

TEST(GoldenInputs, WhatDoesNotFitThePictureIsBadInput) {
  const auto refused = [](const char* name, Extent extent, std::uint32_t channels = 4, Component component = Component::kU8) {
    const auto image = makeInput(name, extent, channels, component);
    return !image.ok() && image.error().outcome == Outcome::kBadInput;
  };
  EXPECT_TRUE(refused("impulse:2,0", {2, 1}));
  EXPECT_FALSE(refused("impulse:1,0", {2, 1}));
  EXPECT_TRUE(refused("constant:256", {1, 1}));
  EXPECT_TRUE(refused("constant:-1", {1, 1}));
  EXPECT_TRUE(refused("constant:-129", {1, 1}, 1, Component::kI8));
  EXPECT_FALSE(refused("constant:-128", {1, 1}, 1, Component::kI8));
  EXPECT_TRUE(refused("constant:0.5", {1, 1}));
  EXPECT_FALSE(refused("constant:0.5", {1, 1}, 1, Component::kF32));
  EXPECT_TRUE(refused("constant:1e39", {1, 1}, 1, Component::kF32));
  EXPECT_TRUE(refused("constant:65536", {1, 1}, 1, Component::kF16));
  EXPECT_TRUE(refused("constant:1,2", {1, 1}));
  EXPECT_TRUE(refused("list:1,2,3", {2, 1}));
  EXPECT_TRUE(refused("ramp", {0, 1}));
  EXPECT_TRUE(refused("ramp", {1, 1}, 5));
  EXPECT_TRUE(refused("ramp", {0xFFFFFFFF, 0xFFFFFFFF}));
}

TEST(GoldenInputs, ValuesAsDocumented) {
  EXPECT_EQ(bytesOf(makeInput("impulse:1,0", {2, 1}, 2)), (std::vector<int>{0, 0, 255, 255}));
  EXPECT_EQ(bytesOf(makeInput("constant:1,2", {2, 1}, 2)), (std::vector<int>{1, 2, 1, 2}));
  EXPECT_EQ(bytesOf(makeInput("list:255,0", {2, 1}, 2)), (std::vector<int>{255, 255, 0, 0}));
  EXPECT_EQ(bytesOf(makeInput("list:1,2,3,4", {2, 1}, 2)), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(bytesOf(makeInput("checkerboard", {2, 2}, 1)), (std::vector<int>{255, 0, 0, 255}));
  EXPECT_EQ(bytesOf(makeInput("checkerboard", {2, 1}, 4)), (std::vector<int>{255, 255, 255, 0, 0, 0, 0, 255}));
  EXPECT_EQ(bytesOf(makeInput("checkerboard:2", {4, 1}, 1)), (std::vector<int>{255, 255, 0, 0}));
  EXPECT_EQ(bytesOf(makeInput("ramp", {3, 2}, 4)), (std::vector<int>{0, 0,   0,  255, 127, 0,   85,  127, 255, 0,   170, 0,  //
                                                                     0, 255, 85, 255, 127, 255, 170, 127, 255, 255, 255, 0}));
  EXPECT_EQ(bytesOf(makeInput("ramp", {1, 1}, 4)), (std::vector<int>{0, 0, 0, 255}));
}

TEST(GoldenInputs, NoiseIsTheTopOfTheStream) {
  const auto image = makeInput("noise:9", {2, 2}, 4);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(std::to_integer<std::uint64_t>(image->bytes[i]), splitMix64(9, i) >> 56);
  EXPECT_NE(bytesOf(makeInput("noise:9", {4, 4})), bytesOf(makeInput("noise:10", {4, 4})));
  const auto wide = makeInput("noise:9", {2, 1}, 1, Component::kU32);
  EXPECT_EQ(wide->get<std::uint32_t>(0, 1, 0), splitMix64(9, 1) >> 32);
}

TEST(GoldenInputs, SignedNumbersAndDoublesHaveTheirOwnValues) {
  EXPECT_EQ(makeInput("constant:-2", {1, 1}, 1, Component::kI16)->get<std::int16_t>(0, 0, 0), -2);
  EXPECT_EQ(makeInput("noise:9", {9, 1}, 1, Component::kI32)->bytes, makeInput("noise:9", {9, 1}, 1, Component::kU32)->bytes);
  for (double v : valuesOf<double>(*makeInput("noise:3", {33, 17}, 4, Component::kF64))) {
    ASSERT_GE(v, 0);
    ASSERT_LT(v, 1);
  }
  for (const char* name : {"extremes:3", "ramp", "checkerboard", "impulse:0,0"})
    for (double v : valuesOf<double>(*makeInput(name, {33, 17}, 4, Component::kF64))) ASSERT_TRUE(v == 0 || std::isnormal(v)) << name << v;
}

TEST(GoldenInputs, ExtremesAreExtreme) {
  std::set<int> seen;
  for (int b : bytesOf(makeInput("extremes", {16, 16}))) seen.insert(b);
  EXPECT_EQ(seen, (std::set<int>{0, 255}));
  EXPECT_NE(bytesOf(makeInput("extremes:1", {4, 4})), bytesOf(makeInput("extremes:2", {4, 4})));
  std::set<std::uint32_t> floats;
  for (std::uint32_t bits : valuesOf<std::uint32_t>(*makeInput("extremes", {16, 16}, 1, Component::kF32))) floats.insert(bits);
  EXPECT_EQ(floats.size(), 7u);
}

TEST(GoldenInputs, FloatsAreFiniteNormalAndExact) {
  for (const char* name : {"noise:3", "extremes:3", "ramp", "checkerboard", "impulse:0,0"})
    for (float v : valuesOf<float>(*makeInput(name, {33, 17}, 4, Component::kF32))) ASSERT_TRUE(v == 0 || std::isnormal(v)) << name << v;
  for (float v : valuesOf<float>(*makeInput("noise:3", {33, 17}, 4, Component::kF32))) {
    ASSERT_GE(v, 0);
    ASSERT_LT(v, 1);
    ASSERT_EQ(v * 16777216.0f, std::floor(v * 16777216.0f));
  }
  for (std::uint16_t v : valuesOf<std::uint16_t>(*makeInput("extremes:3", {33, 17}, 4, Component::kF16)))
    ASSERT_TRUE((v & 0x7C00) != 0x7C00);
  EXPECT_EQ(makeInput("constant:0.1", {1, 1}, 1, Component::kF32)->get<float>(0, 0, 0), 0.1f);
}

TEST(GoldenInputs, ImpulsesEverywhereAreAllTexelsOnce) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const InputSpec& spec : impulsesEverywhere({3, 2})) seen.insert({spec.x, spec.y});
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(impulsesEverywhere({3, 2}).size(), 6u);
}

}  // namespace
}  // namespace lanewise::golden
