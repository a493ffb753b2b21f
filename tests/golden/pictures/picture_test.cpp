// Pictures through files: every byte kept, conversions as the contract says, and files that are no pictures told plainly.
#include "golden/pictures/picture_io.h"

#include <OpenImageIO/imageio.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <regex>

#include "golden/image/inputs.h"
#include "golden/pictures/family_images.h"
#include "model/base/file.h"
#include "tests/golden/values.h"
#include "tests/scratch_folder.h"

// OpenImageIO's PNG reader lets libpng jump over a string that holds the message of a file cut short.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier): the sanitizer names it
  return "leak:ImageInput::geterror";
}

namespace lanewise::golden {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

Image input(const char* name, Extent extent, std::uint32_t channels, Component component, std::uint32_t levels = 1) {
  Image all = makeImage(extent, channels, component, levels);
  for (std::uint32_t l = 0; l < levels; ++l) {
    const Image one = *makeInput(name, all.size(l), channels, component);
    std::memcpy(all.bytes.data() + all.levelOffset(l), one.bytes.data(), one.bytes.size());
  }
  return all;
}

Expected<Image> asCodes(const Picture& picture) {
  return pictureAs(picture, 4, Component::kU8);
}

TEST(GoldenPicture, PngKeepsEveryByteUnderEveryAlpha) {
  const ScratchFolder scratch;
  const Image image = input("noise:1", {64, 33}, 4, Component::kU8);
  ASSERT_FALSE(writeImage(scratch / "a.png", image));
  const auto back = readPicture(scratch / "a.png");
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(*asCodes(*back), image);
  EXPECT_TRUE(back->notes.empty());
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(GoldenPicture, EveryFormatKeepsWhatItHolds) {
  const ScratchFolder scratch;
  struct Row {
    const char* file;
    std::uint32_t channels;
    Component component;
    std::uint32_t levels;
  };
  const Row rows[] = {{"a.png", 1, Component::kU8, 1},  {"a.png", 2, Component::kU8, 1},  {"a.png", 3, Component::kU16, 1},
                      {"a.png", 4, Component::kU16, 1}, {"a.tif", 4, Component::kU8, 5},  {"a.tif", 1, Component::kU16, 1},
                      {"a.tif", 3, Component::kU32, 2}, {"a.tif", 4, Component::kF32, 5}, {"a.tif", 2, Component::kU8, 1},
                      {"a.exr", 4, Component::kF16, 5}, {"a.exr", 1, Component::kF32, 5}, {"a.exr", 1, Component::kU32, 1},
                      {"a.exr", 3, Component::kF32, 1}, {"a.exr", 2, Component::kF32, 1}};
  for (const Row& row : rows) {
    const Image image = input("noise:2", {17, 9}, row.channels, row.component, row.levels);
    const Status bad = writeImage(scratch / row.file, image);
    ASSERT_FALSE(bad) << row.file << " " << shapeText(image) << bad->text();
    const auto back = readImage(scratch / row.file);
    ASSERT_TRUE(back.ok()) << row.file << " " << shapeText(image) << ": " << back.error().text();
    EXPECT_EQ(shapeText(*back), shapeText(image)) << row.file;
    EXPECT_EQ(back->bytes, image.bytes) << row.file << " " << shapeText(image);
  }
}

// The same image is the same bytes on any day: no date is in it.
TEST(GoldenPicture, NoFileHoldsADate) {
  const std::regex date(R"([12][0-9]{3}[:-][01][0-9][:-][0-3][0-9])");
  for (const char* file : {"a.exr", "a.tif"})
    for (const std::uint32_t levels : {1u, 5u}) {
      const auto bytes = encodePicture(file, input("ramp", {17, 9}, 1, Component::kF32, levels));
      ASSERT_TRUE(bytes.ok()) << bytes.error().text();
      const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      EXPECT_FALSE(std::regex_search(text, date)) << file << " of " << levels << " levels";
    }
}

TEST(GoldenPicture, ExrHoldsIntegersAsFloats) {
  const ScratchFolder scratch;
  ASSERT_FALSE(writeImage(scratch / "a.exr", input("noise:2", {5, 3}, 1, Component::kU16)));
  const auto back = readImage(scratch / "a.exr");
  EXPECT_EQ(back->component, Component::kF32);
  EXPECT_EQ(back->get<float>(0, 4, 2), static_cast<float>(input("noise:2", {5, 3}, 1, Component::kU16).get<std::uint16_t>(0, 4, 2)));
}

TEST(GoldenPicture, BecomesRgba8) {
  const ScratchFolder scratch;
  ASSERT_FALSE(writeImage(scratch / "grey.png", input("list:7,200", {2, 1}, 1, Component::kU8)));
  const auto grey = readPicture(scratch / "grey.png");
  EXPECT_EQ(valuesOf<std::uint8_t>(*asCodes(*grey)), (std::vector<std::uint8_t>{7, 7, 7, 255, 200, 200, 200, 255}));
  EXPECT_THAT(conversionNotes(*grey, 4, Component::kU8), testing::ElementsAre("grey copied to three channels", "no alpha: 255"));

  ASSERT_FALSE(writeImage(scratch / "ga.png", input("list:7,8", {1, 1}, 2, Component::kU8)));
  EXPECT_EQ(valuesOf<std::uint8_t>(*asCodes(*readPicture(scratch / "ga.png"))), (std::vector<std::uint8_t>{7, 7, 7, 8}));

  // 16 bits: 128 of 257 rounds down, 129 up; 65535 is 255.
  ASSERT_FALSE(writeImage(scratch / "deep.png", input("list:128,129,65535,32767", {1, 1}, 4, Component::kU16)));
  const auto deep = readPicture(scratch / "deep.png");
  EXPECT_EQ(valuesOf<std::uint8_t>(*asCodes(*deep)), (std::vector<std::uint8_t>{0, 1, 255, 127}));
  EXPECT_THAT(conversionNotes(*deep, 4, Component::kU8), testing::ElementsAre("16-bit values rounded to 8 bits"));

  ASSERT_FALSE(writeImage(scratch / "float.tif", input("list:0.5,-3,7", {1, 1}, 3, Component::kF32)));
  EXPECT_EQ(valuesOf<std::uint8_t>(*asCodes(*readPicture(scratch / "float.tif"))), (std::vector<std::uint8_t>{128, 0, 255, 255}));
}

TEST(GoldenPicture, BecomesFloatsOfFourChannelsAndOfOne) {
  const ScratchFolder scratch;
  const auto read = [&](const char* file, const Image& image) {
    EXPECT_FALSE(writeImage(scratch / file, image));
    return *readPicture(scratch / file);
  };
  const Picture colours = read("rgb.png", input("list:255,51,0", {1, 1}, 3, Component::kU8));
  EXPECT_EQ(valuesOf<float>(*pictureAs(colours, 4, Component::kF32)), (std::vector<float>{1, 0.2f, 0, 1}));
  // 299 * 255 + 587 * 51 + 500 = 106682.
  EXPECT_EQ(valuesOf<float>(*pictureAs(colours, 1, Component::kF32)), (std::vector<float>{106.0f / 255}));
  EXPECT_THAT(conversionNotes(colours, 1, Component::kF32), testing::ElementsAre("as floats: luma of 8 bits, divided by 255"));
  EXPECT_EQ(valuesOf<std::uint16_t>(*pictureAs(colours, 4, Component::kF16)), (std::vector<std::uint16_t>{0x3c00, 0x3266, 0, 0x3c00}));
  // One channel is depth as it stands, also beyond 0 to 1; levels after the first are left out.
  const Image depth = input("noise:2", {8, 4}, 1, Component::kF32, 4);
  const Picture exr = read("depth.exr", depth);
  EXPECT_EQ(*pictureAs(exr, 1, Component::kF32), levelOf(depth, 0));
  EXPECT_THAT(exr.notes, testing::ElementsAre("only the first level or image of the file"));
  EXPECT_THAT(conversionNotes(exr, 1, Component::kF32), testing::IsEmpty());
  const Picture far = read("far.tif", input("list:70000,-3", {2, 1}, 1, Component::kF32));
  EXPECT_EQ(valuesOf<float>(*pictureAs(far, 1, Component::kF32)), (std::vector<float>{70000, -3}));
  const auto none = pictureAs(far, 4, Component::kF16);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text(), "texel (0, 0) holds 70000, which is no finite half float");
  // Sixteen bits are divided by their greatest.
  EXPECT_EQ(valuesOf<float>(*pictureAs(read("deep.png", input("list:65535,13107", {2, 1}, 1, Component::kU16)), 1, Component::kF32)),
            (std::vector<float>{1, 0.2f}));
}

TEST(GoldenPicture, SixteenBitsRoundToTheNearestEverywhere) {
  const ScratchFolder scratch;
  Image all = makeImage({256, 256}, 1, Component::kU16);
  for (std::uint32_t v = 0; v < 65536; ++v) all.set(0, v % 256, v / 256, 0, static_cast<std::uint16_t>(v));
  ASSERT_FALSE(writeImage(scratch / "all.png", all));
  const auto back = readPicture(scratch / "all.png");
  const Image codes = *asCodes(*back);
  for (std::uint32_t v = 0; v < 65536; ++v) ASSERT_EQ(codes.get<std::uint8_t>(0, v % 256, v / 256, 1), (v * 255 * 2 + 65535) / (2 * 65535));
}

void truncate(const std::filesystem::path& path) {
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
}

TEST(GoldenPicture, WhatIsNoPictureIsAnIoErrorThatSaysSo) {
  const ScratchFolder scratch;
  const auto says = [&](const char* name, const char* what) {
    const auto picture = readPicture(scratch / name);
    if (picture) return false;
    EXPECT_EQ(picture.error().outcome, Outcome::kIoError);
    EXPECT_THAT(picture.error().text(), HasSubstr(name));
    EXPECT_THAT(picture.error().text(), HasSubstr(what));
    return true;
  };
  EXPECT_TRUE(says("missing.png", "no such file"));
  std::filesystem::create_directory(scratch / "folder.png");
  EXPECT_TRUE(says("folder.png", "it is a folder"));
  std::ofstream(scratch / "text.png") << "hello";
  EXPECT_TRUE(says("text.png", "not a picture"));
  std::ofstream(scratch / "empty.jpg").flush();
  EXPECT_TRUE(says("empty.jpg", "not a picture"));
  std::ofstream(scratch / "noending") << "hello";
  EXPECT_TRUE(says("noending", "not a picture"));
  for (const char* name : {"cut.png", "cut.tif", "cut.exr"}) {
    ASSERT_FALSE(writeImage(scratch / name, input("noise:1", {64, 64}, 4, Component::kU8)));
    truncate(scratch / name);
    EXPECT_TRUE(says(name, "cut short")) << name;
  }
}

TEST(GoldenPicture, AHeaderThatSaysMoreThanTheFileCanHoldIsTold) {
  const ScratchFolder scratch;
  const auto sizedTo = [&](const char* name, std::uint16_t side) {
    ASSERT_FALSE(writeImage(scratch / name, input("ramp", {5, 3}, 1, Component::kU8)));
    std::fstream file(scratch / name, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    for (const char tag : {'\x00', '\x01'}) {  // ImageWidth and ImageLength, 256 and 257: SHORT, one value
      const std::size_t at = bytes.find(std::string{tag, '\x01', '\x03', '\x00', '\x01', '\x00', '\x00', '\x00'});
      ASSERT_NE(at, std::string::npos) << static_cast<int>(tag);
      bytes[at + 8] = static_cast<char>(side & 255);
      bytes[at + 9] = static_cast<char>(side >> 8);
    }
    file.clear();
    file.seekp(0);
    file << bytes;
  };
  sizedTo("large.tif", 16000);
  const auto large = readPicture(scratch / "large.tif");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().outcome, Outcome::kIoError);
  // libtiff 4.5 of Ubuntu sees it first.
  EXPECT_THAT(large.error().text(), AnyOf(HasSubstr("bytes cannot be 16000x16000 with 1 channels"), HasSubstr("filesize")));
  // One colour packs well.
  ASSERT_FALSE(writeImage(scratch / "plain.png", makeImage({4096, 4096}, 4, Component::kU8)));
  EXPECT_TRUE(readPicture(scratch / "plain.png").ok());
}

// The most that this process has had: VmPeak, in KiB.
std::size_t mostMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmPeak:") return status >> word ? std::stoul(word) : 0;
  return 0;
}

