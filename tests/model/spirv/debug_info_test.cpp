// What a module says about its source: as glslang writes it, and in the shapes of DXC, Slang, naga and Tint, rebuilt by hand.
#include "model/spirv/debug_info.h"
#include "model/spirv/parse.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/text/program_modules.h"

namespace lanewise::spirv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  Module module;
  DebugInfo debug;

  explicit Read(const ShaderModule& m) {
    Expected<Module> parsed = parse(m.name, m.words);
    EXPECT_TRUE(parsed.ok()) << m.name;
    if (parsed) module = std::move(*parsed);
    debug = readDebugInfo(module);
  }
  // The n-th instruction of an opcode.
  std::uint32_t at(spv::Op op, std::size_t n = 0) const {
    for (std::uint32_t i = 0; i < module.instructions.size(); ++i)
      if (module.instructions[i].op == op && n-- == 0) return i;
    ADD_FAILURE() << "no such instruction";
    return 0;
  }
  // "function:line < caller:line", from the innermost.
  std::string stack(std::uint32_t instruction) const {
    std::string out;
    for (const DebugFrame& f : debug.frames(instruction, module.instructions[instruction].source))
      out += (out.empty() ? "" : " < ") + debug.scopes[f.function].name + ":" + std::to_string(f.line.line);
    return out;
  }
  const DebugVariable* variable(const std::string& name, std::size_t n = 0) const {
    for (const DebugVariable& v : debug.variables)
      if (v.name == name && n-- == 0) return &v;
    return nullptr;
  }
  // "type name", and of what its function is.
  std::string declared(const std::string& name, std::size_t n = 0) const {
    const DebugVariable* v = variable(name, n);
    if (!v) return "no " + name;
    const std::string& function = debug.scopes[debug.functionOf(v->scope)].name;
    return debug.types[v->type].name + " " + name + (v->isGlobal ? "" : " in " + function);
  }
  std::vector<const DebugLocation*> locations(const std::string& name) const {
    std::vector<const DebugLocation*> out;
    for (const DebugLocation& l : debug.locations)
      if (debug.variables[l.variable].name == name) out.push_back(&l);
    return out;
  }
};

TEST(DebugInfo, OfGlslang) {
  const auto module = text::programModule("source_variables.comp");
  ASSERT_TRUE(module.ok()) << module.error().text();
  const Read r(**module);
  EXPECT_TRUE(r.debug.isComplete);
  ASSERT_EQ(r.debug.sources.size(), 1u);
  EXPECT_EQ(r.debug.sources[0].name, "source_variables.comp");
  EXPECT_EQ(r.declared("item"), "Item item in main");
  EXPECT_EQ(r.declared("sum"), "float sum in addUp");
  EXPECT_EQ(r.declared("v"), "vec3 v in addUp");
  EXPECT_EQ(r.variable("terms")->argument + r.variable("terms", 1)->argument, 2u) << "a parameter, and a variable of main";
  EXPECT_EQ(r.declared("tile"), "mat3x2[2] tile");
  EXPECT_EQ(r.declared("lane"), "uint lane in main");
  EXPECT_EQ(r.declared("odd"), "bool odd in main");
  EXPECT_EQ(r.declared("gl_LocalInvocationID"), "uvec3 gl_LocalInvocationID");
  EXPECT_EQ(r.declared("param"), "vec3 param in main");
  EXPECT_TRUE(r.variable("param")->isMade);
  EXPECT_FALSE(r.variable("item")->isMade);
  const DebugType& item = r.debug.types[r.variable("item")->type];
  ASSERT_EQ(item.members.size(), 2u);
  EXPECT_EQ(item.members[1].name, "weights");
  EXPECT_EQ(r.debug.types[item.members[1].type].name, "float[4]");
  const DebugType& values = r.debug.types[r.variable("values")->type];
  EXPECT_EQ(r.debug.types[values.members[0].type].name, "float[]");

  ASSERT_EQ(r.locations("sum").size(), 1u);
  EXPECT_EQ(r.module.nameOf(r.locations("sum")[0]->value), "sum");
  EXPECT_TRUE(r.locations("sum")[0]->inMemory);
  // The place of a call, and the text there.
  const std::uint32_t call = r.at(spv::Op::OpFunctionCall);
  EXPECT_EQ(r.stack(call), "main:30");
  const SourceLine line = r.module.instructions[call].source;
  EXPECT_EQ(r.module.lineText(line), "source_variables.comp:30");
  EXPECT_EQ(r.debug.lineOf(line), "    float scale = addUp(item.color, terms) * scale;");
  EXPECT_FALSE(r.debug.lineOf({line.file, 1000, 0}));
  // The branch's block is a scope of its own, in main.
  const std::uint32_t inside = r.debug.placeOf(call).scope;
  EXPECT_EQ(r.debug.scopes[inside].kind, DebugScope::Kind::kBlock);
  EXPECT_TRUE(r.debug.isWithin(inside, r.variable("item")->scope));
  EXPECT_FALSE(r.debug.isWithin(r.variable("item")->scope, inside));
}

