// The contract's own arithmetic: level sizes, poison, and formats that name themselves.
#include "model/device.h"
#include "model/format.h"
#include "shaders/embedded.h"

namespace lanewise {
namespace {

TEST(Contract, LevelsFollowOneAnother) {
  const Resource r = undefinedImage("out", Format::R8G8B8A8_UINT, {5, 3, 1}, 3);
  const ImageData& image = std::get<ImageData>(r.data);
  EXPECT_EQ(image.levelExtent(1), (Extent3{2, 1, 1}));
  EXPECT_EQ(image.levelOffset(1), 60u);
  EXPECT_EQ(image.levelOffset(2), 68u);
  EXPECT_EQ(r.bytes().size(), 72u);
  EXPECT_EQ(r.bytes().back(), kPoisonByte);
}

TEST(Contract, FormatsAreFoundByEveryName) {
  EXPECT_EQ(formatByName("rgba8ui"), Format::R8G8B8A8_UINT);
  EXPECT_EQ(formatByName("R32_SFLOAT"), Format::R32_SFLOAT);
  EXPECT_EQ(formatByName("nonsense"), Format::UNDEFINED);
  EXPECT_EQ(formatBySpirv(32), Format::R8G8B8A8_UINT);
  EXPECT_EQ(formatBySpirv(0), Format::UNDEFINED);
}

TEST(Contract, ErrorsSayWhatWhereAndWhatToDo) {
  EXPECT_EQ((Error{Outcome::kBadInput, "no such kernel", "'blur'", "see lanewise list"}.text()),
            "no such kernel ('blur'); see lanewise list");
}

TEST(Contract, EveryEmbeddedModuleStartsWithTheMagicNumber) {
  ASSERT_FALSE(embeddedModules().empty());
  for (const EmbeddedModule& m : embeddedModules()) EXPECT_EQ(m.words[0], 0x07230203u) << m.name;
}

}  // namespace
}  // namespace lanewise
