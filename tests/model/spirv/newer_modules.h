// Modules with instructions that are newer than the linked SPIRV-Tools: assembled with older ones in their places, whose numbers are
// changed here.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

#include "model/spirv/abort.h"
#include "model/spirv/newer.h"
#include "tests/text/compute_module.h"

namespace lanewise {

// With the older instructions.
inline std::string olderText() {
  return text::computeText({.body = R"(
%x = OpLoad %uint %index
%few = OpULessThan %bool %x %c5
%all = OpLogicalNot %bool %few
%any = OpLogicalNot %bool %few
%y = OpConvertUToF %f %x
%f2 = OpCompositeExtract %f %also 1
%fused = OpSelect %f %few %y %f2
%filled = OpCompositeConstruct %v3 %y %y %y
%f0 = OpCompositeExtract %f %same 2
%f1 = OpCompositeExtract %f %filled 1
%sum = OpFAdd %f %f0 %f1
%twice = OpFAdd %f %sum %f1
%square = OpFAdd %f %twice %fused
%squareu = OpConvertFToU %uint %square
%allu = OpSelect %uint %all %c100 %zero
%anyu = OpSelect %uint %any %c1000 %zero
%s0 = OpIAdd %uint %allu %anyu
%s1 = OpIAdd %uint %s0 %squareu
%p = OpAccessChain %word %out %zero %x
OpStore %p %s1)",
                            .globals = R"(
%f = OpTypeFloat 32
%v3 = OpTypeVector %f 3
%c5 = OpConstant %uint 5
%c100 = OpConstant %uint 100
%c1000 = OpConstant %uint 1000
%half = OpConstant %f 0.5
%same = OpConstantComposite %v3 %half %half %half
%also = OpConstantComposite %v3 %half %half %half
%none = OpExtInst %void %debug DebugInfoNone)",
                            .modes = "OpExecutionMode %main SubgroupUniformControlFlowKHR\n",
                            .head = R"(
OpCapability GroupNonUniform
OpCapability Matrix
OpCapability ComputeDerivativeGroupLinearNV
OpExtension "SPV_KHR_quad_control"
OpExtension "SPV_KHR_maximal_reconvergence"
OpExtension "SPV_KHR_compute_shader_derivatives"
OpExtension "SPV_EXT_replicated_composites"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100")",
                            .size = 8});
}

using Words = std::vector<std::uint32_t>;

inline Words assembled() {
  Words words;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  EXPECT_TRUE(tools.Assemble(olderText(), &words));
  return words;
}

// Rewrites the n-th instruction of an opcode.
inline void change(Words& words, spv::Op op, int n, const std::function<Words(Words)>& rewrite) {
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

inline Words renumbered(Words inst, spv::Op op) {
  inst[0] = static_cast<std::uint32_t>(op);
  return inst;
}

// Quad votes, replicated composites, a product and sum, debug information with forward references, a capability, two extensions and the
// mode of maximal reconvergence.
inline Words newerModule() {
  Words words = assembled();
  change(words, spv::Op::OpLogicalNot, 0, [](const Words& w) { return renumbered(w, spirv::newer::OpGroupNonUniformQuadAllKHR); });
  change(words, spv::Op::OpLogicalNot, 0, [](const Words& w) { return renumbered(w, spirv::newer::OpGroupNonUniformQuadAnyKHR); });
  change(words, spv::Op::OpConstantComposite, 0, [](Words w) {
    return renumbered({w.begin(), w.begin() + 4}, spirv::newer::OpConstantCompositeReplicateEXT);
  });
  change(words, spv::Op::OpConstantComposite, 0, [](Words w) {
    return renumbered({w.begin(), w.begin() + 4}, spirv::newer::OpSpecConstantCompositeReplicateEXT);
  });
  change(words, spv::Op::OpExtInst, 0, [](const Words& w) { return renumbered(w, spirv::newer::OpExtInstWithForwardRefsKHR); });
  change(words, spv::Op::OpSelect, 0, [](Words w) {
    w[3] = w[4];  // y * y + f2
    return renumbered(w, spirv::newer::OpFmaKHR);
  });
  change(words, spv::Op::OpCompositeConstruct, 0, [](Words w) {
    return renumbered({w.begin(), w.begin() + 4}, spirv::newer::OpCompositeConstructReplicateEXT);
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

// SPV_VALVE_mixed_float_dot_product; an OpFConvert to its operand's own type, and device scope without its capability, as glslang writes
// them.
inline constexpr const char* kHalves = R"(
OpCapability Shader
OpCapability Float16
OpCapability VulkanMemoryModel
OpCapability Matrix
OpCapability ImageQuery
OpExtension "SPV_VALVE_mixed_float_dot_product"
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

inline Words halvesModule() {
  std::string text = kHalves;
  text.insert(text.find("OpMemoryModel"), "%std = OpExtInstImport \"GLSL.std.450\"\n");
  Words words;
  EXPECT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words));
  std::vector<std::uint32_t> vectors;  // ids of %v and %w
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpConstantComposite)) vectors.push_back(words[at + 2]);
  EXPECT_EQ(vectors.size(), 2u);
  // OpExtInst: type, result, set, number, three operands.
  const auto product = [&](spv::Op op) {
    return [&vectors, op](Words w) { return renumbered({w[0], w[1], w[2], vectors[0], vectors[1], w[7]}, op); };
  };
  change(words, spv::Op::OpExtInst, 0, product(spirv::newer::OpFDot2MixAcc32VALVE));
  change(words, spv::Op::OpExtInst, 0, product(spirv::newer::OpFDot2MixAcc16VALVE));
  change(words, spv::Op::OpFNegate, 0, [](const Words& w) { return renumbered(w, spv::Op::OpFConvert); });
  for (const std::uint32_t capability : {6912u, 6913u})
    change(words, spv::Op::OpCapability, capability == 6912 ? 3 : 4, [&](Words w) {
      w[1] = capability;
      return w;
    });
  return words;
}

