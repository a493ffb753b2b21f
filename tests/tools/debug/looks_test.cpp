// What `lanewise debug` shows beyond variables, what would happen, and one run beside another.
#include <poll.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DebugLooks : public DebugScratch {};

TEST_F(DebugLooks, SettingMakesAnotherRunThatGoesBothWays) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16",
                        "tbreak 11 if gl_LocalInvocationIndex == 2u\ncontinue\nset sum = 40\nend\nwriter 0:0 8\nreverse-step\nprint sum\n"
                        "set sum = 50\nend\nwriter data 8\nunset\nprint sum\nend\nwriter 0:0 8\nunset\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("(lanewise) set sum = 40\n"
                                        "uint sum = 40\n"
                                        "from here on this is another run; `unset` goes back to the real one\n"),
                              HasSubstr("0 becomes 40"), HasSubstr("0 becomes 50"),
                              HasSubstr("(lanewise) print sum\nuint sum = 6\n(lanewise) end\nthe run is over\n(lanewise) writer 0:0 8\n"
                                        "last written by invocation 2,0,0\n  0 becomes 6\n"),
                              HasSubstr("error: nothing was set")));
}

TEST_F(DebugLooks, WhatCannotBeSetSaysWhy) {
  write("turns.comp", kTurns);
  const Ran ran =
      debug("turns.comp --buffer 0:0=zeros:16",
            "break 10\ncontinue\nset sum\nset sum = 1.5\nset sum = true\nset sum + 1u = 2\nset sum = uvec2(1, 2)\nset data = 1\n"
            "set data[1] = 7\nprint data[1]\nset sum = nothing\nend\nset sum = 1\n");
  EXPECT_EQ(ran.code, 2);
  for (const char* part : {"there is no '=' in it", "float is no uint", "bool is no uint", "this is no number or vector in memory",
                           "uvec2 is no uint", "uint data[1] = 7", "there is no variable 'nothing' here"})
    EXPECT_THAT(ran.text, HasSubstr(part));
}

constexpr const char* kHalf = R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint tile[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i % 2u == 0u) tile[i] = data[i];
  barrier();
  tile[0] = 5u;
  barrier();
  if (i < 2u) result[i] = tile[i];
}
)";

TEST_F(DebugLooks, MemoryNobodyWroteIsUndefinedAndEachWordHasItsWriter) {
  write("half.comp", kHalf);
  const Ran ran = debug("half.comp --buffer 0:0=u32:0..7 --out 0:1=-:32",
                        "break 12\ncontinue\nmemory\nprint tile[1]\nprint tile[2] + tile[3]\nprint tile\nprint result[0]\nlanes/s i\n"
                        "memory tile[2]\nmemory result\nprint/x tile[4]\nprint/f tile[4]\nprint/n 0xff8000ffu\nprint/q i\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("tile[0] = 5, by 7,0,0 at half.comp:10 in main\n"
                                        "tile[1]: nobody has written it\n"
                                        "tile[2] = 2, by 2,0,0 at half.comp:8 in main\n"),
                              HasSubstr("uint tile[1] = not written yet\n"), HasSubstr("uint tile[2] + tile[3] = ?\n"),
                              HasSubstr("{5, ?, 2, ?, 4, ?, 6, ?}"), HasSubstr("uint result[0] = not written yet\n"),
                              HasSubstr("0 1 2 3 4 5 6 7\n"), HasSubstr("uint tile[4] = 0x4\n"), HasSubstr("(1, 0, 0.502, 1)"),
                              HasSubstr("there is no format '/q'"), HasSubstr("this is not in workgroup memory")));
}

TEST_F(DebugLooks, TheHistoryOfAnElement) {
  write("half.comp", kHalf);
  const Ran ran = debug("half.comp --buffer 0:0=u32:0..7 --buffer 0:1=zeros:32", "history tile[0]\nhistory result 0\nhistory data[3]\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("0,0,0 at half.comp:8 in main"), HasSubstr("half.comp:10 in main: 0 becomes 5"),
                              HasSubstr("0,0,0 at half.comp:12 in main: 0 becomes 5"), HasSubstr("nobody writes data[3] in this run")));
}

