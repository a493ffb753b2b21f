// A module's interface, the job made of it, pictures in every kind of format, and differences.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <spirv-tools/libspirv.hpp>

#include "model/spirv/parse.h"
#include "tools/run/inspect.h"
#include "tools/run/make_job.h"
#include "tools/run/output.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

std::shared_ptr<const ShaderModule> assembled(const std::string& text) {
  auto module = std::make_shared<ShaderModule>();
  module->name = "test.spvasm";
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* message) { messages += message; });
  EXPECT_TRUE(tools.Assemble(text, &module->words)) << messages;
  return module;
}

// A block of a scalar, a row-major matrix, and a runtime array of structures sized by an operation on a specialization constant; a uniform
// block that only the other entry point uses; push constants with a gap.
constexpr const char* kModule = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %first "first" %data %push
OpEntryPoint GLCompute %second "second" %other
OpExecutionMode %first LocalSize 4 2 1
OpExecutionMode %second LocalSize 1 1 1
OpName %data "data"
OpName %other "other"
OpName %size "SIZE"
OpMemberName %block 0 "count"
OpMemberName %block 1 "turn"
OpMemberName %block 2 "items"
OpMemberName %item 0 "at"
OpMemberName %item 1 "weight"
OpDecorate %size SpecId 7
OpDecorate %data DescriptorSet 1
OpDecorate %data Binding 2
OpDecorate %other DescriptorSet 0
OpDecorate %other Binding 0
OpDecorate %block Block
OpDecorate %constants Block
OpDecorate %pushed Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpMemberDecorate %block 1 RowMajor
OpMemberDecorate %block 1 MatrixStride 16
OpMemberDecorate %block 2 Offset 48
OpMemberDecorate %item 0 Offset 0
OpMemberDecorate %item 1 Offset 8
OpMemberDecorate %constants 0 Offset 0
OpMemberDecorate %pushed 0 Offset 0
OpMemberDecorate %pushed 1 Offset 8
OpDecorate %weights ArrayStride 4
OpDecorate %items ArrayStride 24
%void = OpTypeVoid
%main = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%vec2 = OpTypeVector %f32 2
%mat3x2 = OpTypeMatrix %vec2 3
%size = OpSpecConstant %u32 2
%one = OpConstant %u32 1
%length = OpSpecConstantOp %u32 IAdd %size %one
%weights = OpTypeArray %f32 %length
%item = OpTypeStruct %vec2 %weights
%items = OpTypeRuntimeArray %item
%block = OpTypeStruct %u32 %mat3x2 %items
%constants = OpTypeStruct %u32
%pushed = OpTypeStruct %i32 %vec2
%p_block = OpTypePointer StorageBuffer %block
%p_constants = OpTypePointer Uniform %constants
%p_pushed = OpTypePointer PushConstant %pushed
%p_u32 = OpTypePointer StorageBuffer %u32
%p_u32u = OpTypePointer Uniform %u32
%p_i32p = OpTypePointer PushConstant %i32
%data = OpVariable %p_block StorageBuffer
%other = OpVariable %p_constants Uniform
%push = OpVariable %p_pushed PushConstant
%zero = OpConstant %i32 0
%first = OpFunction %void None %main
%a = OpLabel
%p = OpAccessChain %p_i32p %push %zero
%v = OpLoad %i32 %p
%q = OpAccessChain %p_u32 %data %zero
OpStore %q %one
OpReturn
OpFunctionEnd
%second = OpFunction %void None %main
%b = OpLabel
%r = OpAccessChain %p_u32u %other %zero
%s = OpLoad %u32 %r
OpReturn
OpFunctionEnd
)";

