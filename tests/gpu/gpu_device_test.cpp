// Kernels on lavapipe at each width and on SwiftShader and NVIDIA where there are, with the validation layer on: buffers, images,
// constants, dependent dispatches, and what a device refuses. One message of the layer fails a test.
#include <fmt/format.h>

#include <spirv/unified1/spirv.hpp11>

#include "tests/gpu/fixture.h"

namespace lanewise {
namespace {

class GpuDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const bool mustBeThere = std::string_view(GetParam()).starts_with("lavapipe");
    if (!mustBeThere && !deviceNamed(GetParam())) GTEST_SKIP() << "there is no such device here";
    device_ = openForTest(GetParam(), {.validation = mustBeThere || GetParam() == std::string_view("swiftshader")});
    ASSERT_TRUE(device_);
  }
  std::unique_ptr<WorkerDevice> device_;
};

INSTANTIATE_TEST_SUITE_P(Devices, GpuDevice, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader", "nvidia"),
                         deviceTestName);

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

// Means of exact halves, level after level, before a dispatch and after it; the order is that of the list.
TEST_P(GpuDevice, BlitsStandBetweenDispatches) {
  Job job = addJob({1, 2, 3}, 2);
  Resource picture = undefinedImage("picture", Format::R16G16B16A16_SFLOAT, {4, 2, 1}, 3);
  const auto half = [](int i) { return std::uint16_t(0x4000 + 0x100 * i); };  // 2, 2.5, 3, ... 3.5 and 4
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t c = 0; c < 4; ++c) {
      const std::uint16_t bits = half(i % 4 < 2 ? 0 : 2);
      std::memcpy(picture.bytes().data() + i * 8 + c * 2, &bits, 2);
    }
  picture.undefined = false;
  job.resources.push_back(picture);
  job.blits = {{"picture", 0, 1, 0}, {"picture", 1, 2, 1}};
  if (GetParam() == std::string_view("lavapipe-16")) return expectError(device_->run(job), Outcome::kUnsupported, "does not support blits");
  const RunResult result = device_->run(job);
  ASSERT_FALSE(result.error) << result.error->text();
  EXPECT_EQ(wordsOf(result.outputs[0].bytes()), (std::vector<std::uint32_t>{7, 9, 11}));
  std::vector<std::uint16_t> texels(11 * 4);
  std::memcpy(texels.data(), result.outputs[1].bytes().data(), texels.size() * 2);
  EXPECT_EQ((std::vector<std::uint16_t>{texels[32], texels[36], texels[40]}), (std::vector<std::uint16_t>{half(0), half(2), half(1)}));
  job.blits = {{"picture", 0, 3, 0}};
  expectError(device_->run(job), Outcome::kBadInput, "a blit needs two levels that the image has");
  std::get<ImageData>(job.resources[2].data).format = Format::R16G16B16A16_UINT;
  job.blits = {{"picture", 0, 1, 0}};
  expectError(device_->run(job), Outcome::kBadInput, "integers are not filtered");
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

// The texels of gpu_shapes in an image of this size, in the contract's order.
std::vector<std::uint32_t> places(Extent3 size) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t z = 0; z < size.z; ++z) {
    for (std::uint32_t y = 0; y < size.y; ++y) {
      for (std::uint32_t x = 0; x < size.x; ++x) out.push_back(x + 10 * y + 100 * z);
    }
  }
  return out;
}

TEST_P(GpuDevice, LayeredDeepAndFlatImages) {
  Job job;
  ImageData layered{Format::R32_UINT, {3, 2, 1}, 1, 2, 2, std::vector<std::byte>(48)};
  ImageData flat{Format::R32_UINT, {4, 1, 1}, 1, 1, 1, std::vector<std::byte>(16)};
  job.resources = {{"layers", layered, false, true}, undefinedImage("slices", Format::R32_UINT, {2, 3, 4}), {"line", flat, false, true}};
  job.resources[1].output = true;
  std::get<ImageData>(job.resources[1].data).dimensions = 3;
  Dispatch d;
  d.module = testKernel("gpu_shapes");
  d.bindings = {{0, 0, 0, "layers"}, {0, 1, 0, "slices"}, {0, 2, 0, "line"}};
  job.dispatches = {d};
  const RunResult result = device_->run(job);
  ASSERT_FALSE(result.error) << result.error->text();
  EXPECT_EQ(wordsOf(result.outputs[0].bytes()), places({3, 2, 2}));
  EXPECT_EQ(wordsOf(result.outputs[1].bytes()), places({2, 3, 4}));
  EXPECT_EQ(wordsOf(result.outputs[2].bytes()), places({4, 1, 1}));
}

TEST_P(GpuDevice, ArraysOfSampledImagesAndUniformBuffers) {
  Job job = oneBufferJob("gpu_fetch", {0, 0, 0});
  ImageData first{Format::R32_UINT, {2, 1, 1}, 2, 1, 2, bytesOf(std::vector<std::uint32_t>{1, 2, 3})};
  ImageData second{Format::R32_UINT, {2, 1, 1}, 1, 1, 2, bytesOf(std::vector<std::uint32_t>{4, 5})};
  job.resources.push_back({"first", first, false, false});
  job.resources.push_back({"second", second, false, false});
  job.resources.push_back(bufferOf("uniforms", {100, 0, 0, 0}));
  job.dispatches[0].bindings = {{0, 0, 0, "first"}, {0, 0, 1, "second"}, {0, 1, 0, "uniforms"}, {0, 2, 0, "target"}};
  expectWords(device_->run(job), {102, 103, 105});
}

