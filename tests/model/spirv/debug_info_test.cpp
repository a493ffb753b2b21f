// What a module says about its source: as glslang writes it, and in the shapes of DXC, Slang, naga and Tint, rebuilt by hand.
#include "model/spirv/debug_info.h"
#include "model/spirv/parse.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/model/spirv/debug_shapes.h"
#include "tests/text/program_modules.h"

namespace lanewise::spirv {
namespace {

using testing::ElementsAre;
using text::head;
using text::kDxc;
using text::kNames;
using text::kShaderSet;
using text::kSlang;

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

// spirv-opt sets the argument of an inlined call before the scope of the call, and what a call gives may be set before its scope is left.
TEST(DebugInfo, ValuesBesideAnInlinedCallBelongToTheirFunctionsCopy) {
  std::string text = kSlang;
  text.replace(text.find("OpSource Slang 1"), 16, "OpSource Unknown 1");
  const auto move = [&text](const std::string& line, const std::string& before) {
    const std::string whole = line + "\n";
    ASSERT_NE(text.find(whole), std::string::npos);
    text.erase(text.find(whole), whole.size());
    text.insert(text.find(before), whole);
  };
  move("%dv = OpExtInst %void %dbg DebugValue %l_i %i7 %expr", "%s0 =");
  move("%dv2 = OpExtInst %void %dbg DebugValue %l_r %r %expr", "%s1 =");
  const Read r(*text::assembled(head(kShaderSet, text)));
  const std::uint32_t inlined = r.debug.placeOf(r.at(spv::Op::OpIAdd)).inlinedAt;
  ASSERT_EQ(r.locations("i").size(), 1u);
  EXPECT_EQ(r.locations("i")[0]->inlinedAt, inlined);
  EXPECT_NE(inlined, 0u);
  ASSERT_EQ(r.locations("r").size(), 1u);
  EXPECT_EQ(r.locations("r")[0]->inlinedAt, 0u);
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "inner:1 < outer:8 < computeMain:9") << "places themselves stay";
}

// The copy that begins next has to be one of the variable's own function.
TEST(DebugInfo, AValueIsNotOfACopyOfAnotherFunction) {
  std::string text = kSlang;
  text.replace(text.find("OpSource Slang 1"), 16, "OpSource Unknown 1");
  const std::string value = "%dv = OpExtInst %void %dbg DebugValue %l_i %i7 %expr\n";
  text.erase(text.find(value), value.size());
  text.insert(text.find("%s0 ="), value + "%so = OpExtInst %void %dbg DebugScope %f_outer %at9\n%first = OpIMul %int %i7 %i7\n");
  const Read r(*text::assembled(head(kShaderSet, text)));
  ASSERT_EQ(r.locations("i").size(), 1u);
  EXPECT_EQ(r.locations("i")[0]->inlinedAt, r.debug.placeOf(r.at(spv::Op::OpIAdd)).inlinedAt);
  EXPECT_NE(r.locations("i")[0]->inlinedAt, r.debug.placeOf(r.at(spv::Op::OpIMul)).inlinedAt);
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
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "main:30");
  EXPECT_EQ(r.declared("x"), "int3 x in main");
  ASSERT_EQ(r.locations("x").size(), 1u);
  EXPECT_THAT(r.locations("x")[0]->path, ElementsAre(2u));
  EXPECT_EQ(r.variable("x")->declared.line, 30u);
  EXPECT_EQ(r.debug.scopes[r.debug.functionOf(r.variable("x")->scope)].function, r.module.functions[0].id);
}

// In the wrapper of an entry point stand the initializers of globals, whose lines the author wrote, and what calls the author's function.
constexpr const char* kWrapper = R"(
%file = OpString "a.hlsl"
OpName %main "main"
OpName %own "@main(u1;"
OpName %first "first"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%i2 = OpConstant %int 2
%with = OpTypeFunction %void %int
%pointer = OpTypePointer Private %int
%first = OpVariable %pointer Private
%later = OpVariable %pointer Private
%main = OpFunction %void None %fn
%e = OpLabel
OpLine %file 3 0
%set = OpIAdd %int %i2 %i2
OpStore %first %set
OpLine %file 12 0
OpStore %later %i2
OpLine %file 5 0
%taken = OpISub %int %i2 %i2
OpLine %file 6 0
%parameter = OpIMul %int %i2 %i2
OpLine %file 5 0
%call = OpFunctionCall %void %own %taken
OpReturn
OpFunctionEnd
OpLine %file 5 6
%own = OpFunction %void None %with
OpLine %file 6 2
%p = OpFunctionParameter %int
%b = OpLabel
OpLine %file 8 2
%sum = OpSDiv %int %p %i2
OpReturn
OpFunctionEnd
)";

TEST(DebugInfo, AWrapperKeepsTheLinesOfInitializers) {
  const Read r(*text::assembled(head("", kWrapper)));
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "main:3");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpStore)), "main:3");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpStore, 1)), "main:12") << "behind the function";
  EXPECT_EQ(r.stack(r.at(spv::Op::OpISub)), "main:0") << "the function's own line";
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIMul)), "main:0") << "a parameter's";
  EXPECT_EQ(r.stack(r.at(spv::Op::OpFunctionCall)), "main:0");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpReturn)), "main:0");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpSDiv)), "main:8");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpReturn, 1)), "main:8");
}

// glslang 15 writes no line behind the last initializer's.
TEST(DebugInfo, TheCallInAWrapperHasNotTheLineOfAnInitializer) {
  std::string text = kWrapper;
  for (const std::string at : {"5 0\n%taken", "6 0\n%parameter", "5 0\n%call"}) {
    const std::string line = "OpLine %file " + at.substr(0, at.find('%'));
    text.erase(text.find(line + at.substr(at.find('%'))), line.size());
  }
  const Read r(*text::assembled(head("", text)));
  EXPECT_EQ(r.stack(r.at(spv::Op::OpIAdd)), "main:3");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpStore, 1)), "main:12");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpFunctionCall)), "main:0");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpReturn)), "main:0");
  EXPECT_EQ(r.stack(r.at(spv::Op::OpSDiv)), "main:8");
}

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
// glslang spoils characters that are not ASCII, and Python and XML take UTF-8 alone.
TEST(DebugInfo, NamesThatAreNoUtf8AreText) {
  const auto module = text::assembled(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%file = OpString \"w\xc3\xffng.comp\"\nOpName %main \"m\xff\"\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\nOpLine %file 7 0\n%main = OpFunction %void None %f\n"
      "%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const Read read(*module);
  const Instruction& function = read.module.instructions[read.at(spv::Op::OpFunction)];
  EXPECT_EQ(read.module.placeOf(function, function.source).text(), "w\\xc3\\xffng.comp:7");
  EXPECT_EQ(read.module.nameOf(function.result), "m\\xff");
}

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
