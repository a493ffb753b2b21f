// The option grammar of `lanewise run`: values, bindings, shapes; and no text that harms the parsers.
#include <cstring>
#include <random>
#include <set>

#include "tools/run/arguments.h"
#include "tools/run/typed_values.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

template <class T>
std::vector<std::byte> bytesOf(std::initializer_list<T> values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

std::vector<std::byte> parsed(const std::string& text) {
  const Expected<ParsedValues> values = parseValues("--buffer", text);
  EXPECT_TRUE(values) << text << ": " << values.error().text();
  return values ? values->bytes : std::vector<std::byte>();
}

std::string refused(const std::string& text) {
  const Expected<ParsedValues> values = parseValues("--buffer", text, 1 << 20);
  EXPECT_FALSE(values) << text;
  if (values) return "";
  EXPECT_EQ(values.error().outcome, Outcome::kBadInput);
  EXPECT_THAT(values.error().text(), HasSubstr("--buffer")) << text;
  return values.error().text();
}

TEST(RunValues, NoiseHasAllValuesOfItsRangeAndIsTheSameAgain) {
  std::set<std::byte> seen;
  for (const std::byte b : parsed("i8:noise:4096:-3..3")) seen.insert(b);
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_TRUE(seen.contains(std::byte{0xfd}) && seen.contains(std::byte{3}));
  seen.clear();
  for (const std::byte b : parsed("u8:noise:16384")) seen.insert(b);
  EXPECT_EQ(seen.size(), 256u);
  const std::vector<std::byte> bytes = parsed("f32:noise:1024:-2..4");
  std::vector<float> values(1024);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  EXPECT_TRUE(*least >= -2 && *least < -1.9f && *most < 4 && *most > 3.9f) << *least << " to " << *most;
  EXPECT_EQ(parsed("f32:noise:1024:-2..4"), bytes);
  EXPECT_NE(parsed("f32:noise:1024:-2..5"), bytes);
}

TEST(RunValues, ListsOfEveryKind) {
  EXPECT_EQ(parsed("u32:1,2,3"), bytesOf<std::uint32_t>({1, 2, 3}));
  EXPECT_EQ(parsed("uint:1u, 2"), bytesOf<std::uint32_t>({1, 2}));
  EXPECT_EQ(parsed("i8:-128,127,0xff"), bytesOf<std::int8_t>({-128, 127, -1}));
  EXPECT_EQ(parsed("u64:18446744073709551615"), bytesOf<std::uint64_t>({~std::uint64_t{0}}));
  EXPECT_EQ(parsed("i64:-9223372036854775808"), bytesOf<std::int64_t>({INT64_MIN}));
  EXPECT_EQ(parsed("f32:0.5,-1.5f,0x1p-3,inf"), bytesOf<float>({0.5f, -1.5f, 0.125f, INFINITY}));
  EXPECT_EQ(parsed("f32:0x3f800000,nan"), bytesOf<std::uint32_t>({0x3f800000u, 0x7fc00000u}));
  EXPECT_EQ(parsed("f64:0.1"), bytesOf<double>({0.1}));
  EXPECT_EQ(parsed("f16:1,65504,0.1,-2"), bytesOf<std::uint16_t>({0x3c00, 0x7bff, 0x2e66, 0xc000}));
  EXPECT_EQ(parsed("u16:2*7,3..5"), bytesOf<std::uint16_t>({7, 7, 3, 4, 5}));
  EXPECT_EQ(parsed("i32:-1..1"), bytesOf<std::int32_t>({-1, 0, 1}));
  EXPECT_EQ(parsed("u8:noise:9:7..7,5"), bytesOf<std::uint8_t>({7, 7, 7, 7, 7, 7, 7, 7, 7, 5}));
  EXPECT_EQ(parsed("u8:1,hex:00ff10,u8:2"), bytesOf<std::uint8_t>({1, 0, 255, 16, 2}));
  EXPECT_EQ(parsed("zeros:2,fill:0xA7:1,poison:1"), bytesOf<std::uint8_t>({0, 0, 0xa7, 0xa7}));
  EXPECT_EQ(parsed("u32:").size(), 0u);
  EXPECT_EQ(parsed("zeros:64K").size(), 65536u);
}

TEST(RunValues, AddressesHaveTheirPlace) {
  const Expected<ParsedValues> values = parseValues("--push", "u64:1,addr:0:1+16,addr:nodes");
  ASSERT_TRUE(values);
  EXPECT_EQ(values->bytes.size(), 24u);
  ASSERT_EQ(values->addresses.size(), 2u);
  EXPECT_EQ(values->addresses[0].at, 8u);
  EXPECT_EQ(values->addresses[0].whose, "0:1");
  EXPECT_EQ(values->addresses[0].offset, 16u);
  EXPECT_EQ(values->addresses[1].whose, "nodes");
}

TEST(RunValues, WhatDoesNotFitIsRefusedAndNamed) {
  EXPECT_THAT(refused("u8:256"), HasSubstr("'256' is no u8"));
  EXPECT_THAT(refused("u32:-1"), HasSubstr("'-1' is no u32"));
  EXPECT_THAT(refused("i8:128"), HasSubstr("no i8"));
  EXPECT_THAT(refused("i8:-129"), HasSubstr("no i8"));
  EXPECT_THAT(refused("u32:1.5"), HasSubstr("no u32"));
  EXPECT_THAT(refused("f32:half"), HasSubstr("no f32"));
  EXPECT_THAT(refused("1,2"), HasSubstr("no type before it"));
  EXPECT_THAT(refused("u33:1"), HasSubstr("'u33' is no type"));
  EXPECT_THAT(refused("hex:0"), HasSubstr("odd number"));
  EXPECT_THAT(refused("noise:4"), HasSubstr("no type"));
  EXPECT_THAT(refused("u8:noise:x"), HasSubstr("no type and count"));
  EXPECT_THAT(refused("u8:noise:4:0..256"), HasSubstr("no u8"));
  EXPECT_THAT(refused("u32:noise:262145"), HasSubstr("more than"));
  EXPECT_THAT(refused("hex:zz"), HasSubstr("no hexadecimal digits"));
  EXPECT_THAT(refused("fill:300:4"), HasSubstr("no byte and count"));
  EXPECT_THAT(refused("zeros:many"), HasSubstr("no number of bytes"));
  EXPECT_THAT(refused("u32:99999999999*0"), HasSubstr("more than"));
  EXPECT_THAT(refused("u8:0..99999999"), HasSubstr("no u8"));
  EXPECT_THAT(refused("u32:9..0"), HasSubstr("a range that goes down, from 9 to 0"));
  EXPECT_THAT(refused("i8:1..-1"), HasSubstr("a range that goes down, from 1 to -1"));
  EXPECT_THAT(refused("u8:noise:4:9..0"), HasSubstr("a range that goes down"));
  EXPECT_THAT(refused("u64:0..18446744073709551615"), HasSubstr("more than"));
  EXPECT_THAT(refused("addr:"), HasSubstr("address of nothing"));
}

// Whatever bits a value has, its text reads back as the same bits.
TEST(RunValues, TextsReadBack) {
  std::mt19937_64 random(7);
  for (const char* name : {"u8", "i8", "u16", "i16", "f16", "u32", "i32", "f32", "u64", "i64", "f64"}) {
    const ValueType type = *valueTypeByName(name);
    for (int i = 0; i < 3000; ++i) {
      std::uint64_t bits = random();
      if (type.bytes < 8) bits &= (std::uint64_t{1} << (8 * type.bytes)) - 1;
      const std::string text = valueText(type, bits);
      const Expected<std::uint64_t> back = parseValue("", type, text);
      ASSERT_TRUE(back) << name << " " << text;
      ASSERT_EQ(*back, bits) << name << " " << text;
    }
  }
}

TEST(RunArguments, Buffers) {
  Expected<BufferArgument> b = parseBufferArgument("--buffer", "0:1:2=data.bin:4096");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->slot, (Slot{"", 0, 1, 2}));
  EXPECT_EQ(b->source.text, "data.bin");
  EXPECT_EQ(b->bytes, 4096u);
  b = parseBufferArgument("--buffer", "sums[3]=u32:1,2,3");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->slot, (Slot{"sums", 0, 0, 3}));
  EXPECT_EQ(b->source.kind, Source::Kind::kValues);
  EXPECT_EQ(b->source.text, "u32:1,2,3");
  b = parseBufferArgument("--buffer", "0:0=@zeros:16");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->source.kind, Source::Kind::kFile);
  EXPECT_EQ(b->source.text, "zeros:16");
  b = parseBufferArgument("--buffer", "0:0=same:1:2:offset=256:size=64");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->source.same, (Slot{"", 1, 2, 0}));
  EXPECT_EQ(b->offset, 256u);
  EXPECT_EQ(b->size, 64u);
  b = parseBufferArgument("--texel-buffer", "0:3=f32:1,2:r32f");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->format, Format::R32_SFLOAT);
  EXPECT_EQ(b->source.text, "f32:1,2");
}