// OpenImageIO takes memory for a whole strip of a TIFF, however few of its rows the picture has.
TEST(GoldenPicture, AStripThatSaysTooMuchTakesLittleMemory) {
  const ScratchFolder scratch;
  const Image ramp = input("ramp", {5, 3}, 3, Component::kU16);
  ASSERT_FALSE(writeImage(scratch / "small.tif", ramp));
  ASSERT_TRUE(readPicture(scratch / "small.tif").ok());  // threads take address space once
  std::string bytes = *readWholeFile(scratch / "small.tif");
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    return value;
  };
  std::size_t at = number(4, 4) + 2;
  while (number(at, 2) != 278) at += 12;  // RowsPerStrip
  const std::uint32_t field[3] = {4 << 16 | 278, 1, 1 << 22};
  std::memcpy(bytes.data() + at, field, sizeof(field));
  std::ofstream(scratch / "strip.tif", std::ios::binary) << bytes;
  const std::size_t before = mostMemory();
  ASSERT_GT(before, 0u);
  const auto picture = readPicture(scratch / "strip.tif");
  EXPECT_TRUE(!picture || picture->stored == ramp);
  EXPECT_LT(mostMemory() - before, 32u << 10);
}

// libjpeg takes memory for all of a progressive picture when it is opened. A comment stands before its size here.
TEST(GoldenPicture, AProgressiveJpegThatSaysTooMuchIsNotOpened) {
  const ScratchFolder scratch;
  const auto said = [&](char side, const char* name = "said.jpg") {
    std::string bytes("\xff\xd8\xff\xfe\x00\x04\xff\xc2\xff\xdb\x00\x43", 12);
    bytes += '\0' + std::string(64, '\1') + std::string("\xff\xc2\x00\x11\x08", 5);
    bytes += std::string{side, '\0', side, '\0'} + std::string("\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00", 10);
    bytes += std::string("\xff\xc4\x00\x14\x00\x01", 6) + std::string(16, '\0');
    bytes += std::string("\xff\xda\x00\x0c\x03\x01\x00\x02\x00\x03\x00\x00\x00\x00", 14) + std::string(200, '\0') + "\xff\xd9";
    std::ofstream(scratch / name, std::ios::binary) << bytes;
    const std::size_t before = mostMemory();
    const auto picture = readPicture(scratch / name);
    EXPECT_LT(mostMemory() - before, 128u << 10);
    return picture ? "read" : picture.error().text();
  };
  EXPECT_THAT(said('\1'), Not(HasSubstr("with 3 channels"))) << "256x256 may be";
  EXPECT_THAT(said('\x40'), HasSubstr("bytes cannot be 16384x16384 with 3 channels"));
  EXPECT_THAT(said('\x40', "said.png"), HasSubstr("bytes cannot be 16384x16384 with 3 channels"));
}

