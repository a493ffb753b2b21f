// Scripts through the program: one, a folder, an exported case, and other commands that take one.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/amber/scripts.h"
#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Amber : public Scratch {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder_ / name).rdbuf();
    return out.str();
  }
  Ran in(const std::string& arguments) const {
    return shell(fmt::format("cd '{}' && " LANEWISE_PROGRAM " {} 2>&1", folder_.string(), arguments));
  }
};

const std::string kHolds = amber::kDouble + "RUN p 4 1 1\nEXPECT numbers IDX 0 EQ 2 4 -6 32\n";
const std::string kFails = amber::kDouble + "RUN p 4 1 1\nEXPECT numbers IDX 0 EQ 2 4 -6 33\n";

TEST_F(Amber, OneScript) {
  write("good.amber", kHolds);
  write("bad.amber", kFails);
  const Ran good = in("run good.amber --out numbers=-:i32");
  EXPECT_EQ(good.code, 0) << good.text;
  EXPECT_THAT(good.text, AllOf(HasSubstr("as expected"), HasSubstr("-6"), HasSubstr("4x1x1 workgroups")));
  const Ran bad = in("run bad.amber --junit bad.xml");
  EXPECT_EQ(bad.code, 1) << bad.text;
  EXPECT_THAT(bad.text, HasSubstr("NOT as expected: bad.amber:13:1: 'numbers' at byte 12: EQ 33 is expected, it is 32"));
  EXPECT_THAT(bad.text, HasSubstr("\n  open it there: lanewise debug bad.amber -e end -e 'writer numbers 12'\n"));
  EXPECT_THAT(good.text, Not(HasSubstr("open it there")));
  EXPECT_THAT(read("bad.xml"),
              AllOf(HasSubstr("failures=\"1\""), HasSubstr("bad.amber:13:1"),
                    HasSubstr("\nopen it there: lanewise debug bad.amber -e end -e &#39;writer numbers 12&#39;</failure>")));
  const Ran json = in("run bad.amber --json");
  EXPECT_EQ(nlohmann::json::parse(json.text)["sides"][0]["asExpected"], false) << json.text;
  EXPECT_EQ(in("run good.amber --schedule all --subgroup-size 1,32").code, 0);
  const Ran option = in("run good.amber --buffer 0:0=zeros:4");
  EXPECT_EQ(option.code, 2);
  EXPECT_THAT(option.text, HasSubstr("a script says this itself (--buffer)"));
  EXPECT_EQ(in("run gone.amber").code, 6);
  write("idle.amber", "#!amber\n");
  const Ran idle = in("run idle.amber");
  EXPECT_EQ(idle.code, 0);
  EXPECT_THAT(idle.text, HasSubstr("note: nothing runs in it"));
  EXPECT_THAT(good.text, Not(HasSubstr("nothing runs")));
}

// The command of a failing script goes to the store that its EXPECT sees, although later runs store there again; and to a finding of a run
// behind a copy, which is a dispatch of its own there.
TEST_F(Amber, AFailureIsOpenedWhereItsExpectStands) {
  const auto opened = [this](const std::string& text) {
    const std::size_t at = text.find("open it there: lanewise ");
    return at == std::string::npos ? text : in(text.substr(at + 24, text.find('\n', at) - at - 24) + " < /dev/null").text;
  };
  const std::string copy = "BUFFER other DATA_TYPE int32 SIZE 4 FILL 0\n";
  write("twice.amber", amber::kDouble + copy + "RUN p 4 1 1\nCOPY numbers TO other\nRUN p 2 1 1\nEXPECT numbers IDX 4 EQ 7\nRUN p 4 1 1\n");
  const Ran twice = in("run twice.amber --schedule reverse");
  EXPECT_THAT(twice.text, HasSubstr("lanewise debug twice.amber --schedule reverse -e 'time 3.1.0' -e 'writer numbers 4'\n"));
  EXPECT_THAT(opened(twice.text), AllOf(HasSubstr("last written by invocation 1,0,0\n  4 becomes 8\n"), HasSubstr("of dispatch 2\n")));
  write("all/twice.amber", read("twice.amber"));
  const Ran all = in("run all");
  EXPECT_THAT(opened(all.text), HasSubstr("last written by invocation 1,0,0\n  4 becomes 8\n"));
  write("outside.amber", amber::kDouble + copy + "RUN p 4 1 1\nCOPY numbers TO other\nRUN p 5 1 1\n");
  const Ran outside = in("run outside.amber --findings");
  EXPECT_THAT(outside.text, HasSubstr("invocation 4,0,0 of dispatch 2"));
  EXPECT_THAT(opened(outside.text), HasSubstr("in main, invocation 4,0,0 of dispatch 2\n"));
  // Before the first run there is no store.
  write("early.amber", amber::kDouble + "EXPECT numbers IDX 0 EQ 9\nRUN p 4 1 1\n");
  EXPECT_THAT(in("run early.amber").text, AllOf(HasSubstr("NOT as expected"), Not(HasSubstr("open it there"))));
}