TEST(RunArguments, Images) {
  Expected<ImageArgument> i = parseImageArgument("0:1=photo.png:rgba8ui");
  ASSERT_TRUE(i);
  EXPECT_EQ(i->source.text, "photo.png");
  EXPECT_EQ(i->shape.format, Format::R8G8B8A8_UINT);
  i = parseImageArgument("0:1=C:/a:b.bin:VK_FORMAT_R8G8B8A8_UNORM:16x8x4:levels=2:layers=3:level=1:view=rgba8ui:3d");
  ASSERT_TRUE(i);
  EXPECT_EQ(i->source.text, "C:/a:b.bin");
  EXPECT_EQ(i->shape.extent, (Extent3{16, 8, 4}));
  EXPECT_EQ(i->shape.levels, 2u);
  EXPECT_EQ(i->shape.layers, 3u);
  EXPECT_EQ(i->shape.level, 1u);
  EXPECT_EQ(i->shape.view, Format::R8G8B8A8_UINT);
  EXPECT_EQ(i->shape.dimensions, 3u);
  i = parseImageArgument("0:1=u32:1,2,3:r32ui:3x1");
  ASSERT_TRUE(i);
  EXPECT_EQ(i->source.kind, Source::Kind::kValues);
  EXPECT_EQ(i->source.text, "u32:1,2,3");
  EXPECT_EQ(i->shape.extent, (Extent3{3, 1, 1}));
  i = parseImageArgument("0:1=fill:0xff:rgba8:4x4");
  ASSERT_TRUE(i);
  EXPECT_EQ(i->source.kind, Source::Kind::kFill);
  EXPECT_EQ(i->source.fill, std::byte{0xff});
}

