// What kernels' times are measured against.
#include "tools/catalogue/floors.h"

#include <gtest/gtest.h>

#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

std::string floorNamed(const std::string& name) {
  const Expected<Case> c = parseCase(name);
  EXPECT_TRUE(c.ok()) << name;
  return c ? floorOf(*c) : "";
}

TEST(Floors, AreOfTheSameSizeAndTraffic) {
  const std::string moved = "pyramid/traffic/one-dispatch @ 37x73 levels=full format=rgba8ui input=noise:1";
  EXPECT_EQ(floorNamed("pyramid/energy/one-level @ 37x73"), moved);
  EXPECT_EQ(floorNamed("depth/floor/spd-in-place @ 37x73"), moved);
  EXPECT_EQ(floorNamed("depth/floor/spd @ 37x73"), "pyramid/traffic/with-copy @ 37x73 levels=full format=rgba8ui input=noise:1");
  EXPECT_EQ(floorNamed("box-blur/double/naive @ 37x73"), "pyramid/traffic/with-copy @ 37x73 levels=1 format=rgba8ui input=noise:1");
}

TEST(Floors, NoneWhereTheTrafficIsAnother) {
  EXPECT_EQ(floorNamed("pyramid/energy-float/one-level @ 37x73 format=rgba16f"), "");
  EXPECT_EQ(floorNamed("pyramid/traffic/one-dispatch @ 37x73"), "");
  EXPECT_EQ(floorNamed("checksum/sum/shuffle @ 8x8"), "");
}

// A floor that cannot be run would be none without a word.
TEST(Floors, ThoseOfEveryQuickCaseAreCases) {
  std::size_t found = 0;
  for (const Kernel& k : kernels()) {
    const Expected<std::vector<Case>> cases = casesOf(k);
    ASSERT_TRUE(cases.ok()) << k.name;
    for (const Case& c : *cases) {
      const std::string floor = floorOf(c);
      if (floor.empty()) continue;
      ++found;
      ASSERT_TRUE(parseCase(floor).ok()) << floor;
    }
  }
  EXPECT_GT(found, 1000u);
}

}  // namespace
}  // namespace lanewise