TEST_F(DebugLooks, SpirvBesideTheSource) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16", "spirv\nspirv 5\nspirv 2\ninfo workgroups\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr(">    8    uint sum = 0u;\n"), HasSubstr("OpStore %sum %uint_0"), HasSubstr("OpIAdd %uint"),
                              HasSubstr("of 1 workgroups 0 are over, and 0 have not begun")));
}

TEST_F(DebugLooks, ResourcesAsNumbersAndFiles) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16", "end\nshow data\nsave data out.bin\nsave data\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("data[3] = 12"), HasSubstr("written to out.bin"), HasSubstr("no file is named")));
  EXPECT_EQ(std::filesystem::file_size(path("out.bin")), 16u);
}

TEST_F(DebugLooks, AgainstTheGoldenTheFirstStoreThatMatters) {
  const Ran ran = debug("'broken/box-blur-shift @ 1x2 radius=1 input=list:0,0,0,255,0,0,0,0'", "against golden\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("bytes differ from the golden, the first in 'blurred': target[0,0]\n"),
                              HasSubstr("last written by invocation 0,0,0\n")));
  const Ran fine = debug("'box-blur/double/naive @ 1x2 radius=1'", "against golden\nagainst\nagainst speed 5\n");
  EXPECT_THAT(fine.text, AllOf(HasSubstr("the outputs are as expected"), HasSubstr("nothing is named to compare with")));
}

constexpr const char* kOrder = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint next, data[4]; };
void main() {
  uint n = atomicAdd(next, 1u);
  data[n] = gl_LocalInvocationIndex;
}
)";

TEST_F(DebugLooks, TwoRunsStopWhereTheyPart) {
  write("order.comp", kOrder);
  const Ran ran = debug("order.comp --buffer 0:0=zeros:20", "against schedule lanes-reverse\nother print gl_LocalInvocationIndex\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("the runs part at invocation 0,0,0\n"), HasSubstr("| order.comp:5 in main"),
                              HasSubstr("| uint gl_LocalInvocationIndex = 0")));
  write("turns.comp", kTurns);
  const Ran same = debug("turns.comp --buffer 0:0=zeros:16", "against schedule reverse subgroup-size 4\nother step\nagainst schedule\n");
  EXPECT_THAT(same.text, HasSubstr("every invocation does the same there"));
}

TEST_F(DebugLooks, AReloadComesBackToTheLine) {
  write("turns.comp", kTurns);
  std::string changed = kTurns;
  changed.replace(changed.find("x + x"), 5, "x * 3");
  write("changed.comp", changed);
  const std::string script =
      write("commands", "break 10 if i == 2u\ncontinue\nprint sum\nsave data copy\nreload\nprint sum\ninfo breakpoints\n");
  // The file changes while the session is open: a pipe of commands that does it in the middle.
  const Ran ran =
      shell("cd " + folder_.string() +
            " && (sed -n 1,4p commands; until [ -s copy ]; do sleep 0.05; done; cp changed.comp turns.comp; sed -n '5,$p' commands) | " +
            LANEWISE_PROGRAM " debug turns.comp --buffer 0:0=zeros:16 2>&1");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("uint sum = 2\n"), HasSubstr("compiled again\n"), HasSubstr(">   10      sum += twice(i);\n"),
                              HasSubstr("(lanewise) print sum\nuint sum = 3\n"), HasSubstr("1: line 10, 1 place, if i == 2u")));
}

