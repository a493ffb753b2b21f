// Kernels on every CPU device there is, with the validation layer on: buffers, images, constants, dependent dispatches, and what a device
// refuses. One message of the layer fails a test.
#include <fmt/format.h>

#include "tests/gpu_fixture.h"

namespace lanewise {
namespace {

class GpuDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string_view(GetParam()) == "swiftshader" && !deviceNamed("swiftshader")) GTEST_SKIP() << "SwiftShader is not installed";
    device_ = openForTest(GetParam());
    ASSERT_TRUE(device_);
  }
  std::unique_ptr<WorkerDevice> device_;
};

INSTANTIATE_TEST_SUITE_P(Devices, GpuDevice, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(GpuDevice, BuffersPushAndSpecializationConstants) {
  Job job = addJob({1, 2, 3, 4, 5}, 10);
  expectWords(device_->run(job), {15, 25, 35, 45, 55});
  // The same module with other constants: a 32-bit one and a boolean.
  job.dispatches[0].spec.push_back({0, 7});
  job.dispatches[0].spec.push_back({1, 1});
  expectWords(device_->run(job), {0u - 17, 0u - 27, 0u - 37, 0u - 47, 0u - 57});
}

TEST_P(GpuDevice, OutputsStartWithTheBytesGiven) {
  Job job = addJob({1, 2, 3}, 1);
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{2, 1});
  expectWords(device_->run(job), {6, 7, 0xa7a7a7a7u});
  job.dispatches[0].groups.y = 0;  // dispatches nothing
  expectWords(device_->run(job), {0xa7a7a7a7u, 0xa7a7a7a7u, 0xa7a7a7a7u});
}

TEST_P(GpuDevice, ASecondDispatchSeesTheFirst) {
  Job job = addJob({1, 2, 3}, 2);
  Dispatch back = job.dispatches[0];
  back.bindings = {{0, 0, 0, "target"}, {1, 3, 0, "source"}};
  job.resources[0].output = true;
  job.dispatches.push_back(back);
  const RunResult result = device_->run(job);
  ASSERT_FALSE(result.error) << result.error->text();
  ASSERT_EQ(result.outputs.size(), 2u);
  EXPECT_EQ(wordsOf(result.outputs[1].bytes()), (std::vector<std::uint32_t>{7, 9, 11}));
  EXPECT_EQ(wordsOf(result.outputs[0].bytes()), (std::vector<std::uint32_t>{19, 23, 27}));
  EXPECT_GT(result.seconds, 0);
}

TEST_P(GpuDevice, ImageLevelsAndFormats) {
  // A 5x3 image of two levels: the kernel reads level 0 of one and writes level 1 of the other, which is seen in another format.
  Job job;
  ImageData source{Format::R8G8B8A8_UINT, {2, 1, 1}, 1, 1, 2, {}};
  for (int i = 0; i < 8; ++i) source.bytes.push_back(std::byte(i * 30));
  job.resources = {{"source", source, false, false}, undefinedImage("target", Format::R8G8B8A8_UNORM, {5, 3, 1}, 2)};
  job.resources[1].output = true;
  Dispatch d;
  d.module = testKernel("gpu_image");
  Binding target{0, 1, 0, "target"};
  target.baseLevel = 1;
  target.viewFormat = Format::R8G8B8A8_UINT;
  d.bindings = {{0, 0, 0, "source"}, target};
  job.dispatches = {d};
  const RunResult result = device_->run(job);
  ASSERT_FALSE(result.error) << result.error->text();
  std::vector<std::byte> expected(60, kPoisonByte);  // level 0 is untouched
  for (int i = 0; i < 8; ++i) expected.push_back(std::byte(255 - i * 30));
  EXPECT_EQ(result.outputs[0].bytes(), expected);
}

TEST_P(GpuDevice, AViewOfAnotherFormatThanTheKernelsIsRefused) {
  Job job;
  job.resources = {undefinedImage("source", Format::R8G8B8A8_UNORM, {2, 2, 1}), undefinedImage("target", Format::R8G8B8A8_UINT, {2, 2, 1})};
  Dispatch d;
  d.module = testKernel("gpu_image");
  d.bindings = {{0, 0, 0, "source"}, {0, 1, 0, "target"}};
  job.dispatches = {d};
  expectError(device_->run(job), Outcome::kBadInput, "the view is R8G8B8A8_UNORM, the kernel declares R8G8B8A8_UINT");
}

