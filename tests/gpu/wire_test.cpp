// Messages to and from workers: what is written is what is read, and nothing else is read.
#include "gpu/wire.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <random>
#include <thread>

#include "gpu/channel.h"
#include "model/contract/choices.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kBudget = 1 << 20;

Job sampleJob() {
  Job job;
  job.resources = {undefinedImage("picture", Format::R8G8B8A8_UINT, {5, 3, 1}, 2), undefinedBuffer("numbers", 9)};
  job.resources[1].output = true;
  job.resources[1].bytes()[3] = std::byte{1};
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"kernel", {1, 2, 3}});
  d.entryPoint = "entry";
  d.groups = {4, 5, 6};
  d.spec = {{7, 0x123456789abcdef0u}};
  d.push = {std::byte{1}, std::byte{2}};
  d.bindings = {{1, 2, 3, "picture", 1, 1, Format::R32_UINT, 2, 3, 4, 5, *samplerByText("linear,compare=less,border=1/0/0/1,max-lod=3")}};
  d.barrierBefore = false;
  job.dispatches = {d, d};
  job.blits = {{"picture", 0, 1, 0}, {"picture", 1, 0, 2}};
  job.subgroupSize = 8;
  job.limits.timeoutSeconds = 1.5;
  return job;
}

ModuleTable tableOf(const Job& job) {
  return {{hashModule(*job.dispatches[0].module), job.dispatches[0].module}};
}

TEST(Wire, AJobComesBackAsItWas) {
  const Job job = sampleJob();
  const Bytes bytes = encodeJob(job);
  const auto back = decodeJob(bytes, tableOf(job), kBudget);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(encodeJob(*back), bytes);
  const ImageData& image = std::get<ImageData>(back->resources[0].data);
  EXPECT_EQ(image.bytes, std::get<ImageData>(job.resources[0].data).bytes);
  EXPECT_EQ(image.levels, 2u);
  EXPECT_TRUE(back->resources[0].undefined);
  EXPECT_EQ(back->resources[1].bytes(), job.resources[1].bytes());
  const Dispatch& d = back->dispatches[1];
  EXPECT_EQ(d.module, job.dispatches[0].module);
  EXPECT_EQ(d.entryPoint, "entry");
  EXPECT_EQ(d.groups, (Extent3{4, 5, 6}));
  EXPECT_EQ(d.spec[0].value, 0x123456789abcdef0u);
  EXPECT_EQ(d.bindings[0].viewFormat, Format::R32_UINT);
  EXPECT_EQ(d.bindings[0].layerCount, 3u);
  EXPECT_EQ(d.bindings[0].size, 5u);
  EXPECT_EQ(d.bindings[0].sampler, job.dispatches[1].bindings[0].sampler);
  EXPECT_FALSE(d.barrierBefore);
  EXPECT_EQ(back->blits, job.blits);
  EXPECT_EQ(back->subgroupSize, 8u);
  EXPECT_EQ(back->limits.timeoutSeconds, 1.5);
}

TEST(Wire, PoisonTravelsAsOneByte) {
  Job job;
  job.resources = {undefinedBuffer("numbers", 1'000'000)};
  const Bytes bytes = encodeJob(job);
  EXPECT_LT(bytes.size(), 200u);
  const auto back = decodeJob(bytes, {}, kBudget);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->resources[0].bytes(), job.resources[0].bytes());
  EXPECT_FALSE(decodeJob(bytes, {}, 999'999)) << "more than the budget";
}

TEST(Wire, ResultsAndErrorsComeBack) {
  WorkerResult result;
  result.usable = false;
  result.result.error = Error{Outcome::kDeviceTrouble, "what", "where", "hint"};
  result.result.outputs = {undefinedBuffer("numbers", 5)};
  result.result.seconds = 0.25;
  const auto back = decodeResult(encodeResult(result), kBudget);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->usable);
  EXPECT_EQ(back->result.error->text(), "what (where); hint");
  EXPECT_EQ(back->result.error->outcome, Outcome::kDeviceTrouble);
  EXPECT_EQ(back->result.outputs[0].bytes().size(), 5u);
  EXPECT_EQ(back->result.seconds, 0.25);
  const auto refused = decodeProfile(encodeProfile(Error{Outcome::kDeviceTrouble, "no loader", "", ""}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "no loader");
}

TEST(Wire, ProfilesAndDevicesComeBack) {
  ListedDevice device;
  device.index = 3;
  device.deviceName = "Some GPU";
  device.profile.subgroupSize = 64;
  device.profile.float32.roundingModeRTZ = false;
  device.profile.subTexelBits = 5;
  device.profile.denormIndependence = Independence::k32Only;
  device.profile.roundingIndependence = Independence::kNone;
  for (const Choice& c : choices()) c.set(device.profile, static_cast<std::uint32_t>(c.values.size()) - 1);
  device.profile.capabilities = {"Shader", "Int64"};
  const auto back = decodeDevices(encodeDevices(std::vector<ListedDevice>{device}));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 1u);
  EXPECT_EQ((*back)[0].deviceName, "Some GPU");
  EXPECT_EQ((*back)[0].profile.subgroupSize, 64u);
  EXPECT_FALSE((*back)[0].profile.float32.roundingModeRTZ);
  EXPECT_EQ((*back)[0].profile.subTexelBits, 5u);
  EXPECT_EQ((*back)[0].profile.denormIndependence, Independence::k32Only);
  EXPECT_EQ((*back)[0].profile.roundingIndependence, Independence::kNone);
  for (const Choice& c : choices()) EXPECT_EQ(c.get((*back)[0].profile), c.values.size() - 1) << c.name;
  EXPECT_THAT((*back)[0].profile.capabilities, testing::ElementsAre("Shader", "Int64"));
}

