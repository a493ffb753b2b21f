// `lanewise run` in several ways, with expectations, and with what a pipeline layout has and the module does not use.
#include <map>
#include <nlohmann/json.hpp>

#include "tests/tools/run/run_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// What a pipeline layout has and the module does not use.
TEST_F(Run, WhatTheModuleDoesNotUseIsANote) {
  const std::string whole = fmt::format("run k.comp {} --out 0:1=o.bin:28 ", kWhole);
  for (const auto& [more, says] : std::map<std::string, std::string>{
           {"--buffer 0:9=zeros:4", "note: --buffer 0:9: entry point 'main' does not use this binding"},
           {"--push u32:1,2,3", "20 bytes of push constants are given, the module reads 8; the rest is left out"},
           {"--spec 9=1", "note: --spec 9=1: the module has no specialization constant of this id"}}) {
    const Ran ran = lanewise(whole + more + " 2>&1");
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says));
  }
}

TEST_F(Run, AFileThatDoesNotEndIsAnError) {
  const Ran ran = lanewise(fmt::format("run k.comp {} --out 0:1=o.bin:28 --expect 0:1=/dev/zero 2>&1", kWhole));
  EXPECT_EQ(ran.code, 6);
  EXPECT_THAT(ran.text, HasSubstr("cannot read /dev/zero: it is no file and does not end within 1 GiB"));
  EXPECT_EQ(lanewise(fmt::format("run k.comp {} --out 0:1=o.bin:28 --expect 0:1=/dev/null 2>&1", kWhole)).code, 2) << "no bytes";
}

TEST_F(Run, AnOutputWithoutASizeHasAnElementForEachInvocation) {
  const Ran ran = lanewise(fmt::format("run k.comp {} --out result=-:u32 2>&1", kWhole));
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("0:1 (result) is: 32 bytes, an element for each of the 8 invocations"));
}

TEST_F(Run, ExpectationsAreHeldWithinTheirTolerance) {
  const std::string whole = fmt::format("run k.comp {} --out 0:1=o.bin:28 ", kWhole);
  const Ran right = lanewise(whole + "--expect result=u32:4,8,12,16,20,24,28 2>&1");
  EXPECT_EQ(right.code, 0) << right.text;
  EXPECT_THAT(right.text, HasSubstr("  as expected"));
  const Ran wrong = lanewise(whole + "--expect 0:1=u32:4,8,12,16,20,24,29 2>&1");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("byte 24 b[6]: expected 29, got 28"));
  EXPECT_EQ(lanewise(whole + "--expect 0:1=u32:4,8,12,16,20,24,29 --tolerance ulp=1 2>&1").code, 0);
  EXPECT_EQ(lanewise(whole + "--expect 0:1=u32:4,8,12,16,20,24,30 --tolerance result:ulp=1 2>&1").code, 1);
  EXPECT_EQ(lanewise(whole + "--expect 0:1=u32:4,8,12,16,20,24,30 --tolerance rmse=0.8 2>&1").code, 0) << "the root of 4 / 7";
  for (const char* bad :
       {"--expect none=u32:1", "--expect 0:1=u32:1", "--tolerance ulp=1", "--expect 0:1=u32:7*4 --tolerance ulps=1", "--expect 0:1"})
    EXPECT_EQ(lanewise(whole + bad + " 2>&1").code, 2) << bad;
  EXPECT_EQ(lanewise(whole + "--expect 0:1=none.bin 2>&1").code, 6);
}