TEST_P(GpuDevice, AWriteBeyondABufferIsDropped) {
  Job job = oneBufferJob("gpu_beyond", {1, 2, 3});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{3});
  expectWords(device_->run(job), {1, 2, 3});
}

TEST_P(GpuDevice, SubgroupsHaveTheSizeOfTheProfile) {
  Job job = oneBufferJob("gpu_subgroup", {0, 0});
  const std::uint32_t lanes = device_->profile().subgroupSize;
  expectWords(device_->run(job), {lanes, lanes});
  job.subgroupSize = lanes;
  expectWords(device_->run(job), {lanes, lanes});
  job.subgroupSize = 2 * lanes;
  expectError(device_->run(job), Outcome::kDeviceTrouble,
              fmt::format("the device has subgroups of {0} to {0} lanes, not of {1}", lanes, 2 * lanes));
}

TEST_P(GpuDevice, TooManyWorkgroupsAreRefused) {
  Job job = oneBufferJob("gpu_beyond", {1});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{0});
  job.dispatches[0].groups.z = 0x7fffffff;
  expectError(device_->run(job), Outcome::kDeviceTrouble, "maxComputeWorkGroupCount");
}

TEST_P(GpuDevice, MissingResourcesAndShortPushConstantsAreBadInput) {
  Job job = addJob({1}, 1);
  job.dispatches[0].bindings.pop_back();
  expectError(device_->run(job), Outcome::kBadInput, "set 1 binding 3");
  job = addJob({1}, 1);
  job.dispatches[0].push.pop_back();
  expectError(device_->run(job), Outcome::kBadInput, "8 bytes of push constants, 7 are given");
}

TEST(GpuCapability, SwiftShaderHasNoInt64AndLavapipeHas) {
  Job job = oneBufferJob("gpu_int64", {3, 0});
  const std::unique_ptr<WorkerDevice> lavapipe = openForTest("lavapipe");
  ASSERT_TRUE(lavapipe);
  expectWords(lavapipe->run(job), {3, 3});
  if (!deviceNamed("swiftshader")) GTEST_SKIP() << "SwiftShader is not installed";
  const std::unique_ptr<WorkerDevice> swiftShader = openForTest("swiftshader");
  ASSERT_TRUE(swiftShader);
  expectError(swiftShader->run(job), Outcome::kDeviceTrouble, "lacks the SPIR-V capability Int64 (gpu_int64 on SwiftShader");
}

TEST(GpuCanary, AWriteThatLeavesItsBufferIsSeen) {
  // The planted bug: descriptors reach 4 bytes too far, so that robust access lets the kernel's bad write through.
  const std::unique_ptr<WorkerDevice> device = openForTest("lavapipe", {.validation = true, .descriptorSlack = 4});
  ASSERT_TRUE(device);
  Job job = oneBufferJob("gpu_beyond", {1, 2, 3});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{3});
  expectError(device->run(job), Outcome::kDeviceTrouble, "a write left the buffer 'target': the word 0 bytes after its end is 0x00000007");
  // Near miss: the last element.
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{2});
  expectWords(device->run(job), {1, 2, 7});
}

TEST(GpuValidation, AMessageOfTheLayerIsAnError) {
  // A module that SPIRV-Tools would refuse: its version is one that no Vulkan 1.3 device takes.
  Job job = oneBufferJob("gpu_beyond", {1});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{0});
  auto broken = std::make_shared<ShaderModule>(*job.dispatches[0].module);
  // The second half of the module's push constant offset decoration made wrong: Offset 0 becomes 2, which is no multiple of 4.
  bool changed = false;
  for (std::size_t i = 5; i < broken->words.size(); i += broken->words[i] >> 16) {
    const std::uint32_t* w = &broken->words[i];
    if ((w[0] & 0xffff) == 72 && w[3] == 35) broken->words[i + 4] = 2, changed = true;
  }
  ASSERT_TRUE(changed);
  job.dispatches[0].module = broken;
  const std::unique_ptr<WorkerDevice> device = openForTest("lavapipe");
  ASSERT_TRUE(device);
  expectError(device->run(job), Outcome::kDeviceTrouble, "the validation layer says: ");
  // The device goes on.
  expectWords(device->run(addJob({1}, 1)), {6});
}

}  // namespace
}  // namespace lanewise
