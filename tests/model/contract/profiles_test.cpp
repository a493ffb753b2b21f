// The shipped profiles give the edge results that were measured on each device.
#include "model/contract/profiles.h"

#include <fstream>
#include <iterator>
#include <set>

#include "model/contract/choices.h"
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

// The list of choices against the struct: no field is set by two rows or by none, and every row's values come back.
TEST(Choices, EachIsAFieldOfItsOwn) {
  std::set<std::string_view> names;
  for (const Choice& c : choices()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_EQ(c.get(Profile{}), 0u) << c.name << ": the strict value is the first";
    for (std::uint32_t value = 1; value < c.values.size(); ++value) {
      Profile p;
      c.set(p, value);
      EXPECT_EQ(c.get(p), value) << c.name;
      EXPECT_STRNE(c.values[value].text, "") << c.name << ": a ruling says it";
      Profile same;
      ASSERT_FALSE(setChoice(same, std::string(c.name) + "=" + c.values[value].name));
      for (const Choice& other : choices()) EXPECT_EQ(other.get(same), other.get(p)) << c.name << ": " << other.name;
      for (const Choice& other : choices()) EXPECT_EQ(other.get(p) != 0, &other == &c) << c.name << " changes " << other.name;
    }
    EXPECT_LT(c.taken.adverse, c.values.size());
    EXPECT_LT(c.taken.lavapipe, c.values.size());
    EXPECT_LT(c.taken.swiftshader, c.values.size());
    EXPECT_LT(c.taken.nvidia, c.values.size());
    EXPECT_NE(c.taken.adverse, 0) << c.name << ": adverse takes the other side of every choice";
  }
}

TEST(Choices, WhatIsNoneIsSaid) {
  Profile p;
  EXPECT_EQ(setChoice(p, "minmax=second")->what, "no such choice of a profile: 'minmax'");
  EXPECT_EQ(setChoice(p, "minMax=third")->hint, "one of number, number-second, second");
  EXPECT_EQ(setChoice(p, "minMax")->outcome, Outcome::kBadInput);
  for (const Choice& c : choices()) EXPECT_EQ(c.get(p), 0u) << c.name;
}

TEST(Choices, StandInTheDocumentation) {
  std::ifstream file(LANEWISE_MODEL_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Choice& c : choices()) {
    std::string row = std::string("| `") + c.name + "` | ";
    for (const ChoiceValue& v : c.values) row += (&v == c.values.data() ? "" : ", ") + std::string(v.name);
    EXPECT_NE(page.find(row + " | " + c.clause + " |"), std::string::npos) << "docs/model.md: " << row << " | " << c.clause << " |";
  }
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
