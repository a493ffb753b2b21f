// A resource by the name that its job gives it, at every command that looks at something; types of 8, 16 and 64 bits; names that mean
// several things, or nothing.
#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DebugNames : public DebugScratch {};

const char* const kBlur = "'box-blur/double/naive @ 5x3 radius=1 edge=clamp input=ramp'";

// In the second dispatch the kernel's `source` is the job's `rows`.
TEST_F(DebugNames, ATexelHasTheNamesOfTheJobAndOfTheKernel) {
  const Ran ran =
      debug(kBlur,
            "print rows 3,2\nprint rows[3,2]\nwhy rows[3,2]\nglobal 0,0,0 1\nprint rows 3,2\nprint rows[3,2]\nprint source[3,2]\n"
            "print rows[1+2,2].y * 2\nlanes/x rows[0,0].x\ndisplay rows 3,2\nhistory rows 3,2\nwhy rows[3,2]\nend\n"
            "print rows[3,2]\nprint rows 3,2\nwhy blurred[3,2]\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  const auto after = [&](const std::string& command, std::size_t from = 0) {
    const std::size_t at = ran.text.find("(lanewise) " + command + "\n", from) + command.size() + 12;
    return ran.text.substr(at, ran.text.find('\n', at) - at);
  };
  EXPECT_EQ(after("print rows 3,2"), "uvec4 rows 3,2 = (?, ?, ?, ?)");
  EXPECT_EQ(after("print rows[3,2]"), "uvec4 rows[3,2] = (?, ?, ?, ?)");
  EXPECT_EQ(after("why rows[3,2]"), "nobody has written rows[3,2] before");
  const std::size_t second = ran.text.find("global 0,0,0 1");
  const std::string value = after("print source[3,2]", second).substr(20);
  EXPECT_THAT(value, Not(HasSubstr("?")));
  EXPECT_EQ(after("print rows 3,2", second), "uvec4 rows 3,2 = " + value);
  EXPECT_EQ(after("print rows[3,2]", second), "uvec4 rows[3,2] = " + value);
  EXPECT_EQ(after("display rows 3,2"), "  1: uvec4 rows 3,2 = " + value);
  EXPECT_THAT(after("history rows 3,2"), HasSubstr("3,2,0 at box_blur.glsl"));
  EXPECT_EQ(after("why rows[3,2]", second), "last written by invocation 3,2,0");
  const std::size_t end = ran.text.find("the run is over");
  EXPECT_EQ(after("print rows[3,2]", end), "uvec4 rows[3,2] = " + value);
  EXPECT_EQ(after("print rows 3,2", end), "uvec4 rows 3,2 = " + value);
  EXPECT_EQ(after("why blurred[3,2]", end), "last written by invocation 3,2,0");
}

// A blank before a digit does not make a resource of what stands before it.
TEST_F(DebugNames, ABlankBeforeADigitIsNoPlace) {
  write("blanks.comp", R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Out { uint data[]; } given;
void main() {
  uint x = gl_LocalInvocationIndex + 5u;
  given.data[gl_LocalInvocationIndex] = x;
}
)");
  const Ran ran = debug("blanks.comp --buffer given=u32:1..4",
                        "break 6\ncontinue\nprint min(x, 3u)\nprint uvec2(x, 3)\nprint x- 1\nprint x== 3u\nprint - 5\n"
                        "print given.data[ 1]\nprint given.data[1 ]+ 0u\ndisplay x* 2u\nwatch given.data[ 1]\nprint given 4\n"
                        "print 0:0 4\nprint given x\n");
  EXPECT_EQ(ran.code, 2);  // of the last one alone
  for (const char* part : {"uint min(x, 3u) = 3\n", "uvec2 uvec2(x, 3) = (5, 3)\n", "uint x- 1 = 4\n", "bool x== 3u = false\n",
                           "int - 5 = -5\n", "uint given.data[ 1] = 2\n", "uint given.data[1 ]+ 0u = 2\n", "  1: uint x* 2u = 10\n",
                           "2: change of given.data[ 1]\n", "uint given 4 = 2\n", "uint 0:0 4 = 2\n"})
    EXPECT_THAT(ran.text, HasSubstr(part));
  EXPECT_THAT(ran.text, AllOf(Not(HasSubstr("there is no resource")), HasSubstr("print given x\nerror: ")));
  const Ran texels = debug(kBlur,
                           "print source[1, 2]\nprint source[1,2]\nprint rows[0, 0]\nprint rows[3, 2] level 0\nprint source 1, 2\n"
                           "display source[1, 2]\nwhy rows[3, 2]\n");
  EXPECT_EQ(texels.code, 0) << texels.text;
  const std::size_t at = texels.text.find("source[1,2] = ") + 14;
  const std::string value = texels.text.substr(at, texels.text.find('\n', at) - at);
  EXPECT_THAT(texels.text, AllOf(HasSubstr("uvec4 source[1, 2] = " + value + "\n"), HasSubstr("uvec4 rows[0, 0] = (?, ?, ?, ?)\n"),
                                 HasSubstr("uvec4 rows[3, 2] level 0 = (?, ?, ?, ?)\n"), HasSubstr("uvec4 source 1, 2 = " + value + "\n"),
                                 HasSubstr("  1: uvec4 source[1, 2] = " + value)));
}

