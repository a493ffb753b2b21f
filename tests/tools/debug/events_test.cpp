// Stops of `lanewise debug` that are no places: NaN, divergence, prints, races; and what is correct and must not stop.
#include <fmt/format.h>

#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DebugEvents : public DebugScratch {};

constexpr const char* kQuotients = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { float data[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = data[i];
  float r = x / x;
  data[i] = r + 1.0;
}
)";

TEST_F(DebugEvents, ANanStopsWhereItIsComputedAndWhereItIsStored) {
  write("q.comp", kQuotients);
  const Ran ran = debug("q.comp --buffer 0:0=f32:1,0,2,0", "catch nan\ncatch nan stores\ncontinue\ncontinue\ncontinue\nreverse-continue\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, HasSubstr("(lanewise) catch nan\n"
                                  "breakpoint 1: a NaN is computed\n"
                                  "(lanewise) catch nan stores\n"
                                  "breakpoint 2: a NaN is stored\n"
                                  "(lanewise) continue\n"
                                  "breakpoint 1: invocation 1,0,0 and 1 more\n"
                                  "q.comp:7 in main, invocation 1,0,0\n"
                                  ">    7    float r = x / x;\n"
                                  "(lanewise) continue\n"
                                  "breakpoint 2: invocation 1,0,0 and 1 more\n"
                                  ">    8    data[i] = r + 1.0;\n"
                                  "(lanewise) continue\n"
                                  "the run is over\n"
                                  "(lanewise) reverse-continue\n"
                                  "breakpoint 2: invocation 1,0,0 and 1 more\n"));
}

TEST_F(DebugEvents, NumbersAreNoNans) {
  write("q.comp", kQuotients);
  const Ran ran = debug("q.comp --buffer 0:0=f32:1,3,inf,0x7f7fffff", "catch nan if i < 2u\ncatch nan stores if i < 2u\ncontinue\n");
  EXPECT_THAT(ran.text, HasSubstr("(lanewise) continue\nthe run is over\n"));
}

TEST_F(DebugEvents, APrintOfANanStoresNone) {
  write("p.comp", R"(#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Data { float data[]; };
void main() {
  float r = data[0] / data[0];
  debugPrintfEXT("r is %f", r);
  data[1] = r;
}
)");
  const Ran ran = debug("p.comp --buffer 0:0=f32:0,0", "catch nan stores\ncontinue\ncontinue\n");
  EXPECT_THAT(ran.text, HasSubstr("(lanewise) continue\n  printed by 0,0,0: r is nan\nbreakpoint 1: invocation 0,0,0\n"
                                  ">    8    data[1] = r;\n(lanewise) continue\nthe run is over\n"));
}

