// The assembly of a compute module with one storage buffer: what tests write around the few instructions that they are about.
#pragma once

#include <fmt/format.h>

#include <string>

namespace lanewise::text {

struct ComputeText {
  std::string body;            // of %main, up to its OpReturn
  std::string globals = {};    // types, constants and variables
  std::string functions = {};  // before %main
  std::string decorations = {};
  std::string modes = {};      // more execution modes
  std::string interface = {};  // more variables of the entry point: "%image %depth"
  std::string head = {};       // more capabilities, extensions and imports
  std::uint32_t size = 1;      // invocations of a workgroup
};

// Declared are %void, %fn (the type of %main), %bool, %uint, %zero and %one (constants), %word (a pointer to a word of the buffer %out: its
// array of words is member 0; set 0, binding 0), %index (LocalInvocationIndex) and %input (a pointer to it).
inline std::string computeText(const ComputeText& t) {
  return "OpCapability Shader\n" + t.head + "\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %out %index " +
         t.interface + fmt::format("\nOpExecutionMode %main LocalSize {} 1 1\n", t.size) + t.modes + "OpName %main \"main\"\n" +
         t.decorations + R"(
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%word = OpTypePointer StorageBuffer %uint
%input = OpTypePointer Input %uint
%out = OpVariable %pblock StorageBuffer
%index = OpVariable %input Input
)" + t.globals +
         "\n" + t.functions + "\n%main = OpFunction %void None %fn\n%entry = OpLabel\n" + t.body + "\nOpReturn\nOpFunctionEnd\n";
}

}  // namespace lanewise::text