// The layer of an image of one dimension comes second; a byte of a picture is what the session's profile makes of it.
TEST_F(DebugNames, BothSpellingsOfATexelAreOne) {
  write("layers.comp", R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0, r32ui) uniform uimage1DArray rows;
layout(binding = 1, rgba8) uniform readonly image2D source;
void main() {
  int x = int(gl_LocalInvocationIndex);
  for (int layer = 0; layer < 3; ++layer)
    imageStore(rows, ivec2(x, layer), uvec4(10 * layer + x + int(imageLoad(source, ivec2(0)).y)));
}
)");
  const std::string job = "layers.comp --image rows=zeros:r32ui:4x1:layers=3 --image source=u8:7,0,0,255:rgba8:1x1 --profile ";
  for (const auto& [profile, value] : {std::pair("strict", "(0.02745098, 0, 0, 1)"), std::pair("adverse", "(0.027450982, 0, 0, 1)")}) {
    const Ran ran = debug(job + profile,
                          "end\nprint rows[1,2]\nprint rows 1,2\nprint rows 1,0,2\nshow rows 1,2\nwhy rows 1,2\nend\nwhy rows[1,2]\n"
                          "print source[0,0]\nprint source 0,0\nshow source\nprint rows 1,3\nprint rows[1,3]\nprint rows 1,1,2\n");
    for (const char* part :
         {"rows[1,2] = (21, 0, 0, 1)\n", "uint rows 1,2 = 21\n", "uint rows 1,0,2 = 21\n", "from 1,0 on, slice 2",
          "(lanewise) why rows 1,2\nlast written by invocation 1,0,0\n", "(lanewise) why rows[1,2]\nlast written by invocation 1,0,0\n",
          "print rows 1,3\nerror: level 0 of ", "print rows 1,1,2\nerror: level 0 of "})
      EXPECT_THAT(ran.text, HasSubstr(part));
    EXPECT_THAT(ran.text, AllOf(HasSubstr(std::string("source[0,0] = ") + value), HasSubstr(std::string("source 0,0 = ") + value),
                                HasSubstr(std::string("     0: ") + value)));
  }
}

TEST_F(DebugNames, WatchesConditionsAndSetTakeThemToo) {
  const Ran ran =
      debug(kBlur,
            "watch rows[3,2]\nwatch rows 4,2\nbreak writeMean if source[0,0].x >= 0u && blurred[0,0].x >= 0u\ninfo breakpoints\n"
            "delete 3\ncontinue\nset rows[3,2] = uvec4(1, 2, 3, 4)\nprint rows 3,2\nunset\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("1: change of rows[3,2]\n2: change of rows 4,2\n"), HasSubstr("breakpoint 1: invocation 3,2,0"),
                              HasSubstr("uvec4 rows[3,2] = (1, 2, 3, 4)"), HasSubstr("uvec4 rows 3,2 = (1, 2, 3, 4)")));
}

