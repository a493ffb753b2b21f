// `lanewise run` and `inspect` as a user runs them: GLSL, SPIR-V and assembly in, files and texts out, and the message for each wrong
// input.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/run/run_fixture.h"

namespace lanewise {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

TEST_F(Run, GlslWithAnIncludeAndEveryKindOfArgument) {
  const Ran ran = lanewise(fmt::format("run k.comp {} --out result=-:u32:32 --spec SCALE=3 2>/dev/null", kWhole));
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_EQ(ran.text, "6 12 18 24 30 36 42 2812782503\n") << "the eighth was never written: poison";
  float grey[7];
  ASSERT_EQ(read("grey.bin").size(), sizeof grey);
  std::memcpy(grey, read("grey.bin").data(), sizeof grey);
  for (const float g : grey) EXPECT_EQ(g, 5.0f);
}

constexpr const char* kBeyond = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { float v[]; };
void main() { v[gl_LocalInvocationIndex + FIRST] = v[gl_LocalInvocationIndex] / 3.0; }
)";

TEST_F(Run, FindingsNameTheLineAndEndWithOne) {
  write("beyond.comp", kBeyond);
  const char* const rest = "--groups 1 --buffer 0:0=f32:1,2,3,4 --out 0:0=o.bin --findings 2>&1";
  const Ran beyond = lanewise(fmt::format("run beyond.comp -D FIRST=1 {}", rest));
  EXPECT_EQ(beyond.code, 1) << beyond.text;
  EXPECT_THAT(beyond.text, HasSubstr("finding: beyond.comp:4: out of range"));
  const Ran inside = lanewise(fmt::format("run beyond.comp -D FIRST=0 {}", rest));
  EXPECT_EQ(inside.code, 0) << inside.text;
  EXPECT_THAT(inside.text, Not(HasSubstr("finding:")));
}

TEST_F(Run, NoWorkgroupsAreToldAsThat) {
  write("beyond.comp", kBeyond);
  const char* rest = "--buffer 0:0=f32:1,2,3,4 -DFIRST=0";
  EXPECT_THAT(lanewise(fmt::format("run beyond.comp --groups 0 {} 2>&1", rest)).text, HasSubstr("nothing runs"));
  EXPECT_THAT(lanewise(fmt::format("run beyond.comp --groups 1 {} 2>&1", rest)).text, Not(HasSubstr("nothing runs")));
}

TEST_F(Run, APatchIsNamedInTheResult) {
  write("beyond.comp", kBeyond);
  const char* const rest = "--groups 1 -D FIRST=0 --buffer 0:0=f32:1,2,3,4 --out 0:0=o.bin 2>&1";
  EXPECT_THAT(lanewise(fmt::format("run beyond.comp {} --patch exact", rest)).text, HasSubstr("patched: exact: "));
  EXPECT_THAT(lanewise(fmt::format("run beyond.comp {}", rest)).text, Not(HasSubstr("patched")));
  EXPECT_EQ(lanewise(fmt::format("run beyond.comp {} --patch loose", rest)).code, 2);
}

TEST_F(Run, InputAndOutputOfOneBindingAndFilesOfEveryKind) {
  const std::uint32_t words[] = {9, 9, 9, 9, 9, 9, 9, 77};
  write("in.bin", std::string(reinterpret_cast<const char*>(words), sizeof words));
  const Ran ran = lanewise(fmt::format(
      "run k.comp {} --buffer 0:1=in.bin --out 0:1=out.bin --out 0:1=out.txt:u32 --out 0:1=out.json --out 0:3=g.exr --out 0:3=g.txt 2>&1",
      kWhole));
  ASSERT_EQ(ran.code, 0) << ran.text;
  std::uint32_t out[8];
  ASSERT_EQ(read("out.bin").size(), sizeof out);
  std::memcpy(out, read("out.bin").data(), sizeof out);
  EXPECT_EQ(out[0], 4u);
  EXPECT_EQ(out[7], 77u) << "what the kernel leaves alone stays";
  EXPECT_EQ(read("out.txt"), "4 8 12 16 20 24 28 77\n");
  EXPECT_EQ(nlohmann::json::parse(read("out.json"))["values"], (nlohmann::json{4, 8, 12, 16, 20, 24, 28, 77}));
  EXPECT_EQ(read("g.txt"), "5  5  5  5  5  5  5\n");
  // The picture that was written is an input as good as any.
  write("copy.comp",
        "#version 460\nlayout(local_size_x = 7) in;\nlayout(binding = 0, r32f) uniform readonly image2D a;\n"
        "layout(binding = 1) buffer O { float o[7]; };\nvoid main() { o[gl_LocalInvocationIndex] = "
        "imageLoad(a, ivec2(gl_LocalInvocationIndex, 0)).x; }\n");
  EXPECT_EQ(lanewise("run copy.comp --image 0:0=g.exr --out 0:1=- 2>/dev/null").text, "5 5 5 5 5 5 5\n");
}

