// `lanewise debug` as a user meets it: the sessions of docs/debug.md, scripts, modules of any kind, errors.
#include <regex>
#include <sstream>

#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Debug : public DebugScratch {};

TEST_F(Debug, WhatASessionPrintedIsThereWhenItIsEnded) {
  write("long.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };\n"
        "void main() {\n  uint x = 7;\n  for (uint i = 0; i < 4000000000u; ++i) x = x * 3 + i;\n  b = x;\n}\n");
  const Ran ran = shell("cd " + folder_.string() +
                        " && { " LANEWISE_PROGRAM
                        " debug long.comp --out 0:0=-:4 -e next -e 'print x' -e end > log 2>&1 & for i in $(seq 600); do"
                        " grep -q ') end' log && break; sleep 0.1; done; kill -KILL $!; cat log; }");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("(lanewise) print x\n"), HasSubstr("7"), HasSubstr("(lanewise) end\n")));
}

struct Example {
  std::string command;  // what follows "$ "
  std::string text;     // the lines below it
};

// The indented blocks of a page that begin with "$ ".
std::vector<Example> examplesOf(const std::string& file) {
  std::ifstream page(file);
  std::vector<Example> out;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("    $ ")) {
      out.push_back({line.substr(6), ""});
      inside = true;
    } else if (inside && line.starts_with("    ")) {
      out.back().text += line.substr(4) + "\n";
    } else {
      inside = false;
    }
  }
  return out;
}

// Numbers of results differ from one glslang to another.
std::string withoutIds(const std::string& text) {
  return std::regex_replace(text, std::regex("%[0-9]+"), "%N");
}

class DebugPages : public Debug, public testing::WithParamInterface<std::pair<const char*, int>> {};

TEST_P(DebugPages, SessionsAreWhatHappens) {
  int sessions = 0;
  for (const Example& e : examplesOf(std::string(LANEWISE_PAGES) + GetParam().first)) {
    if (e.command.starts_with("cat ")) {
      write(e.command.substr(4), e.text);
      continue;
    }
    ASSERT_TRUE(e.command.starts_with("lanewise debug ")) << e.command;
    std::string commands;
    std::istringstream lines(e.text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("(lanewise) ")) commands += line.substr(11) + "\n";
    const Ran ran = debug(e.command.substr(15), commands);
    EXPECT_EQ(withoutIds(ran.text), withoutIds(e.text)) << e.command;
    EXPECT_EQ(ran.code, 0) << e.command;
    ++sessions;
  }
  EXPECT_EQ(sessions, GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Docs, DebugPages, testing::Values(std::pair("debug.md", 5), std::pair("debug-recipes.md", 12)),
                         [](const auto& instance) { return instance.param.second == 5 ? "Debug" : "Recipes"; });

TEST_F(Debug, AModuleOfTheUsersFromAScript) {
  write("turns.comp", kTurns);
  write("script", "# comments are shown and do nothing\nbreak twice if x == 2u\ncontinue\nprint main.sum\nlanes main.sum\nquit\nprint 1\n");
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16 -e 'global 3,0,0' -x script", "");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.text,
            "turns.comp:8 in main, invocation 0,0,0\n"
            ">    8    uint sum = 0u;\n"
            "(lanewise) global 3,0,0\n"
            "turns.comp:8 in main, invocation 3,0,0\n"
            ">    8    uint sum = 0u;\n"
            "(lanewise) # comments are shown and do nothing\n"
            "(lanewise) break twice if x == 2u\n"
            "breakpoint 1: function twice, 1 place, if x == 2u\n"
            "(lanewise) continue\n"
            "breakpoint 1: invocation 3,0,0 and 1 more\n"
            "turns.comp:5 in twice, invocation 3,0,0\n"
            ">    5    return x + x;\n"
            "(lanewise) print main.sum\n"
            "uint main.sum = 2\n"
            "(lanewise) lanes main.sum\n"
            "       0,0,0: 0 2 2 2\n"
            "(lanewise) quit\n");
}