TEST_F(DebugNames, WrongNamesAndPlacesGetOneErrorThatListsWhatThereIs) {
  const Ran ran =
      debug(kBlur,
            "print lines 3,2\nprint rows 9,2\nprint rows[9,2]\nprint rows[-1,0]\nprint rows[3]\nprint rows\nprint rows x,2\n"
            "print rows 3,2 level 1\nprint rows[3,2] level 1\nprint rows[3,2] level x\nwatch lines 3,2\nbreak main if lines[0,0].x == 1u\n"
            "why rows\nhistory rows\nprint lines[3,2]\n");
  EXPECT_EQ(ran.code, 2);
  for (const char* part : {"(lanewise) print lines 3,2\nerror: there is no resource 'lines'; one of source, rows, blurred\n",
                           "(lanewise) print rows 9,2\nerror: level 0 of 'rows' has 5x3x1 texels\n",
                           "(lanewise) print rows[9,2]\nerror: level 0 of 'rows' has 5x3x1 texels (column 5)\n",
                           "(lanewise) print rows[-1,0]\nerror: level 0 of 'rows' has 5x3x1 texels (column 5)\n",
                           "(lanewise) print rows[3]\nerror: a texel of 'rows' has 2 coordinates (column 5)\n",
                           "(lanewise) print rows\nerror: 'rows' is an image of 5x3 texels (column 1); name one of them: rows[0, 0]\n",
                           "(lanewise) print rows 3,2 level 1\nerror: 'rows' has 1 levels\n",
                           "(lanewise) print rows[3,2] level 1\nerror: 'rows' has 1 levels\n",
                           "(lanewise) print rows[3,2] level x\nerror: '3,2 level x' is no place in a resource",
                           "there is no variable 'lines' there", "(lanewise) watch lines 3,2\nerror: there is no resource 'lines'",
                           "(lanewise) print lines[3,2]\nerror: there is no variable 'lines' here"})
    EXPECT_THAT(ran.text, HasSubstr(part));
}

constexpr const char* kTwo = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { uint data[]; } taken;
layout(binding = 1) buffer Out { uint data[]; } given;
void main() { given.data[gl_LocalInvocationIndex] = taken.data[gl_LocalInvocationIndex] + 1u; }
)";

// A member of two blocks was the first of them.
TEST_F(DebugNames, AMemberOfTwoBlocksIsAmbiguous) {
  write("two.comp", kTwo);
  const Ran ran = debug("two.comp --buffer taken=u32:1..4 --buffer given=zeros:16", "end\nwriter data 4\nprint data 4\nwriter given 4\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("(lanewise) writer data 4\nerror: 'data' may mean the resources 0:1, 0:0; name one of them\n"),
                              HasSubstr("(lanewise) print data 4\nerror: 'data' may mean"), HasSubstr("last written by invocation 1,0,0")));
  const Ran trace = shell("cd " + folder_.string() +
                          " && " LANEWISE_PROGRAM " trace two.comp --buffer taken=u32:1..4 --buffer given=zeros:16 --resource data 2>&1");
  EXPECT_EQ(trace.code, 2);
  EXPECT_THAT(trace.text, HasSubstr("'data' may mean the resources 0:1, 0:0 (--resource)"));
}

// At the end no invocation has a place, but what the last dispatch is bound to has values.
TEST_F(DebugNames, ResourcesHaveValuesWhereTheRunIsOver) {
  write("two.comp", kTwo);
  const Ran ran = debug("two.comp --buffer taken=u32:1..4 --buffer given=zeros:16",
                        "end\nprint given.data[1]\nprint Out.data[2] + 1u\nwhy given.data[1]\nend\nprint gl_LocalInvocationIndex\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("uint given.data[1] = 3\n"), HasSubstr("uint Out.data[2] + 1u = 5\n"),
                              HasSubstr("last written by invocation 1,0,0"), HasSubstr("is over; go back")));
}

// One buffer at two bindings is no variable of its own.
TEST_F(DebugNames, AScriptsBufferIsTheVariableThatItIsBoundTo) {
  write("script.amber", R"(#!amber
SHADER compute kernel GLSL
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; } one;
layout(binding = 1) buffer B { uint b[]; } two;
layout(binding = 2) buffer C { double c[]; } three;
void main() { uint i = gl_LocalInvocationIndex; one.a[i] = i + 5u + two.b[i] * 0u; three.c[i] = double(i) / 2.0; }
END
BUFFER numbers DATA_TYPE uint32 SIZE 4 FILL 0
BUFFER reals DATA_TYPE double SIZE 4 FILL 0
PIPELINE compute pipe
  ATTACH kernel
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER reals AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN pipe 1 1 1
EXPECT numbers IDX 0 EQ 5 6 7 8
)");
  const Ran ran = debug(
      "script.amber", "print numbers\nprint reals.c[1]\nwatch reals 17\ncontinue\nend\nprint numbers 8\nprint reals 8\nwriter reals 12\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("error: the buffer 'numbers' is bound to several variables here (column 1); one of one, two\n"),
                              HasSubstr("double reals.c[1] = 0\n"), HasSubstr("breakpoint 1: invocation 2,0,0\n  0 becomes 1\n"),
                              HasSubstr("uint numbers 8 = 7\n"), HasSubstr("double reals 8 = 0.5\n"),
                              HasSubstr("last written by invocation 1,0,0\n  0 becomes 0.5\n")));
}

