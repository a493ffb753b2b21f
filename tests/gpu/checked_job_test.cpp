// Jobs against what their modules declare, without a device.
#include "gpu/checked_job.h"

#include <gmock/gmock.h>

#include "gpu/image_samples.h"

namespace lanewise {
namespace {

Job oneDispatch(Resource resource, Binding binding) {
  Job job;
  job.resources = {std::move(resource)};
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"kernel", {}});
  d.bindings = {std::move(binding)};
  job.dispatches = {d};
  return job;
}

std::string problem(const Job& job, const InterfaceEntry& module) {
  if (Status wrong = checkResources(job)) return wrong->text();
  const InterfaceEntry* modules[] = {&module};
  const auto checked = checkJob(job, modules);
  return checked ? "" : checked.error().text();
}

InterfaceEntry declaring(InterfaceBinding slot) {
  InterfaceEntry module;
  module.bindings = {std::move(slot)};
  return module;
}

InterfaceBinding bound(DescriptorKind kind, const Type* type = nullptr) {
  InterfaceBinding slot;
  slot.kind = kind;
  slot.type = type;
  return slot;
}

Type imageType(spv::Dim dim, bool arrayed = false, std::uint32_t format = 0) {
  Type type;
  type.kind = Type::Kind::kImage;
  type.dim = dim;
  type.arrayed = arrayed;
  type.imageFormat = format;
  return type;
}

const Type kPlane = imageType(spv::Dim::Dim2D);

InterfaceBinding storageImage() {
  return bound(DescriptorKind::kStorageImage, &kPlane);
}

TEST(Plan, ImagesMustFitTheirExtent) {
  Resource image = undefinedImage("picture", Format::R8G8B8A8_UINT, {5, 3, 1}, 3);
  Job job = oneDispatch(image, {0, 0, 0, "picture"});
  EXPECT_EQ(problem(job, declaring(storageImage())), "");
  job.resources[0].bytes().pop_back();
  EXPECT_EQ(problem(job, declaring(storageImage())),
            "an image of 5x3x1 R8G8B8A8_UINT with 3 levels and 1 layers takes 72 bytes, not 71 (picture)");
  std::get<ImageData>(job.resources[0].data).levels = 4;
  EXPECT_THAT(problem(job, declaring(storageImage())), testing::HasSubstr("1 to 3 levels, not 4"));
}

TEST(Plan, ViewsMustLieInTheImage) {
  Binding binding{0, 0, 0, "picture"};
  binding.baseLevel = 2;
  Job job = oneDispatch(undefinedImage("picture", Format::R8G8B8A8_UINT, {5, 3, 1}, 3), binding);
  EXPECT_EQ(problem(job, declaring(storageImage())), "");
  job.dispatches[0].bindings[0].levelCount = 2;
  EXPECT_EQ(problem(job, declaring(storageImage())), "levels 2 to 4 of an image of 3 (dispatch 0, kernel, set 0 binding 0)");
  job.dispatches[0].bindings[0].levelCount = 0xffffffffu;
  EXPECT_THAT(problem(job, declaring(storageImage())), testing::HasSubstr("levels 2 to 4294967297"));
}

TEST(Plan, ViewFormatsMustHaveTheTexelsSize) {
  Binding binding{0, 0, 0, "picture"};
  binding.viewFormat = Format::R32_UINT;
  Job job = oneDispatch(undefinedImage("picture", Format::R8G8B8A8_UNORM, {1, 1, 1}), binding);
  EXPECT_EQ(problem(job, declaring(storageImage())), "");
  job.dispatches[0].bindings[0].viewFormat = Format::R8_UINT;
  EXPECT_THAT(problem(job, declaring(storageImage())), testing::HasSubstr("an image of R8G8B8A8_UNORM cannot have a view of R8_UINT"));
}

