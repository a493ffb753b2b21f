// The commands that `run` prints to open what is wrong in the debugger: each does what it says. And what an access is called there.
#include <regex>
#include <set>
#include <sstream>

#include "tests/tools/debug/debug_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Openings : public DebugScratch {
 protected:
  Ran lanewise(const std::string& words) const {
    return shell("cd " + folder_.string() + " && " LANEWISE_PROGRAM " " + words + " < /dev/null 2>&1");
  }
  Ran run(const std::string& arguments) const { return lanewise("run " + arguments); }
  std::string read(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(path(name)).rdbuf();
    return out.str();
  }
  // The first command behind "open it there: ", executed.
  Ran opened(const std::string& text) const {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("open it there: lanewise (.*)"))) return {-1, "there is none in: " + text};
    return lanewise(found[1]);
  }
};

constexpr const char* kOutside = R"(#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 4) in;
layout(binding = 0) buffer Out { uint data[]; } o;
void main() {
  uint i = gl_GlobalInvocationID.x;
  debugPrintfEXT("I am %d", i);
  o.data[i * 5u] = i;
}
)";

TEST_F(Openings, AFinding) {
  write("outside.comp", kOutside);
  const Ran ran = run("outside.comp --buffer o=u32:12*0 --findings");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, HasSubstr("  open it there: lanewise debug outside.comp --buffer 'o=u32:12*0' -e 'finding outside.comp:8'\n"));
  EXPECT_THAT(opened(ran.text).text, AllOf(HasSubstr("outside.comp:8 in main, invocation 3,0,0\n"), Not(HasSubstr("error"))));
  EXPECT_THAT(run("outside.comp --buffer o=u32:12*0 --findings --json").text,
              HasSubstr("\"opens\": \"lanewise debug outside.comp --buffer 'o=u32:12*0' -e 'finding outside.comp:8'\""));
  EXPECT_THAT(run("outside.comp --buffer o=u32:16*0 --findings").text, Not(HasSubstr("open it there")));  // nothing is wrong
}

// Also where several are of one line.
TEST_F(Openings, EveryFinding) {
  write("many.comp", R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) buffer Out { uint sums[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint v;
  if (i < 3u) v = 4u;
  sums[i] = v + uint(data[i + 2u]);
  data[i] = data[i] / data[i + 1u];
}
)");
  const std::string subject = "many.comp --groups 2 --buffer 0:0=f32:16*2 --buffer 0:1=zeros:64";
  const Ran check = lanewise("check " + subject + " --devices model");
  for (const std::string& text : {run(subject + " --findings").text, check.text}) {
    const std::regex one("(many[.]comp:[0-9]+: [a-z]+[^;\n]*)[^\n]*\n(?:    in [^\n]*\n)?  (?:  )?open it there: lanewise ([^\n]*)");
    std::set<std::string> commands;
    for (std::sregex_iterator it(text.begin(), text.end(), one); it != std::sregex_iterator(); ++it) {
      const Ran there = lanewise((*it)[2]);
      EXPECT_THAT(there.text, HasSubstr(": " + (*it)[1].str().substr(0, (*it)[1].str().find(" ("))));
      EXPECT_TRUE(commands.insert((*it)[2]).second) << (*it)[2] << "\n" << text;
    }
    EXPECT_GE(commands.size(), 5u) << text;
  }
}

// Two findings of one kind at one line, of two invocations.
TEST_F(Openings, TwoAlikeAtOneLine) {
  write("alike.comp", R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint sums[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, v, w;
  if (i == 1u) v = 3u;
  if (i == 0u) w = 3u;
  sums[i] = (i < 1u ? v : 0u) + (i == 1u ? w : 0u);
}
)");
  const Ran ran = run("alike.comp --buffer 0:0=zeros:32 --findings");
  const std::regex one("open it there: lanewise ([^\n]*)");
  for (std::sregex_iterator it(ran.text.begin(), ran.text.end(), one); it != std::sregex_iterator(); ++it)
    EXPECT_THAT(lanewise((*it)[1]).text, AllOf(HasSubstr("alike.comp:8"), Not(HasSubstr("nothing was found")))) << (*it)[1];
  EXPECT_THAT(ran.text, HasSubstr("open it there"));
}

