// The contract's own arithmetic: level sizes, poison, and formats that name themselves.
#include "model/contract/bound_bytes.h"
#include "model/contract/device.h"
#include "model/contract/format.h"
#include "model/contract/schedule.h"
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

TEST(Contract, SamplesStandInTheirLayer) {
  ImageData image;
  image.format = Format::R32_UINT;
  image.extent = {3, 2, 1};
  image.layers = 2;
  image.samples = 4;
  EXPECT_EQ(image.levelOffset(1), 3u * 2 * 2 * 4 * 4);
}

TEST(Contract, SamplersAreReadAndWritten) {
  EXPECT_EQ(*samplerByText(""), SamplerState{});
  EXPECT_EQ(samplerText({}), "nearest");
  const auto s = samplerByText("linear, min=nearest, repeat, v=clamp-to-border, border=0/0.5/-1/1, compare=less-or-equal, max-lod=2.5");
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_EQ(s->mag, Filter::kLinear);
  EXPECT_EQ(s->min, Filter::kNearest);
  EXPECT_EQ(s->u, AddressMode::kRepeat);
  EXPECT_EQ(s->v, AddressMode::kClampToBorder);
  EXPECT_EQ(s->border, (std::array<std::uint32_t, 4>{0, 0x3f000000u, 0xbf800000u, 0x3f800000u}));
  EXPECT_TRUE(s->compare);
  EXPECT_EQ(s->compareOp, CompareOp::kLessOrEqual);
  EXPECT_EQ(s->maxLod, 2.5f);
  for (const char* text : {"linear,mip=linear,mirrored-repeat", "min=linear,u=repeat", "clamp-to-border,int-border=1/-2/3/4",
                           "unnormalized", "compare=always,lod-bias=-0.25,min-lod=1,reduction=max"}) {
    const auto once = samplerByText(text);
    ASSERT_TRUE(once) << once.error().text();
    EXPECT_EQ(samplerText(*once), text);
  }
  for (const char* text :
       {"cubic", "linear,,mip=cubic", "border=1/2/3", "border=1/2/3/4/5", "max-lod=", "max-lod=1x", "compare=", "=linear"})
    EXPECT_FALSE(samplerByText(text)) << text;
}

TEST(Contract, RecordedTurnsAreReadAndWritten) {
  const auto turns = parseSchedule("turns:2-0.3/1");
  ASSERT_TRUE(turns) << turns.error().text();
  using Turns = Schedule::Turns;
  EXPECT_EQ(turns->order, Schedule::Order::kTurns);
  EXPECT_EQ(turns->turns, (std::vector<std::vector<Turns>>{{{2, 1}, {0, 4}}, {{1, 1}}}));
  EXPECT_EQ(turns->resident, 0u) << "all workgroups, as interleaved";
  for (const char* text : {"turns:", "turns:2-0.3/1", "turns:/4", "turns:7.12@4", "turns:1-0+weak:3", "turns:1+fair",
                           "turns:9c2f:", "turns:0001:2-0.3/1", "turns:9c2f:1@4+fair"}) {
    const auto once = parseSchedule(text);
    ASSERT_TRUE(once) << once.error().text();
    EXPECT_EQ(once->token(), text);
  }
  for (const char* text :
       {"turns", "turns:x", "turns:1.", "turns:1.0", "turns:-1", "turns:1-", "turns:1,2", "turns:1..2", "turns:4294967296", "lanes-turns:1",
        "turns:1 ", "turns:9c2:1", "turns:09c2f:1", "turns:0000:1", "turns:9c2g:1", "turns:9c2f:9c2f:1", "turns::1", "turns:-9c2:1"})
    EXPECT_FALSE(parseSchedule(text)) << text;
}

TEST(Contract, APlaceInTheScheduleIsThatOfItsItem) {
  for (const char* text :
       {"in-order", "reverse", "seed:0", "seed:7", "seed:123456789", "last:0", "last:5", "last:400", "interleave:seed:3"}) {
    const Schedule schedule = *parseSchedule(text);
    for (const std::uint64_t n : {1u, 2u, 6u, 31u, 256u, 300u})
      for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(schedule.placeOf(schedule.at(i, n), n), i) << text << " of " << n;
    for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
      constexpr std::uint64_t kMost = std::uint64_t{65535} * 65535 * 65535;
      EXPECT_EQ(schedule.placeOf(schedule.at(i, kMost), kMost), i) << text;
    }
  }
}

TEST(Contract, ModelsOfProgressAreReadAndWritten) {
  for (const Schedule::Progress p : kProgressModels) {
    EXPECT_EQ(*parseProgress(progressName(p)), p);
    Schedule schedule;
    schedule.progress = p;
    EXPECT_EQ(*parseSchedule(schedule.token()), schedule);
  }
  EXPECT_THAT(parseProgress("HSA").error().text(), testing::HasSubstr("nothing, occupancy-bound, hsa, lobe or fair"));
  EXPECT_THAT(parseSchedule("in-order+best").error().text(), testing::HasSubstr("+occupancy-bound, +hsa, +lobe or +fair"));
}

TEST(Contract, WrongTurnsAreToldWhatIsWrong) {
  const auto text = [](const char* token) { return parseSchedule(token).error().text(); };
  for (const char* token : {"turns:c1f:1", "turns:0000:1", "turns:9c2g:1@4"}) {
    EXPECT_THAT(text(token), testing::HasSubstr("no such turns")) << token;
    EXPECT_THAT(text(token), testing::HasSubstr("the four hexadecimal digits that check prints")) << token;
  }
  EXPECT_THAT(text("turns:0c1f:x"), testing::HasSubstr("turns:SUBGROUP.TURNS-..., with / before those of the next dispatch"));
  EXPECT_THAT(text("turns:1@0"), testing::HasSubstr("no such schedule")) << "the turns are right";
  EXPECT_THAT(text("turn:1"), testing::HasSubstr("turns:[SUBJECT:]SUBGROUP.TURNS"));
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

// Of a buffer of 16 bytes. Vulkan asks that the first byte lies in it and that the range ends in it.
TEST(Contract, ABindingNamesBytesOfItsBuffer) {
  const auto bytes = [](std::uint64_t offset, std::uint64_t size, std::uint64_t all = 16) {
    Binding binding;
    binding.offset = offset;
    binding.size = size;
    const Expected<BoundBytes> b = boundBytes(binding, all);
    return b ? std::pair(b->offset, b->size) : std::pair<std::uint64_t, std::uint64_t>(0, 0);
  };
  using Bytes = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(bytes(0, 0), Bytes(0, 16));
  EXPECT_EQ(bytes(15, 0), Bytes(15, 1));
  EXPECT_EQ(bytes(4, 12), Bytes(4, 12));
  for (const Bytes& wrong : {Bytes(16, 0), Bytes(17, 0), Bytes(16, 1), Bytes(4, 13), Bytes(1, ~std::uint64_t{0})})
    EXPECT_EQ(bytes(wrong.first, wrong.second), Bytes(0, 0)) << wrong.first << " " << wrong.second;
  EXPECT_EQ(bytes(0, 0, 0), Bytes(0, 0)) << "of an empty one";
}

}  // namespace
}  // namespace lanewise
