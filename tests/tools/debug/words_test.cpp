// What people write at `lanewise debug`: the names that `run` takes, words too many, words missing; and where a wait is shown.
#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DebugWords : public DebugScratch {};

constexpr const char* kNamed = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { uint taken[]; };
layout(binding = 1) buffer Out { uint sums[]; } result;
layout(binding = 2) buffer Parts { uint part; } parts[2];
void main() {
  uint i = gl_GlobalInvocationID.x;
  result.sums[i] = taken[i] + 1u;
  if (i == 0u) parts[1].part = 9u;
}
)";

// A binding is known by its numbers, its variable, its block and the block's members.
TEST_F(DebugWords, ResourcesHaveTheNamesThatRunTakes) {
  write("named.comp", kNamed);
  const std::string subject = "named.comp --buffer In=u32:1..4 --out result=-:16 --buffer parts:0=u32:5 --buffer parts:1=u32:6";
  const std::string writer = "last written by invocation 2,0,0\n";
  for (const char* name : {"Out", "result", "0:1", "0:1:0", "sums", "result:0"}) {
    const Ran ran = debug(subject, "end\nwriter " + std::string(name) + " 8\nshow " + name + " 8\n");
    EXPECT_EQ(ran.code, 0) << name << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("(lanewise) writer " + std::string(name) + " 8\n" + writer)) << name;
  }
  const Ran ran =
      debug(subject,
            "watch Out 4\nprint Out.sums[1]\nprint result.sums[1]\nprint In.taken[2]\nend\nwriter parts:1 0\nwriter parts[1] 0\n"
            "writer parts:0 0\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("1: change of Out 4"), HasSubstr("uint Out.sums[1] = not written yet"),
                              HasSubstr("uint In.taken[2] = 3"), HasSubstr("(lanewise) writer parts[1] 0\nnobody has written"),
                              HasSubstr("(lanewise) writer parts:1 0\nlast written by invocation 0,0,0\n  6 becomes 9\n"),
                              HasSubstr("nobody has written parts:0 0 before")));
  const Ran wrong = debug(subject, "writer Output 4\nwriter result:1 4\nwriter parts:2 0\nprint Output.sums[0]\nwriter 0:7 0\n");
  EXPECT_EQ(wrong.code, 2);
  for (const char* part : {"there is no resource 'Output'", "there is no resource 'result:1'", "there is no resource 'parts:2'",
                           "there is no variable 'Output' here", "there is no resource '0:7'"})
    EXPECT_THAT(wrong.text, HasSubstr(part));
}

// As its source indexes it: in SPIR-V it is a block with an array.
TEST_F(DebugWords, ABufferOfHlslIsIndexed) {
  write("twice.hlsl",
        "RWStructuredBuffer<uint> data : register(u0);\n[numthreads(4, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n"
        "  data[id.x] *= 2;\n}\n");
  const Ran ran =
      debug("twice.hlsl --buffer data=u32:5..8", "print data[1] + 1u\nwatch data[2]\ncontinue\nwriter data 12\nend\nwriter data 12\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("uint data[1] + 1u = 7"), HasSubstr("breakpoint 1: invocation 2,0,0"), HasSubstr("7 becomes 14"),
                              HasSubstr("8 becomes 16")));
  EXPECT_EQ(debug("twice.hlsl --buffer data=u32:5..8", "print data[4]\n").code, 2);
}

// Its functions and variables are those of the source, as in GLSL. So is what takes a texture as a parameter.
TEST_F(DebugWords, VariablesOfHlslHaveTheirNames) {
  const std::string kernel = R"(#include "pair.hlsli"
RWStructuredBuffer<uint> data : register(u0);
groupshared uint sums[8];
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex) {
  sums[i] = data[id.x];
  GroupMemoryBarrierWithGroupSync();
  for (uint n = COUNT; n > 0; n /= 2) {
    if (i < n) sums[i] = pair(sums[i], sums[i + n]);
    GroupMemoryBarrierWithGroupSync();
  }
  float2 scaled = float2(id.x, i) * 0.5;
  data[id.x] = sums[i] + (uint)scaled.y;
}
)";
  write("pair.hlsli", "uint pair(uint a, uint b) {\n  uint both = a + b;\n  return both;\n}\n");
  write("sum.hlsl", kernel);
  const std::string commands =
      "break pair\ncontinue\nnext\nprint both\nprint a\nup\nprint n\nprint i\nfinish\ndelete 1\nbreak 13\ncontinue\nprint scaled\nset "
      "scaled.y "
      "= 64\n"
      "lanes sums[i]\nend\nwriter 0:0 0\n";
  const Ran ran = debug("sum.hlsl -D COUNT=4 --buffer 0:0=u32:1..8", commands);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("in pair, invocation 0,0,0\n"), HasSubstr("uint both = 6\n"), HasSubstr("uint a = 1\n"),
                              HasSubstr("uint n = 4\n"), HasSubstr("uint i = 0\n"), HasSubstr("float2 scaled = (0, 0)\n"),
                              HasSubstr("36 20 10 12  5  6  7  8\n"), HasSubstr("  1 becomes 100\n")));
  write("passed.hlsl",
        "void twice(RWTexture2D<uint> all, uint i) {\n  uint old = all[uint2(i, 0)];\n  all[uint2(i, 0)] = old + 2;\n}\n"
        "RWTexture2D<uint> data : register(u0);\n[numthreads(4, 1, 1)]\n"
        "void main(uint3 id : SV_DispatchThreadID) {\n  twice(data, id.x);\n}\n");
  const Ran passed = debug("passed.hlsl --image 0:0=zeros:r32ui:4x1", "end\nwriter 0:0 2,0\nprint old\n");
  EXPECT_THAT(passed.text, AllOf(HasSubstr("  (0, 0, 0, 1) becomes (2, 0, 0, 1)\npassed.hlsl:3 in twice"), HasSubstr("uint old = 0\n")));
  const Ran fast = debug("sum.hlsl -O -D COUNT=4 --buffer 0:0=u32:1..8", "end\nwriter 0:0 0\nprint scaled\n");
  EXPECT_THAT(fast.text, AllOf(HasSubstr("  1 becomes 36\n"), HasSubstr("there is no variable 'scaled' here")));
}