TEST(Wire, EveryTruncationIsAnError) {
  const Job job = sampleJob();
  const Bytes bytes = encodeJob(job);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decodeJob(std::span(bytes).first(size), tableOf(job), kBudget)) << size;
  }
  Bytes longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(decodeJob(longer, tableOf(job), kBudget));
}

TEST(Wire, AModuleThatWasNeverSentIsAnError) {
  EXPECT_FALSE(decodeJob(encodeJob(sampleJob()), {}, kBudget));
}

TEST(Wire, GarbledMessagesDoNoHarm) {
  const Job job = sampleJob();
  const ModuleTable table = tableOf(job);
  WorkerResult result;
  result.result.outputs = job.resources;
  const Bytes messages[] = {encodeJob(job), encodeResult(result), encodeProfile(Profile{}), encodeModule(*job.dispatches[0].module)};
  std::mt19937 random(1);
  int refused = 0, taken = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = messages[round % 4];
    for (int changes = 0; changes <= round % 3; ++changes) bytes[random() % bytes.size()] = std::byte(random() % 5 ? random() : 0xff);
    const bool ok = round % 4 == 0   ? decodeJob(bytes, table, kBudget).ok()
                    : round % 4 == 1 ? decodeResult(bytes, kBudget).ok()
                    : round % 4 == 2 ? decodeProfile(bytes).ok()
                                     : decodeModule(bytes).ok();
    ++(ok ? taken : refused);
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 1000);  // a changed number is still a number
}

struct Pair {
  Pair() {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    a = Channel(FileDescriptor(fds[0]));
    b = Channel(FileDescriptor(fds[1]));
  }
  Channel a, b;
};

ChannelTrouble troubleOf(const std::variant<Message, ChannelTrouble>& received) {
  const ChannelTrouble* trouble = std::get_if<ChannelTrouble>(&received);
  EXPECT_TRUE(trouble) << "a message came";
  return trouble ? *trouble : ChannelTrouble{};
}

TEST(Channel, LargeMessagesArrive) {
  Pair pair;
  Bytes large(5'000'000);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = std::byte(i * 7);
  std::thread sender([&] { EXPECT_FALSE(pair.a.send(MessageKind::kJob, large, deadlineIn(30))); });
  const auto received = pair.b.receive(deadlineIn(30));
  sender.join();
  ASSERT_TRUE(std::holds_alternative<Message>(received));
  EXPECT_EQ(std::get<Message>(received).payload, large);
}

TEST(Channel, SilenceTimesOutAndAClosedEndIsSeen) {
  Pair pair;
  EXPECT_EQ(troubleOf(pair.b.receive(deadlineIn(0.02))), ChannelTrouble::kTimedOut);
  EXPECT_EQ(pair.a.send(MessageKind::kJob, Bytes(10'000'000), deadlineIn(0.02)), ChannelTrouble::kTimedOut);
  pair.a.close();
  EXPECT_EQ(troubleOf(pair.b.receive(deadlineIn(5))), ChannelTrouble::kClosed);
}

TEST(Channel, AMessageCutShortOrWithoutItsMagicIsSeen) {
  Pair cut;
  const std::uint64_t header[2] = {0x00000003'4c4e5731u, 100};
  ASSERT_EQ(::send(cut.a.socket(), header, sizeof header, 0), ssize_t(sizeof header));
  cut.a.close();
  EXPECT_EQ(troubleOf(cut.b.receive(deadlineIn(5))), ChannelTrouble::kClosed);
  Pair wrong;
  ASSERT_EQ(::send(wrong.a.socket(), "GET / HTTP/1.1\r\n", 16, 0), 16);
  EXPECT_EQ(troubleOf(wrong.b.receive(deadlineIn(5))), ChannelTrouble::kGarbled);
}

}  // namespace
}  // namespace lanewise