// A file's own name is its file before it is the end of another one's path.
TEST_F(Openings, TheFileOfAFinding) {
  std::filesystem::create_directory(path("sub"));
  write("sub/k.comp", R"(




void helper(uint i) { s[i] = i; a[i] = s[(i + 1) % 64];
  v[i] = i; a[i] += v[(i + 1) % 64]; }
)");
  write("k.comp", R"(#version 450
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in; layout(binding = 0) buffer A { uint a[64], b[64]; }; shared uint s[64], t[64], v[64];
#include "sub/k.comp"
void main() { uint i = gl_LocalInvocationIndex; helper(i);
  t[i] = i; b[i] = t[(i + 1) % 64]; }
)");
  const std::string own = "k.comp --buffer 0:0=zeros:512";
  EXPECT_THAT(debug(own, "finding k.comp:6\n").text, AllOf(HasSubstr(": k.comp:6: data race: OpLoad of 't"), Not(HasSubstr("in helper"))));
  EXPECT_THAT(debug(own, "finding sub/k.comp:6\n").text, HasSubstr("k.comp:6 in helper"));
  EXPECT_THAT(debug(own, "finding k.comp:7\n").text, HasSubstr("k.comp:7 in helper"));  // there is no other one
}

// The same finding of two dispatches of one module; and of two instructions of one line without debug information.
TEST_F(Openings, OfTheRightDispatch) {
  write("outside.comp", kOutside);
  const Ran ran = run("outside.comp --buffer o=u32:12*0 --then '--groups 2' --findings");
  const std::regex one("finding: outside.comp:8: .* of dispatch ([01])[^\n]*\n  open it there: lanewise ([^\n]*)");
  std::size_t count = 0;
  for (std::sregex_iterator it(ran.text.begin(), ran.text.end(), one); it != std::sregex_iterator(); ++it, ++count) {
    EXPECT_THAT((*it)[2].str(), HasSubstr(" dispatch " + (*it)[1].str() + " word "));
    EXPECT_THAT(lanewise((*it)[2]).text, HasSubstr("outside.comp:8 in main, invocation 3,0,0 of dispatch " + (*it)[1].str() + "\n"));
  }
  EXPECT_EQ(count, 2u) << ran.text;
}

// Bytes that depend on the order: both runs are shown, where an invocation does something else, or where the same stores come in another
// order.
TEST_F(Openings, WhatDependsOnTheOrder) {
  write("it's.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Out { uint last, ticket[4]; } o;
layout(binding = 1) coherent buffer Next { uint next; };
void main() {
  uint i = gl_GlobalInvocationID.x;
#ifdef TICKETS
  o.ticket[i] = atomicAdd(next, 1u);
#else
  o.last = i + 1u;
#endif
}
)");
  const std::string subject = "\"it's.comp\" --groups 4 --buffer o=u32:5*0 --buffer 0:1=u32:0 --devices model";
  const Ran last = lanewise("check " + subject);
  EXPECT_EQ(last.code, 1);
  EXPECT_THAT(last.text, AllOf(HasSubstr("depends on the schedule"), HasSubstr("debug 'it'\\''s.comp' --groups 4"),
                               HasSubstr(" --schedule reverse -e 'against schedule in-order'\n")));
  const std::string text = last.text.substr(last.text.find("depends on the schedule"));
  EXPECT_THAT(opened(text).text,
              AllOf(HasSubstr("every invocation does the same there, but their stores come in another order\n4 bytes differ from the other "
                              "run, the first in '0:0': o.last\nlast written by invocation 0,0,0\n  o.last: 2 becomes 1\n"),
                    HasSubstr("\n| last written by invocation 3,0,0\n|   o.last: 3 becomes 4\n"), Not(HasSubstr("error"))));
  const Ran tickets = lanewise("check " + subject + " -D TICKETS");
  EXPECT_THAT(opened(tickets.text.substr(tickets.text.find("depends on the schedule"))).text,
              AllOf(HasSubstr("the runs part at invocation 3,0,0\n  next: 0 becomes 1\n"), HasSubstr("\n|   next: 3 becomes 4\n"),
                    Not(HasSubstr("error"))));
}