// glslang and DXC call what the author wrote from an entry point of their own. Nobody steps through that, or sees it.
TEST_F(DebugWords, TheWrapperOfAnEntryPointOfHlslIsNotShown) {
  write("sums.hlsl", R"(RWStructuredBuffer<uint> data : register(u0);
groupshared uint sums[4];
uint twice(uint v) { return v * 2; }
[numthreads(4, 1, 1)]
void run(uint i : SV_GroupIndex) {
  uint mine = twice(data[i]);
  sums[i] = mine;
  GroupMemoryBarrierWithGroupSync();
  data[i] = sums[i] + sums[i ^ 1];
}
)");
  const Ran ran = debug("sums.hlsl --entry run --buffer 0:0=u32:1..4",
                        "next\nnext\nprint mine\nbacktrace\nstep\nstep\nreverse-next\nup\nbreak run\nstart\nprint data\nshow data 4\ninfo "
                        "functions\nfinish\nreverse-step\n");
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("sums.hlsl:6 in run, invocation 0,0,0\n>    6    uint mine"), HasSubstr("uint mine = 2\n"),
                    HasSubstr(">#0 run at sums.hlsl:8\n(lanewise)"), HasSubstr("there is no frame 1"),
                    HasSubstr("breakpoint 1: function run, 1 place\n"), HasSubstr("uint[] data = {1, 2, 3, 4}\n"),
                    HasSubstr("  data[1] = 2\n"), HasSubstr("info functions\nrun\ntwice\n"), HasSubstr("invocation 0,0,0 ends here\n")));
  EXPECT_THAT(ran.text, Not(HasSubstr("@")));
}

// Code that sets globals has no function of the author's, but lines.
TEST_F(DebugWords, GlobalsOfHlslThatReadABufferAreSteppedThrough) {
  write("first.hlsl", R"(RWStructuredBuffer<uint> data : register(u0);
static uint first = data[1];
static uint second = first * 3 + data[2];
[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint mine = data[id.x];
  data[id.x] = mine + second;
}
)");
  const Ran ran = debug("first.hlsl --buffer 0:0=u32:1..4", "next\nnext\nprint first\nprint second\nnext\nprint mine\nend\nwriter 0:0 8\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("first.hlsl:2 in main, invocation 0,0,0\n>    2  static uint first"),
                              HasSubstr(">    3  static uint second"), HasSubstr("uint first = 2\n"), HasSubstr("uint second = 9\n"),
                              HasSubstr("uint mine = 1\n"), HasSubstr("  3 becomes 12\nfirst.hlsl:7 in main")));
}