// The numbers of a type decide, not its bits; what shares words or has several types is refused.
TEST_F(Run, TolerancesAreOfEveryTypeThatHasNumbers) {
  write("types.comp", R"(#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(binding = 0) buffer I { int i[]; };
layout(binding = 1) buffer D { double d[]; };
layout(binding = 2) buffer L { int64_t l[]; };
layout(binding = 3) buffer M { uint u; float f; };
layout(binding = 4, r11f_g11f_b10f) uniform writeonly image2D packed;
void main() { i[0] = -1; d[0] = 1.0; l[0] = int64_t(-1); u = 1u; f = 1.0; imageStore(packed, ivec2(0), vec4(1)); }
)");
  const std::string whole =
      "run types.comp --groups 1 --out 0:0=i.bin:4 --out 0:1=d.bin:8 --out 0:2=l.bin:8 --out 0:3=m.bin:8 --out 0:4=p.bin:1x1 ";
  for (const char* right : {"--expect I=i32:1 --tolerance ulp=2", "--expect I=i32:-3 --tolerance absolute=2.5",
                            "--expect D=f64:1.000001 --tolerance relative=1e-6", "--expect D=f64:0x3ff0000000000002 --tolerance ulp=2",
                            "--expect L=i64:1 --tolerance rmse=2", "--expect M=u32:1,f32:1"})
    EXPECT_EQ(lanewise(whole + right + " 2>&1").code, 0) << right;
  for (const char* wrong : {"--expect I=i32:1 --tolerance ulp=1", "--expect I=i32:-3 --tolerance absolute=1.5",
                            "--expect D=f64:1.000001 --tolerance relative=1e-7", "--expect D=f64:0x3ff0000000000002 --tolerance ulp=1",
                            "--expect L=i64:1 --tolerance rmse=1.9", "--expect M=u32:1,f32:2"})
    EXPECT_EQ(lanewise(whole + wrong + " 2>&1").code, 1) << wrong;
  EXPECT_THAT(lanewise(whole + "--expect I=i32:1 --tolerance ulp=1 2>&1").text, HasSubstr("0 to 2 expected, -1 got"));
  const Ran mixed = lanewise(whole + "--expect M=u32:1,f32:1 --tolerance ulp=1 2>&1");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.text, HasSubstr("0:3 (M) has no tolerance: its values are not all of one type without gaps"));
  const Ran packed = lanewise(whole + "--expect packed=u32:1 --tolerance ulp=1 2>&1");
  EXPECT_EQ(packed.code, 2);
  EXPECT_THAT(packed.text, HasSubstr("has no tolerance: its texels are packed"));
}

// Native code and the quick interpreter count branches that nobody takes; the run that counts each lane's own steps does not.
TEST_F(Run, TheStepLimitIsTheSameInEveryTier) {
  write("steps.comp", R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint r[]; };
void main() {
  uint x = gl_GlobalInvocationID.x, never = a[0], y = 0u, z = 1u;
  for (uint i = 0u; i < 4000u; ++i) {
    if (x == never) { y = y * 3u + 1u; }
    if (x == never) { z = z * 5u + x; }
    if (x == never) { y = y * 7u + 3u; }
    if (x == never) { z = z * 9u + x; }
    x = x * 1664525u + 1013904223u;
  }
  r[gl_GlobalInvocationID.x] = x + y + z;
}
)");
  const std::string run = "run steps.comp --groups 256 --buffer In=u32:4294967295 --buffer Out=zeros:32768 --max-steps 140000 --tier ";
  const Ran interpreted = lanewise(run + "interpreter 2>&1");
  EXPECT_EQ(interpreted.code, 0) << interpreted.text;
  for (const char* tier : {"auto", "compiled"}) EXPECT_EQ(lanewise(run + tier + " 2>&1").code, 0) << tier;
}

// A load and a store of different places are no update, though an atomic would hide the race.
TEST_F(Run, ALoadAndAStoreOfTwoPlacesAreNoUpdate) {
  write("moved.comp", R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint r[]; };
shared uint s[66];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i;
  if (i == 0u) { s[64] = 64u; s[65] = 65u; }
  barrier();
  s[i++] = s[i] + 10u;
  barrier();
  r[gl_LocalInvocationIndex] = s[gl_LocalInvocationIndex];
}
)");
  const Ran ran = lanewise("run moved.comp --out Out=-:256 --findings 2>&1");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("data race"), Not(HasSubstr("atomicAdd"))));
}

constexpr const char* kSizeOf = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer O { uint o; };
void main() { o = USED; }
)";