// Numbers stay, with gaps and commands; so do watchpoints on what is the same place again.
TEST_F(DebugLooks, AReloadKeepsNumbers) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16",
                        "break 11\ndelete 1\nbreak 10 if i == 2u\nbreak 11\nwatch data[3]\ncontinue\nwatch sum\nfocus 3,0,0\nwatch sum\n"
                        "commands 2 print i\ndelete 3\nfocus 2,0,0\nreload\ninfo breakpoints\nbreak twice\ncontinue\n");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("compiled again\ndropped: breakpoint 6: change of sum: here that is another place\n"),
                              HasSubstr("(lanewise) info breakpoints\n2: line 10, 1 place, if i == 2u\n  print i\n4: change of data[3]\n"
                                        "5: change of sum\n"),
                              HasSubstr("breakpoint 7: function twice"), HasSubstr("breakpoint 7: invocation")));
}

// A watchpoint does not move to other bytes because an index has another value, nor is a value of another type.
TEST_F(DebugLooks, AReloadDropsWhatIsAnotherPlaceOrType) {
  write("turns.comp", kTurns);
  const Ran index = debug("turns.comp --buffer 0:0=zeros:16",
                          "break 10 if i == 1u\ncontinue\nwatch data[i]\nwatch data[1]\nbreak 10 if i == 2u\ncontinue\nreload\n");
  EXPECT_THAT(index.text, AllOf(HasSubstr("dropped: breakpoint 2: change of data[i]: here that is another place\n"),
                                Not(HasSubstr("dropped: breakpoint 3"))));
  std::string changed = kTurns;
  changed.replace(changed.find("uint data"), 4, "float");
  write("changed.comp", changed);
  write("commands", "break 10 if i == 2u\ncontinue\nwatch data[3] == 3\nwatch data[3]\nsave data copy\nreload\n");
  const Ran type =
      shell("cd " + folder_.string() +
            " && (sed -n 1,5p commands; until [ -s copy ]; do sleep 0.05; done; cp changed.comp turns.comp; sed -n '6,$p' commands) | " +
            LANEWISE_PROGRAM " debug turns.comp --buffer 0:0=zeros:16 2>&1");
  EXPECT_THAT(type.text, AllOf(HasSubstr("it is float now, and was uint\n"), Not(HasSubstr("dropped: breakpoint 3"))));
}

// The end of a branch that another branch follows in the module is no line of that one. And a watchpoint keeps its value in the list.
TEST_F(DebugLooks, BehindABranchIsWhereItBegins) {
  write("ways.comp", R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
shared struct { uint n; } room;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0u) room.n = 3u;
  barrier();
  switch (i % 3u) {
    case 0u: data[i] = room.n; break;
    default: data[i] = 7u; break;
  }
}
)");
  const Ran ran = debug("ways.comp --buffer 0:0=zeros:16",
                        "print room\nwatch data[1] == 7u\ninfo breakpoints\ncontinue\ndelete\nglobal 0\nuntil 10\nnext\ninfo lanes\nend\n"
                        "step\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("struct room = not written yet\n"), HasSubstr("(lanewise) info breakpoints\n1: write to data[1] of 7u\n"),
                    HasSubstr("breakpoint 1: invocation 1,0,0\n  0 becomes 7\n"),
                    // Newer versions of glslang give the return at the end of main the line of its brace.
                    testing::AnyOf(AllOf(HasSubstr("(lanewise) next\ninvocation 0,0,0 ends here\n>    9    switch (i % 3u) {\n"),
                                         HasSubstr("executes next ways.comp:9 in main\n")),
                                   AllOf(HasSubstr("(lanewise) next\n>   13  }\n"), HasSubstr("executes next ways.comp:13 in main\n"))),
                    HasSubstr("(lanewise) step\nthe run is over: only backwards from here\n")));
  // Without lines it begins with the function, not with its built-in variable.
  ASSERT_EQ(shell("cd " + folder_.string() +
                  " && glslangValidator -V ways.comp -o named.spv > /dev/null && spirv-opt --strip-debug named.spv -o bare.spv")
                .code,
            0);
  const Ran bare = debug("bare.spv --buffer 0:0=zeros:16", "stepi\nreverse-stepi\nreverse-stepi\nbacktrace\n");
  EXPECT_THAT(bare.text, testing::StartsWith("OpStore in main, invocation 0,0,0\n"));
  EXPECT_THAT(bare.text, AllOf(Not(HasSubstr("OpVariable")), HasSubstr("there is nothing more in this direction\n")));
}