// SPV_KHR_fma: x * x - y where x * x lies just above y, so that it is 0 if it is rounded twice. Results 0 to 3 are OpFmaKHR of a float, a
// vector of floats, a half and a double; result 4 is GLSL.std.450 Fma of the floats.
inline constexpr const char* kFused = R"(
OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Matrix
OpExtension "SPV_KHR_fma"
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
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
%d = OpTypeFloat 64
%v2 = OpTypeVector %f 2
%floats = OpTypeRuntimeArray %f
%block = OpTypeStruct %floats
%pblock = OpTypePointer StorageBuffer %block
%pf = OpTypePointer StorageBuffer %f
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%c3 = OpConstant %u 3
%c4 = OpConstant %u 4
%hx = OpConstant %h 0x1.04p+0
%hy = OpConstant %h -0x1.08p+0
%fx = OpConstant %f 0x1.001p+0
%fy = OpConstant %f -0x1.002p+0
%dx = OpConstant %d 0x1.0000002p+0
%dy = OpConstant %d -0x1.0000004p+0
%out = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%p0 = OpAccessChain %pf %out %c0 %c0
%zero = OpLoad %f %p0
%x = OpFAdd %f %fx %zero
%vx = OpCompositeConstruct %v2 %zero %x
%vy = OpCompositeConstruct %v2 %zero %fy
%r0 = OpExtInst %f %std Fma %x %x %fy
OpStore %p0 %r0
%r1 = OpExtInst %v2 %std Fma %vx %vx %vy
%r1y = OpCompositeExtract %f %r1 1
%p1 = OpAccessChain %pf %out %c0 %c1
OpStore %p1 %r1y
%r2 = OpExtInst %h %std Fma %hx %hx %hy
%r2f = OpFConvert %f %r2
%p2 = OpAccessChain %pf %out %c0 %c2
OpStore %p2 %r2f
%r3 = OpExtInst %d %std Fma %dx %dx %dy
%r3f = OpFConvert %f %r3
%p3 = OpAccessChain %pf %out %c0 %c3
OpStore %p3 %r3f
%r4 = OpExtInst %f %std Fma %x %x %fy
%p4 = OpAccessChain %pf %out %c0 %c4
OpStore %p4 %r4
OpReturn
OpFunctionEnd
)";

inline Words fusedModule() {
  Words words;
  EXPECT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(kFused, &words));
  for (int i = 0; i < 4; ++i)
    change(words, spv::Op::OpExtInst, 0, [](const Words& w) {
      return renumbered({w[0], w[1], w[2], w[5], w[6], w[7]}, spirv::newer::OpFmaKHR);
    });
  change(words, spv::Op::OpCapability, 3, [](Words w) {
    w[1] = 6030;
    return w;
  });
  return words;
}

// OpAbortKHR, assembled as OpUnreachable: eight invocations; the one of this index ends the run.
inline Words abortingModule(std::uint32_t index) {
  const std::string body = R"(
%x = OpLoad %uint %index
%p = OpAccessChain %word %out %zero %x
OpStore %p %x
%bad = OpIEqual %bool %x %guilty
OpSelectionMerge %after None
OpBranchConditional %bad %stop %after
%stop = OpLabel
%said = OpCompositeConstruct %message %x %half %minus
OpUnreachable
%after = OpLabel)";
  const std::string globals = fmt::format(R"(
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%half = OpConstant %float 0.5
%minus = OpConstant %int -3
%guilty = OpConstant %uint {}
%message = OpTypeStruct %uint %float %int)",
                                          index);
  Words words;
  EXPECT_TRUE(
      spvtools::SpirvTools(SPV_ENV_VULKAN_1_3)
          .Assemble(text::computeText(
                        {.body = body, .globals = globals, .head = "OpCapability Matrix\nOpExtension \"SPV_KHR_abort\"\n", .size = 8}),
                    &words));
  Words message;
  change(words, spv::Op::OpCompositeConstruct, 0, [&](const Words& w) { return message = w; });
  change(words, spv::Op::OpUnreachable, 0, [&](const Words&) {
    return Words{static_cast<std::uint32_t>(spirv::kAbort), message[1], message[2]};
  });
  change(words, spv::Op::OpCapability, 1, [](Words w) {
    w[1] = spirv::kAbortKHR;
    return w;
  });
  return words;
}

inline std::vector<Words> newerModules() {
  return {newerModule(), halvesModule(), fusedModule()};
}

}  // namespace lanewise