TEST_F(Run, ListsOfWaysAreComparedWithoutBeingAsked) {
  write("size.comp", kSizeOf);
  const std::string run = "run size.comp --out 0:0=- ";
  const Ran same = lanewise(run + "-D USED=7 --subgroup-size all --profile all --schedule all 2>&1");
  EXPECT_EQ(same.code, 0) << same.text;
  EXPECT_THAT(same.text, AllOf(HasSubstr("no difference between the"), Not(HasSubstr("0:0 (O) on "))));
  const Ran differs = lanewise(run + "-D USED=gl_SubgroupSize --subgroup-size 4,8 2>&1");
  EXPECT_EQ(differs.code, 1) << differs.text;
  EXPECT_THAT(differs.text, HasSubstr("byte 0 o: model subgroups of 4 4, model subgroups of 8 8"));
  EXPECT_THAT(differs.text, HasSubstr("0:0 (O) on model subgroups of 4:\n")) << "values that differ, with who has them";
  const Ran lines = lanewise("run size.comp --buffer 0:0=u32:0 -D USED=7 --schedule in-order,reverse,lanes 2>&1");
  EXPECT_THAT(lines.text, HasSubstr("  the same: model reverse, model lanes\n")) << "one line for equal sides";
  const Ran apart =
      lanewise("run size.comp --buffer 0:0=u32:0 -D USED=gl_SubgroupSize --subgroup-size 4,8,16 --schedule in-order,reverse 2>&1");
  const std::size_t once = apart.text.find("model in-order subgroups of 8 differ in 1 value");
  EXPECT_NE(once, std::string::npos) << apart.text;
  EXPECT_THAT(apart.text.substr(once),
              AllOf(HasSubstr("  the same: model reverse subgroups of 8\n"), HasSubstr("subgroups of 16 differ in"),
                    Not(HasSubstr("model reverse subgroups of 8 differ in"))));
  // The same bytes of a side that the debugger can show.
  write("first.comp",
        "#version 460\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer O { uint o[]; } b;\n"
        "layout(binding = 1) buffer Q { uint o[]; } q;\n"
        "void main() { uint i = gl_GlobalInvocationID.x; b.o[0] = i; q.o[i] = b.o[0]; }\n");
  const Ran opened =
      lanewise("run first.comp --groups 2 --buffer b=zeros:4 --out q=-:u32:64 --schedule in-order,reverse --subgroup-size 4,8 2>&1");
  std::size_t differences = 0, commands = 0;
  for (std::size_t at = 0; (at = opened.text.find(" differ in ", at)) != std::string::npos; ++at) ++differences;
  for (std::size_t at = 0; (at = opened.text.find("open it there: ", at)) != std::string::npos; ++at) ++commands;
  EXPECT_GT(differences, 0u) << opened.text;
  EXPECT_EQ(commands, differences) << opened.text;
  const Ran twice = lanewise(run + "-D USED=7 --profile strict,strict --schedule reverse,reverse --subgroup-size 8,8 2>&1");
  EXPECT_EQ(twice.code, 0) << twice.text;
  EXPECT_THAT(twice.text, Not(HasSubstr("the same"))) << "what is named twice runs once";
  EXPECT_EQ(lanewise(run + "-D USED=7 --subgroup-size 4,5 2>&1").code, 2);
  EXPECT_EQ(lanewise(run + "-D USED=7 --profile strict,none 2>&1").code, 2);
}

TEST_F(Run, JsonIsJsonAlsoWhenCompilingFails) {
  write("old.comp", "void main() { x = 1; }\n");
  write("syntax.comp", "#version 460\nvoid main() { x = 1; }\n");
  for (const char* file : {"old.comp", "syntax.comp", "none.comp"}) {
    const Ran ran = lanewise(fmt::format("run {} --json 2>/dev/null", file));
    const auto json = nlohmann::json::parse(ran.text);
    EXPECT_EQ(json["exitCode"], ran.code);
    EXPECT_FALSE(json["error"]["what"].get<std::string>().empty());
  }
}

TEST_F(Run, AFullDiskIsAnError) {
  EXPECT_EQ(lanewise("list > /dev/full 2>/dev/null").code, 6);
  EXPECT_EQ(lanewise("coverage > /dev/full 2>/dev/null").code, 6);
  EXPECT_EQ(lanewise("list > /dev/null").code, 0);
}

