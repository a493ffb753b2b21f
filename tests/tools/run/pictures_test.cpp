// Pictures in every kind of format, and back.
#include "tools/run/pictures.h"

#include <bit>
#include <cstring>

namespace lanewise {
namespace {

using testing::HasSubstr;

golden::Image pictureOf(golden::Component component, std::uint32_t channels, std::initializer_list<std::uint64_t> values) {
  golden::Image p = golden::makeImage({static_cast<std::uint32_t>(values.size() / channels), 1}, channels, component);
  std::size_t at = 0;
  for (const std::uint64_t v : values) {
    std::memcpy(p.bytes.data() + at, &v, golden::componentBytes(component));
    at += golden::componentBytes(component);
  }
  return p;
}

ImageData imageOf(Format format, const golden::Image& picture, std::vector<std::string>& notes) {
  ImageData image;
  image.format = format;
  image.extent = {picture.extent.width, picture.extent.height, 1};
  image.bytes.resize(image.levelOffset(1));
  EXPECT_FALSE(pictureToImage(picture, image, notes));
  return image;
}

TEST(RunPictures, EachKindOfFormat) {
  std::vector<std::string> notes;
  const golden::Image grey = pictureOf(golden::Component::kU8, 1, {0, 128, 255});
  const auto bytes = [](std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int v : values) out.push_back(static_cast<std::byte>(v));
    return out;
  };
  EXPECT_EQ(imageOf(Format::R8G8B8A8_UINT, grey, notes).bytes, bytes({0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255}));
  EXPECT_EQ(imageOf(Format::B8G8R8A8_SRGB, pictureOf(golden::Component::kU8, 4, {1, 2, 3, 4}), notes).bytes, bytes({3, 2, 1, 4}));
  EXPECT_EQ(imageOf(Format::R8_UNORM, pictureOf(golden::Component::kU16, 1, {65535, 32768, 0}), notes).bytes, bytes({255, 128, 0}));
  const ImageData floats = imageOf(Format::R32_SFLOAT, grey, notes);
  EXPECT_EQ(texelText(*formatInfo(Format::R32_SFLOAT), floats.bytes.data() + 8), "1");
  EXPECT_TRUE(notes.empty());
  const ImageData cut = imageOf(Format::R8_UINT, pictureOf(golden::Component::kF32, 1, {0x43960000, 0xbf800000, 0x40200000}), notes);
  EXPECT_EQ(cut.bytes, bytes({255, 0, 2})) << "300, -1 and 2.5";
  EXPECT_EQ(notes.size(), 1u);
}

// A picture into an image and out again is the same picture, where the format holds it.
TEST(RunPictures, ComeBack) {
  std::vector<std::string> notes;
  const golden::Image u8 = pictureOf(golden::Component::kU8, 4, {0, 1, 127, 255, 254, 3, 200, 100});
  for (const Format format : {Format::R8G8B8A8_UINT, Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB, Format::B8G8R8A8_UNORM}) {
    const Expected<golden::Image> back = imageToPicture(imageOf(format, u8, notes), false);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, u8) << formatInfo(format)->name;
  }
  const golden::Image f32 = pictureOf(golden::Component::kF32, 4, {0x3f000000, 0xc0000000, 0x7f800000, 1, 0, 0x80000000, 0x3f800001, 2});
  const Expected<golden::Image> back = imageToPicture(imageOf(Format::R32G32B32A32_SFLOAT, f32, notes), true);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, f32);
  ImageData layered;
  layered.format = Format::R8_UINT;
  layered.layers = 2;
  layered.bytes.resize(2);
  EXPECT_THAT(imageToPicture(layered, false).error().text(), HasSubstr("2 layers"));
}

}  // namespace
}  // namespace lanewise