constexpr const char* kUnwritten = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { float data[]; };
float twice(float x) {
  float t, u[3];
  if (x > 0.5 && x < 1.5) t = x * 2.0;
  u[1] = x;
  return t + u[1];
}
void main() {
  float s = 0.0;
  for (int i = 0; i < 3; ++i)
    s += twice(float(i));
  data[gl_LocalInvocationIndex] = s;
}
)";

// That a call makes its variables undefined is nobody's store.
TEST_F(Debug, WhyOfWhatNobodyWroteSaysSo) {
  write("unwritten.comp", kUnwritten);
  const Ran ran = debug("unwritten.comp --buffer 0:0=zeros:16",
                        "break 8\ncontinue\nwhy t\nwhy u[0]\ncontinue\nwhy t\ncontinue\ncontinue\nwhy t\nwhy u\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.text,
            "unwritten.comp:11 in main, invocation 0,0,0\n"
            ">   11    float s = 0.0;\n"
            "(lanewise) break 8\n"
            "breakpoint 1: line 8, 1 place\n"
            "(lanewise) continue\n"
            "breakpoint 1: invocation 0,0,0 and 3 more\n"
            "unwritten.comp:8 in twice, invocation 0,0,0\n"
            ">    8    return t + u[1];\n"
            "(lanewise) why t\n"
            "nobody has written t before\n"
            "(lanewise) why u[0]\n"
            "nobody has written u[0] before\n"
            "(lanewise) continue\n"
            "breakpoint 1: invocation 0,0,0 and 3 more\n"
            ">    8    return t + u[1];\n"
            "(lanewise) why t\n"
            "last written by invocation 0,0,0\n"
            "  ? becomes 2\n"
            ">    6    if (x > 0.5 && x < 1.5) t = x * 2.0;\n"
            "(lanewise) continue\n"
            "breakpoint 1: invocation 0,0,0 and 3 more\n"
            ">    8    return t + u[1];\n"
            "(lanewise) continue\n"
            "breakpoint 1: invocation 0,0,0 and 3 more\n"
            ">    8    return t + u[1];\n"
            "(lanewise) why t\n"
            "nobody has written t before\n"
            "(lanewise) why u\n"
            "last written by invocation 0,0,0\n"
            "  u[1]: ? becomes 2\n"
            ">    7    u[1] = x;\n");
}

// Without debug information there are names and no lines; without names there are ids; optimised code keeps what it keeps.
TEST_F(Debug, ModulesWithLessToSayAreSteppedByInstruction) {
  write("turns.comp", kTurns);
  const std::string compile =
      "cd " + folder_.string() + " && glslangValidator --quiet -V --target-env vulkan1.3 turns.comp -o plain.spv && " +
      "spirv-opt --strip-debug plain.spv -o stripped.spv && " +
      "glslangValidator --quiet -gVS --target-env vulkan1.3 turns.comp -o lines.spv && spirv-opt -O lines.spv -o fast.spv";
  ASSERT_EQ(shell(compile).code, 0);
  const Ran plain = debug("plain.spv --buffer 0:0=zeros:16", "step\nbreak OpIAdd\ncontinue\nprint x\nlist\n");
  EXPECT_THAT(plain.text, AllOf(HasSubstr("OpIAdd in twice"), ContainsRegex(">  +[0-9]+  %[0-9]+ = OpIAdd %uint %"),
                                HasSubstr("uint x = 0"), HasSubstr("the module says nothing of lines")));
  const Ran stripped = debug("stripped.spv --buffer 0:0=zeros:16", "stepi\nend\nwriter 0:0 12\nreverse-stepi\n");
  EXPECT_THAT(stripped.text, AllOf(ContainsRegex("in main, invocation 3,0,0\n>  +[0-9]+  OpStore %[0-9]+ %[0-9]+\n"),
                                   HasSubstr("0 becomes 12"), HasSubstr("last written by invocation 3,0,0")));
  EXPECT_EQ(stripped.code, 0);
  const Ran fast = debug("fast.spv --buffer 0:0=zeros:16", "break 10\ncontinue\nprint sum\nend\nwriter 0:0 12\n");
  EXPECT_THAT(fast.text, AllOf(HasSubstr("turns.comp:11 in main"), HasSubstr("0 becomes 12")));
}