// Of two that one instruction hits both are told, in both directions; and of those that it does not hit none.
TEST_F(DebugEvents, EveryBreakpointOfAnInstructionIsTold) {
  write("pair.comp", R"(#version 450
layout(local_size_x = 4) in;
struct Pair { uvec2 xy; uint z; };
layout(binding = 0) buffer Data { Pair pairs[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  Pair p = Pair(uvec2(i, i + 10u), i + 20u);
  pairs[i] = p;
  pairs[i].z = 7u;
}
)");
  const std::string subject = "pair.comp --buffer 0:0=zeros:64";
  const std::string told = "breakpoint 1: invocation 1,0,0\n  0 becomes 21\nbreakpoint 2: invocation 3,0,0\n  0 becomes 23\n";
  const std::string shown = "pair.comp:8 in main, invocation 1,0,0\n>    8    pairs[i] = p;\nint 41 + 1 = 42\n";
  const Ran ran = debug(subject,
                        "watch pairs[1].z\nwatch pairs[3].z\nwatch pairs[0].xy.x\ncommands 2 print 41 + 1\ncontinue\ncontinue\ncontinue\n"
                        "reverse-continue\nreverse-continue\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  const std::size_t first = ran.text.find(told + shown);
  ASSERT_NE(first, std::string::npos) << ran.text;
  EXPECT_THAT(
      ran.text.substr(first),
      HasSubstr("(lanewise) continue\nbreakpoint 1: invocation 1,0,0\n  21 becomes 7\nbreakpoint 2: invocation 3,0,0\n  23 becomes 7\n"));
  EXPECT_NE(ran.text.find(told, first + 1), std::string::npos) << ran.text;
  EXPECT_THAT(ran.text, Not(HasSubstr("breakpoint 3: invocation")));
  // Lines as well, each with its own condition.
  const Ran lines = debug(subject, "break 8 if i == 1u\nbreak 8 if i > 1u\nbreak 8 if i > 7u\ntbreak 8\ncontinue\ncontinue\n");
  EXPECT_THAT(lines.text,
              HasSubstr("breakpoint 1: invocation 1,0,0\nbreakpoint 2: invocation 2,0,0 and 1 more\nbreakpoint 4: invocation 0,0,0 and "
                        "3 more\n"));
  EXPECT_THAT(lines.text, HasSubstr("the run is over\n"));
  const Ran wrong = debug(subject, "break 8\nbreak 8 if pairs[9].z == 1u\nbreak 8 if i < 9u\ncontinue\n");
  EXPECT_THAT(wrong.text, HasSubstr("breakpoint 2: invocation 0,0,0 and 3 more\nits condition means nothing here: "));
  EXPECT_THAT(wrong.text, HasSubstr("breakpoint 3: invocation 0,0,0 and 3 more\n>    8"));
  const Ran passed = debug(subject, "break 8\nbreak 8\nignore 1 1\ncontinue\ninfo breakpoints\n");
  EXPECT_THAT(passed.text, AllOf(HasSubstr("breakpoint 2: invocation 0,0,0 and 3 more\n>    8"), HasSubstr("1: line 8, 1 place, 1 hit")));
  const Ran counted = debug(subject, "watch pairs[0].z\nwatch pairs[3].z\nignore 2 1\ncontinue\ncontinue\ninfo breakpoints\n");
  EXPECT_THAT(counted.text,
              AllOf(HasSubstr("breakpoint 1: invocation 0,0,0\n  0 becomes 20\n>    8"),
                    HasSubstr("breakpoint 1: invocation 0,0,0\n  20 becomes 7\nbreakpoint 2: invocation 3,0,0\n  23 becomes 7\n"),
                    HasSubstr("2: change of pairs[3].z, 2 hits")));
}

constexpr const char* kBranches = R"(#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() {
  uint i = gl_LocalInvocationIndex, n = 0u;
  if (data[i] > 1u)
    n = 3u;
  else
    n = 4u;
  debugPrintfEXT("n is %u", n);
  data[i] = n;
}
)";

TEST_F(DebugEvents, DivergenceSaysHowManyGoWhere) {
  write("b.comp", kBranches);
  const Ran ran = debug("b.comp --buffer 0:0=u32:5,0,0,0", "catch divergence\ncontinue\ncontinue\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("breakpoint 1: invocation 0,0,0 and 3 more\n"), HasSubstr("  1 goes to b.comp:8 in main\n"),
                              HasSubstr("  3 go to b.comp:10 in main\n"), HasSubstr("the run is over\n")));
  const Ran together = debug("b.comp --buffer 0:0=u32:5,5,5,5", "catch divergence\ncontinue\n");
  EXPECT_THAT(together.text, AllOf(Not(HasSubstr("breakpoint 1: invocation")), HasSubstr("the run is over\n")));
}

TEST_F(DebugEvents, APrintStopsByHowItBeginsAndPrintsAreShown) {
  write("b.comp", kBranches);
  const Ran ran =
      debug("b.comp --buffer 0:0=u32:5,0,0,0", "catch print n is 3\ninfo prints\ncontinue\nend\ninfo prints\nreverse-continue\n");
  EXPECT_THAT(ran.text, HasSubstr("breakpoint 1: a print that begins with 'n is 3'\n"
                                  "(lanewise) info prints\n"
                                  "the kernel has printed nothing yet\n"
                                  "(lanewise) continue\n"
                                  "breakpoint 1: invocation 0,0,0\n"
                                  ">   11    debugPrintfEXT(\"n is %u\", n);\n"
                                  "(lanewise) end\n"
                                  "  printed by 0,0,0: n is 3\n"
                                  "  printed by 1,0,0: n is 4\n"));
  const Ran other = debug("b.comp --buffer 0:0=u32:5,0,0,0", "catch print n is 5\ncontinue\n");
  EXPECT_THAT(other.text, AllOf(Not(HasSubstr("breakpoint 1: invocation")), HasSubstr("the run is over\n")));
}