std::string head(const std::string& sets, const std::string& strings) {
  return "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n" + sets +
         "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n" + strings;
}

constexpr const char* kShaderSet = "%dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n";

// With -fspv-debug=vulkan-with-source: text in two pieces, a parameter behind a pointer, a value that moves from memory to registers and in
// pieces, HLSL's words for types.
constexpr const char* kDxc = R"(
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

TEST(DebugInfo, OfDxc) {
  const Read r(*text::assembled(head(kShaderSet, kDxc)));
  EXPECT_EQ(r.debug.sources[0].text, "float4 twice(float4 v) {\n  return v * 2;\n}\n");
  EXPECT_EQ(r.declared("v"), "float4 v in twice");
  EXPECT_EQ(r.declared("pair"), "Pair pair in main");
  EXPECT_EQ(r.declared("m"), "float3x4 m in main");
  EXPECT_EQ(r.debug.variables.size(), 4u) << "nothing, v, pair and m: %param is where pair lives";
  const std::uint32_t add = r.at(spv::Op::OpFAdd);
  EXPECT_EQ(r.stack(add), "twice:2");
  EXPECT_EQ(r.module.instructions[add].source.column, 3u);
  EXPECT_EQ(r.debug.lineOf(r.module.instructions[add].source), "  return v * 2;");
  const auto pair = r.locations("pair");
  ASSERT_EQ(pair.size(), 3u);
  EXPECT_TRUE(pair[0]->inMemory) << "behind a Deref";
  EXPECT_THAT(pair[0]->path, ElementsAre(1u));
  EXPECT_FALSE(pair[1]->inMemory);
  EXPECT_THAT(pair[1]->path, ElementsAre(0u));
  EXPECT_LT(pair[1]->instruction, pair[2]->instruction);
  ASSERT_EQ(r.locations("m").size(), 1u);
  EXPECT_FALSE(r.locations("m")[0]->isKnown) << "an expression that is not followed";
  ASSERT_EQ(r.locations("v").size(), 1u);
  EXPECT_TRUE(r.locations("v")[0]->inMemory && r.locations("v")[0]->isKnown);
}

// With -g2: a function that was inlined twice deep, whose scope names where; after it Slang forgets the scope.
constexpr const char* kSlang = R"(
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

TEST(DebugInfo, OfSlang) {
  std::string text = kSlang;
  text.replace(text.find("OpSource Slang 1"), 16, "OpSource Unknown 1");  // newer than the linked assembler
  const Read r(*text::assembled(head(kShaderSet, text)));
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "inner:1 < outer:8 < computeMain:9");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpISub)), "computeMain:9");
  EXPECT_EQ(r.declared("i"), "int i in inner");
  ASSERT_EQ(r.locations("i").size(), 1u);
  EXPECT_NE(r.locations("i")[0]->inlinedAt, 0u);
  ASSERT_EQ(r.locations("r").size(), 1u);
  EXPECT_EQ(r.locations("r")[0]->inlinedAt, 0u);
}