TEST_F(Debug, WrongCommandsSayWhatToDo) {
  write("turns.comp", kTurns);
  const Ran ran =
      debug("turns.comp --buffer 0:0=zeros:16",
            "jump\nbreak nowhere\nbreak 99\nprint colour\nprint 1 +\nglobal 4,0,0\nglobal x\nwriter blurred 0,0\nwriter 0:0 16\ndelete 7\n"
            "finding 1\ntime 3\ninfo weather\nwatch 1 + 1\nstep many\nr\nup\nignore 1 2\ncatch fish\nlanes data\nwatch data[0] == 1.5\n");
  EXPECT_EQ(ran.code, 2);
  for (const char* part : {"there is no command 'jump'",
                           "there is no function 'nowhere'",
                           "no instruction stands at line 99",
                           "there is no variable 'colour' here (column 1)",
                           "a value is missing (column 4)",
                           "has no invocation 4,0,0",
                           "there is no resource 'blurred'; one of 0:0",
                           "is a buffer of 16 bytes",
                           "there is no breakpoint 7",
                           "there is no finding 1",
                           "'3' is no moment",
                           "there is no information about 'weather'",
                           "in no memory that changes",
                           "'many' is no number",
                           "there is no command 'r'",
                           "there is no frame 1",
                           "there is no breakpoint 1",
                           "'fish' cannot be caught",
                           "neither a number nor a vector",
                           "float is no uint"})
    EXPECT_THAT(ran.text, HasSubstr(part));
  EXPECT_THAT(ran.text, Not(HasSubstr("internal")));
}

TEST_F(Debug, BreakpointsAreListedWithTheirConditions) {
  const Ran ran = lanewise(
      "debug checksum/sum/shuffle --size 4x4 -e 'break 48 if here == 3' -e 'info breakpoints' -e 'condition 1 here == 2' "
      "-e 'info breakpoints' -e 'condition 1' -e 'info breakpoints'");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("\n1: line 48, 1 place, if here == 3\n"), HasSubstr("\n1: line 48, 1 place, if here == 2\n"),
                              HasSubstr("\n1: line 48, 1 place\n")));
}

TEST_F(Debug, WhatCannotBeOpenedIsRefused) {
  EXPECT_EQ(debug("no/such", "").code, 2);
  EXPECT_EQ(debug("box-blur/double/naive --size 3x1 --snapshots lots", "").code, 2);
  EXPECT_EQ(debug("box-blur/double/naive --size 3x1 --schedule sideways", "").code, 2);
  const Ran none = debug("box-blur/double/naive --size 3x1 -x nothere", "");
  EXPECT_EQ(none.code, 6);
  EXPECT_THAT(none.text, HasSubstr("nothere"));
}