TEST_F(Run, JsonSaysEverything) {
  const Ran ran = lanewise(fmt::format("run k.comp {} --out 0:1=-:u32:28 --json --schedule all", kWhole));
  ASSERT_EQ(ran.code, 0) << ran.text;
  const auto json = nlohmann::json::parse(ran.text);
  EXPECT_EQ(json["schema"], "lanewise-run-1");
  EXPECT_EQ(json["exitCode"], 0);
  EXPECT_EQ(json["localSize"], (nlohmann::json{4, 1, 1}));
  EXPECT_EQ(json["push"], "070000000000003f");
  ASSERT_EQ(json["sides"].size(), 7u);
  EXPECT_EQ(json["sides"][1]["schedule"], "reverse");
  EXPECT_EQ(json["sides"][0]["outputs"][0]["values"], (nlohmann::json{4, 8, 12, 16, 20, 24, 28}));
  EXPECT_EQ(json["sides"][0]["outputs"][0]["xxh3"], json["sides"][3]["outputs"][0]["xxh3"]);
  EXPECT_TRUE(json["differences"].empty());
}

// Workgroups that write the same element: the last one wins, which is another one in another order.
TEST_F(Run, ARaceDiffersBetweenSchedules) {
  write("race.comp",
        "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer O { uint pad; uint o; } last;\nvoid main() { "
        "last.o = gl_WorkGroupID.x; }\n");
  const Ran ran = lanewise("run race.comp --groups 4 --out 0:0=x.bin --schedule in-order,reverse");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text,
              HasSubstr("0:0 (last): model in-order and model reverse differ in 1 value\n  byte 4 o: model in-order 3, model reverse 0"));
  EXPECT_EQ(lanewise("run race.comp --groups 1 --out 0:0=x.bin --schedule in-order,reverse").code, 0);
}

TEST_F(Run, MissingBindingsAreNamedWithWhatToAdd) {
  const Ran ran = lanewise("run k.comp --push u32:1,f32:0 --image 0:2=zeros:4x4 2>&1");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text,
              HasSubstr("nothing is given for storage buffer 0:0 (source), storage buffer 0:1 (result), storage image 0:3 (grey)"));
  EXPECT_THAT(ran.text, HasSubstr("--buffer 0:0=FILE   (0 bytes and 4 for each element of a)"));
  EXPECT_THAT(ran.text, HasSubstr("--buffer 0:1=FILE or --out 0:1=FILE:BYTES"));
  EXPECT_THAT(ran.text, HasSubstr("--out 0:3=FILE:WIDTHxHEIGHT:r32f"));
  EXPECT_THAT(ran.text, HasSubstr("may be zeros:BYTES or u32:1,2,3; --image may be zeros:FORMAT:WIDTHxHEIGHT; - in place"));
}

TEST_F(Run, AnImageOfAnotherFormatThanDeclaredIsNoView) {
  write("fill.comp",
        "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0, rgba8) uniform writeonly image2D target;\n"
        "void main() { imageStore(target, ivec2(0), vec4(1)); }\n");
  const Ran missing = lanewise("run fill.comp 2>&1");
  EXPECT_THAT(missing.text, HasSubstr("(--image may be zeros:FORMAT:WIDTHxHEIGHT; - in place of the FILE of --out is the terminal)"));
  const Ran ran = lanewise("run fill.comp --image target=zeros:rgba32f:4x4 --out target=x.bin 2>&1");
  EXPECT_THAT(ran.text, HasSubstr("the image is R32G32B32A32_SFLOAT, the module declares R8G8B8A8_UNORM"));
}