TEST_P(GpuDevice, AViewOfAnotherFormatThanTheKernelsIsRefused) {
  Job job;
  job.resources = {undefinedImage("source", Format::R8G8B8A8_UNORM, {2, 2, 1}), undefinedImage("target", Format::R8G8B8A8_UINT, {2, 2, 1})};
  Dispatch d;
  d.module = testKernel("gpu_image");
  d.bindings = {{0, 0, 0, "source"}, {0, 1, 0, "target"}};
  job.dispatches = {d};
  expectError(device_->run(job), Outcome::kBadInput, "the image is R8G8B8A8_UNORM, the module declares R8G8B8A8_UINT");
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
  expectError(device_->run(job), Outcome::kUnsupported,
              fmt::format("the device has subgroups of {0} to {0} lanes, not of {1}", lanes, 2 * lanes));
}

TEST_P(GpuDevice, TooManyWorkgroupsAreRefused) {
  Job job = oneBufferJob("gpu_beyond", {1});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{0});
  job.dispatches[0].groups.z = 0x7fffffff;
  expectError(device_->run(job), Outcome::kUnsupported, "maxComputeWorkGroupCount");
}

// The module with another value for one of its 32-bit constants.
std::shared_ptr<const ShaderModule> withConstant(const ShaderModule& module, std::uint32_t from, std::uint32_t to) {
  auto out = std::make_shared<ShaderModule>(module);
  int changed = 0;
  for (std::size_t i = 5; i < out->words.size(); i += out->words[i] >> 16) {
    std::uint32_t* w = &out->words[i];
    if (w[0] == (std::uint32_t(spv::Op::OpConstant) | 4u << 16) && w[3] == from) w[3] = to, ++changed;
  }
  EXPECT_EQ(changed, 1);
  return out;
}

TEST_P(GpuDevice, WorkgroupsBeyondTheLimitsAreRefused) {
  const std::uint32_t most = device_->profile().maxSharedMemory / 4;
  Job job = oneBufferJob("gpu_workgroup", {most - 1});
  job.dispatches[0].module = withConstant(*job.dispatches[0].module, 8192, most);
  expectWords(device_->run(job), {most});
  job.dispatches[0].module = withConstant(*job.dispatches[0].module, most, most + 1);
  expectError(device_->run(job), Outcome::kUnsupported, "maxComputeSharedMemorySize");
  job = addJob({1}, 1);
  job.dispatches[0].spec = {{2, device_->profile().maxWorkgroupSize[0] + 1}};
  expectError(device_->run(job), Outcome::kUnsupported, "maxComputeWorkGroupSize");
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
  expectError(swiftShader->run(job), Outcome::kUnsupported, "lacks the SPIR-V capability Int64 (gpu_int64.comp on swiftshader)");
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

TEST(GpuMeasure, ADeviceThatMeasuresDispatchesOverAndOver) {
  Job job = oneBufferJob("gpu_add", {1});
  job.dispatches[0].groups = {1, 1, 1};
  job.dispatches[0].bindings = {{0, 0, 0, "target"}, {1, 3, 0, "target"}};
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{1, 1});  // adds 5
  const std::unique_ptr<WorkerDevice> device = openForTest("lavapipe", {.validation = true, .repeat = 4});
  ASSERT_TRUE(device);
  const RunResult run = device->run(job);
  ASSERT_FALSE(run.error) << run.error->text();
  // Four at a time, once to warm up and once between the timestamps, at the least.
  const std::uint32_t added = wordsOf(run.outputs[0].bytes())[0] - 1;
  EXPECT_EQ(added % 20, 0u);
  EXPECT_GE(added, 40u);
  EXPECT_GT(run.seconds, 0);
  // Near miss: a device that does not.
  const std::unique_ptr<WorkerDevice> once = openForTest("lavapipe");
  ASSERT_TRUE(once);
  expectWords(once->run(job), {6});
}

TEST(GpuValidation, AMessageOfTheLayerIsAnError) {
  Job job = oneBufferJob("gpu_beyond", {1});
  job.dispatches[0].push = bytesOf(std::vector<std::uint32_t>{0});
  auto broken = std::make_shared<ShaderModule>(*job.dispatches[0].module);
  // A module that breaks a rule: offsets of 0 become 2, which is no multiple of 4.
  bool changed = false;
  for (std::size_t i = 5; i < broken->words.size(); i += broken->words[i] >> 16) {
    const std::uint32_t* w = &broken->words[i];
    if (spv::Op(w[0] & 0xffff) == spv::Op::OpMemberDecorate && spv::Decoration(w[3]) == spv::Decoration::Offset)
      broken->words[i + 4] = 2, changed = true;
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