// Nothing of a script reaches a terminal as a control character.
TEST_F(Amber, ControlCharactersAreText) {
  std::string odd = kFails;
  for (std::size_t at; (at = odd.find("numbers")) != std::string::npos;) odd.replace(at, 7, "n\x1b[31m");
  write("odd.amber", odd);
  write("unknown.amber", "#!amber\nRUN \x1b[31mp 4 1 1\n");
  for (const char* arguments :
       {"run odd.amber", "run odd.amber --junit odd.xml", "inspect odd.amber", "check odd.amber", "run unknown.amber"}) {
    const Ran ran = in(arguments);
    EXPECT_THAT(ran.text, Not(HasSubstr("\x1b"))) << arguments;
  }
  EXPECT_THAT(in("run odd.amber").text, HasSubstr("n\\x1b[31m"));
  EXPECT_THAT(read("odd.xml"), Not(HasSubstr("\x1b")));
}

TEST_F(Amber, AFolderHasASummary) {
  write("s/good.amber", kHolds);
  write("s/deep/bad.amber", kFails);
  write("s/wrong.expect_fail.amber", kFails);
  write("s/vertex.amber", "#!amber\nSHADER vertex v PASSTHROUGH\n");
  write("s/broken.vkscript", "[test]\nssbo\n");
  write("s/notes.txt", "no script");
  const Ran all = in("run s --junit all.xml");
  EXPECT_EQ(all.code, 1) << all.text;
  EXPECT_THAT(all.text, AllOf(HasSubstr("passed  s/good.amber\n"), HasSubstr("FAILED  s/deep/bad.amber: s/deep/bad.amber:13:1"),
                              HasSubstr("passed  s/wrong.expect_fail.amber\n"), HasSubstr("unsupported  s/vertex.amber"),
                              HasSubstr("bad input  s/broken.vkscript"), HasSubstr("5 scripts"), Not(HasSubstr("notes.txt"))));
  EXPECT_THAT(read("all.xml"), AllOf(HasSubstr("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\""), HasSubstr("classname=\"s\""),
                                     HasSubstr("open it there: lanewise debug s/deep/bad.amber ")));
  EXPECT_EQ(nlohmann::json::parse(in("run s --json").text)["scripts"].size(), 5u);
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_EQ(in("run empty").code, 2);
  EXPECT_THAT(in("validate empty").text, HasSubstr("'empty' is a folder, and kernels or cases are meant here"));
  write("idle/idle.amber", "#!amber\n");
  EXPECT_THAT(in("run idle").text, HasSubstr("passed  idle/idle.amber: nothing runs in it\n"));
}

