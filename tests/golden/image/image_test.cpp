// The image's layout, binary16, hashes and the byte sum.
#include "golden/image/image.h"
#include "golden/image/half.h"
#include "golden/oracles/checksum.h"
#include "golden/store/hash.h"

#include <cmath>

#include "golden/image/random.h"

namespace lanewise::golden {
namespace {

TEST(GoldenImage, LevelsRowsTexelsChannelsInThisOrder) {
  Image image = makeImage({5, 3}, 2, Component::kU16, 3);
  EXPECT_EQ(image.bytes.size(), (15 + 2 + 1) * 4u);
  EXPECT_EQ(image.size(1), (Extent{2, 1}));
  EXPECT_EQ(image.size(2), (Extent{1, 1}));
  EXPECT_EQ(image.size(40), (Extent{1, 1}));
  EXPECT_EQ(image.offset(0, 1, 2, 1), (2 * 5 + 1) * 4 + 2u);
  EXPECT_EQ(image.offset(1, 1, 0, 0), 60u + 4u);
  EXPECT_EQ(image.offset(2, 0, 0, 1), 68u + 2u);
  image.set<std::uint16_t>(1, 1, 0, 1, 0x1234);
  EXPECT_EQ(image.bytes[66], std::byte{0x34});
  EXPECT_EQ(image.get<std::uint16_t>(1, 1, 0, 1), 0x1234);
  EXPECT_EQ(levelOf(image, 1).bytes[6], std::byte{0x34});
  EXPECT_TRUE(image.wellFormed());
  image.bytes.pop_back();
  EXPECT_FALSE(image.wellFormed());
}

// Values in ascending order, by the bits of each type.
TEST(GoldenImage, PlacesAreInTheOrderOfValues) {
  const std::pair<Component, std::vector<std::uint64_t>> kAscending[] = {
      {Component::kU8, {0, 1, 127, 128, 255}},
      {Component::kI8, {0x80, 0x81, 0xFF, 0, 1, 0x7F}},
      {Component::kI16, {0x8000, 0xFFFF, 0, 0x7FFF}},
      {Component::kI32, {0x80000000, 0xFFFFFFFF, 0, 1, 0x7FFFFFFF}},
      {Component::kU64, {0, 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}},
      {Component::kI64, {std::uint64_t{1} << 63, ~std::uint64_t{0}, 0, 1, ~std::uint64_t{0} >> 1}},
      {Component::kF16, {0xFC00, 0xBC00, 0x8001, 0x8000, 0, 1, 0x3C00, 0x7C00}},
      {Component::kF32, {0xFF800000, 0xBF800000, 0x80000000, 0, 1, 0x3F800000, 0x7F800000}},
      {Component::kF64, {0xFFF0000000000000, 0xBFF0000000000000, 0x8000000000000000, 0, 1, 0x3FF0000000000000, 0x7FF0000000000000}}};
  for (const auto& [component, bits] : kAscending)
    for (std::size_t i = 0; i < bits.size(); ++i) {
      EXPECT_EQ(bitsOfOrder(component, orderOf(component, bits[i])), bits[i]) << componentName(component);
      if (i == 0) continue;
      EXPECT_LT(orderOf(component, bits[i - 1]), orderOf(component, bits[i])) << componentName(component) << " " << bits[i];
      EXPECT_LE(valueOf(component, bits[i - 1]), valueOf(component, bits[i])) << componentName(component) << " " << bits[i];
    }
  EXPECT_EQ(orderOf(Component::kF64, 0) - orderOf(Component::kF64, 0x8000000000000000), 1u);
  EXPECT_EQ(valueText(Component::kI8, 0x80), "-128");
  EXPECT_EQ(valueText(Component::kI64, std::uint64_t{1} << 63), "-9223372036854775808");
  EXPECT_EQ(valueText(Component::kF64, 0xBFF0000000000000), "-1 (0xbff0000000000000)");
  EXPECT_EQ(componentNamed("i16"), Component::kI16);
  EXPECT_EQ(componentNamed("i24"), std::nullopt);
}

TEST(GoldenImage, HalfRoundTripsEveryPattern) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if ((bits & 0x7FFF) > 0x7C00) {
      EXPECT_TRUE(std::isnan(halfToDouble(half)));
    } else {
      ASSERT_EQ(halfFromDouble(halfToDouble(half)), half) << bits;
    }
  }
}

// The second formulation is the compiler's own conversion.
TEST(GoldenImage, HalfRoundsAsTheCompilerDoes) {
  for (std::uint64_t i = 0; i < 200000; ++i) {
    const std::uint64_t random = splitMix64(7, i);
    // Values around ties: a half, plus a small part of its last place.
    const double base = halfToDouble(static_cast<std::uint16_t>(random & 0xFBFF));
    const double step = std::ldexp(1.0, std::max(-24, base == 0 ? -24 : std::ilogb(base) - 10));
    const double value = base + step * static_cast<double>(random >> 60) / 8.0 + (i % 3 == 0 ? std::ldexp(step, -30) : 0);
    const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    ASSERT_EQ(halfFromDouble(value), expected) << value;
  }
  EXPECT_EQ(halfFromDouble(65519.999), 0x7BFF);
  EXPECT_EQ(halfFromDouble(65520), 0x7C00);
  EXPECT_EQ(halfFromDouble(-0.0), 0x8000);
}

TEST(GoldenHash, TextRoundTripsAndPiecesJoin) {
  Image a = makeImage({3, 1}, 1, Component::kU8), b = makeImage({2, 1}, 1, Component::kU8), both = makeImage({5, 1}, 1, Component::kU8);
  for (std::size_t i = 0; i < 5; ++i) both.bytes[i] = (i < 3 ? a.bytes[i] : b.bytes[i - 3]) = std::byte(i + 1);
  const std::vector<Image> outputs = {a, b};
  EXPECT_EQ(hashOutputs(outputs), hashBytes(both.bytes));
  EXPECT_NE(hashBytes(a.bytes), hashBytes(b.bytes));
  EXPECT_EQ(hashFromText(hashText(hashBytes(a.bytes))), hashBytes(a.bytes));
  EXPECT_EQ(hashFromText("12"), std::nullopt);
  EXPECT_EQ(hashFromText(std::string(31, '0') + "G"), std::nullopt);
  // XXH3-128 of no bytes, a published test vector of the algorithm.
  EXPECT_EQ(hashText(hashBytes({})), "99aa06d3014798d86001c324468d497f");
}

TEST(GoldenHash, FoldDependsOnNamesHashesAndOrder) {
  const std::vector<std::pair<std::string, Hash128>> ab = {{"a", {1, 2}}, {"b", {3, 4}}}, ba = {ab[1], ab[0]},
                                                     other = {{"a", {1, 2}}, {"c", {3, 4}}};
  EXPECT_EQ(foldHashes(ab), foldHashes(ab));
  EXPECT_NE(foldHashes(ab), foldHashes(ba));
  EXPECT_NE(foldHashes(ab), foldHashes(other));
}

TEST(GoldenChecksum, SumsEveryByteIn64Bits) {
  Image image = makeImage({3, 2}, 4, Component::kU8);
  EXPECT_EQ(byteSum(image), 0u);
  image.bytes.assign(image.bytes.size(), std::byte{255});
  image.bytes[7] = std::byte{1};
  EXPECT_EQ(byteSum(image), 24u * 255 - 254);
  EXPECT_EQ(byteSumImage(image).get<std::uint64_t>(0, 0, 0), 24u * 255 - 254);
  EXPECT_EQ(byteSumImage(image).bytes.size(), 8u);
}

}  // namespace
}  // namespace lanewise::golden