// Also where the other run only does more.
TEST_F(Openings, WhatOneRunAloneDoes) {
  write("few.comp", R"(#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint data[]; };
void main() {
  if (gl_SubgroupSize COMPARED 8u) data[gl_LocalInvocationIndex] = 1u;
}
)");
  const std::string few = "check few.comp --buffer 0:0=zeros:32 --devices model -D COMPARED=";
  const Ran more = lanewise(few + "'<'"), less = lanewise(few + "'>'");
  EXPECT_THAT(more.text, HasSubstr(" -e 'against subgroup-size 4'\n"));
  EXPECT_THAT(opened(more.text).text,
              AllOf(HasSubstr("the runs part at invocation 0,0,0\nit does nothing more here\n|   data[0]: 0 becomes 1\n"),
                    HasSubstr("\n| >    6    if (gl_SubgroupSize"), Not(HasSubstr("error"))));
  EXPECT_THAT(opened(less.text).text, AllOf(HasSubstr("the runs part at invocation 0,0,0\n  data[0]: 0 becomes 1\n>    6"),
                                            HasSubstr("| it does nothing more there\n"), Not(HasSubstr("error"))));
}

// A profile may change what is computed long before the access at which the runs part.
TEST_F(Openings, TheInstructionThatAProfileChanges) {
  write("third.comp", R"(#version 450
layout(binding = 0) buffer Out { float x, y; };
void main() {
  precise float third = x / 3.0;
  y = third;
}
)");
  const std::string subject = "third.comp --buffer 0:0=f32:1,0 ";
  const Ran ran = lanewise("check " + subject + "--devices model");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("the bytes depend on what Vulkan lets devices choose"), HasSubstr("they part at third.comp:4: ")));
  const Ran debugged = lanewise("debug " + subject + "-e 'against profile adverse'");
  EXPECT_THAT(debugged.text, AllOf(HasSubstr("the runs part at invocation 0,0,0\n"),
                                   HasSubstr("\nthere, and here: they part at third.comp:4: OpFDiv gives ")));
}

// A wait for an earlier workgroup ends on many devices: who says so has everything else looked at.
TEST_F(Openings, WhatAModelOfProgressTakesForGranted) {
  write("chain.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Data { uint sums[8]; };
void main() {
  uint before = 0u;
  if (gl_WorkGroupID.x != 0u) while ((before = atomicAdd(sums[gl_WorkGroupID.x - 1u], 0u)) == 0u) {}
  atomicExchange(sums[gl_WorkGroupID.x], before + 1u);
}
)");
  const std::string check = "check chain.comp --groups 8 --buffer 0:0=zeros:32 --devices model";
  const Ran alone = lanewise(check);
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.text, AllOf(HasSubstr("waits for ever"), HasSubstr("progress is hsa: check with --progress hsa (docs/check.md)\n"),
                                Not(HasSubstr("taken for granted"))));
  const Ran lobe = lanewise(check + " --progress lobe");
  EXPECT_EQ(lobe.code, 0) << lobe.text;
  EXPECT_THAT(lobe.text, AllOf(HasSubstr("nothing found"), HasSubstr("not promised by Vulkan: progress is lobe\n")));
  // In order the first waits for the second: its lines are covered under what is taken for granted.
  write("later.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer Data { uint sums[8]; };
void main() {
  if (gl_WorkGroupID.x == 0u) while (atomicAdd(sums[1], 0u) == 0u) {}
  atomicExchange(sums[gl_WorkGroupID.x], 1u);
}
)");
  const Ran fair = lanewise("check later.comp --groups 2 --buffer 0:0=zeros:32 --devices model --progress fair --lcov later.lcov");
  EXPECT_EQ(fair.code, 0) << fair.text;
  EXPECT_THAT(fair.text, Not(HasSubstr("not looked at: which lines run")));
  for (const char* count : {" --explore=-4", " --max-steps=-4"}) {
    const Ran below = lanewise(check + count);
    EXPECT_EQ(below.code, 2) << count;
    EXPECT_THAT(below.text, HasSubstr("-4 is below 0")) << count;
  }
  EXPECT_THAT(lanewise(check + " --explore many").text, HasSubstr("Could not convert: --explore = many"));
  const Ran wrong = lanewise(check + " --progress some");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.text, HasSubstr("no such model of progress (--progress some); nothing, occupancy-bound, hsa, lobe or fair"));
}