TEST(RunInterface, ReadsBlocksAndEntryPoints) {
  const Expected<Interface> i = readInterface(*assembled(kModule));
  ASSERT_TRUE(i) << i.error().text();
  ASSERT_EQ(i->entries.size(), 2u);
  const InterfaceEntry& first = i->entries[0];
  EXPECT_EQ(first.localSize[1], 2u);
  ASSERT_EQ(first.bindings.size(), 1u);
  EXPECT_EQ(first.bindings[0].text(), "1:2 (data)");
  EXPECT_EQ(first.bindings[0].kind, DescriptorKind::kStorageBuffer);
  EXPECT_EQ(first.pushBytes, 16u);
  EXPECT_EQ(laidOutSize(*first.bindings[0].type), 48u);
  EXPECT_EQ(runtimeStride(*first.bindings[0].type), 24u);
  ASSERT_EQ(i->entries[1].bindings.size(), 1u);
  EXPECT_EQ(i->entries[1].bindings[0].text(), "0:0 (other)");
  EXPECT_EQ(i->entries[1].push, nullptr);
  ASSERT_EQ(i->spec.size(), 1u);
  EXPECT_EQ(i->spec[0].value, 2u);
}

TEST(RunInterface, PathsFollowTheLayout) {
  const std::vector<SpecConstant> spec = {{7, 3}};
  const Expected<Interface> i = readInterface(*assembled(kModule), spec);
  ASSERT_TRUE(i);
  const Type& block = *i->entries[0].bindings[0].type;
  const std::map<std::uint64_t, std::string> paths = {
      {0, "count"},          {16, "turn[0].x"},          {24, "turn[2].x"},          {36, "turn[1].y"},         {48, "items[0].at.x"},
      {52, "items[0].at.y"}, {56, "items[0].weight[0]"}, {68, "items[0].weight[3]"}, {84, "items[1].weight[1]"}};
  for (const auto& [offset, path] : paths) {
    const std::optional<LeafAt> leaf = leafAt(block, offset);
    ASSERT_TRUE(leaf) << offset;
    EXPECT_EQ(leaf->path, path);
    EXPECT_EQ(leaf->offset, offset);
  }
  EXPECT_EQ(leafAt(block, 86)->offset, 84u) << "a byte inside a scalar";
  EXPECT_FALSE(leafAt(block, 4)) << "padding";
  EXPECT_FALSE(leafAt(block, 28)) << "padding of a matrix's row";
}

RunRequest requestOf(std::vector<std::string> buffers) {
  RunRequest r;
  r.module = assembled(kModule);
  r.entry = "first";
  r.buffers = std::move(buffers);
  r.push = {"i32:-5,zeros:4,f32:1,2"};
  return r;
}

TEST(RunJob, MakesAJob) {
  RunRequest r = requestOf({"data=zeros:96"});
  r.groups = "3,2";
  r.spec = {"SIZE=-1"};
  const Expected<RunJob> plan = makeRunJob(r);
  ASSERT_TRUE(plan) << plan.error().text();
  const Dispatch& d = plan->job.dispatches[0];
  EXPECT_EQ(d.groups, (Extent3{3, 2, 1}));
  EXPECT_EQ(d.entryPoint, "first");
  ASSERT_EQ(d.spec.size(), 1u);
  EXPECT_EQ(d.spec[0].value, 0xffffffffu);
  EXPECT_EQ(d.push.size(), 16u);
  ASSERT_EQ(d.bindings.size(), 1u);
  EXPECT_EQ(d.bindings[0].set, 1u);
  ASSERT_EQ(plan->job.resources.size(), 1u);
  EXPECT_TRUE(plan->job.resources[0].output) << "what the kernel may write is wanted back";
  EXPECT_FALSE(plan->job.resources[0].undefined);
}

TEST(RunJob, OutputsStartAsPoisonOrAsAsked) {
  RunRequest r = requestOf({});
  r.outs = {"1:2=x.bin:100"};
  Expected<RunJob> plan = makeRunJob(r);
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->job.resources[0].bytes(), std::vector<std::byte>(100, kPoisonByte));
  EXPECT_TRUE(plan->job.resources[0].undefined);
  r.zero = true;
  plan = makeRunJob(r);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->job.resources[0].bytes(), std::vector<std::byte>(100));
  EXPECT_FALSE(plan->job.resources[0].undefined);
}