TEST(GoldenPicture, AJpegCutShortIsNotTaken) {
  // Without the second half of the file the decoder fills up with grey and only remarks on it.
  const ScratchFolder scratch;
  const Image noise = input("noise:1", {64, 64}, 3, Component::kU8);
  const auto jpeg = OIIO::ImageOutput::create("cut.jpg");
  ASSERT_TRUE(jpeg->open((scratch / "cut.jpg").string(), OIIO::ImageSpec(64, 64, 3, OIIO::TypeDesc::UINT8)));
  ASSERT_TRUE(jpeg->write_image(OIIO::TypeDesc::UINT8, noise.bytes.data()));
  ASSERT_TRUE(jpeg->close());
  ASSERT_TRUE(readPicture(scratch / "cut.jpg").ok());
  truncate(scratch / "cut.jpg");
  const auto picture = readPicture(scratch / "cut.jpg");
  ASSERT_FALSE(picture.ok());
  EXPECT_THAT(picture.error().text(), HasSubstr("cut short"));
}

TEST(GoldenPicture, WhatCannotBeWrittenIsToldAndLeavesNothing) {
  const ScratchFolder scratch;
  const Image image = input("ramp", {3, 3}, 4, Component::kU8);
  EXPECT_EQ(writeImage(scratch / "none" / "a.png", image)->outcome, Outcome::kIoError);
  EXPECT_THAT(writeImage(scratch / "none" / "a.png", image)->text(), HasSubstr("its folder does not exist"));
  EXPECT_EQ(writeImage(scratch / "a.bmp", image)->outcome, Outcome::kBadInput);
  EXPECT_EQ(writeImage(scratch / "a.png", input("ramp", {3, 3}, 4, Component::kF32))->outcome, Outcome::kBadInput);
  EXPECT_EQ(writeImage(scratch / "a.exr", input("ramp", {4, 4}, 4, Component::kF32, 2))->outcome, Outcome::kBadInput);
  EXPECT_EQ(scratch.files(), 0u);
}

