// The box blur's oracles: published figures, mirror tables by hand, the two formulations against one another, and laws that need neither.
#include "golden/oracles/box_blur.h"

#include <algorithm>
#include <cmath>

#include "golden/image/inputs.h"
#include "golden/oracles/checksum.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

Image input(const char* name, Extent extent, std::uint32_t channels = 4) {
  return *makeInput(name, extent, channels);
}

std::vector<std::uint8_t> blurred(BoxForm form, const char* name, Extent extent, std::uint32_t radius, Edge edge) {
  return valuesOf<std::uint8_t>(*boxBlur(form, input(name, extent, 1), radius, edge));
}

// The remainder that is never negative.
std::int64_t floorMod(std::int64_t a, std::int64_t b) {
  const std::int64_t r = a % b;
  return r < 0 ? r + b : r;
}

// The index in 0 .. n-1 that is read for `index`, mirrored as often as needed; empty if the value is zero.
std::optional<std::int64_t> foldIndex(std::int64_t index, std::int64_t n, Edge edge) {
  if (index >= 0 && index < n) return index;
  switch (edge) {
    case Edge::kClamp:
      return std::clamp<std::int64_t>(index, 0, n - 1);
    case Edge::kMirror: {
      const std::int64_t at = floorMod(index, 2 * n);
      return at < n ? at : 2 * n - 1 - at;
    }
    case Edge::kMirror101: {
      if (n == 1) return 0;
      const std::int64_t at = floorMod(index, 2 * n - 2);
      return at < n ? at : 2 * n - 2 - at;
    }
    case Edge::kZero:
      break;
  }
  return std::nullopt;
}