TEST_F(Run, WrongOptionsAreBadInputThatNamesThem) {
  write("syntax.comp", "#version 460\nvoid main() {\n  float x = ;\n}\n");
  write("empty.comp", "");
  write("old.comp", "// #version 450\n/* */ #version 130\nvoid main() {}\n");
  write("include.comp", "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"none.glsl\"\nvoid main() {}\n");
  write("bad.spvasm", "OpCapability Shader\nOpNonsense\n");
  write("short.spv", "12345");
  write("k.txt", "hello");
  write("o.bin", "a file that links lead to");
  fs::create_symlink("o.bin", folder_ / "link.bin");
  fs::create_directory(folder_ / "round");
  const std::string whole = fmt::format("run k.comp {} --out 0:1=o.bin:28 ", kWhole);
  for (const auto& [arguments, says] : std::map<std::string, std::string>{
           {"run syntax.comp", "syntax.comp:3"},
           {"run empty.comp", "the version of a compute shader (empty.comp)"},
           {"run old.comp", "the version of a compute shader (old.comp)"},
           {"run box-blur/double/naive --groups 2", "only a module takes it"},
           {"run box-blur/double/naive --out none=-", "the job has no output none"},
           {"run box-blur/double/naive --out 0:9=-", "the job has no output 0:9"},
           {"run box-blur/double/naive --out blurred=-:4x4", "the job says the shape"},
           {"run include.comp", "'none.glsl' is neither beside"},
           {"run bad.spvasm", "bad.spvasm:2"},
           {"run short.spv", "not a whole number of words"},
           {"run k.txt", "neither SPIR-V nor a source"},
           {"run", "SUBJECT"},
           {whole + "--groups many", "--groups"},
           {whole + "--spec NINE=1", "it has 3 (SCALE)"},
           {whole + "--spec 3=x", "no u32"},
           {whole + "--entry other", "--entry main"},
           {whole + "--profile other", "strict, adverse, lavapipe"},
           {whole + "--schedule sideways", "--schedule"},
           {whole + "--subgroup-size 3", "power of two"},
           {whole + "--timeout -1", "not a number of seconds: -1"},
           {whole + "--timeout nan", "not a number of seconds: nan"},
           {whole + "--target-env vulkan9", "vulkan1.3"},
           {whole + "--out 0:1=x.png", "a buffer is no picture"},
           {fmt::format("run k.comp {} --out 0:1=p.bin:0", kWhole), "a buffer without bytes"},
           {whole + "--out 0:1=p.bin:-1", "'-1' is no number of bytes"},
           {whole + "--out 0:1=p.bin:32", "two different numbers of bytes"},
           {whole + "--out 0:1=o.bin", "two outputs go to the file 'o.bin' (--out 0:1 and --out 0:1)"},
           {whole + "--out 0:3=o.bin", "two outputs go to the file 'o.bin' (--out 0:1 and --out 0:3)"},
           {whole + "--out 0:3=./o.bin", "two outputs go to the file './o.bin' (--out 0:1 and --out 0:3)"},
           {whole + "--out 0:3=link.bin", "two outputs go to the file 'link.bin' (--out 0:1 and --out 0:3)"},
           {whole + "--out 0:3=round/../o.bin", "two outputs go to the file 'round/../o.bin' (--out 0:1 and --out 0:3)"},
           {whole + "--out 0:9=x", "uses no binding 0:9"},
           {whole + "--out 0:2=x.bin:9x9", "contradict"},
           {whole + "--diff", "--diff compares sides"},
           {"run k.comp --push u32:7,f32:1 --buffer 0:0=u32:1 --buffer 0:1=u32:1 --out 0:3=x.bin --image 0:2=u8:1:rgba8ui:7x1",
            "1 bytes are given where 7x1x1 texels"}}) {
    const Ran ran = lanewise(arguments + " 2>&1");
    EXPECT_EQ(ran.code, 2) << arguments << "\n" << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("lanewise: bad input: ")) << arguments;
    EXPECT_THAT(ran.text, HasSubstr(says)) << arguments;
    EXPECT_LT(std::ranges::count(ran.text, '\n'), 20) << arguments;
  }
}