TEST(GoldenPicture, AFullDiskLeavesTheOldPicture) {
  const ScratchFolder scratch;
  const Image old = input("ramp", {3, 3}, 4, Component::kU8);
  ASSERT_FALSE(writeImage(scratch / "a.png", old));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  const Status failed = writeImage(scratch / "a.png", input("noise:1", {64, 64}, 4, Component::kU8));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->outcome, Outcome::kIoError);
  EXPECT_EQ(*asCodes(*readPicture(scratch / "a.png")), old);
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(GoldenPicture, PngInMemoryIsThePngFile) {
  const ScratchFolder scratch;
  const Image image = input("noise:1", {8, 5}, 4, Component::kU8);
  const auto bytes = encodePng(image);
  ASSERT_TRUE(bytes.ok());
  ASSERT_FALSE(writeWholeFile(scratch / "a.png", *bytes));
  EXPECT_EQ(*asCodes(*readPicture(scratch / "a.png")), image);
}

TEST(GoldenPicture, AtlasHoldsEveryLevel) {
  const Image image = input("noise:1", {5, 6}, 1, Component::kU8, 3);
  const Image atlas = mipAtlas(image);
  EXPECT_EQ(atlas.extent, (Extent{7, 6}));
  EXPECT_EQ(atlas.get<std::uint8_t>(0, 4, 5), image.get<std::uint8_t>(0, 4, 5));
  EXPECT_EQ(atlas.get<std::uint8_t>(0, 6, 2), image.get<std::uint8_t>(1, 1, 2));
  EXPECT_EQ(atlas.get<std::uint8_t>(0, 5, 3), image.get<std::uint8_t>(2, 0, 0));
  EXPECT_EQ(atlas.get<std::uint8_t>(0, 6, 5), 0);
}

