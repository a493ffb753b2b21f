// Instructions, capabilities, extensions and modes that are newer than the linked SPIRV-Tools: the module is assembled with older ones in
// their places, whose numbers are changed here.
#include "model/model.h"
#include "tests/model/spirv/newer_modules.h"

namespace lanewise {
namespace {

RunResult runWords(Words words, std::vector<std::byte> bytes = std::vector<std::byte>(32, kPoisonByte)) {
  Job job;
  job.resources = {undefinedBuffer("out", bytes.size())};
  job.resources[0].bytes() = std::move(bytes);
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"newer", std::move(words)});
  d.bindings = {{.resource = "out"}};
  job.dispatches = {d};
  return Model().run(job);
}

TEST(NewerSpirv, Runs) {
  const RunResult result = runWords(newerModule());
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint32_t got[8];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  // 2x + 0.5 + x * x + 0.5; all of lanes 0 to 3 are below 5, of lanes 4 to 7 only one is.
  EXPECT_THAT(got, testing::ElementsAre(1101, 1104, 1109, 1116, 1025, 1036, 1049, 1064));
}

// What the copy for the validator leaves out changes nothing that the validator would refuse otherwise.
TEST(NewerSpirv, TheRestIsStillValidated) {
  Words words = newerModule();
  change(words, spv::Op::OpConvertUToF, 0, [](const Words& w) { return renumbered(w, static_cast<std::uint32_t>(spv::Op::OpFNegate)); });
  const RunResult result = runWords(words);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kBadInput);
  EXPECT_THAT(result.error->text(), testing::HasSubstr("OpFNegate"));
}

// An operand of another type than the older instruction takes is seen in the older one.
TEST(NewerSpirv, OperandsAreValidated) {
  Words words = newerModule();
  std::uint32_t number = 0;
  change(words, spv::Op::OpLoad, 0, [&](const Words& w) {
    number = w[2];
    return w;
  });
  change(words, static_cast<spv::Op>(spirv::newer::kQuadAll), 0, [&](Words w) {
    w[3] = number;
    return w;
  });
  const RunResult result = runWords(words);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kBadInput) << result.error->text();
}

// SPV_NV_shader_atomic_fp16_vector: an atomic operation on each component.
TEST(NewerSpirv, AtomicsOnVectorsOfHalves) {
  constexpr const char* kVectors = R"(
OpCapability Shader
OpCapability Float16
OpCapability StorageBuffer16BitAccess
OpCapability Matrix
OpExtension "SPV_NV_shader_atomic_fp16_vector"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpMemberDecorate %block 2 Offset 8
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%h = OpTypeFloat 16
%v2 = OpTypeVector %h 2
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%h1 = OpConstant %h 1.5
%h2 = OpConstant %h -2
%v = OpConstantComposite %v2 %h1 %h2
%block = OpTypeStruct %v2 %v2 %v2
%pblock = OpTypePointer StorageBuffer %block
%pv = OpTypePointer StorageBuffer %v2
%out = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%p0 = OpAccessChain %pv %out %c0
%p1 = OpAccessChain %pv %out %c1
%p2 = OpAccessChain %pv %out %c2
%r0 = OpAtomicFAddEXT %v2 %p0 %c1 %c0 %v
%r1 = OpAtomicFMaxEXT %v2 %p1 %c1 %c0 %v
%r2 = OpAtomicFMinEXT %v2 %p2 %c1 %c0 %v
OpReturn
OpFunctionEnd
)";
  Words words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(kVectors, &words));
  change(words, spv::Op::OpCapability, 3, [](Words w) {
    w[1] = 5404;
    return w;
  });
  const RunResult result = runWords(words, std::vector<std::byte>(32));
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint16_t got[6];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(0x4600, 0xc800, 0x3e00, 0, 0, 0xc000));  // 6, -8; 1.5, 0; 0, -2
}

TEST(NewerSpirv, DotProductsOfHalvesAndWhatGlslangWrites) {
  Words words = halvesModule();
  const RunResult result = runWords(words);
  ASSERT_FALSE(result.error) << result.error->text();
  float got[3];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(-5.75f, -4.5f, 1.5f));  // 1.5 * -2 + -2 * 1.5, and 0.25 or 1.5
  // The near miss: a conversion to another type of the same width is still refused.
  change(words, spv::Op::OpFConvert, 1, [](const Words& w) { return renumbered(w, static_cast<std::uint32_t>(spv::Op::OpUConvert)); });
  const RunResult wrong = runWords(words);
  ASSERT_TRUE(wrong.error);
  EXPECT_EQ(wrong.error->outcome, Outcome::kBadInput);
}

TEST(NewerSpirv, WhatIsNotExecutedIsRefusedByName) {
  Words words = newerModule();
  change(words, spv::Op::OpCapability, 1, [](Words w) {
    w[1] = 6022;
    return w;
  });
  const RunResult result = runWords(words);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kUnsupported);
  EXPECT_THAT(result.error->text(), testing::HasSubstr("CooperativeMatrixKHR"));
}

TEST(NewerSpirv, ACopyOfAnythingIsHarmless) {
  EXPECT_TRUE(spirv::withoutNewer({}).words.empty());
  const Words cut{spv::MagicNumber, 0x10600, 0, 9, 0, 0x00ff13f6};  // one that runs past the end
  EXPECT_EQ(spirv::withoutNewer(cut).words, cut);
}

}  // namespace
}  // namespace lanewise