TEST(RunArguments, Outs) {
  Expected<OutArgument> o = parseOutArgument("0:2=result.exr:64x64:r32f");
  ASSERT_TRUE(o);
  EXPECT_EQ(o->file, "result.exr");
  EXPECT_EQ(o->shape.extent, (Extent3{64, 64, 1}));
  EXPECT_EQ(o->shape.format, Format::R32_SFLOAT);
  o = parseOutArgument("0:3=sums.bin:1024");
  ASSERT_TRUE(o);
  EXPECT_EQ(o->bytes, 1024u);
  o = parseOutArgument("0:3=@a:b");
  ASSERT_TRUE(o);
  EXPECT_EQ(o->file, "a:b");
  o = parseOutArgument("0:3=-:u32:zeros");
  ASSERT_TRUE(o);
  EXPECT_EQ(o->file, "-");
  EXPECT_EQ(o->type, (ValueType{ValueType::Kind::kUnsigned, 4}));
  EXPECT_EQ(o->start, std::byte{0});
}

TEST(RunArguments, AnUnknownFormatIsNamed) {
  for (const char* text : {"0:0=hex:01020304:R8G8B8A8_USCALED", "0:0=u32:1:r8g8b8a8_uscaled", "0:0=zeros:64:rgba9"}) {
    const Expected<BufferArgument> b = parseBufferArgument("--texel-buffer", text);
    ASSERT_FALSE(b) << text;
    EXPECT_THAT(b.error().text(), HasSubstr("is no format")) << text;
  }
  EXPECT_TRUE(parseBufferArgument("--buffer", "0:0=hex:a1b2"));
  EXPECT_TRUE(parseBufferArgument("--buffer", "0:0=data:a1"));
}