// The images that people open are what the oracles make.
TEST(GoldenPicture, TheCommittedImagesAreCurrent) {
  const auto changes = imageChanges(std::filesystem::path(LANEWISE_GOLDEN_FOLDER) / "images");
  ASSERT_TRUE(changes.ok()) << changes.error().text();
  for (const NamedImage& one : changes->write)
    ADD_FAILURE() << one.file << " is missing or not current; run `lanewise golden approve --all`";
  EXPECT_THAT(changes->remove, testing::IsEmpty());
}

TEST(GoldenPicture, RegenerationWritesWhatDiffersAndRemovesTheRest) {
  const ScratchFolder scratch;
  const auto first = imageChanges(scratch.path());
  ASSERT_TRUE(first.ok()) << first.error().text();
  EXPECT_EQ(first->write.size(), familyImages()->size());
  ASSERT_FALSE(replaceTogether(scratch.path(), *replacementsOf(*first, "")));
  EXPECT_TRUE(imageChanges(scratch.path())->empty());
  ASSERT_FALSE(writeImage(scratch / "old.png", input("ramp", {3, 3}, 4, Component::kU8)));
  ASSERT_FALSE(writeImage(scratch.path() / first->write[0].file, input("ramp", {3, 3}, 4, Component::kU8)));
  const auto second = imageChanges(scratch.path());
  ASSERT_EQ(second->write.size(), 1u);
  EXPECT_EQ(second->write[0].file, first->write[0].file);
  EXPECT_THAT(second->remove, testing::ElementsAre("old.png"));
  ASSERT_FALSE(replaceTogether(scratch.path(), *replacementsOf(*second, "")));
  EXPECT_TRUE(imageChanges(scratch.path())->empty());
}

}  // namespace
}  // namespace lanewise::golden