// How many workgroups were resident, and that nobody is last.
TEST_F(Openings, HowAScheduleCameOut) {
  write("one.comp", "#version 450\nlayout(binding = 0) buffer Data { uint data[8]; };\nvoid main() { data[gl_WorkGroupID.x] = 1u; }\n");
  const auto ran = [&](const std::string& how) { return lanewise("run one.comp --groups 8 --buffer 0:0=zeros:32 --schedule " + how).text; };
  EXPECT_THAT(ran("interleave:seed:1"), HasSubstr("schedule interleave:seed:1, 8 workgroups resident together)\n"));
  EXPECT_THAT(ran("in-order@3 --findings"), HasSubstr("schedule in-order@3, 3 workgroups resident together)\n"));
  EXPECT_THAT(ran("in-order+fair"), HasSubstr("schedule in-order+fair, 1 workgroup resident)\n"));
  EXPECT_THAT(ran("reverse"), HasSubstr("schedule reverse)\n"));
  EXPECT_THAT(ran("last:9"), HasSubstr("schedule last:9, which puts nobody last: there is no workgroup or subgroup 9)\n"));
  EXPECT_THAT(ran("lanes-last:99"), HasSubstr(", which puts nobody last: there is no workgroup, subgroup or lane 99)\n"));
  EXPECT_THAT(ran("last:7"), HasSubstr("schedule last:7)\n"));
}

TEST_F(Openings, WhatIsNotAsExpected) {
  write("outside.comp", kOutside);
  const std::string same = "outside.comp --buffer o=u32:16*0 --expect o=u32:0,0,0,0,0,1,0,0,0,0,";
  const Ran ran = run(same + "7,0,0,0,0,3 --schedule reverse");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, HasSubstr("--schedule reverse -e end -e 'writer 0:0 40'\n"));
  EXPECT_THAT(opened(ran.text).text, HasSubstr("last written by invocation 2,0,0\n  0 becomes 2\n"));
  EXPECT_THAT(run(same + "7,0,0,0,0,3 --json").text, HasSubstr(" -e end -e 'writer 0:0 40'\""));
  EXPECT_THAT(run(same + "2,0,0,0,0,3").text, Not(HasSubstr("open it there")));
  // Within a tolerance nothing is wrong; beyond it the first place that is.
  EXPECT_THAT(run(same + "3,0,0,0,0,2 --tolerance absolute=1").text, Not(HasSubstr("open it there")));
  const Ran beyond = run(same + "3,0,0,0,0,9 --tolerance absolute=1");
  EXPECT_EQ(beyond.code, 1);
  EXPECT_THAT(beyond.text, HasSubstr("-e end -e 'writer 0:0 60'\n"));
  EXPECT_THAT(opened(beyond.text).text, HasSubstr("last written by invocation 3,0,0\n  0 becomes 3\n"));
}

// A command that writes no files does not take the name of one.
TEST_F(Openings, WhatIsWrittenToAFile) {
  write("outside.comp", kOutside);
  const Ran ran = run("outside.comp --out o=got.bin:64 --schedule in-order --expect o=u32:0,0,0,0,0,1,0,0,0,0,7,0,0,0,0,3");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, HasSubstr("lanewise debug outside.comp --out o=-:64 --schedule in-order -e end"));
  EXPECT_THAT(opened(ran.text).text, AllOf(HasSubstr("(lanewise) writer 0:0 4"), Not(HasSubstr("bad input"))));
}

// Of a kernel's failing cases the first is arbitrated; each of the others has a command too. What is right has none.
TEST_F(Openings, EveryFailingCase) {
  const auto validate = [](const std::string& words) { return shell(LANEWISE_PROGRAM " validate " + words + " --devices model 2>&1"); };
  const Ran ran = validate("broken/box-blur-centres --report " + path("report"));
  const std::string name = "broken/box-blur-centres @ 9x5 radius=1 edge=clamp format=rgba8ui input=noise:1";
  EXPECT_THAT(ran.text, HasSubstr("\n" + name + "\n"));
  EXPECT_THAT(ran.text, HasSubstr("  open it there: lanewise debug '" + name + "' -e 'against golden'\n"));
  EXPECT_THAT(opened(ran.text).text, HasSubstr("last written by invocation 0,0,0\n"));
  EXPECT_THAT(read("report/report.json"), HasSubstr("\"opens\": \"lanewise debug '" + name + "' -e 'against golden'\""));
  EXPECT_THAT(read("report/report.html"), HasSubstr("open it there: <code>lanewise debug &#39;" + name));
  // A capsule that is replayed has one too.
  const Ran replay = lanewise("replay report/*.capsule --devices model");
  EXPECT_THAT(replay.text,
              AllOf(HasSubstr("as model then\n  open it there: lanewise debug report/"), HasSubstr(".capsule -e 'against golden'\n")));
  EXPECT_THAT(opened(replay.text).text, HasSubstr("last written by invocation "));
  EXPECT_THAT(validate("box-blur/double/naive --sizes 5x3").text, Not(HasSubstr("open it there")));
  // One that only another schedule shows, and one that ends with an error.
  const Ran order = validate("broken/box-blur-shift --sizes 5x3,4x4 --schedules reverse");
  EXPECT_THAT(order.text, HasSubstr("' --schedule reverse -e 'against golden'\n"));
  EXPECT_THAT(validate("broken/box-blur-endless").text, HasSubstr("' -e end\n"));
}