TEST_F(DebugLooks, ATraceTakesLinesResourcesAndJson) {
  write("turns.comp", kTurns);
  const std::string base = "cd " + folder_.string() + " && " LANEWISE_PROGRAM " trace turns.comp --buffer 0:0=zeros:16 --invocation 1,0,0 ";
  const Ran line = shell(base + "--at 11 --variables none 2>&1");
  EXPECT_THAT(line.text, AllOf(HasSubstr("turns.comp:11 OpStore"), Not(HasSubstr("turns.comp:10"))));
  const Ran resource = shell(base + "--resource 0:0 2>&1");
  EXPECT_THAT(resource.text, AllOf(HasSubstr("OpStore"), Not(HasSubstr("OpIAdd"))));
  const Ran json = shell(base + "--json --at turns.comp:10 2>&1");
  EXPECT_THAT(json.text, AllOf(HasSubstr("\"instruction\":\"OpIAdd\""), HasSubstr("\"variables\":[\"uint sum = 2\"]"),
                               HasSubstr("{\"output\":\"0:0\"")));
  for (const char* name : {"Data", "data"}) EXPECT_EQ(shell(base + "--resource " + name + " 2>&1").text, resource.text);
  const std::pair<const char*, const char*> kWrong[] = {{"--at x", "'x' is no line"},
                                                        {"--at 99", "no instruction stands at line 99 (--at)"},
                                                        {"--at 6", "no instruction stands at line 6"},
                                                        {"--at other.comp:10", "at line 10 of a file 'other.comp'"},
                                                        {"--at 10 --at urns.comp:10", "of a file 'urns.comp'"},
                                                        {"--resource nothing", "nothing is called 'nothing' (--resource); one of 0:0"},
                                                        {"--lines --resource 0:0", "a source line is no access"}};
  for (const auto& [wrong, says] : kWrong) {
    const Ran ran = shell(base + wrong + " 2>&1");
    EXPECT_EQ(ran.code, 2) << wrong << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says)) << wrong;
  }
}

// Each stop executes what stands at its breakpoint; a command that moves is the last of them, and the stop that it leads to has its own.
TEST_F(DebugLooks, ABreakpointHasCommands) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16",
                        "break 10 if i == 1u\ncommands 1 print sum; continue; print 12345\nbreak 11\ncommands 2 lanes sum;\ncontinue\n"
                        "info breakpoints\ncommands 1\ninfo breakpoints\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("1: line 10, 1 place, if i == 1u\n  print sum\n  continue\n  print 12345\n"),
                              HasSubstr("uint sum = 0\nbreakpoint 2: invocation"), HasSubstr("  0  2  6 12\n"),
                              HasSubstr("2: line 11, 1 place, 1 hit\n  lanes sum\n"), Not(HasSubstr("12345 ="))));
  const Ran wrong = debug("turns.comp --buffer 0:0=zeros:16", "commands 7 print sum\ncommands x\n");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.text, AllOf(HasSubstr("there is no breakpoint 7"), HasSubstr("'x' is no number")));
}

TEST_F(DebugLooks, GoesToAWorkgroupAndToASubgroup) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --groups 3 --subgroup-size 2 --buffer 0:0=zeros:48",
                        "workgroup 2,0,0\nsubgroup 1\nworkgroup 1,0,0 0\nworkgroup 3,0,0\nworkgroup 0,0,0 1\nworkgroup x\nsubgroup 2\n");
  EXPECT_EQ(ran.code, 2);
  for (const char* part :
       {"(lanewise) workgroup 2,0,0\nturns.comp:8 in main, invocation 8,0,0\n",
        "(lanewise) subgroup 1\nturns.comp:8 in main, invocation 10,0,0\n", "invocation 4,0,0", "dispatch 0 has no workgroup 3,0,0",
        "dispatch 1 has no workgroup 0,0,0", "not a workgroup: 'x'", "the workgroup has no subgroup 2"})
    EXPECT_THAT(ran.text, HasSubstr(part));
}