TEST(RunJob, ErrorsSayWhatToAdd) {
  struct {
    RunRequest request;
    const char* says;
  } cases[] = {{requestOf({}), "--buffer 1:2=FILE or --out 1:2=FILE:BYTES   (48 bytes and 20 for each element of items)"},
               {requestOf({"0:0=zeros:4", "1:2=zeros:4"}), "entry point 'first' uses no binding 0:0"},
               {requestOf({"1:2=zeros:4", "data=zeros:4"}), "given twice"},
               {requestOf({"1:2:1=zeros:4"}), "no array"},
               {requestOf({"1:2=/no/such/file"}), "/no/such/file"}};
  cases[0].request.spec = {"7=1"};  // two weights an element, of 4 bytes: but the stride is what the module declares
  for (const auto& c : cases) {
    const Expected<RunJob> plan = makeRunJob(c.request);
    ASSERT_FALSE(plan) << c.says;
    if (&c != &cases[0])
      EXPECT_THAT(plan.error().text(), HasSubstr(c.says));
    else
      EXPECT_THAT(plan.error().text(), HasSubstr("48 bytes and 24 for each element of items"));
  }
  RunRequest r = requestOf({"1:2=zeros:48"});
  r.push = {"i32:1"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("4 bytes of push constants are given, the module reads 16"));
  r = requestOf({"1:2=zeros:48"});
  r.spec = {"8=1"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("it has 7 (SIZE)"));
  r.spec = {"7=1.5"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("'1.5' is no u32"));
  r = requestOf({"1:2=zeros:48"});
  r.entry = "third";
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("--entry first, second"));
}

TEST(RunDifference, NamesTheMember) {
  const Expected<RunJob> plan = makeRunJob(requestOf({"1:2=zeros:96"}));
  ASSERT_TRUE(plan);
  Resource a = plan->job.resources[0], b = a;
  EXPECT_EQ(differenceText(plan->outputs[0], a, "model", b, "other"), "");
  const float half = 0.5f;
  std::memcpy(b.bytes().data() + 84, &half, 4);
  b.bytes()[5] = std::byte{9};  // padding
  EXPECT_EQ(differenceText(plan->outputs[0], a, "model", b, "other"),
            "1:2 (data): model and other differ in 2 values\n"
            "  byte 5: model 0, other 9\n"
            "  byte 84 items[1].weight[1]: model 0 (0x0), other 0.5 (0x3f000000)\n");
}

TEST(RunInspect, TheCommandLineFits) {
  const auto module = assembled(kModule);
  const Expected<Interface> i = readInterface(*module);
  ASSERT_TRUE(i);
  const Expected<spirv::Module> parsed = spirv::parse(module->name, module->words);
  ASSERT_TRUE(parsed);
  const Inspection inspection = inspect(*module, *parsed, *i);
  EXPECT_EQ(inspection.entries[0].command,
            "lanewise run test.spvasm --entry first --groups 1,1,1 --spec 7=2 --push i32:0,zeros:4,f32:0,0 --buffer 1:2=zeros:240 --out "
            "1:2=data.bin");
}

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

// Two variables of one binding: a sampled image beside its sampler is one descriptor, a storage image beside a buffer is none.
TEST(RunInspect, BindingsThatNoDescriptorCanBeAreTold) {
  const auto text = [](const char* second, const char* use) {
    return fmt::format(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %a %b
OpExecutionMode %main LocalSize 1 1 1
OpName %a "first"
OpName %b "second"
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 3
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 3
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpTypeFloat 32
%u = OpTypeInt 32 0
%image = OpTypeImage %f 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%block = OpTypeStruct %u
%p_image = OpTypePointer UniformConstant %image
%p_sampler = OpTypePointer UniformConstant %sampler
%p_block = OpTypePointer StorageBuffer %block
%a = OpVariable %p_image UniformConstant
{}
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpLoad %image %a
{}
OpReturn
OpFunctionEnd
)",
                       second, use);
  };
  const auto pair = assembled(text("%b = OpVariable %p_sampler UniformConstant", "%y = OpLoad %sampler %b"));
  const auto clash = assembled(text("%b = OpVariable %p_block StorageBuffer", "%y = OpLoad %block %b"));
  const Expected<Interface> fits = readInterface(*pair), conflicts = readInterface(*clash);
  ASSERT_TRUE(fits && conflicts);
  EXPECT_THAT(fits->entries[0].conflicts, testing::IsEmpty());
  EXPECT_THAT(conflicts->entries[0].conflicts,
              testing::ElementsAre("binding 0:3 is a sampled image (first) and a storage buffer (second)"));
  EXPECT_THAT(obstacles(*conflicts, conflicts->entries[0], Profile{}), testing::Contains(HasSubstr("0:3 is a sampled image")));
}

