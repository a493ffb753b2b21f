// Modules as DXC, Slang, naga and Tint leave them, rebuilt by hand: what they say of their source, around code that can be run.
#pragma once

#include <string>

namespace lanewise::text {

inline std::string head(const std::string& sets, const std::string& strings) {
  return "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n" + sets +
         "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n" + strings;
}

inline constexpr const char* kShaderSet = "%dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n";

// DXC, with -fspv-debug=vulkan-with-source: text in two pieces, a parameter behind a pointer, a value that moves from memory to registers and in
// pieces, HLSL's words for types.
inline constexpr const char* kDxc = R"(
%file = OpString "blur.hlsl"
%t0 = OpString "float4 twice(float4 v) {
"
%t1 = OpString "  return v * 2;
}
"
%n_main = OpString "main"
%n_twice = OpString "twice"
%n_v = OpString "v"
%n_pair = OpString "pair"
%n_Pair = OpString "Pair"
%n_first = OpString "first"
%n_second = OpString "second"
%n_m = OpString "m"
%n_float = OpString "float"
%n_none = OpString ""
OpName %main "main"
OpName %twice "twice"
OpName %v "v"
OpName %bb_entry "bb.entry"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v4 = OpTypeVector %float 4
%ptr = OpTypePointer Function %v4
%twice_t = OpTypeFunction %v4 %ptr
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u5 = OpConstant %uint 5
%u32 = OpConstant %uint 32
%f1 = OpConstant %float 1
%ones = OpConstantComposite %v4 %f1 %f1 %f1 %f1
%d_float = OpExtInst %void %dbg DebugTypeBasic %n_float %u32 %u3 %u0
%d_v4 = OpExtInst %void %dbg DebugTypeVector %d_float %u4
%d_m = OpExtInst %void %dbg DebugTypeMatrix %d_v4 %u3 %u1
%src = OpExtInst %void %dbg DebugSource %file %t0
%src2 = OpExtInst %void %dbg DebugSourceContinued %t1
%unit = OpExtInst %void %dbg DebugCompilationUnit %u1 %u4 %src %u5
%d_fn = OpExtInst %void %dbg DebugTypeFunction %u3 %void
%d_tw = OpExtInst %void %dbg DebugTypeFunction %u3 %d_v4 %d_v4
%d_first = OpExtInst %void %dbg DebugTypeMember %n_first %d_float %src %u1 %u1 %u0 %u32 %u3
%d_second = OpExtInst %void %dbg DebugTypeMember %n_second %d_v4 %src %u1 %u1 %u32 %u32 %u3
%d_Pair = OpExtInst %void %dbg DebugTypeComposite %n_Pair %u1 %src %u1 %u1 %unit %n_Pair %u32 %u3 %d_first %d_second
%f_main = OpExtInst %void %dbg DebugFunction %n_main %d_fn %src %u4 %u1 %unit %n_none %u3 %u4
%f_twice = OpExtInst %void %dbg DebugFunction %n_twice %d_tw %src %u1 %u1 %unit %n_none %u3 %u1
%l_v = OpExtInst %void %dbg DebugLocalVariable %n_v %d_v4 %src %u1 %u3 %f_twice %u4 %u1
%block = OpExtInst %void %dbg DebugLexicalBlock %src %u5 %u1 %f_main
%l_pair = OpExtInst %void %dbg DebugLocalVariable %n_pair %d_Pair %src %u5 %u3 %block %u4
%l_m = OpExtInst %void %dbg DebugLocalVariable %n_m %d_m %src %u5 %u3 %f_main %u4
%expr = OpExtInst %void %dbg DebugExpression
%o_deref = OpExtInst %void %dbg DebugOperation %u0
%o_plus = OpExtInst %void %dbg DebugOperation %u1
%deref = OpExtInst %void %dbg DebugExpression %o_deref
%odd = OpExtInst %void %dbg DebugExpression %o_plus
%main = OpFunction %void None %fn
%bb_entry = OpLabel
%param = OpVariable %ptr Function
%fd1 = OpExtInst %void %dbg DebugFunctionDefinition %f_main %main
%s1 = OpExtInst %void %dbg DebugScope %block
%ln1 = OpExtInst %void %dbg DebugLine %src %u5 %u5 %u3 %u4
OpStore %param %ones
%dv0 = OpExtInst %void %dbg DebugValue %l_pair %param %deref %u1
%r = OpFunctionCall %v4 %twice %param
%dv1 = OpExtInst %void %dbg DebugValue %l_pair %f1 %expr %u0
%dv2 = OpExtInst %void %dbg DebugValue %l_pair %r %expr %u1
%dv3 = OpExtInst %void %dbg DebugValue %l_m %r %odd
OpReturn
OpFunctionEnd
%twice = OpFunction %v4 None %twice_t
%v = OpFunctionParameter %ptr
%e2 = OpLabel
%fd2 = OpExtInst %void %dbg DebugFunctionDefinition %f_twice %twice
%s2 = OpExtInst %void %dbg DebugScope %f_twice
%dd = OpExtInst %void %dbg DebugDeclare %l_v %v %expr
%ln2 = OpExtInst %void %dbg DebugLine %src %u2 %u2 %u3 %u4
%x = OpLoad %v4 %v
%y = OpFAdd %v4 %x %x
OpReturnValue %y
OpFunctionEnd
)";