// Links to two files, and a name that another folder has too, are two outputs.
TEST_F(Run, OutputsOfLikeNamesAreTwoFiles) {
  fs::create_directory(folder_ / "other");
  write("a.bin", "");
  write("b.bin", "");
  fs::create_symlink("a.bin", folder_ / "one.bin");
  fs::create_symlink("b.bin", folder_ / "two.bin");
  const Ran ran = lanewise(fmt::format("run k.comp {} --out 0:1=one.bin:28 --out 0:3=two.bin --out 0:3=other/b.bin 2>&1", kWhole));
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST_F(Run, TheTerminalTakesSeveralOutputs) {
  EXPECT_EQ(lanewise(fmt::format("run k.comp {} --out 0:1=-:u32:28 --out 0:1=-:i32 2>&1", kWhole)).code, 0);
}

TEST_F(Run, FilesThatCannotBeReadOrWrittenAreSix) {
  const std::string whole = fmt::format("run k.comp {} ", kWhole);
  EXPECT_EQ(lanewise("run none.comp 2>&1").code, 6);
  const Ran none = lanewise(whole + "--buffer 0:1=none.bin 2>&1"), binding = lanewise(whole + "--buffer 0:1=0:0 2>&1");
  EXPECT_EQ(none.code, 6);
  EXPECT_THAT(none.text, Not(HasSubstr("same:")));
  EXPECT_EQ(binding.code, 6);
  EXPECT_THAT(binding.text, HasSubstr("same:0:0 is what 0:0 has"));
  EXPECT_EQ(lanewise(whole + "--out 0:1=none/o.bin:28 2>&1").code, 6);
  EXPECT_EQ(lanewise("run k.comp --push @none 2>&1").code, 6);
}

TEST_F(Run, AnEndlessLoopIsCut) {
  write("loop.comp",
        "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer O { uint o; };\nvoid main() { while (o != 1) o += 2; }\n");
  const Ran steps = lanewise("run loop.comp --buffer 0:0=u32:0 --max-steps 10000 2>&1");
  EXPECT_EQ(steps.code, 1) << steps.text;
  EXPECT_THAT(steps.text, HasSubstr("the step limit of 10000"));
  EXPECT_THAT(steps.text, HasSubstr("loop.comp"));
  const Ran time = lanewise("run loop.comp --buffer 0:0=u32:0 --out 0:0=o.bin --timeout 0.3 2>&1");
  EXPECT_EQ(time.code, 4) << time.text;
  EXPECT_FALSE(fs::exists(folder_ / "o.bin"));
  const Ran interrupted = lanewise("run loop.comp --buffer 0:0=u32:0 --out 0:0=o.bin 2>&1", "timeout --preserve-status --signal=INT 1");
  EXPECT_EQ(interrupted.code, 130) << interrupted.text;
}

TEST_F(Run, AssemblyAndBinaryAreTheSameModule) {
  write("a.spvasm",
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"go\"\nOpExecutionMode %f LocalSize 1 1 1\n"
        "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  EXPECT_EQ(lanewise("run a.spvasm 2>&1").code, 0) << "the only entry point is taken";
  const std::string inspected = lanewise("inspect a.spvasm").text;
  EXPECT_THAT(inspected, HasSubstr("entry point go: workgroups of 1x1x1"));
  EXPECT_THAT(inspected, HasSubstr("lanewise run a.spvasm --entry go --groups 1,1,1"));
}

TEST_F(Run, AddressesLeadToMemoryWithoutABinding) {
  write("node.comp", R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430) buffer Node { uint v[]; };
layout(push_constant) uniform Push { Node node; };
void main() { node.v[gl_LocalInvocationIndex] += 10; }
)");
  const Ran ran = lanewise("run node.comp --push addr:nodes+4 --memory nodes=u32:0,1,2,3,4 --out nodes=- 2>/dev/null");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_EQ(ran.text, "0 11 12 13 14\n");
  EXPECT_EQ(lanewise("run node.comp --push addr:other --memory nodes=u32:0 2>&1").code, 2);
}

TEST_F(Run, DebugPrintfIsShown) {
  write("p.comp", R"(#version 460
#extension GL_EXT_debug_printf : require
layout(local_size_x = 2) in;
void main() { debugPrintfEXT("i=%u", gl_GlobalInvocationID.x); }
)");
  EXPECT_THAT(lanewise("run p.comp").text, HasSubstr("printed by (1, 0, 0): i=1"));
  const auto json = nlohmann::json::parse(lanewise("run p.comp --json").text);
  EXPECT_EQ(json["sides"][0]["printed"][0]["text"], "i=0");
}

TEST_F(Run, InspectSaysWhatTheModuleNeedsAndItsCommandWorks) {
  const Ran ran = lanewise("inspect k.comp");
  ASSERT_EQ(ran.code, 0) << ran.text;
  for (const char* says : {"0:0 (source)  storage buffer, read only, 0 bytes and 4 for each element of a", "uint[] a   (stride 4)",
                           "3  uint SCALE = 2", "push constants, 8 bytes", "model: yes", "image2D, r32f, write only"})
    EXPECT_THAT(ran.text, HasSubstr(says));
  const std::size_t at = ran.text.find("lanewise run ");
  ASSERT_NE(at, std::string::npos);
  const std::string command = ran.text.substr(at + 9, ran.text.find('\n', at) - at - 9);
  const Ran pasted = lanewise(command + " 2>&1");
  EXPECT_EQ(pasted.code, 0) << command << "\n" << pasted.text;
  const auto json = nlohmann::json::parse(lanewise("inspect k.comp --json").text);
  EXPECT_EQ(json["entryPoints"][0]["command"], "lanewise " + command);
  EXPECT_EQ(json["entryPoints"][0]["bindings"].size(), 4u);
}

TEST_F(Run, InspectListsWhatDevicesMayDifferIn) {
  write("f.comp", R"(#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer O { float o[]; }; layout(binding = 2) readonly buffer I { float i[]; };
layout(binding = 1, rgba8) uniform image2D im;
void main() {
  o[0] = sqrt(o[1]);
  o[2] = o[3] / o[4];
  o[5] = o[6] * o[7] + o[8];
  precise float p = i[0] * i[1] + i[2];
  o[9] = p;
  o[10] = o[11] + o[12];
  imageStore(im, ivec2(0), vec4(o[0]));
  o[13] = uintBitsToFloat(floatBitsToUint(o[14]) + 1u);
}
)");
  const std::string text = lanewise("inspect f.comp").text;
  EXPECT_THAT(text, HasSubstr("f.comp:6  Sqrt"));
  EXPECT_THAT(text, HasSubstr("f.comp:7  OpFDiv: 2.5 ULP"));
  EXPECT_THAT(text, HasSubstr("f.comp:8  OpFMul OpFAdd"));
  EXPECT_THAT(text, HasSubstr("f.comp:12  OpImageWrite R8G8B8A8_UNORM"));
  for (const char* pinned : {"f.comp:9 ", "f.comp:11 ", "f.comp:13 "}) EXPECT_THAT(text, Not(HasSubstr(pinned)));
}

// Element 4 of an array of four is outside of it, element 3 is not; nor is element 4 of one whose length the buffer decides.
TEST_F(Run, InspectListsConstantIndicesOutsideOfABuffersArray) {
  const auto with = [&](const char* array, int index) {
    write("a.spvasm", fmt::format(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %b
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
%index = OpConstant %uint {}
%array = {}
%block = OpTypeStruct %uint %array
%pointer = OpTypePointer StorageBuffer %block
%word = OpTypePointer StorageBuffer %uint
%b = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%at = OpAccessChain %word %b %one %index
OpStore %at %four
OpReturn
OpFunctionEnd
)",
                                  index, array));
    return lanewise("inspect a.spvasm").text;
  };
  EXPECT_THAT(with("OpTypeArray %uint %four", 4), HasSubstr("OpAccessChain: outside of a buffer a load may give any of its values"));
  EXPECT_THAT(with("OpTypeArray %uint %four", 3), HasSubstr("no instruction leaves its result to the device"));
  EXPECT_THAT(with("OpTypeRuntimeArray %uint", 4), HasSubstr("no instruction leaves its result to the device"));
}

#ifdef LANEWISE_GPU
TEST_F(Run, ModelAndLavapipeAreCompared) {
  const Ran same = lanewise(fmt::format("run k.comp {} --out 0:1=o.bin:28 --device model,lavapipe --diff 2>&1", kWhole));
  EXPECT_EQ(same.code, 0) << same.text;
  EXPECT_THAT(same.text, HasSubstr("no difference between the 2 sides"));
  EXPECT_EQ(read("o.bin"), read("o.lavapipe.bin"));
  write("size.comp",
        "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer O { "
        "uint o; };\nvoid main() { o = gl_SubgroupSize; }\n");
  const Ran differs = lanewise("run size.comp --out 0:0=o.bin --device model,lavapipe --diff 2>&1");
  EXPECT_EQ(differs.code, 1) << differs.text;
  EXPECT_THAT(differs.text, HasSubstr("byte 0 o: model 32, lavapipe"));
  EXPECT_EQ(lanewise("run size.comp --out 0:0=o.bin --device none 2>&1").code, 4);
  EXPECT_THAT(lanewise("inspect size.comp --device model,lavapipe").text, HasSubstr("lavapipe: yes"));
}
#endif

}  // namespace
}  // namespace lanewise