// Two constants of one id: with one default they are one to the user; with two the command leaves both alone.
TEST(RunInspect, ConstantsThatShareAnIdKeepTheirDefaults) {
  const auto text = [](int second) {
    return fmt::format(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %b "B"
OpDecorate %a SpecId 4
OpDecorate %b SpecId 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%a = OpSpecConstant %u 1
%b = OpSpecConstant %u {}
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)",
                       second);
  };
  const auto same = assembled(text(1)), other = assembled(text(128));
  const Expected<Interface> one = readInterface(*same), two = readInterface(*other);
  ASSERT_TRUE(one && two);
  ASSERT_EQ(two->spec.size(), 1u);
  EXPECT_EQ(two->spec[0].name, "B");
  EXPECT_THAT(runCommand(*same, *one, one->entries[0], ""), HasSubstr("--spec 4=1"));
  EXPECT_THAT(runCommand(*other, *two, two->entries[0], ""), testing::Not(HasSubstr("--spec")));
}

// A device wants every element of a fixed array.
TEST(RunInspect, EveryElementOfADescriptorArrayIsGiven) {
  const auto command = [](std::string_view size) {
    const auto module = assembled(fmt::format(R"(
OpCapability Shader
OpCapability RuntimeDescriptorArray
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %blocks
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %blocks DescriptorSet 0
OpDecorate %blocks Binding 3
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%many = OpConstant %u 20
%block = OpTypeStruct %u
%all = {}
%p = OpTypePointer StorageBuffer %all
%blocks = OpVariable %p StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpCopyObject %p %blocks
OpReturn
OpFunctionEnd
)",
                                              size));
    const auto interface = readInterface(*module);
    return runCommand(*module, *interface, interface->entries[0], "");
  };
  const std::string fixed = command("OpTypeArray %block %many"), runtime = command("OpTypeRuntimeArray %block");
  EXPECT_THAT(fixed, testing::AllOf(HasSubstr("0:3:19="), testing::Not(HasSubstr("0:3:20="))));
  EXPECT_THAT(runtime, testing::AllOf(HasSubstr("0:3:0="), testing::Not(HasSubstr("0:3:1="))));
}

// Ray queries: no argument is printed for an acceleration structure, and the run ends by name.
TEST(RunInspect, AccelerationStructuresAreUnsupportedByName) {
  const auto module = assembled(R"(
OpCapability Shader
OpCapability RayQueryKHR
OpExtension "SPV_KHR_ray_query"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %scene
OpExecutionMode %main LocalSize 1 1 1
OpName %scene "scene"
OpDecorate %scene DescriptorSet 0
OpDecorate %scene Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%structure = OpTypeAccelerationStructureKHR
%p = OpTypePointer UniformConstant %structure
%scene = OpVariable %p UniformConstant
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpLoad %structure %scene
OpReturn
OpFunctionEnd
)");
  const Expected<Interface> interface = readInterface(*module);
  ASSERT_TRUE(interface);
  EXPECT_EQ(interface->entries[0].bindings[0].kind, DescriptorKind::kAccelerationStructure);
  EXPECT_THAT(runCommand(*module, *interface, interface->entries[0], ""), testing::EndsWith("--groups 1,1,1"));
  RunRequest request;
  request.module = module;
  const Expected<RunJob> plan = makeRunJob(request);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().outcome, Outcome::kUnsupported);
  EXPECT_EQ(plan.error().what, "ray queries are not supported");
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
