// Instructions, capabilities, extensions and modes that are newer than the SPIRV-Tools we link: the module is assembled with older ones
// in their places, whose numbers are changed here.
#include <spirv-tools/libspirv.hpp>

#include "model/model.h"
#include "model/spirv/newer.h"

namespace lanewise {
namespace {

constexpr const char* kText = R"(
OpCapability Shader
OpCapability GroupNonUniform
OpCapability Matrix
OpCapability ComputeDerivativeGroupLinearNV
OpExtension "SPV_KHR_quad_control"
OpExtension "SPV_KHR_maximal_reconvergence"
OpExtension "SPV_KHR_compute_shader_derivatives"
OpExtension "SPV_EXT_replicated_composites"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %out
OpExecutionMode %main LocalSize 8 1 1
OpExecutionMode %main SubgroupUniformControlFlowKHR
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %words ArrayStride 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u = OpTypeInt 32 0
%f = OpTypeFloat 32
%v3 = OpTypeVector %f 3
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%c5 = OpConstant %u 5
%c100 = OpConstant %u 100
%c1000 = OpConstant %u 1000
%half = OpConstant %f 0.5
%same = OpConstantComposite %v3 %half %half %half
%words = OpTypeRuntimeArray %u
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%pu = OpTypePointer StorageBuffer %u
%pin = OpTypePointer Input %u
%id = OpVariable %pin Input
%out = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%x = OpLoad %u %id
%few = OpULessThan %bool %x %c5
%all = OpLogicalNot %bool %few
%any = OpLogicalNot %bool %few
%y = OpConvertUToF %f %x
%fused = OpCompositeConstruct %v3 %y %half %half
%filled = OpCompositeConstruct %v3 %y %y %y
%f0 = OpCompositeExtract %f %same 2
%f1 = OpCompositeExtract %f %filled 1
%sum = OpFAdd %f %f0 %f1
%twice = OpFAdd %f %sum %f1
%twiceu = OpConvertFToU %u %twice
%allu = OpSelect %u %all %c100 %c0
%anyu = OpSelect %u %any %c1000 %c0
%s0 = OpIAdd %u %allu %anyu
%s1 = OpIAdd %u %s0 %twiceu
%p = OpAccessChain %pu %out %c0 %x
OpStore %p %s1
OpReturn
OpFunctionEnd
)";

using Words = std::vector<std::uint32_t>;

Words assembled() {
  Words words;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  EXPECT_TRUE(tools.Assemble(kText, &words));
  return words;
}

// Rewrites the n-th instruction of an opcode.
void change(Words& words, spv::Op op, int n, const std::function<Words(Words)>& rewrite) {
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) != static_cast<std::uint32_t>(op) || n-- > 0) continue;
    const std::size_t count = words[at] >> 16;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at), end = begin + static_cast<std::ptrdiff_t>(count);
    Words now = rewrite(Words(begin, end));
    now[0] = static_cast<std::uint32_t>(now.size()) << 16 | (now[0] & 0xffff);
    words.erase(begin, end);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), now.begin(), now.end());
    return;
  }
  ADD_FAILURE() << "no such instruction";
}

Words renumbered(Words inst, std::uint32_t opcode) {
  inst[0] = opcode;
  return inst;
}

// Quad votes, replicated composites, a capability, two extensions and the mode of maximal reconvergence.
Words newerModule() {
  Words words = assembled();
  change(words, spv::Op::OpLogicalNot, 0, [](const Words& w) { return renumbered(w, spirv::newer::kQuadAll); });
  change(words, spv::Op::OpLogicalNot, 0, [](const Words& w) { return renumbered(w, spirv::newer::kQuadAny); });
  change(words, spv::Op::OpConstantComposite, 0, [](Words w) {
    return renumbered({w.begin(), w.begin() + 4}, spirv::newer::kConstantCompositeReplicate);
  });
  change(words, spv::Op::OpCompositeConstruct, 1, [](Words w) {
    return renumbered({w.begin(), w.begin() + 4}, spirv::newer::kCompositeConstructReplicate);
  });
  const auto operand = [](std::size_t i, std::uint32_t value) {
    return [i, value](Words w) {
      w[i] = value;
      return w;
    };
  };
  change(words, spv::Op::OpExecutionMode, 1, operand(2, 6023));
  change(words, spv::Op::OpCapability, 2, operand(1, 5087));
  return words;
}

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
  // 2x + 0.5; all of lanes 0 to 3 are below 5, of lanes 4 to 7 only one is.
  EXPECT_THAT(got, testing::ElementsAre(1100, 1102, 1104, 1106, 1008, 1010, 1012, 1014));
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

// SPV_VALVE_mixed_float_dot_product; an OpFConvert to its operand's own type, and device scope without its capability, as glslang writes
// them.
constexpr const char* kHalves = R"(
OpCapability Shader
OpCapability Float16
OpCapability VulkanMemoryModel
OpCapability Matrix
OpCapability ImageQuery
OpExtension "SPV_KHR_fma"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %floats ArrayStride 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%h = OpTypeFloat 16
%f = OpTypeFloat 32
%h2 = OpTypeVector %h 2
%floats = OpTypeRuntimeArray %f
%block = OpTypeStruct %floats
%pblock = OpTypePointer StorageBuffer %block
%pf = OpTypePointer StorageBuffer %f
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%device = OpConstant %u 1
%buffers = OpConstant %u 0x48
%a = OpConstant %h 1.5
%b = OpConstant %h -2
%v = OpConstantComposite %h2 %a %b
%w = OpConstantComposite %h2 %b %a
%sum = OpConstant %f 0.25
%out = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%d32 = OpExtInst %f %std Fma %sum %sum %sum
%d16 = OpExtInst %h %std Fma %a %a %a
%d16f = OpFConvert %f %d16
%same = OpFNegate %h %a
%samef = OpFConvert %f %same
%p0 = OpAccessChain %pf %out %c0 %c0
OpStore %p0 %d32
%p1 = OpAccessChain %pf %out %c0 %c1
OpStore %p1 %d16f
%p2 = OpAccessChain %pf %out %c0 %c2
OpStore %p2 %samef
OpMemoryBarrier %device %buffers
OpReturn
OpFunctionEnd
)";

TEST(NewerSpirv, DotProductsOfHalvesAndWhatGlslangWrites) {
  std::string text = kHalves;
  text.insert(text.find("OpMemoryModel"), "%std = OpExtInstImport \"GLSL.std.450\"\n");
  Words words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words));
  std::vector<std::uint32_t> vectors;  // ids of %v and %w
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpConstantComposite)) vectors.push_back(words[at + 2]);
  ASSERT_EQ(vectors.size(), 2u);
  // OpExtInst: type, result, set, number, three operands.
  const auto product = [&](std::uint32_t opcode) {
    return [&vectors, opcode](Words w) { return renumbered({w[0], w[1], w[2], vectors[0], vectors[1], w[7]}, opcode); };
  };
  change(words, spv::Op::OpExtInst, 0, product(spirv::newer::kFDot2MixAcc32));
  change(words, spv::Op::OpExtInst, 0, product(spirv::newer::kFDot2MixAcc16));
  change(words, spv::Op::OpFNegate, 0, [](const Words& w) { return renumbered(w, static_cast<std::uint32_t>(spv::Op::OpFConvert)); });
  for (const std::uint32_t capability : {6912u, 6913u})
    change(words, spv::Op::OpCapability, capability == 6912 ? 3 : 4, [&](Words w) {
      w[1] = capability;
      return w;
    });
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