TEST_F(DebugLooks, WhatIsDisplayedMayHaveNoValueYet) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16", "display nothing\ndown\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("1: not here: there is no variable 'nothing' here"), HasSubstr("this is the innermost function")));
}

TEST_F(DebugLooks, WhereRunsDoNotPartNobodyMoves) {
  write("turns.comp", kTurns);
  const Ran ran = debug("turns.comp --buffer 0:0=zeros:16", "until 10\ntime\nagainst schedule reverse\ntime\nprint i\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("every invocation does the same there"), Not(HasSubstr("the end of the run"))));
  const auto at = ran.text.find("(lanewise) time\n");
  ASSERT_NE(at, std::string::npos);
  const std::string moment = ran.text.substr(at, ran.text.find('\n', at + 16) - at + 1);
  EXPECT_NE(ran.text.find(moment, at + 1), std::string::npos) << ran.text;
}

// The program at a terminal.
class Terminal {
 public:
  Terminal(const std::string& folder, std::vector<const char*> words) {
    words.insert(words.begin(), LANEWISE_PROGRAM);
    words.push_back(nullptr);
    child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    if (::chdir(folder.c_str()) == 0) ::execv(LANEWISE_PROGRAM, const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  ~Terminal() { ::close(terminal_); }
  void type(std::string_view keys) { EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size())); }
  // False: it does not come in time.
  bool shows(std::string_view text) {
    while (seen_.find(text) == std::string::npos) {
      pollfd ready{terminal_, POLLIN, 0};
      char buffer[1024];
      const ssize_t n = ::poll(&ready, 1, 30'000) == 1 ? ::read(terminal_, buffer, sizeof buffer) : 0;
      if (n <= 0) return false;
      seen_.append(buffer, static_cast<std::size_t>(n));
    }
    seen_.erase(0, seen_.find(text) + text.size());
    return true;
  }
  // The line editor has the keys: what is typed before, the terminal itself takes.
  bool isEdited() const {
    for (int tries = 0; tries < 3000; ++tries) {
      termios how{};
      if (::tcgetattr(terminal_, &how) == 0 && (how.c_lflag & ICANON) == 0) return true;
      ::usleep(10'000);
    }
    return false;
  }
  // Its exit code, or -1: a signal ended it. What it shows until then is read, so that it does not wait for a reader.
  int end() {
    while (shows("\x04")) {
    }
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // What it has shown since the last text that was looked for.
  const std::string& rest() const { return seen_; }

 private:
  int terminal_ = -1;
  pid_t child_ = 0;
  std::string seen_;
};

TEST_F(DebugLooks, CtrlCAtThePromptDropsTheLineAndNothingElse) {
  write("turns.comp", kTurns);
  Terminal terminal(folder_.string(), {"debug", "turns.comp", "--buffer", "0:0=zeros:16"});
  ASSERT_TRUE(terminal.shows("(lanewise) "));
  ASSERT_TRUE(terminal.isEdited());
  terminal.type("print nothing");
  ASSERT_TRUE(terminal.shows("nothing"));
  terminal.type("\x03");
  ASSERT_TRUE(terminal.shows("(lanewise) "));
  terminal.type("print 20 + 3\n");
  EXPECT_TRUE(terminal.shows("int 20 + 3 = 23"));
  terminal.type("print nothing\x03print 20 + 4\n");  // a key among keys: none is lost
  EXPECT_TRUE(terminal.shows("int 20 + 4 = 24"));
  terminal.type("quit\n");
  EXPECT_EQ(terminal.end(), 0) << terminal.rest();
}

// What an output holds before its first store is nothing that anybody wrote; the same bytes are a value where they were stored.
TEST_F(DebugLooks, AnOutputIsUnknownBeforeItsFirstStore) {
  write("fresh.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Out { uint data[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  if (i == 1u) data[900] = 0xa7a7a7a7u;
  data[i] = i;
}
)");
  const std::string poison = "2812782503";
  // Few workgroups are watched; of many only those are in which the last store is.
  for (const char* groups : {"2", "1000"}) {
    const Ran ran = debug(std::string("fresh.comp --out 0:0=-:4000 --groups ") + groups,
                          "end\nwriter 0:0 4\nwriter 0:0 3600\nend\nwriter 0:0 3600\nwriter 0:0 3600\n");
    EXPECT_THAT(ran.text, HasSubstr("writer 0:0 4\nlast written by invocation 1,0,0\n  ? becomes 1\n")) << groups;
    EXPECT_THAT(ran.text, HasSubstr("last written by invocation 1,0,0\n  ? becomes " + poison + "\n")) << groups;
    if (groups != std::string("2")) {
      EXPECT_THAT(ran.text, HasSubstr("invocation 900,0,0\n  " + poison + " becomes 900\n"));
    }
  }
  EXPECT_THAT(debug("fresh.comp --out 0:0=-:4000 --groups 2", "store 0:0\nstore 0:0\nwatch data[1]\nstart\ncontinue\n").text,
              AllOf(HasSubstr("data[0]: ? becomes 0\n"), HasSubstr("data[900]: ? becomes " + poison), HasSubstr("\n  ? becomes 1\n")));
}

// The name of what is stored is found by its byte, also in a matrix that lies in memory by rows.
TEST_F(DebugLooks, AScalarOfAMatrixByRows) {
  write("rows.comp", R"(#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Out { float o[]; };
shared Tile { layout(row_major) mat2 m; } tile;
void main() {
  tile.m[0][1] = 3.0;
  o[0] = tile.m[0][1];
}
)");
  EXPECT_THAT(debug("rows.comp --buffer 0:0=zeros:4", "wwatch tile.m\ncontinue\n").text, HasSubstr("\n  tile.m[0].y: ? becomes 3\n"));
}

constexpr const char* kLong = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() {
  uint x = data[gl_LocalInvocationIndex];
  for (uint n = 0u; n < 1000000000u; ++n)
    x = x * 3u + n;
  data[gl_LocalInvocationIndex] = x;
}
)";

// A long move stops at its next instruction, forwards and backwards, and the session goes on from there.
TEST_F(DebugLooks, CtrlCStopsALongMoveWhereItIs) {
  write("long.comp", kLong);
  Terminal terminal(folder_.string(), {"debug", "long.comp", "--buffer", "0:0=u32:1..4"});
  ASSERT_TRUE(terminal.shows("(lanewise) "));
  ASSERT_TRUE(terminal.isEdited());
  for (const char* move : {"continue\n", "end\n", "until 8\n", "finish\n"}) {
    terminal.type(move);
    ::usleep(300'000);
    terminal.type("\x03");
    ASSERT_TRUE(terminal.shows("interrupted")) << move;
    ASSERT_TRUE(terminal.shows("(lanewise) "));
    ASSERT_TRUE(terminal.isEdited());
  }
  terminal.type("break 7 if n % 2u == 1u\n");
  ASSERT_TRUE(terminal.shows("breakpoint 1"));
  terminal.type("continue\n");
  ASSERT_TRUE(terminal.shows("breakpoint 1: invocation 0,0,0"));
  terminal.type("print n % 2u\n");
  EXPECT_TRUE(terminal.shows("uint n % 2u = 1"));
  terminal.type("reverse-step\n");
  EXPECT_TRUE(terminal.shows("for (uint n"));
  terminal.type("quit\n");
  EXPECT_EQ(terminal.end(), 0) << terminal.rest();
}

}  // namespace
}  // namespace lanewise