TEST(Plan, KindsMustAgree) {
  Job job = oneDispatch(undefinedBuffer("numbers", 16), {0, 0, 0, "numbers"});
  EXPECT_THAT(problem(job, declaring(storageImage())), testing::HasSubstr("'numbers' is a buffer, the kernel declares a storage image"));
  EXPECT_EQ(problem(job, declaring(bound(DescriptorKind::kStorageBuffer))), "");
  job.resources.push_back(job.resources[0]);
  EXPECT_EQ(problem(job, declaring(bound(DescriptorKind::kStorageBuffer))), "two resources of one name (numbers)");
}

TEST(Plan, TexelBuffersNeedAFormatAndARangeInTheirBuffer) {
  Job job = oneDispatch(undefinedBuffer("numbers", 16), {0, 0, 0, "numbers"});
  const Type any = imageType(spv::Dim::Buffer), r32f = imageType(spv::Dim::Buffer, false, 3);
  InterfaceBinding slot = bound(DescriptorKind::kUniformTexelBuffer, &any);
  EXPECT_THAT(problem(job, declaring(slot)), testing::HasSubstr("a texel buffer without a view format"));
  Binding& binding = job.dispatches[0].bindings[0];
  binding.viewFormat = Format::R32_UINT;
  binding.offset = 4;
  binding.size = 12;
  EXPECT_EQ(problem(job, declaring(slot)), "");
  binding.offset = 8;
  EXPECT_THAT(problem(job, declaring(slot)), testing::HasSubstr("12 bytes from byte 8 on of a buffer of 16"));
  binding.offset = 2;
  EXPECT_THAT(problem(job, declaring(slot)), testing::HasSubstr("from byte 2 on, in texels of 4 bytes"));
  slot.type = &r32f;
  EXPECT_THAT(problem(job, declaring(slot)), testing::HasSubstr("the view is R32_UINT, the module declares R32_SFLOAT"));
}

TEST(Plan, SamplersNeedNoResource) {
  Job job = oneDispatch(undefinedBuffer("numbers", 16), {0, 0, 0, ""});
  InterfaceBinding slot = bound(DescriptorKind::kSampler);
  EXPECT_EQ(problem(job, declaring(slot)), "");
  slot = bound(DescriptorKind::kCombinedImageSampler, &kPlane);
  EXPECT_THAT(problem(job, declaring(slot)), testing::HasSubstr("there is no resource ''"));
}

TEST(Plan, LayersMustMakeTheDeclaredView) {
  Job job = oneDispatch(undefinedImage("picture", Format::R8G8B8A8_UINT, {4, 4, 1}), {0, 0, 0, "picture"});
  ImageData& image = std::get<ImageData>(job.resources[0].data);
  image.layers = 12;
  image.bytes.resize(image.levelOffset(1));
  Binding& binding = job.dispatches[0].bindings[0];
  const auto layers = [&](spv::Dim dim, bool arrayed, std::uint32_t base, std::uint32_t count) {
    const Type type = imageType(dim, arrayed);
    const InterfaceBinding slot = bound(DescriptorKind::kStorageImage, &type);
    binding.baseLayer = base;
    binding.layerCount = count;
    return problem(job, declaring(slot)).empty();
  };
  EXPECT_TRUE(layers(spv::Dim::Dim2D, false, 11, 0));
  EXPECT_FALSE(layers(spv::Dim::Dim2D, false, 12, 0));
  EXPECT_FALSE(layers(spv::Dim::Dim2D, false, 0, 2));
  EXPECT_TRUE(layers(spv::Dim::Dim2D, true, 3, 9));
  EXPECT_FALSE(layers(spv::Dim::Dim2D, true, 3, 10));
  EXPECT_TRUE(layers(spv::Dim::Cube, false, 6, 0));
  EXPECT_FALSE(layers(spv::Dim::Cube, false, 7, 0));
  EXPECT_TRUE(layers(spv::Dim::Cube, true, 0, 12));
  EXPECT_FALSE(layers(spv::Dim::Cube, true, 0, 8));
}