// DXC's older set: numbers stand in the instructions, functions name their OpFunction.
TEST(DebugInfo, OfOpenClDebugInfo) {
  const Read r(*text::assembled(head("%dbg = OpExtInstImport \"OpenCL.DebugInfo.100\"\n", R"(
%file = OpString "a.hlsl"
%n_main = OpString "src.main"
%n_x = OpString "x"
%n_int = OpString "int"
OpName %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%u32 = OpConstant %int 32
%d_int = OpExtInst %void %dbg DebugTypeBasic %n_int %u32 Signed
%d_v = OpExtInst %void %dbg DebugTypeVector %d_int 3
%src = OpExtInst %void %dbg DebugSource %file
%unit = OpExtInst %void %dbg DebugCompilationUnit 1 4 %src HLSL
%d_fn = OpExtInst %void %dbg DebugTypeFunction FlagIsPublic %void
%f_main = OpExtInst %void %dbg DebugFunction %n_main %d_fn %src 28 1 %unit %n_main FlagIsPublic 29 %main
%l_x = OpExtInst %void %dbg DebugLocalVariable %n_x %d_v %src 30 20 %f_main FlagIsLocal
%expr = OpExtInst %void %dbg DebugExpression
%main = OpFunction %void None %fn
%e = OpLabel
%s0 = OpExtInst %void %dbg DebugScope %f_main
OpLine %file 30 2
%r = OpIAdd %int %i3 %i3
%dv = OpExtInst %void %dbg DebugValue %l_x %r %expr %i2
OpReturn
OpFunctionEnd
)")));
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "src.main:30");
  EXPECT_EQ(r.declared("x"), "int3 x in src.main");
  ASSERT_EQ(r.locations("x").size(), 1u);
  EXPECT_THAT(r.locations("x")[0]->path, ElementsAre(2u));
  EXPECT_EQ(r.variable("x")->declared.line, 30u);
  EXPECT_EQ(r.debug.scopes[r.debug.functionOf(r.variable("x")->scope)].function, r.module.functions[0].id);
}

constexpr const char* kNames = R"(
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

// naga: the source in OpSource, lines by OpLine, parameters and values by name.
TEST(DebugInfo, OfNaga) {
  const Read r(*text::assembled(
      head("", "%file = OpString \"add.wgsl\"\nOpSource Unknown 0 %file \"fn add(p: f32)\n\"\nOpSourceContinued \"-> f32\"\n" +
                   std::string(kNames))));
  EXPECT_FALSE(r.debug.isComplete);
  ASSERT_EQ(r.debug.sources.size(), 1u);
  EXPECT_EQ(r.debug.sources[0].text, "fn add(p: f32)\n-> f32");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpFAdd)), "add:3");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpReturnValue)), "add:0");
  EXPECT_EQ(r.declared("p"), "float p in add");
  EXPECT_EQ(r.declared("twice"), "float twice in add");
  ASSERT_EQ(r.locations("twice").size(), 1u);
  EXPECT_FALSE(r.locations("twice")[0]->inMemory);
  EXPECT_EQ(r.variable("body"), nullptr) << "a label";
}

// Tint: names alone.
TEST(DebugInfo, OfTint) {
  std::string names = kNames;
  for (const std::string line : {"OpLine %file 12 5\n", "OpLine %file 3 9\n"}) names.erase(names.find(line), line.size());
  const Read r(*text::assembled(head("", names)));
  EXPECT_TRUE(r.debug.sources.empty());
  EXPECT_EQ(r.declared("acc"), "State acc in main");
  const DebugType& state = r.debug.types[r.variable("acc")->type];
  ASSERT_EQ(state.members.size(), 4u);
  EXPECT_EQ(state.members[0].name, "position");
  EXPECT_EQ(state.members[2].name, "member2");
  EXPECT_EQ(r.debug.types[state.members[0].type].name, "vec3");
  EXPECT_EQ(r.debug.types[state.members[2].type].name, "int[2][4]");
  EXPECT_EQ(r.debug.types[state.members[3].type].name, "mat4x3");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpFunctionCall)), "main:0");
  const DebugVariable* unnamed = nullptr;
  for (const DebugVariable& v : r.debug.variables)
    if (v.name.starts_with('%') && !v.isGlobal) unnamed = &v;
  EXPECT_NE(unnamed, nullptr) << "by its id";
}

// Debug information that names itself, or nothing, or numbers beyond everything: read without harm, and left out.
TEST(DebugInfo, ThatIsWrongIsLeftOut) {
  const auto module = text::assembled(head(kShaderSet, kDxc));
  std::size_t read = 0;
  for (std::size_t w = 5; w < module->words.size(); ++w)
    for (const std::uint32_t bad : {0u, 1u, 20u, 0xffffffffu}) {
      std::vector<std::uint32_t> words = module->words;
      words[w] = bad;
      const Expected<Module> parsed = parse("bad", words);
      if (!parsed) continue;
      const DebugInfo debug = readDebugInfo(*parsed);
      for (std::uint32_t i = 0; i < parsed->instructions.size(); ++i) read += debug.frames(i, parsed->instructions[i].source).size();
      for (const DebugVariable& v : debug.variables) ASSERT_LT(v.type, debug.types.size());
      for (const DebugLocation& l : debug.locations) ASSERT_LT(l.variable, debug.variables.size());
    }
  EXPECT_GT(read, 1000u);
}

}  // namespace
}  // namespace lanewise::spirv