TEST(GoldenEdge, FoldTablesByHand) {
  const auto table = [](Edge edge, std::int64_t n) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = -7; i <= 9; ++i) row.push_back(foldIndex(i, n, edge).value_or(-1));
    return row;
  };
  using Row = std::vector<std::int64_t>;
  //                                         -7 -6 -5 -4 -3 -2 -1  0  1  2  3  4  5  6  7  8  9
  EXPECT_EQ(table(Edge::kClamp, 3), (Row{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(table(Edge::kMirror, 3), (Row{0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2}));
  EXPECT_EQ(table(Edge::kMirror101, 3), (Row{1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1}));
  EXPECT_EQ(table(Edge::kZero, 3), (Row{-1, -1, -1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(table(Edge::kMirror, 1), Row(17, 0));
  EXPECT_EQ(table(Edge::kMirror101, 1), Row(17, 0));
  EXPECT_EQ(table(Edge::kMirror101, 2), (Row{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(GoldenEdge, NamesRoundTrip) {
  for (Edge edge : kEdges) EXPECT_EQ(edgeByName(edgeName(edge)), edge);
  EXPECT_EQ(edgeByName("wrap"), std::nullopt);
}

TEST(GoldenBoxBlur, PublishedFigures) {
  using Row = std::vector<std::uint8_t>;
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle}) {
    EXPECT_EQ(blurred(form, "list:255,0", {2, 1}, 1, Edge::kClamp), (Row{170, 85}));
    EXPECT_EQ(blurred(form, "list:255,0", {1, 2}, 1, Edge::kClamp), (Row{170, 85}));
    EXPECT_EQ(blurred(form, "list:255", {1, 1}, 1, Edge::kClamp), (Row{255}));
    EXPECT_EQ(blurred(form, "list:98", {1, 1}, 0, Edge::kZero), (Row{98}));
    EXPECT_EQ(blurred(form, "list:129,175", {2, 1}, 1, Edge::kClamp), (Row{144, 160}));
  }
  EXPECT_EQ(blurred(BoxForm::kSingle, "list:255", {1, 1}, 1, Edge::kZero), (Row{28}));  // 255 / 9
  EXPECT_EQ(blurred(BoxForm::kDouble, "list:255", {1, 1}, 1, Edge::kZero), (Row{28}));  // 85, then 85 / 3
  EXPECT_EQ(blurred(BoxForm::kDouble, "list:4,0,0,4", {2, 2}, 1, Edge::kZero), (Row{1, 1, 1, 1}));
  // One rounding or two: sums 1 and 1, thirds round to 0; together 2 of 9 round to 0 too, 5 of 9 to 1.
  EXPECT_EQ(blurred(BoxForm::kSingle, "list:1,0,0,1,0,0,1,1,1", {3, 3}, 1, Edge::kZero)[4], 1);
  EXPECT_EQ(blurred(BoxForm::kDouble, "list:1,0,0,1,0,0,1,1,1", {3, 3}, 1, Edge::kZero)[4], 0);
}

TEST(GoldenBoxBlur, SumsAlongOneAxisMakeTheDoubleForm) {
  const Image picture = input("noise:3", {7, 5}, 3);
  for (const Edge edge : kEdges) {
    Image passes = picture;
    for (const bool vertical : {false, true}) {
      const auto sums = *boxLineSums(passes, 4, edge, vertical);
      for (std::size_t i = 0; i < sums.size(); ++i) passes.bytes[i] = static_cast<std::byte>((2 * sums[i] + 9) / 18);
    }
    EXPECT_EQ(passes, *boxBlur(BoxForm::kDouble, picture, 4, edge)) << edgeName(edge);
  }
}

// What reading outside gives: the folded texel or 0.
std::uint64_t readByDefinition(const Image& p, std::int64_t x, std::int64_t y, std::uint32_t channel, Edge edge) {
  const auto fx = foldIndex(x, p.extent.width, edge);
  const auto fy = foldIndex(y, p.extent.height, edge);
  if (!fx || !fy) return 0;
  return p.get<std::uint8_t>(0, static_cast<std::uint32_t>(*fx), static_cast<std::uint32_t>(*fy), channel);
}

// The mean over rx texels to each side and ry above and below, rounded once.
Image meanByDefinition(const Image& p, std::int64_t rx, std::int64_t ry, Edge edge) {
  Image out = p;
  const auto divisor = static_cast<std::uint64_t>((2 * rx + 1) * (2 * ry + 1));
  for (std::uint32_t y = 0; y < p.extent.height; ++y)
    for (std::uint32_t x = 0; x < p.extent.width; ++x)
      for (std::uint32_t c = 0; c < p.channels; ++c) {
        std::uint64_t sum = 0;
        for (std::int64_t j = -ry; j <= ry; ++j)
          for (std::int64_t i = -rx; i <= rx; ++i) sum += readByDefinition(p, x + i, y + j, c, edge);
        out.set<std::uint8_t>(0, x, y, c, static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor)));
      }
  return out;
}

Image boxBlurByDefinition(BoxForm form, const Image& picture, std::uint32_t radius, Edge edge) {
  if (form == BoxForm::kSingle) return meanByDefinition(picture, radius, radius, edge);
  return meanByDefinition(meanByDefinition(picture, radius, 0, edge), 0, radius, edge);
}

TEST(GoldenBoxBlur, PrefixSumsAgreeWithTheDefinition) {
  const Extent sizes[] = {{1, 1}, {1, 2}, {2, 1}, {3, 1}, {1, 5}, {2, 2}, {3, 4}, {7, 5}, {16, 3}, {13, 13}};
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle})
    for (const Edge edge : kEdges)
      for (const Extent size : sizes)
        for (const std::uint32_t radius : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 12u, 25u}) {
          const Image picture = input("noise:1", size);
          ASSERT_EQ(*boxBlur(form, picture, radius, edge), boxBlurByDefinition(form, picture, radius, edge))
              << edgeName(edge) << " " << shapeText(picture) << " radius " << radius;
        }
}

TEST(GoldenBoxBlur, StripsJoinWithoutSeams) {
  // Wider than a strip of the fast form (256 components), so that its strips, the last one partial, lie side by side.
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle}) {
    const Image picture = input("noise:2", {131, 6});
    EXPECT_EQ(*boxBlur(form, picture, 3, Edge::kMirror101), boxBlurByDefinition(form, picture, 3, Edge::kMirror101));
  }
}

TEST(GoldenBoxBlur, RadiusZeroIsTheIdentity) {
  for (const Edge edge : kEdges)
    for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle})
      EXPECT_EQ(*boxBlur(form, input("noise:3", {9, 4}), 0, edge), input("noise:3", {9, 4}));
}

TEST(GoldenBoxBlur, ConstantsAreFixedUnlessOutsideIsZero) {
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle})
    for (const char* name : {"constant:0", "constant:1", "constant:77", "constant:255"})
      for (const std::uint32_t radius : {1u, 6u, 63u, 1448u}) {
        const Image picture = input(name, {5, 3});
        for (const Edge edge : {Edge::kClamp, Edge::kMirror, Edge::kMirror101}) EXPECT_EQ(*boxBlur(form, picture, radius, edge), picture);
      }
  EXPECT_NE(*boxBlur(BoxForm::kSingle, input("constant:77", {5, 3}), 1, Edge::kZero), input("constant:77", {5, 3}));
}