TEST(Plan, EveryElementOfAnArrayIsBound) {
  Job job = oneDispatch(undefinedBuffer("numbers", 16), {0, 0, 0, "numbers"});
  InterfaceBinding slot = bound(DescriptorKind::kStorageBuffer);
  slot.count = 2;
  EXPECT_THAT(problem(job, declaring(slot)),
              testing::HasSubstr("no resource is bound to a storage buffer (dispatch 0, kernel, set 0 binding 0[1])"));
  job.dispatches[0].bindings.push_back({0, 0, 1, "numbers"});
  EXPECT_EQ(problem(job, declaring(slot)), "");
}

TEST(Plan, MemoryIsBounded) {
  Job job = oneDispatch(undefinedBuffer("numbers", 16), {0, 0, 0, "numbers"});
  job.limits.maxMemory = 16;
  EXPECT_EQ(problem(job, declaring(bound(DescriptorKind::kStorageBuffer))), "");
  job.limits.maxMemory = 15;
  EXPECT_EQ(problem(job, declaring(bound(DescriptorKind::kStorageBuffer))), "the resources take 16 bytes, the limit is 15");
}

Job samplesJob(Format format, std::uint32_t samples, bool output) {
  Job job;
  ImageData image;
  image.format = format;
  image.extent = {3, 2, 1};
  image.samples = samples;
  image.bytes.resize(image.levelOffset(1));
  for (std::size_t i = 0; i < image.bytes.size(); ++i) image.bytes[i] = static_cast<std::byte>(i);
  job.resources = {{"image", image, false, output}, {"other", BufferData{std::vector<std::byte>(4)}, false, true}};
  Dispatch d;
  d.bindings.resize(1);
  d.bindings[0].resource = "image";
  job.dispatches = {d};
  return job;
}

// What is copied in comes back as it was, in the order of the job's outputs; the dispatches stand around the job's own.
TEST(ImageSamples, AreCopiedThroughABuffer) {
  for (const Format format : {Format::R8_UINT, Format::R16_SFLOAT, Format::R8G8B8A8_UNORM, Format::R16G16B16A16_SFLOAT}) {
    const Job job = samplesJob(format, 4, true);
    ASSERT_TRUE(bindsSamples(job));
    const Expected<Job> copying = withSampleCopies(job);
    ASSERT_TRUE(copying.ok()) << copying.error().text();
    EXPECT_EQ(copying->dispatches.size(), 3u);
    EXPECT_EQ(copying->dispatches[1].module, nullptr) << "the job's own";
    ASSERT_EQ(copying->resources.size(), 3u);
    RunResult result;
    result.outputs = {copying->resources[1], copying->resources[2]};
    result = withoutSampleCopies(job, result);
    ASSERT_EQ(result.outputs.size(), 2u);
    EXPECT_EQ(result.outputs[0].name, "image");
    EXPECT_EQ(result.outputs[0].bytes(), job.resources[0].bytes());
    EXPECT_EQ(result.outputs[1].name, "other");
  }
  EXPECT_EQ(withSampleCopies(samplesJob(Format::R32_UINT, 4, false))->dispatches.size(), 2u) << "nobody wants it back";
}

TEST(ImageSamples, AreOnlyOfImagesThatHaveSeveralAndAreBound) {
  EXPECT_FALSE(bindsSamples(samplesJob(Format::R32_UINT, 1, true)));
  Job unbound = samplesJob(Format::R32_UINT, 4, true);
  unbound.dispatches[0].bindings.clear();
  EXPECT_FALSE(bindsSamples(unbound));
}

TEST(ImageSamples, OfDepthFormatsAreUnsupported) {
  const Expected<Job> depth = withSampleCopies(samplesJob(Format::D32_SFLOAT, 4, true));
  ASSERT_FALSE(depth.ok());
  EXPECT_EQ(depth.error().outcome, Outcome::kUnsupported);
  EXPECT_THAT(depth.error().text(), testing::HasSubstr("D32_SFLOAT with 4 samples"));
}

}  // namespace
}  // namespace lanewise