// It also sets the globals, whose lines the author wrote.
TEST_F(DebugWords, TheInitializersOfGlobalsOfHlslAreStops) {
  write("global.spvasm", R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %data %first
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "w.hlsl"
OpName %main "main"
OpName %own "@main("
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%B = OpTypeStruct %uint
%pB = OpTypePointer StorageBuffer %B
%pu = OpTypePointer StorageBuffer %uint
%pp = OpTypePointer Private %uint
%data = OpVariable %pB StorageBuffer
%first = OpVariable %pp Private
%main = OpFunction %void None %fn
%e = OpLabel
OpLine %file 2 0
%at = OpAccessChain %pu %data %u0
%was = OpLoad %uint %at
OpStore %first %was
OpLine %file 5 0
%call = OpFunctionCall %void %own
OpReturn
OpFunctionEnd
OpLine %file 5 9
%own = OpFunction %void None %fn
%b = OpLabel
OpLine %file 6 0
%value = OpLoad %uint %first
%sum = OpIAdd %uint %value %value
%to = OpAccessChain %pu %data %u0
OpStore %to %sum
OpReturn
OpFunctionEnd
)");
  const Ran ran = debug("global.spvasm --buffer 0:0=u32:7", "backtrace\nnext\nbacktrace\nbreak main\nreverse-next\nbreak 2\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("(lanewise) backtrace\n>#0 main at w.hlsl:2\n(lanewise) next\n"),
                              HasSubstr("(lanewise) backtrace\n>#0 main at w.hlsl:6\n(lanewise) break main\n"),
                              HasSubstr("breakpoint 1: function main, 1 place\n"), HasSubstr("w.hlsl:2"),
                              HasSubstr("breakpoint 2: line 2, 1 place\n")));
  EXPECT_THAT(ran.text, Not(HasSubstr("w.hlsl:5")));
}

TEST_F(DebugWords, WhatIsMissingOrTooMuchIsSaid) {
  write("named.comp", kNamed);
  const std::string subject = "named.comp --buffer 0:0=u32:1..4 --out 0:1=-:16 --buffer parts:0=u32:5 --buffer parts:1=u32:6";
  const std::pair<const char*, const char*> kWrong[] = {{"break 8 if", "there is no condition behind 'if'"},
                                                        {"break if", "there is no condition behind 'if'"},
                                                        {"watch result.sums[0] if", "there is no condition behind 'if'"},
                                                        {"catch nan if ", "there is no condition behind 'if'"},
                                                        {"catch findings if i == 1u", "'findings' takes no condition"},
                                                        {"list 5,1", "'5,1' is neither a line nor two"},
                                                        {"list 0", "'0' is neither a line nor two"},
                                                        {"list main", "'main' is neither a line nor two"},
                                                        {"list 99", "the source has 10 lines"},
                                                        {"time 9.9.9", "there is no dispatch 9: the run has 1"},
                                                        {"time 0.2.0", "dispatch 0 opens 1 workgroup"},
                                                        {"time now", "'now' is no moment"},
                                                        {"finding 1 2", "nothing was found at '1 2'"},
                                                        {"finding named.comp:8 other", "nothing was found at 'named.comp:8'"},
                                                        {"finding 99999999999", "there is no finding"},
                                                        {"finding 0", "there is no finding"}};
  for (const auto& [command, says] : kWrong) {
    const Ran ran = debug(subject, std::string(command) + "\n");
    EXPECT_EQ(ran.code, 2) << command << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says)) << command;
  }
  const Ran right = debug(subject, "list 7,8\nlist 2\nlist\nlist\ntime 0.1.99999\nbreak 8 if i == 1u\ncondition 1\n");
  EXPECT_EQ(right.code, 0) << right.text;
  EXPECT_THAT(right.text, AllOf(HasSubstr("(lanewise) list 7,8\n>    7    uint i = gl_GlobalInvocationID.x;\n"
                                          "     8    result.sums[i] = taken[i] + 1u;\n(lanewise) list 2\n     1  #version 450\n"),
                                HasSubstr("the source ends here"), HasSubstr("1: line 8, 1 place\n")));
}

constexpr const char* kWaits = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Flag { uint flag; };
layout(binding = 1) buffer Result { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i == 5u) {
    while (atomicAdd(flag, 0u) == 0u) {
    }
  }
  result[i] = i;
}
)";

// Not one of those that have returned, or that wait for it.
TEST_F(DebugWords, AWaitIsShownAtALaneThatWaits) {
  write("waits.comp", kWaits);
  for (const char* schedule : {"in-order", "lanes", "lanes-reverse", "interleave:seed:1@2"}) {
    const Ran ran = debug("waits.comp --groups 2 --buffer 0:0=u32:0 --out 0:1=-:512 --schedule " + std::string(schedule),
                          "end\nlist\nprint i\ninfo lanes\nreverse-step\n");
    EXPECT_THAT(ran.text, AllOf(HasSubstr("the run ends with an error"), HasSubstr("waits.comp:8 in main, invocation 5,0,0\n"),
                                HasSubstr(">    8      while (atomicAdd(flag, 0u) == 0u) {\n     9      }\n"), HasSubstr("uint i = 5\n")))
        << schedule;
  }
  // At the end of a run that ends well there is the source too.
  const Ran ends = debug("waits.comp --groups 2 --buffer 0:0=u32:1 --out 0:1=-:512", "end\nlist\n");
  EXPECT_EQ(ends.code, 0);
  EXPECT_THAT(ends.text, HasSubstr("the run is over\n(lanewise) list\n     1  #version 450\n"));
}

}  // namespace
}  // namespace lanewise