// Slang, with -g2: a function that was inlined twice deep, whose scope names where; after it Slang forgets the scope.
inline constexpr const char* kSlang = R"(
%file = OpString "sum.slang"
%text = OpString "// sum"
%n_main = OpString "computeMain"
%n_inner = OpString "inner"
%n_outer = OpString "outer"
%n_i = OpString "i"
%n_r = OpString "r"
%n_int = OpString "int"
OpSource Slang 1
OpName %main "computeMain"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%i7 = OpConstant %int 7
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u4 = OpConstant %uint 4
%u8 = OpConstant %uint 8
%u9 = OpConstant %uint 9
%u11 = OpConstant %uint 11
%u32 = OpConstant %uint 32
%u100 = OpConstant %uint 100
%d_int = OpExtInst %void %dbg DebugTypeBasic %n_int %u32 %u4 %u0
%src = OpExtInst %void %dbg DebugSource %file %text
%unit = OpExtInst %void %dbg DebugCompilationUnit %u100 %u4 %src %u11
%d_fn = OpExtInst %void %dbg DebugTypeFunction %u0 %void
%f_main = OpExtInst %void %dbg DebugFunction %n_main %d_fn %src %u9 %u1 %unit %n_main %u0 %u9
%f_inner = OpExtInst %void %dbg DebugFunction %n_inner %d_fn %src %u1 %u1 %unit %n_inner %u0 %u1
%f_outer = OpExtInst %void %dbg DebugFunction %n_outer %d_fn %src %u4 %u1 %unit %n_outer %u0 %u4
%l_i = OpExtInst %void %dbg DebugLocalVariable %n_i %d_int %src %u1 %u1 %f_inner %u4 %u0
%l_r = OpExtInst %void %dbg DebugLocalVariable %n_r %d_int %src %u9 %u1 %f_main %u4
%at9 = OpExtInst %void %dbg DebugInlinedAt %u9 %f_main
%at4 = OpExtInst %void %dbg DebugInlinedAt %u8 %f_outer %at9
%expr = OpExtInst %void %dbg DebugExpression
%main = OpFunction %void None %fn
%e = OpLabel
%fd = OpExtInst %void %dbg DebugFunctionDefinition %f_main %main
%s0 = OpExtInst %void %dbg DebugScope %f_inner %at4
%ln = OpExtInst %void %dbg DebugLine %src %u1 %u1 %u0 %u1
%dv = OpExtInst %void %dbg DebugValue %l_i %i7 %expr
%r = OpIAdd %int %i7 %i7
%s1 = OpExtInst %void %dbg DebugNoScope
%ln2 = OpExtInst %void %dbg DebugLine %src %u9 %u9 %u0 %u1
%dv2 = OpExtInst %void %dbg DebugValue %l_r %r %expr
%again = OpISub %int %r %r
OpReturn
OpFunctionEnd
)";

// Names alone, as naga leaves them with lines and Tint without.
inline constexpr const char* kNames = R"(
OpName %main "main"
OpName %add "add"
OpName %p "p"
OpName %twice "twice"
OpName %acc "acc"
OpName %state "State"
OpMemberName %state 0 "position"
OpMemberName %state 1 "on"
OpName %body "body"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%bool = OpTypeBool
%v3 = OpTypeVector %float 3
%m = OpTypeMatrix %v3 4
%four = OpConstant %int 4
%two = OpConstant %int 2
%row = OpTypeArray %int %four
%rows = OpTypeArray %row %two
%state = OpTypeStruct %v3 %bool %rows %m
%ptr = OpTypePointer Function %state
%pv = OpTypePointer Private %rows
%add_t = OpTypeFunction %float %float
%half = OpConstant %float 0.5
%table = OpVariable %pv Private
%main = OpFunction %void None %fn
%body = OpLabel
%acc = OpVariable %ptr Function
%unnamed = OpVariable %ptr Function
OpLine %file 12 5
%r = OpFunctionCall %float %add %half
OpReturn
OpFunctionEnd
%add = OpFunction %float None %add_t
%p = OpFunctionParameter %float
%l = OpLabel
OpLine %file 3 9
%twice = OpFAdd %float %p %p
OpNoLine
OpReturnValue %twice
OpFunctionEnd
)";

}  // namespace lanewise::text