constexpr const char* kReduce = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint sums[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  sums[i] = data[i];
  barrier();
  for (uint n = 32; n > 0; n /= 2) {
    if (i < n) sums[i] += sums[i + n];
    BARRIER
  }
  if (i == 0) data[0] = sums[0];
}
)";

std::string reduceWith(const char* barrier) {
  std::string text = kReduce;
  return text.replace(text.find("BARRIER"), 7, barrier);
}

TEST_F(DebugEvents, ARaceIsAStopWithBothAccesses) {
  write("r.comp", reduceWith(""));
  const Ran ran = debug("r.comp --buffer 0:0=u32:64*1", "catch races\ncontinue\nprint n\nfinding 1 other\nprint n\nfinding 1\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("finding 1: r.comp:10: data race"), HasSubstr("the first access of finding 1: invocation")));
  write("fine.comp", reduceWith("barrier();"));
  const Ran fine = debug("fine.comp --buffer 0:0=u32:64*1", "catch races\ncontinue\nfinding 1 other\n");
  EXPECT_THAT(fine.text, AllOf(HasSubstr("the run has 0 findings"), HasSubstr("the run is over"), HasSubstr("this is no race")));
}

TEST_F(DebugEvents, WatchpointsOnRangesTexelsAndWords) {
  write("r.comp", reduceWith("barrier();"));
  const Ran ran = debug("r.comp --buffer 0:0=u32:64*1",
                        "watch sums[3]..sums[4] if i == 4u\ncontinue\nwwatch workgroup 0..3\nwatch data 0..7\nwatch sums[4]..sums[3]\n"
                        "watch workgroup 0..999\nrwatch 0:0 8\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("breakpoint 1: change of sums[3]..sums[4], if i == 4u\n"),
                              HasSubstr("breakpoint 1: invocation 4,0,0\n"), HasSubstr("breakpoint 2: write to workgroup 0..3\n"),
                              HasSubstr("breakpoint 3: change of data 0..7\n"), HasSubstr("'sums[3]' does not come behind 'sums[4]'"),
                              HasSubstr("workgroup memory has 256 bytes"), HasSubstr("breakpoint 4: read of 0:0 8\n")));
}

// A condition that names what is nowhere is wrong when it is set, also of what is no place.
TEST_F(DebugEvents, AConditionNamesWhatIsSomewhere) {
  write("q.comp", kQuotients);
  const Ran ran = debug("q.comp --buffer 0:0=f32:1,0,2,0",
                        "watch data[1] if nothing > 2u\ncatch nan if nothing > 2u\nwatch data[1] if r > 0.0\ncondition 1 nothing == "
                        "1u\ninfo breakpoints\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("watch data[1] if nothing > 2u\nerror: there is no variable 'nothing' there (column 1)"),
                              HasSubstr("catch nan if nothing > 2u\nerror: there is no variable 'nothing' there"),
                              HasSubstr("breakpoint 1: change of data[1], if r > 0.0\n"),
                              HasSubstr("nothing == 1u\nerror: there is no variable 'nothing' there"),
                              HasSubstr("info breakpoints\n1: change of data[1], if r > 0.0\n")));
}

// In seconds of the processor, however many places there are.
TEST_F(DebugEvents, AConditionIsReadAtOnce) {
  std::string blocks;
  for (int i = 0; i < 6000; ++i) blocks += fmt::format("  {{ uint v{0} = x + data[{1}]; x ^= v{0} >> 3; }}\n", i, i % 8);
  write("big.comp", "#version 450\nlayout(binding = 0) buffer Data { uint data[8]; };\nvoid main() {\n  uint x = 1u;\n" + blocks +
                        "  data[0] = x;\n}\n");
  const std::string commands = write("big", "watch data[1] if none == 1u\nwatch data[1] if v5999 == 1u\nwatch data[2] if Data == 1u\n");
  const Ran ran = shell("cd " + folder_.string() + " && ulimit -t 10 && " LANEWISE_PROGRAM " debug big.comp --buffer 0:0=zeros:32 < " +
                        commands + " 2>&1");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("there is no variable 'none' there"), HasSubstr("breakpoint 1: change of data[1], if v5999 == 1u\n"),
                    HasSubstr("there is no variable 'Data' there")));
}

}  // namespace
}  // namespace lanewise