// The script that never ends is stopped; what was done before is told.
TEST_F(Amber, AnInterruptedFolderTellsWhatIsDone) {
  std::string endless = kHolds;
  const std::size_t body = endless.find("void main() {") + 13;
  endless.insert(body, " while (true) atomicAdd(a[0], 1); ");
  write("s/a.amber", kFails);
  write("s/b.amber", endless);
  write("s/c.amber", kHolds);
  const Ran ran = shell(fmt::format("cd '{}' && sh -c '(sleep 5; kill -INT $$) & exec \"$@\"' sh " LANEWISE_PROGRAM
                                    " run s --threads 1 --junit out.xml 2>&1",
                                    folder_.string()));
  EXPECT_EQ(ran.code, 130) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("FAILED  s/a.amber: s/a.amber:13:1"), HasSubstr("3 scripts, 1 failed, 2 interrupted\n")));
  EXPECT_THAT(read("out.xml"), AllOf(HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""), HasSubstr("not run to its end")));
}

// A module has no scripts to write of.
TEST_F(Amber, JunitIsOfScripts) {
  write("own.comp", "#version 450\nvoid main() {}\n");
  const Ran ran = in("run own.comp --junit out.xml");
  EXPECT_EQ(ran.code, 2) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("only scripts have it (--junit); `lanewise check --junit FILE`"));
}

TEST_F(Amber, AnExportedCaseRunsAndHolds) {
  for (const char* name : {"box-blur/double/naive @ 5x3 radius=1", "photo/sobel/checked @ 5x3 input=ramp"}) {
    const Ran exported = in(fmt::format("export '{}' --amber --file case.amber", name));
    ASSERT_EQ(exported.code, 0) << exported.text;
    const Ran run = in("run case.amber");
    EXPECT_EQ(run.code, 0) << run.text;
    EXPECT_THAT(run.text, HasSubstr("as expected"));
    // One number of the expected result changed: it does not hold.
    std::string text = read("case.amber");
    const std::size_t expected = text.rfind("DATA\n");
    ASSERT_NE(expected, std::string::npos) << name;
    text.insert(expected + 5, text[expected + 5] == '1' ? "2 " : "1 ");
    const std::size_t second = text.find_first_of(" \n", expected + 7);
    text.erase(expected + 7, second + 1 - (expected + 7));
    write("case.amber", text);
    EXPECT_EQ(in("run case.amber").code, 1) << name;
  }
  EXPECT_EQ(in("export 'box-blur/double/naive @ 5x3 radius=1'").code, 2);
}

TEST_F(Amber, OtherCommandsTakeAScript) {
  write("job.amber", kHolds);
  EXPECT_THAT(in("trace job.amber --lines").text, HasSubstr("job.amber:5"));
  EXPECT_EQ(in("check job.amber --devices model").code, 0);
  EXPECT_EQ(in("inspect job.amber").code, 0);
  EXPECT_EQ(in("capsule job.amber").code, 0);
  EXPECT_EQ(in("run job.capsule").code, 0);
  write("copies.amber", amber::kDouble + "BUFFER o DATA_TYPE int32 SIZE 4 FILL 0\nRUN p 1 1 1\nCOPY numbers TO o\nRUN p 1 1 1\n");
  EXPECT_EQ(in("check copies.amber --devices model").code, 0);
  EXPECT_THAT(in("trace copies.amber --lines").text, HasSubstr("copy:"));
  write("many.amber", amber::kDouble + "REPEAT 5000\nRUN p 1 1 1\nEND\n");
  const Ran many = in("trace many.amber");
  EXPECT_EQ(many.code, 3);
  EXPECT_THAT(many.text, HasSubstr("it has more than 4096 runs and copies (many.amber:"));
  EXPECT_THAT(many.text, HasSubstr("`lanewise run` runs it"));
}

#ifdef LANEWISE_GPU
TEST_F(Amber, DevicesHoldWhatTheModelHolds) {
  for (const amber::Example& e : amber::examples())
    if (std::string_view(e.name) != "subgroups") write(fmt::format("s/{}.amber", e.name), e.text);
  const Ran all = in("run s --device model,lavapipe");
  if (all.text.find("lavapipe' is") != std::string::npos) GTEST_SKIP() << all.text;
  EXPECT_EQ(all.code, 0) << all.text;
}
#endif

}  // namespace
}  // namespace lanewise