// Nothing that it says by itself is wider than a terminal.
TEST_F(Debug, HelpFitsATerminal) {
  const Ran ran = debug("box-blur/double/naive --size 3x1", "help\nhelp print\nhelp step\ninfo lanes\ninfo workgroups\ninfo job\n");
  EXPECT_EQ(ran.code, 0);
  std::istringstream lines(ran.text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

// What check and validate print opens the session where they say: each command is run as it stands.
TEST_F(Debug, FailuresAndFindingsNameTheCommandThatOpensThem) {
  write("race.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer Data { uint data[]; };\nvoid main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n  data[i] = i;\n  data[63 - i] += data[i];\n  data[i + 2] = 1;\n}\n");
  write("depends.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) buffer Data { int x; vec2 sizes[8]; } data;\nlayout(binding = 1) buffer Next { int next; };\nvoid main() {\n"
        "  int n = atomicAdd(next, 1);\n  data.sizes[gl_LocalInvocationIndex].y = float(gl_SubgroupSize) * -0.5;\n"
        "  if (gl_LocalInvocationIndex == 7) data.x = -n;\n}\n");
  write("diverges.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer Data { int x; };\nvoid main() {\n"
        "  if (gl_LocalInvocationIndex < 4) {\n    barrier();\n    x = 1;\n  }\n}\n");
  // `commands`: how many it prints; 0: some.
  const auto opened = [this](const std::string& command, const std::vector<std::string>& seen, int commands = 0) {
    const Ran ran = shell("cd " + folder_.string() + " && " + command + " 2>&1 < /dev/null");
    int count = 0;
    std::string all;
    std::istringstream lines(ran.text);
    for (std::string line; std::getline(lines, line);) {
      const std::string head = "open it there: lanewise ";
      if (line.find(head) == std::string::npos) continue;
      ++count;
      const Ran there =
          shell("cd " + folder_.string() + " && " LANEWISE_PROGRAM " " + line.substr(line.find(head) + head.size()) + " 2>&1 < /dev/null");
      EXPECT_EQ(there.code, 0) << line << there.text;
      all += there.text;
    }
    EXPECT_EQ(count, commands == 0 ? std::max(1, count) : commands) << ran.text;
    for (const std::string& part : seen) EXPECT_THAT(all, HasSubstr(part)) << ran.text;
    return ran.text;
  };
  opened(LANEWISE_PROGRAM " check race.comp --devices model --buffer 0:0=zeros:256", {"\n>    "});
  opened(LANEWISE_PROGRAM " check 'broken/fingerprint-location @ 2x3 input=constant:255' --devices model", {"out of range", ">   24"});
  opened(LANEWISE_PROGRAM " validate broken/box-blur-shift --devices model", {"last written by invocation 0,0,0", ">   76"});
  opened(LANEWISE_PROGRAM " validate broken/pyramid-zero-weight --devices model", {"last written by invocation 0,0,0", ">   23"});
  // A wrong result at its store, in the way that shows it; bytes that depend on it, where the runs part; a barrier that not all reach.
  opened(LANEWISE_PROGRAM " check broken/box-blur-shift --devices model", {"last written by invocation 0,0,0", ">   76"}, 1);
  const std::string told = opened(LANEWISE_PROGRAM " check depends.comp --devices model --buffer 0:0=poison:72 --buffer 0:1=i32:0",
                                  {"\n  next: 0 becomes 1\n>    7 ", "\n|   next: 7 becomes 8\n", "\n>    8 ", "becomes -2\n"}, 2);
  EXPECT_THAT(told, HasSubstr("depends on the schedule: data.x is -7 under in-order, and 0 under lanes-reverse"));
  EXPECT_THAT(told, HasSubstr("depends on the subgroup size: data.sizes[0].y is -16 under in-order, and -2 under subgroups of 4"));
  opened(LANEWISE_PROGRAM " check diverges.comp --devices model --buffer 0:0=zeros:4", {"\n>    6      barrier();"}, 1);
}

// A job may end in an error; and many sessions of one job answer the same.
TEST_F(Debug, TheSameCommandsGiveTheSameText) {
  const std::string commands = "break 76 if at.x == 1\nc\nc\nrc\nwhy sum\nrs\nrn\nrf\nend\nrc\ninfo b\ntime\n";
  const Ran first = debug("box-blur/double/naive --size 3x2 --with radius=1", commands);
  EXPECT_EQ(debug("box-blur/double/naive --size 3x2 --with radius=1 --snapshots 0", commands).text, first.text);
  EXPECT_EQ(debug("box-blur/double/naive --size 3x2 --with radius=1 --snapshots 64K", commands).text, first.text);
  EXPECT_THAT(first.text, HasSubstr("breakpoint 1: invocation 1,0,0"));
  const Ran endless = debug("'broken/box-blur-endless @ 1x1' --max-steps 1000", "c\nrs\nend\n");
  EXPECT_THAT(endless.text, HasSubstr("the run ends with an error: the step limit of 1000"));
}

}  // namespace
}  // namespace lanewise