// The lines that came before it are printed too.
TEST_F(Openings, AnErrorOfTheRun) {
  write("waits.comp", R"(#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 4) in;
layout(binding = 0) coherent buffer Out { uint flag; } o;
void main() {
  debugPrintfEXT("I wait");
  while (atomicOr(o.flag, 0u) == 0u);
}
)");
  const Ran ran = run("waits.comp --buffer o=u32:0");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("printed by (3, 0, 0): I wait\n"), HasSubstr("waits for ever: OpAtomicOr of 'o.flag'")));
  EXPECT_THAT(opened(ran.text).text, AllOf(HasSubstr("the run ends with an error: "), HasSubstr("\n>    7    while (atomicOr")));
}

TEST_F(Openings, WhereTwoSidesPart) {
  write("last.comp", R"(#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Out { uint data[]; } o;
void main() { o.data[0] = gl_GlobalInvocationID.x; }
)");
  const Ran ran = run("last.comp --groups 4 --buffer o=u32:0 --schedule in-order,reverse --diff");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, HasSubstr("open it there: lanewise debug last.comp --groups 4 --buffer o=u32:0 --schedule in-order -e 'against "
                                  "schedule reverse'\n"));
  EXPECT_THAT(opened(ran.text).text, Not(HasSubstr("error")));
  // Two things differ: there is no one command.
  const std::string two = run("last.comp --groups 4 --buffer o=u32:0 --schedule in-order,reverse --profile strict,adverse --diff").text;
  const std::size_t first = two.find("open it there");
  EXPECT_THAT(two, HasSubstr("-e 'against schedule reverse'"));
  EXPECT_EQ(two.find("open it there", first + 1), std::string::npos) << two;
}

constexpr const char* kRace = R"(#version 450
layout(local_size_x = 8) in;
struct Body { float mass; uvec2 at; };
layout(binding = 0) buffer Data { vec4 all[]; } d;
shared Body tile[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i].mass = d.all[i].x;
  float other = tile[(i + 1u) % 8u].mass;
  tile[i].at = uvec2(i, i + 1u);
  d.all[i] = vec4(other * 2.0);
}
)";

TEST_F(Openings, AnAccessIsToldByNameAndType) {
  write("race.comp", kRace);
  const Ran ran = debug("race.comp --buffer d=f32:32*1", "finding 1 other\nstart\nstore d\nstore 0:0\n");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("the first access of finding 1: invocation 1,0,0\n  tile[1].mass: ? becomes 1\n"),
                              HasSubstr("\n  d.all[7].x: 1 becomes 2\n"), Not(HasSubstr("bytes"))));
  // Without names of its own it has those of the job, or bytes.
  ASSERT_EQ(shell("cd " + folder_.string() +
                  " && glslangValidator -V race.comp -o named.spv > /dev/null && "
                  "spirv-opt --strip-debug named.spv -o race.spv")
                .code,
            0);
  const Ran bare = debug("race.spv --buffer 0:0=f32:32*1", "finding 1 other\n");
  EXPECT_THAT(bare.text, AllOf(HasSubstr("the first access of finding 1: invocation 1,0,0\n  "), HasSubstr("becomes")));
}

// At the prompt and in an editor's console a part of a variable is no command.
TEST_F(Openings, AnExpressionIsNoCommand) {
  write("race.comp", kRace);
  const Ran ran = debug("race.comp --buffer d=f32:32*1", "d.all[0]\nprint/x gl_LocalInvocationIndex\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("error: there is no command 'd.all[0]'; `help` tells them; `print EXPR` prints a value\n"),
                              HasSubstr("uint gl_LocalInvocationIndex = 0x0\n")));
}

}  // namespace
}  // namespace lanewise