// 255 at one texel: each result is 255 times how often the window, edges folded, meets that texel, over K.
TEST(GoldenBoxBlur, ImpulseResponseIsTheWeights) {
  const Extent size{4, 3};
  const auto meets = [](std::int64_t at, std::int64_t n, std::int64_t radius, std::int64_t source, Edge edge) {
    std::uint64_t count = 0;
    for (std::int64_t i = -radius; i <= radius; ++i) count += foldIndex(at + i, n, edge) == source ? 1 : 0;
    return count;
  };
  for (const Edge edge : kEdges)
    for (const InputSpec& spec : impulsesEverywhere(size))
      for (const std::uint32_t radius : {1u, 2u, 9u}) {
        const Image out = *boxBlur(BoxForm::kSingle, *makeInput(spec, size, 1), radius, edge);
        const double divisor = std::pow(2.0 * radius + 1, 2);
        for (std::uint32_t y = 0; y < size.height; ++y)
          for (std::uint32_t x = 0; x < size.width; ++x) {
            const auto weight =
                static_cast<double>(meets(x, size.width, radius, spec.x, edge) * meets(y, size.height, radius, spec.y, edge));
            ASSERT_EQ(out.get<std::uint8_t>(0, x, y), std::lround(255 * weight / divisor))
                << edgeName(edge) << inputName(spec) << x << "," << y;
          }
      }
}

Image turned(const Image& picture, bool acrossX, bool acrossY) {
  Image out = picture;
  const Extent e = picture.extent;
  for (std::uint32_t y = 0; y < e.height; ++y)
    for (std::uint32_t x = 0; x < e.width; ++x)
      for (std::uint32_t c = 0; c < picture.channels; ++c)
        out.set(0, acrossX ? e.width - 1 - x : x, acrossY ? e.height - 1 - y : y, c, picture.get<std::uint8_t>(0, x, y, c));
  return out;
}

TEST(GoldenBoxBlur, MirroringThePictureMirrorsTheResult) {
  const Image picture = input("noise:4", {17, 6});
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle})
    for (const Edge edge : kEdges)
      for (const bool acrossX : {false, true})
        EXPECT_EQ(*boxBlur(form, turned(picture, acrossX, true), 5, edge), turned(*boxBlur(form, picture, 5, edge), acrossX, true));
}

TEST(GoldenBoxBlur, HugeRadiusGivesTheMeanOfThePeriod) {
  // With mirror every window holds nearly whole periods: all texels come near the mean of the picture, 127 or 128.
  const Image out = *boxBlur(BoxForm::kDouble, input("checkerboard", {4, 4}, 1), boxBlurMaxRadius(BoxForm::kDouble), Edge::kMirror);
  for (std::uint8_t v : valuesOf<std::uint8_t>(out)) EXPECT_NEAR(v, 127.5, 1);
  // And with zero nothing is left.
  EXPECT_EQ(byteSum(*boxBlur(BoxForm::kDouble, input("checkerboard", {4, 4}, 1), 100000, Edge::kZero)), 0u);
}

TEST(GoldenBoxBlur, DomainIsSaidBeforeAnythingRuns) {
  EXPECT_EQ(boxBlurMaxRadius(BoxForm::kSingle), 1448u);
  // The greatest radius whose 511 k fits 32 bits, by trying.
  std::uint64_t radius = 4000000;
  while (511 * (2 * (radius + 1) + 1) < (std::uint64_t{1} << 32)) ++radius;
  EXPECT_EQ(boxBlurMaxRadius(BoxForm::kDouble), radius);
  for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle}) {
    EXPECT_FALSE(boxBlurDomain(form, boxBlurMaxRadius(form)));
    const auto refused = boxBlur(form, input("ramp", {2, 2}), boxBlurMaxRadius(form) + 1, Edge::kClamp);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().outcome, Outcome::kBadInput);
  }
  EXPECT_FALSE(boxBlur(BoxForm::kDouble, *makeInput("ramp", {2, 2}, 4, Component::kU16), 1, Edge::kClamp).ok());
}

}  // namespace
}  // namespace lanewise::golden