TEST_F(DebugNames, NarrowTypesAreShownAsWhatTheyAre) {
  write("narrow.comp", R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer H { float16_t halves[]; };
layout(binding = 1) buffer B { int8_t bytes[]; };
layout(binding = 2) buffer L { int64_t longs[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float16_t h = float16_t(i) + float16_t(0.5);
  halves[i] = h;
  bytes[i] = int8_t(-int(i));
  longs[i] = -10000000000l * int64_t(i);
}
)");
  const Ran ran =
      debug("narrow.comp --buffer 0:0=zeros:8 --buffer 0:1=zeros:4 --buffer 0:2=zeros:32",
            "break 12\ncontinue\nprint/x h\nprint h + 1\nwatch halves[2]\ncontinue\nhistory halves[1]\nend\nprint H 2\nprint 0:1 3\n"
            "print/x bytes[3]\nprint longs 8\nwriter B 3\nend\nwriter longs 12\nprint 5l + 1ul\nprint 1.0LF / 4\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  for (const char* part :
       {"float h = 0x3800\n", "float h + 1 = 1.5\n", "breakpoint 2: invocation 2,0,0\n  0 becomes 2.5\n", "in main: 0 becomes 1.5\n",
        "float H 2 = 1.5\n", "int 0:1 3 = -3\n", "bytes[3] = 0xfd\n", "int64_t longs 8 = -10000000000\n",
        "last written by invocation 3,0,0\n  0 becomes -3\n", "last written by invocation 1,0,0\n  0 becomes -10000000000\n",
        "uint64_t 5l + 1ul = 6\n", "double 1.0LF / 4 = 0.25\n"})
    EXPECT_THAT(ran.text, HasSubstr(part));
}

TEST_F(DebugNames, AConditionThatMeansNothingIsRefusedLaterToo) {
  write("two.comp", kTwo);
  const Ran ran =
      debug("two.comp --buffer taken=u32:1..4 --buffer given=zeros:16",
            "break 5 if gl_LocalInvocationIndex == 1u\ncondition 1 colour == 3u\ninfo breakpoints\ncondition 9 true\ncondition 1\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("error: there is no variable 'colour' there (column 1)"),
                              HasSubstr("1: line 5, 1 place, if gl_LocalInvocationIndex == 1u\n"), HasSubstr("there is no breakpoint 9"),
                              HasSubstr("breakpoint 1: line 5, 1 place\n")));
}

// Without the numbers that were dropped or deleted being given again.
TEST_F(DebugNames, NumbersOfWhatAReloadDropsAreNotUsedAgain) {
  write("two.comp", kTwo);
  const Ran ran = debug("two.comp --buffer taken=u32:1..4 --buffer given=zeros:16",
                        "break 5\nwatch given.data[0]\ncontinue\nwatch given.data[gl_LocalInvocationIndex]\nfocus 2,0,0\nreload\nbreak 5\n"
                        "delete 4\nreload\nbreak 5\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("dropped: breakpoint 3"), HasSubstr("breakpoint 4: line 5"), HasSubstr("breakpoint 5: line 5")));
}

TEST_F(DebugNames, TheFirstStepOfATraceInJsonHasItsNumber) {
  write("two.comp", kTwo);
  const Ran ran = shell("cd " + folder_.string() +
                        " && " LANEWISE_PROGRAM " trace two.comp --buffer taken=u32:1..4 --buffer given=zeros:16 --json 2>&1 | sed -n 2p");
  EXPECT_THAT(ran.text, testing::StartsWith("{\"step\":1,\"dispatch\":0,"));
}

}  // namespace
}  // namespace lanewise
