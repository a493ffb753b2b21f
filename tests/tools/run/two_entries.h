// A module in assembly for the tests of `lanewise run`: two entry points, blocks with nested layouts.
#pragma once

#include <spirv-tools/libspirv.hpp>

#include "model/contract/device.h"

namespace lanewise {

inline std::shared_ptr<const ShaderModule> assembled(const std::string& text) {
  auto module = std::make_shared<ShaderModule>();
  module->name = "test.spvasm";
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* message) { messages += message; });
  EXPECT_TRUE(tools.Assemble(text, &module->words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS)) << messages;
  return module;
}

// A block of a scalar, a row-major matrix, and a runtime array of structures sized by an operation on a specialization constant; a uniform
// block that only the other entry point uses; push constants with a gap.
inline constexpr const char* kTwoEntries = R"(
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

}  // namespace lanewise
