// What `lanewise inspect` says of a module: the command line that runs it, and what stands in the way.
#include <fmt/format.h>

#include "model/spirv/parse.h"
#include "tests/tools/run/two_entries.h"
#include "tools/run/inspect.h"
#include "tools/run/make_job.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

TEST(RunInspect, TheCommandLineFits) {
  const auto module = assembled(kTwoEntries);
  const Expected<Interface> i = readInterface(*module);
  ASSERT_TRUE(i);
  const Expected<spirv::Module> parsed = spirv::parse(module->name, module->words);
  ASSERT_TRUE(parsed);
  const Inspection inspection = inspect(*module, *parsed, *i);
  EXPECT_EQ(inspection.entries[0].command,
            "lanewise run test.spvasm --entry first --groups 1,1,1 --spec 7=2 --push i32:0,zeros:4,f32:0,0 --buffer 1:2=zeros:240 --out "
            "1:2=data.bin");
}

// The command can be pasted whatever the file is called.
TEST(RunInspect, TheCommandLineQuotesForAShell) {
  ShaderModule module = *assembled(kTwoEntries);
  const Expected<Interface> i = readInterface(module);
  ASSERT_TRUE(i);
  module.name = "it's.spv";
  EXPECT_THAT(runCommand(module, *i, i->entries[0], ""), testing::StartsWith("lanewise run 'it'\\''s.spv' "));
  module.name = "a{1,2}.spv";
  EXPECT_THAT(runCommand(module, *i, i->entries[0], ""), testing::StartsWith("lanewise run 'a{1,2}.spv' "));
}

// The command gives the specialization constants the values that the module was read with.
TEST(RunInspect, TheCommandLineKeepsTheSpecialization) {
  const auto module = assembled(kTwoEntries);
  const SpecConstant given[] = {{7, 5}};
  const Expected<Interface> i = readInterface(*module, given);
  ASSERT_TRUE(i);
  EXPECT_THAT(runCommand(*module, *i, i->entries[0], "", given), HasSubstr("--spec 7=5 "));
  EXPECT_THAT(runCommand(*module, *i, i->entries[0], ""), HasSubstr("--spec 7=2 "));
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

// Atomics of floats, the older names of group operations and derivatives are told as the usual ones are.
TEST(RunInspect, WhatResultsDependOnIsToldOfEveryFamily) {
  const auto module = assembled(R"(
OpCapability Shader
OpCapability Groups
OpCapability AtomicFloat32AddEXT
OpCapability ComputeDerivativeGroupLinearNV
OpExtension "SPV_EXT_shader_atomic_float_add"
OpExtension "SPV_NV_compute_shader_derivatives"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %sum
OpExecutionMode %main LocalSize 4 1 1
OpExecutionMode %main DerivativeGroupLinearNV
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%f = OpTypeFloat 32
%p = OpTypePointer Workgroup %f
%group = OpConstant %u 3
%none = OpConstant %u 0
%one = OpConstant %f 1
%sum = OpVariable %p Workgroup
%main = OpFunction %void None %fn
%l = OpLabel
%unused = OpAtomicFAddEXT %f %sum %group %none %one
%old = OpAtomicFAddEXT %f %sum %group %none %one
%all = OpGroupFAdd %f %group Reduce %old
%dx = OpDPdx %f %all
OpReturn
OpFunctionEnd
)");
  const Expected<Interface> interface = readInterface(*module);
  const Expected<spirv::Module> parsed = spirv::parse(module->name, module->words);
  ASSERT_TRUE(interface && parsed);
  const Inspection inspection = inspect(*module, *parsed, *interface);
  EXPECT_THAT(inspection.entries[0].subgroupOperations, testing::ElementsAre(HasSubstr("OpGroupFAdd"), HasSubstr("OpDPdx")));
  EXPECT_THAT(inspection.entries[0].depends,
              testing::ElementsAre(HasSubstr("the order of invocations: OpAtomicFAddEXT"), HasSubstr("the subgroup size: OpGroupFAdd"),
                                   HasSubstr("the subgroup size: OpDPdx")));
}

// A kernel with one buffer of four numbers, an index that may be specialized, and a mask of the subgroup.
std::shared_ptr<const ShaderModule> oneBuffer(std::string_view body) {
  return assembled(fmt::format(R"(
OpCapability Shader
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %mask
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %index SpecId 4
OpDecorate %mask BuiltIn SubgroupGeMask
OpDecorate %four ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%v4 = OpTypeVector %u 4
%zero = OpConstant %u 0
%one = OpConstant %u 1
%length = OpConstant %u 4
%index = OpSpecConstant %u 1
%next = OpSpecConstantOp %u IAdd %index %one
%four = OpTypeArray %u %length
%block = OpTypeStruct %four
%p_block = OpTypePointer StorageBuffer %block
%p_u = OpTypePointer StorageBuffer %u
%p_v4 = OpTypePointer Input %v4
%p_in = OpTypePointer Input %u
%b = OpVariable %p_block StorageBuffer
%mask = OpVariable %p_v4 Input
%main = OpFunction %void None %fn
%l = OpLabel
{}
OpReturn
OpFunctionEnd
)",
                               body));
}

InspectedEntry inspected(const ShaderModule& module, std::vector<SpecConstant> spec = {}) {
  const Expected<Interface> interface = readInterface(module, spec);
  const Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  if (!interface || !parsed) return {};
  InspectedEntry out = inspect(module, *parsed, *interface, "", spec).entries[0];
  out.entry = nullptr;
  return out;
}

// A number among the operands is no id: the alignment 4 is not the result %4.
TEST(RunInspect, ALiteralIsNoUseOfAnAtomicsResult) {
  const auto text = [](std::string_view store) {
    return oneBuffer(fmt::format(R"(
%p = OpAccessChain %p_u %b %zero %zero
%4 = OpAtomicIAdd %u %p %one %zero %one
%q = OpAccessChain %p_u %b %zero %one
{})",
                                 store));
  };
  EXPECT_THAT(inspected(*text("OpStore %q %one Aligned 4")).depends, testing::IsEmpty());
  EXPECT_THAT(inspected(*text("OpStore %q %4 Aligned 4")).depends, testing::ElementsAre(HasSubstr("OpAtomicIAdd")));
}

// Of a mask of the subgroup one word may be read, which is an access chain.
TEST(RunInspect, AMaskOfTheSubgroupIsTold) {
  EXPECT_THAT(inspected(*oneBuffer("%p = OpAccessChain %p_in %mask %zero\n%x = OpLoad %u %p")).depends,
              testing::ElementsAre(HasSubstr("the subgroup size: SubgroupGeMask")));
  EXPECT_THAT(inspected(*oneBuffer("%x = OpLoad %v4 %mask")).depends, testing::ElementsAre(HasSubstr("the subgroup size: SubgroupGeMask")));
  EXPECT_THAT(inspected(*oneBuffer("")).depends, testing::IsEmpty());
}

// An index beyond an array's end is told under the specialization that `run` would be given.
TEST(RunInspect, ASpecializedIndexOutsideIsTold) {
  const auto module = oneBuffer("%p = OpAccessChain %p_u %b %zero %next\n%x = OpLoad %u %p");
  EXPECT_THAT(inspected(*module, {{4, 2}}).open, testing::IsEmpty());
  const std::vector<OpenResult> outside = inspected(*module, {{4, 3}}).open;
  ASSERT_EQ(outside.size(), 1u);
  EXPECT_EQ(outside[0].op, "OpAccessChain");
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

}  // namespace
}  // namespace lanewise