TEST(RunArguments, GroupsAndFormats) {
  EXPECT_EQ(*parseGroups("--groups", "8,8,1"), (Extent3{8, 8, 1}));
  EXPECT_EQ(*parseGroups("--groups", "8x4"), (Extent3{8, 4, 1}));
  EXPECT_EQ(*parseGroups("--groups", "7"), (Extent3{7, 1, 1}));
  for (const char* wrong : {"", "a", "1,2,3,4", "-1", "1,,2", "4294967296"}) EXPECT_FALSE(parseGroups("--groups", wrong)) << wrong;
  EXPECT_EQ(parseFormat("RGBA8UI"), Format::R8G8B8A8_UINT);
  EXPECT_EQ(parseFormat("r8g8b8a8_uint"), Format::R8G8B8A8_UINT);
  EXPECT_FALSE(parseFormat("rgba9"));
}

TEST(RunArguments, WrongOnesNameTheOption) {
  for (const char* wrong : {"0:1", "=x", "0=x", "0:1=", "0:x=y", "0:1:2:3=y", "0:1=same:", "0:-1=y", "name:x=y", "0:1=@"})
    for (const bool out : {false, true}) {
      const Status error = out ? [&]() -> Status {
        const auto parsed = parseOutArgument(wrong);
        return parsed ? Status() : Status(parsed.error());
      }()
          : [&]() -> Status {
              const auto parsed = parseBufferArgument("--buffer", wrong);
              return parsed ? Status() : Status(parsed.error());
            }();
      if (out && std::string(wrong) == "0:1=same:") continue;  // a file's name there
      ASSERT_TRUE(error) << wrong;
      EXPECT_EQ(error->outcome, Outcome::kBadInput);
      EXPECT_THAT(error->text(), HasSubstr(out ? "--out" : "--buffer")) << wrong;
    }
}

TEST(RunArguments, AWordOfAnOutputThatIsUnknownOrThereTwiceIsRefused) {
  for (const char* wrong : {"0:1=o.bin:-1", "0:1=o.bin:18446744073709551616", "0:1=o.bin:16Q", "0:1=o.bin:1e3",
                            "0:1=o.bin:", "0:1=-:+16:u32", "0:1=o.bin:4x0", "0:1=o.bin:4x4x4x4", "0:1=o.bin:u33"}) {
    const auto parsed = parseOutArgument(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_THAT(parsed.error().text(), HasSubstr("is no number of bytes, type or shape")) << wrong;
  }
  for (const char* twice : {"0:1=o.bin:16:16", "0:1=o.bin:u32:i32", "0:1=o.bin:zeros:fill=0x00"})
    EXPECT_FALSE(parseOutArgument(twice)) << twice;
  for (const char* right : {"0:1=o.bin:0x10", "0:1=o.bin:16:u32:zeros", "0:1=@o.bin:-1", "0:1=-:4x4:r32f"})
    EXPECT_TRUE(parseOutArgument(right)) << right;
}

// Random texts out of the pieces that the grammar is made of: an answer or an error, never harm.
TEST(RunArguments, NoTextHarmsTheParsers) {
  constexpr const char* kPieces[] = {"0",
                                     "1",
                                     ":",
                                     "=",
                                     ",",
                                     "..",
                                     "*",
                                     "u32",
                                     "f16",
                                     "hex",
                                     "zeros",
                                     "fill",
                                     "same",
                                     "addr",
                                     "+",
                                     "@",
                                     "-",
                                     "x",
                                     "64",
                                     "rgba8ui",
                                     "levels=",
                                     "view=",
                                     "level=",
                                     "0x",
                                     "1e999",
                                     "nan",
                                     "[",
                                     "]",
                                     " ",
                                     "é",
                                     "18446744073709551616"};
  std::mt19937 random(11);
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (auto n = random() % 9; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    (void)parseValues("--buffer", text, 4096);
    (void)parseBufferArgument("--buffer", text);
    (void)parseImageArgument(text);
    (void)parseSamplerArgument(text);
    (void)parseOutArgument(text);
    (void)parseGroups("--groups", text);
  }
}

}  // namespace
}  // namespace lanewise
