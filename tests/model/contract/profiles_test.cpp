// The shipped profiles give the edge results that were measured on each device.
#include "model/contract/profiles.h"

#include "model/scalar/float_ops.h"
#include "model/scalar/texel.h"

namespace lanewise {
namespace {

TEST(Profiles, AreFoundByName) {
  for (const std::string_view name : profileNames()) {
    const std::optional<Profile> p = profileByName(name);
    ASSERT_TRUE(p.has_value()) << name;
    EXPECT_EQ(p->name, name);
    EXPECT_EQ(p->subgroupSize & (p->subgroupSize - 1), 0u);
    EXPECT_GE(p->subgroupSize, p->minSubgroupSize);
    EXPECT_LE(p->subgroupSize, p->maxSubgroupSize);
  }
  EXPECT_FALSE(profileByName("Strict").has_value());
}

TEST(Profiles, StrictKeepsDenormalsAndRoundsToNearest) {
  const Profile p = *profileByName("strict");
  EXPECT_EQ(p.rounding, Rounding::kToNearestEven);
  EXPECT_EQ(p.denormals, Denormals::kPreserve);
  EXPECT_EQ(p.texel, TexelRules{});
}

// A texel of 0.5 + 1/16384 in R8_UNORM lies above the tie between 127 and 128; NVIDIA's twelve bits see the tie and go down.
TEST(Profiles, StoresAsMeasured) {
  const auto store = [](const char* profile, Format format, float x) {
    std::uint32_t texel = 0;
    const std::array<std::uint32_t, 4> value{std::bit_cast<std::uint32_t>(x), 0, 0, 0};
    scalar::encodeTexel(*formatInfo(format), profileByName(profile)->texel, value, reinterpret_cast<std::byte*>(&texel));
    return texel;
  };
  const float aboveTie = 0.5f + 0x1p-14f, nan = std::bit_cast<float>(0x7fc00000u);
  EXPECT_EQ(store("strict", Format::R8_UNORM, aboveTie), 128u);
  EXPECT_EQ(store("lavapipe", Format::R8_UNORM, aboveTie), 128u);
  EXPECT_EQ(store("swiftshader", Format::R8_UNORM, aboveTie), 128u);
  EXPECT_EQ(store("nvidia", Format::R8_UNORM, aboveTie), 127u);
  EXPECT_EQ(store("lavapipe", Format::R8_UNORM, nan), 255u);
  EXPECT_EQ(store("swiftshader", Format::R8_UNORM, nan), 0u);
  EXPECT_EQ(store("nvidia", Format::R8_UNORM, nan), 0u);
  EXPECT_EQ(store("strict", Format::R16_SFLOAT, 1e6f), 0x7c00u);
  EXPECT_EQ(store("lavapipe", Format::R16_SFLOAT, 1e6f), 0x7bffu);
  EXPECT_EQ(store("nvidia", Format::R16_SFLOAT, 1e6f), 0x7bffu);
}

}  // namespace
}  // namespace lanewise