TEST_F(Run, HlslIsCompiled) {
  write("twice.hlsl",
        "[[vk::binding(0)]] StructuredBuffer<uint> a; [[vk::binding(1)]] RWStructuredBuffer<uint> b;\n"
        "[numthreads(4, 1, 1)] void twice(uint3 id : SV_DispatchThreadID) { b[id.x] = 2 * a[id.x]; }\n");
  const Ran ran = lanewise("run twice.hlsl --entry twice --buffer 0:0=u32:1,2,3,4 --out 0:1=-:u32:16 2>/dev/null");
  EXPECT_EQ(ran.text, "2 4 6 8\n");
  EXPECT_EQ(lanewise("run twice.hlsl --buffer 0:0=u32:1,2,3,4 --out 0:1=-:u32:16 2>/dev/null").text, ran.text) << "the only one";
  EXPECT_THAT(lanewise("inspect twice.hlsl 2>&1").text, HasSubstr("entry point twice"));
  write("bad.hlsl", "[numthreads(1, 1, 1)] void main() { nonsense(); }\n");
  EXPECT_THAT(lanewise("run bad.hlsl 2>&1").text, HasSubstr("bad.hlsl:1"));
}

TEST_F(Run, AssemblyKeepsTheVersionOfItsHeader) {
  const std::string body =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  write("four.spvasm", "; SPIR-V\n; Version: 1.4\n; Generator: 0\n" + body);
  write("plain.spvasm", body);
  EXPECT_THAT(lanewise("inspect four.spvasm").text, HasSubstr("SPIR-V 1.4"));
  EXPECT_THAT(lanewise("inspect plain.spvasm").text, HasSubstr("SPIR-V 1.6"));
  EXPECT_THAT(lanewise("inspect plain.spvasm --target-env vulkan1.1spv1.4").text, HasSubstr("SPIR-V 1.4"));
  write("four.comp", "#version 450\nvoid main() {}\n");
  EXPECT_THAT(lanewise("inspect four.comp --target-env vulkan1.1spv1.4").text, HasSubstr("SPIR-V 1.4"));
}

// The linked assembler may not know the language that a newer disassembler names.
TEST_F(Run, AssemblyMayNameANewerLanguage) {
  const auto inspected = [this](const std::string& source) {
    write("s.spvasm",
          "OpCapability Shader ; OpSource Slang\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
          "OpExecutionMode %main LocalSize 1 1 1\n%file = OpString \"a \\\" OpSource Zig 1\"\n" +
              source +
              "\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
              "OpReturn\nOpFunctionEnd\n");
    return lanewise("inspect s.spvasm 2>&1");
  };
  for (const char* known : {"OpSource Slang 1", "OpSource\tRust 1 %file", "OpSource WGSL 1 %file \"a\"", "OpSource GLSL 450"})
    EXPECT_EQ(inspected(known).code, 0) << known;
  const Ran unknown = inspected("OpSource Slung 1");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.text, HasSubstr("s.spvasm:6: Invalid source language 'Slung'"));
}

TEST_F(Run, InspectSaysWhatResultsMayDependOnAndWhatItCannotKnow) {
  write("size.comp", kSizeOf);
  const std::string depends = lanewise("inspect size.comp -D USED=gl_SubgroupSize").text;
  EXPECT_THAT(depends, HasSubstr("its results may depend on\n  the subgroup size: SubgroupSize at size.comp:5"));
  const std::string plain = lanewise("inspect size.comp -D USED=7").text;
  EXPECT_THAT(plain, Not(HasSubstr("may depend on")));
  EXPECT_THAT(plain, HasSubstr("not known from the module alone\n  data races"));
  EXPECT_THAT(lanewise("inspect size.comp -D 'USED=atomicAdd(o,1u)'").text,
              HasSubstr("the order of invocations: OpAtomicIAdd at size.comp:5, whose result is used"));
}

TEST_F(Run, ACapsuleIsARunInOneFile) {
  const Ran made = lanewise(fmt::format("capsule k.comp {} --out 0:1=-:28 --file run.capsule 2>&1", kWhole));
  EXPECT_EQ(made.code, 0) << made.text;
  fs::remove(folder_ / "k.comp");
  EXPECT_EQ(lanewise("replay run.capsule --devices model 2>&1").code, 0);
  const Ran again = lanewise("run run.capsule --out 0:1=-:u32 2>/dev/null");
  EXPECT_EQ(again.text, "4 8 12 16 20 24 28\n");
}

TEST_F(Run, ValidateRefusesAModuleOfAnotherInterface) {
  const Ran other = lanewise("validate photo/sobel/checked --module k.comp --sizes 3x3 --devices model 2>&1");
  EXPECT_EQ(other.code, 2) << other.text;
  EXPECT_THAT(other.text, HasSubstr("it cannot run as photo/sobel/checked: binding 0:"));
}

}  // namespace
}  // namespace lanewise
