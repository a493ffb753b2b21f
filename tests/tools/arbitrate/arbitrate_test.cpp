// Arbitration: the ruling for each side, and capsules, against known-bad kernels and planted bugs.
#include "tools/arbitrate/arbitrate.h"
#include "golden/image/random.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/tools/side_of.h"
#include "tools/arbitrate/capsule.h"

namespace lanewise {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A model with a bug planted in what it gives back: stands for a device.
class Spoiled final : public Device {
 public:
  explicit Spoiled(std::function<void(std::vector<std::byte>&)> spoil, Profile profile = {}) : spoil_(std::move(spoil)) {
    ModelOptions options;
    options.profile = std::move(profile);
    model_ = makeModel(options);
  }
  const Profile& profile() const override { return model_->profile(); }
  RunResult run(const Job& job) override {
    RunResult r = model_->run(job);
    if (!r.error && spoil_) spoil_(r.outputs[0].bytes());
    return r;
  }

 private:
  std::function<void(std::vector<std::byte>&)> spoil_;
  std::unique_ptr<Model> model_;
};

Arbitration arbitrationOf(const std::string& name, std::vector<Side> sides, const ArbitrationOptions& options = {}) {
  SweepPlan plan;
  plan.cases = {*parseCase(name)};
  plan.identity.cases = 1;
  SweepResult result = runSweep(plan, sides, Inputs(), {});
  arbitrate(result, sides, Inputs(), options);
  return result.arbitrations.empty() ? Arbitration{} : result.arbitrations[0];
}

void flip(std::vector<std::byte>& bytes) {
  bytes[0] ^= std::byte{1};
}

TEST(Arbitration, KernelWrongWhereModelAndDeviceAgree) {
  Model model;
  Spoiled device({});
  const Arbitration f = arbitrationOf("broken/box-blur-remainder-x4 @ 11x9 radius=2", {sideOf("model", model), sideOf("device", device)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("kernel wrong: model, device give the same wrong bytes")));
  EXPECT_THAT(f.stored, HasSubstr("OpImageWrite"));
  EXPECT_FALSE(f.slice.empty());
}

TEST(Arbitration, DeviceWrongWhereNothingIsLeftOpen) {
  Model model;
  Spoiled device(flip);
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 12x9 radius=2", {sideOf("model", model), sideOf("device", device)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("device wrong: the model and the golden agree, and Vulkan leaves nothing open")));
  EXPECT_THAT(f.smallest, HasSubstr("@ 1x1 radius=0"));
  // The same bug without the model among the sides: it is asked as a witness.
  EXPECT_THAT(arbitrationOf("box-blur/double/naive @ 12x9 radius=2", {sideOf("device", device)}).rulings,
              Contains(HasSubstr("device wrong")));
}

TEST(Arbitration, ModelWrongWhereTheDevicesAgreeWithTheGolden) {
  Spoiled wrong(flip), right({});
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", wrong), sideOf("a", right), sideOf("b", right)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("model wrong: the devices and the golden agree")));
}

TEST(Arbitration, KernelWrongWhereTheSubgroupSizeDecides) {
  ModelOptions options;
  options.profile.subgroupSize = 8;
  Model small(options);
  Spoiled device({});
  const Arbitration f = arbitrationOf("broken/pyramid-small-subgroups @ 8x8 reduction=mean levels=full format=rgba8ui input=constant:255",
                                      {sideOf("model", small), sideOf("device", device)});
  EXPECT_THAT(f.rulings, testing::ElementsAre(HasSubstr("kernel wrong: its result depends on the subgroup size; with that of device")));
}

// A device that happens to be right makes no bug of the model out of a kernel's race, or of what it takes for granted.
TEST(Arbitration, KernelWrongWhereTheModelsOwnChoicesDecide) {
  Spoiled device({});
  const Schedule reverse = *parseSchedule("lanes-reverse");
  Model ordered({{}, reverse});
  Side side = sideOf("model", ordered);
  side.schedule = reverse;
  EXPECT_THAT(
      arbitrationOf("broken/depth-overwrite @ 1x4 reduction=max levels=full format=r32f input=noise:1", {side, sideOf("device", device)})
          .rulings,
      testing::ElementsAre("kernel wrong: with the schedule in-order the model gives other bytes"));
  Model adverse({*profileByName("adverse"), {}});
  EXPECT_THAT(arbitrationOf("broken/pyramid-trilinear @ 4x4 levels=full format=r32f input=constant:0",
                            {sideOf("model", adverse), sideOf("device", device)})
                  .rulings,
              testing::ElementsAre(HasSubstr("profile adverse gives other bytes than strict")));
  // The device makes a choice with which the kernel is right.
  Model strict, choosing({*profileByName("lavapipe"), {}});
  EXPECT_THAT(arbitrationOf("broken/box-blur-float-sums @ 3x2 radius=43 edge=clamp format=rgba8ui between=rgba32f input=noise:15",
                            {sideOf("model", strict), sideOf("device", choosing)})
                  .rulings,
              testing::ElementsAre(testing::MatchesRegex("kernel wrong: it takes for granted .* the model's is the golden's too")));
}

// The model is asked as a witness, and counts as one.
TEST(Arbitration, ADeviceAloneWithTheModelsWrongBytes) {
  Spoiled device({});
  const Arbitration f = arbitrationOf("broken/box-blur-remainder-x4 @ 11x9 radius=2", {sideOf("device", device)});
  EXPECT_THAT(f.rulings, testing::ElementsAre(HasSubstr("kernel wrong: device, model give the same wrong bytes")));
}

TEST(Arbitration, EachDeviceHasItsOwnRulingAndDisagreementIsUndecided) {
  Model model;
  Spoiled one(flip), two([](std::vector<std::byte>&b) { b[1] ^= std::byte{2}; });
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", model), sideOf("one", one), sideOf("two", two)});
  EXPECT_THAT(f.rulings, testing::ElementsAre(HasSubstr("one wrong"), HasSubstr("two wrong")));
  Spoiled three([](std::vector<std::byte>& b) { b[0] ^= std::byte{4}; });
  const Arbitration all = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", three), sideOf("one", one), sideOf("two", two)});
  EXPECT_THAT(all.rulings, testing::ElementsAre(HasSubstr("undecided")));
}

TEST(Arbitration, WithoutADeviceTheModelSaysWhatItCan) {
  Model model;
  EXPECT_THAT(arbitrationOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0", {sideOf("model", model)}).rulings,
              testing::ElementsAre(HasSubstr("kernel wrong, as far as the model alone can tell")));
}

// The search has bounds of its own.
TEST(Arbitration, SuspectsDoNotDependOnShrinking) {
  Model model;
  const char* smallest = "broken/box-blur-remainder-x4 @ 2x1 radius=0 edge=clamp format=rgba8ui input=list:0,0,0,255,0,0,0,0";
  ArbitrationOptions options;
  options.smallerCases = 0;
  const Arbitration f = arbitrationOf(smallest, {sideOf("model", model)}, options);
  EXPECT_EQ(f.suspects, arbitrationOf(smallest, {sideOf("model", model)}).suspects);
  EXPECT_THAT(f.suspects, Contains(testing::EndsWith("mends the smallest case"))) << "it is the only case";
  std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_TRUE(arbitrationOf(smallest, {sideOf("model", model)}, options).suspects.empty());
}

Capsule capsuleOf(const std::string& name) {
  Model model;
  const Side side = sideOf("model", model);
  SweepPlan plan;
  plan.cases = {*parseCase(name)};
  SweepResult result = runSweep(plan, {&side, 1}, Inputs(), {});
  std::map<std::string, std::string> files;
  ArbitrationOptions options;
  options.capsules = &files;
  arbitrate(result, {&side, 1}, Inputs(), options);
  EXPECT_EQ(files.size(), 1u);
  const std::string& bytes = files.begin()->second;
  Expected<Capsule> capsule = decodeCapsule(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(capsule.ok()) << (capsule.ok() ? "" : capsule.error().text());
  return capsule ? std::move(*capsule) : Capsule{};
}

TEST(Capsules, GiveTheSameFailureAgain) {
  const Capsule c = capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0");
  Model model;
  RunResult run = model.run(c.job);
  const auto judged = judge(c.expected, run);
  ASSERT_TRUE(judged.ok());
  EXPECT_TRUE(judged->wrong);
  ASSERT_EQ(c.answers.size(), 1u);
  EXPECT_EQ(c.answers[0].images, judged->got);
  RunResult right;
  right.outputs = {c.job.resources.back()};
  right.outputs[0].bytes() = c.expected.images[0].bytes;
  EXPECT_FALSE(judge(c.expected, right)->wrong) << "the expected bytes are no failure";
}

TEST(Capsules, KeepWhatAScriptNeeds) {
  Capsule c = capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0");
  EXPECT_TRUE(c.needs.empty());
  c.needs = {"feature shaderInt16", "extension VK_KHR_shader_clock"};
  const Expected<Capsule> read = decodeCapsule(encodeCapsule(c));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->needs, c.needs);
}

// Cut anywhere, any byte changed, and with the checksum made to fit again: an error, never a crash or a wrong capsule.
TEST(Capsules, ReadAnyBytesWithoutHarm) {
  const std::vector<std::byte> good = encodeCapsule(capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0"));
  ASSERT_TRUE(decodeCapsule(good).ok());
  for (std::size_t cut = 0; cut < good.size(); cut += 1 + cut / 64) EXPECT_FALSE(decodeCapsule(std::span(good).first(cut)).ok());
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{0x10};
    EXPECT_FALSE(decodeCapsule(bad).ok()) << at;
  }
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::vector<std::byte> bad = good;
    bad.resize(bad.size() - 16);
    const std::uint64_t changes = 1 + golden::splitMix64(seed, 0) % 4;
    for (std::uint64_t i = 0; i < changes; ++i)
      bad[19 + golden::splitMix64(seed, 2 * i + 1) % (bad.size() - 19)] = static_cast<std::byte>(golden::splitMix64(seed, 2 * i + 2));
    const golden::Hash128 hash = golden::hashBytes(bad);
    for (const std::uint64_t half : {hash.high, hash.low})
      for (std::size_t i = 0; i < 8; ++i) bad.push_back(static_cast<std::byte>(half >> (8 * i)));
    const Expected<Capsule> c = decodeCapsule(bad);
    if (!c) {
      EXPECT_EQ(c.error().outcome, Outcome::kBadInput);
    }
  }
}

}  // namespace
}  // namespace lanewise
