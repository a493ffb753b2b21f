// A kernel of floats on real devices, whose result Vulkan leaves open: the ruling is the device's choice, and says which operation, where
// and by how much. A wrong texel beside it, which no choice explains, is not the device's choice.
#include <cmath>

#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tools/arbitrate/arbitrate.h"

namespace lanewise {
namespace {

using testing::Contains;
using testing::HasSubstr;

Job plan(const Case& c, std::shared_ptr<const ShaderModule>, const golden::Image& input) {
  const Extent3 extent{c.size.width, c.size.height, 1};
  Job job;
  job.resources = {undefinedImage("source", Format::R8G8B8A8_UINT, extent), undefinedImage("target", Format::R32G32B32A32_SFLOAT, extent)};
  job.resources[0].bytes() = input.bytes;
  job.resources[0].undefined = job.resources[0].output = false;
  Dispatch d;
  d.module = testKernel("float_open");
  d.groups = {(c.size.width + 7) / 8, (c.size.height + 3) / 4, 1};
  d.bindings = {{0, 0, 0, "source"}, {0, 1, 0, "target"}};
  job.dispatches = {d};
  return job;
}

// Correctly rounded: a root to 64 bits is nowhere near the middle of two floats.
Expected<std::vector<golden::Image>> expect(const Case&, const golden::Image& input) {
  golden::Image out = golden::makeImage(input.extent, 4, golden::Component::kF32);
  for (std::size_t i = 0; i < input.bytes.size(); ++i) {
    const auto code = std::to_integer<int>(input.bytes[i]);
    const auto value = static_cast<float>(1.0L / std::sqrt(static_cast<long double>(code * code + 1)));
    std::memcpy(out.bytes.data() + 4 * i, &value, 4);
  }
  return std::vector<golden::Image>{std::move(out)};
}

Kernel inverseLength() {
  Kernel k;
  k.contract.name = "test/inverse-length";
  k.name = k.contract.name + "/plain";
  k.plan = plan;
  k.expect = expect;
  return k;
}

// The device, and beside its own results one flipped bit: of the first texel; or of the 101st where it differs from the first, so that the
// smallest case that fails, one texel, is the choice's alone.
class Flipping final : public Device {
 public:
  Flipping(Device& device, std::size_t byte) : device_(device), byte_(byte) {}
  const Profile& profile() const override { return device_.profile(); }
  RunResult run(const Job& job) override {
    RunResult r = device_.run(job);
    if (r.error) return r;
    std::vector<std::byte>& bytes = r.outputs[0].bytes();
    if (byte_ < bytes.size() && (byte_ < 16 || bytes[byte_] != bytes[byte_ % 16])) bytes[byte_] ^= std::byte{0x40};
    return r;
  }

 private:
  Device& device_;
  std::size_t byte_;
};

Arbitration arbitrationOn(Device& device, const Kernel& kernel) {
  Model model;
  const std::vector<Side> sides = {{{"model", "", 32, true}, &model, true},
                                   {{"device", "", device.profile().subgroupSize, false}, &device, false}};
  SweepPlan plan;
  plan.cases = {{&kernel, {16, 16}, {}, "noise:1", 0}};
  plan.identity.cases = 1;
  SweepResult result = runSweep(plan, sides, Inputs(), {});
  EXPECT_EQ(result.cases[0].sides[0].verdict, Verdict::kOk);
  EXPECT_EQ(result.cases[0].sides[1].verdict, Verdict::kMismatch);
  for (const SideResult& side : result.cases[0].sides) EXPECT_FALSE(side.error) << side.error->text();
  arbitrate(result, sides, Inputs(), {});
  EXPECT_EQ(result.arbitrations.size(), 1u);
  return result.arbitrations.empty() ? Arbitration{} : result.arbitrations[0];
}

class OpenOperation : public testing::TestWithParam<const char*> {};

TEST_P(OpenOperation, IsTheDevicesChoice) {
  if (!deviceNamed(GetParam())) GTEST_SKIP() << "no " << GetParam() << " here";
  const std::unique_ptr<WorkerDevice> device = openForTest(GetParam());
  ASSERT_TRUE(device);
  const Kernel kernel = inverseLength();
  const Arbitration f = arbitrationOn(*device, kernel);
  EXPECT_THAT(f.rulings, testing::ElementsAre(HasSubstr("device's choice: Vulkan leaves it open, and the model gives the same bytes with "
                                                        "inversesqrt as 1 / sqrt; 1 units apart")));
  EXPECT_THAT(f.reasons, Contains(testing::AllOf(HasSubstr("InverseSqrt at "), HasSubstr("float_open.comp:11"), HasSubstr("2 ULP"))));
}

TEST_P(OpenOperation, IsNoExcuseForAWrongBit) {
  if (!deviceNamed(GetParam())) GTEST_SKIP() << "no " << GetParam() << " here";
  const std::unique_ptr<WorkerDevice> device = openForTest(GetParam());
  ASSERT_TRUE(device);
  const Kernel kernel = inverseLength();
  Flipping first(*device, 1), late(*device, 1601);
  EXPECT_THAT(arbitrationOn(first, kernel).rulings, testing::ElementsAre(testing::StartsWith("device wrong")));
  const Arbitration f = arbitrationOn(late, kernel);
  EXPECT_THAT(f.rulings, testing::ElementsAre(testing::AllOf(testing::StartsWith("device wrong"), HasSubstr("not the one that failed"))))
      << f.smallest << ": " << f.shrinking;
}

INSTANTIATE_TEST_SUITE_P(CpuDevices, OpenOperation, testing::Values("lavapipe-8", "swiftshader"), deviceTestName);

}  // namespace
}  // namespace lanewise
