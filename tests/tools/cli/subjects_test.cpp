// One way to name a subject: a kernel, a case, a capsule and a module's file, given to every command in which they mean something.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kCase = "'box-blur/double/naive @ 5x3 radius=1 edge=zero input=ramp'";
constexpr const char* kWrong = "'broken/box-blur-remainder-x4 @ 2x1 input=list:255,0'";

class Subjects : public Scratch {
 protected:
  void SetUp() override {
    std::ofstream(path("own.comp")) << "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
                                       "void main() { uint i = gl_GlobalInvocationID.x; data[i] = data[i] * 3u + 1u; }\n";
  }
  std::string own(const std::string& values) const { return path("own.comp") + " --buffer 0:0=u32:" + values; }
  // The capsule of a case that fails.
  std::string capsule() const {
    EXPECT_EQ(lanewise(fmt::format("validate {} --devices model --report {}", kWrong, path("report"))).code, 1);
    for (const auto& entry : fs::directory_iterator(path("report")))
      if (entry.path().extension() == ".capsule") return entry.path().string();
    return "none";
  }
};

TEST_F(Subjects, ARunIsTheSameHoweverTheCaseIsNamed) {
  const Ran named = lanewise(fmt::format("run {} --out blurred={}", kCase, path("a.bin")));
  EXPECT_EQ(named.code, 0) << named.text;
  EXPECT_THAT(named.text, AllOf(HasSubstr("0:1 (blurred): 5x3 R8G8B8A8_UINT"), HasSubstr("  as expected")));
  EXPECT_EQ(fs::file_size(path("a.bin")), 60u);
  const Ran options = lanewise("run box-blur/double/naive --size 5x3 --radius 1 --edge zero --input ramp --out 0:1=" + path("b.bin"));
  EXPECT_EQ(options.code, 0) << options.text;
  EXPECT_EQ(shell(fmt::format("cmp {} {}", path("a.bin"), path("b.bin"))).code, 0);
  EXPECT_EQ(options.text.substr(0, options.text.find('\n')), named.text.substr(0, named.text.find('\n')));
  EXPECT_THAT(lanewise("run pyramid/filter-float/blit --size 9x9").text, HasSubstr("pyramid: 9x9")) << "no dispatch at all";
}

TEST_F(Subjects, ARunSaysWhetherTheResultIsRight) {
  const Ran wrong = lanewise(fmt::format("run {}", kWrong));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("NOT as expected: texel 1: 85 expected, 170 got (channel r)"));
  const std::string file = capsule();
  EXPECT_EQ(lanewise("run " + file).code, 1);
  const Ran right = lanewise("run " + file + " --with radius=3");
  EXPECT_EQ(right.code, 0) << right.text;
  EXPECT_THAT(right.text, AllOf(HasSubstr("@ 2x1 radius=3"), HasSubstr("as expected"))) << "the capsule's case, changed";
  const auto json = nlohmann::json::parse(lanewise(fmt::format("run {} --json", kWrong)).text);
  EXPECT_EQ(json["sides"][0]["asExpected"], false);
  EXPECT_EQ(json["dispatches"].size(), 2u) << "two passes";
  const auto module = nlohmann::json::parse(lanewise("run --json " + own("1,2,3,4")).text);
  EXPECT_FALSE(module["sides"][0].contains("asExpected")) << "nothing is expected of a module";
}

TEST_F(Subjects, InspectShowsTheModulesOfACase) {
  const Ran ran = lanewise("inspect checksum/sum/shuffle --size 3x3");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("checksum/sum/shuffle @ 3x3"), HasSubstr("GroupNonUniformShuffle"),
                              HasSubstr("lanewise run checksum/sum/shuffle --size 3x3")));
  EXPECT_EQ(lanewise("run checksum/sum/shuffle --size 3x3").code, 0) << "as it says";
  const auto json = nlohmann::json::parse(lanewise(fmt::format("inspect --json {}", kCase)).text);
  EXPECT_EQ(json["modules"].size(), 2u) << "one module with the constants of two passes";
  EXPECT_EQ(json["modules"][0]["schema"], "lanewise-inspect-1");
  EXPECT_THAT(lanewise("inspect " + capsule()).text, HasSubstr("box_blur_remainder_x4.comp"));
  EXPECT_THAT(lanewise("inspect " + path("own.comp")).text, HasSubstr("--buffer 0:0="));
  EXPECT_EQ(lanewise("inspect " + path("own.comp") + " --size 3x3").code, 2);
}

TEST_F(Subjects, BenchTimesFilesBesideKernels) {
  const Ran ran = lanewise("bench checksum/sum/shuffle --size 8x8 " + own("1,2,3,4") + " --runs 1 --devices model");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("checksum/sum/shuffle @ 8x8"), HasSubstr("own.comp\n  model"), HasSubstr("they are not checked")));
  const Ran wrong = lanewise("bench " + capsule() + " --runs 1 --devices model");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("a wrong result: its time has no meaning"));
  EXPECT_EQ(lanewise("bench checksum/sum/shuffle --groups 2 --devices model").code, 2) << "only a module takes --groups";
}

// With these data every change of the arithmetic changes a byte; with zeros a factor does not.
TEST_F(Subjects, SelftestJudgesAModuleByItsBytes) {
  const Ran all = lanewise("selftest " + own("1,2,3,4"));
  EXPECT_EQ(all.code, 0) << all.text;
  EXPECT_THAT(all.text, AllOf(HasSubstr("nothing says what its results have to be"), HasSubstr("7 of 7 wrong mutants")));
  const Ran zeros = lanewise("selftest " + own("0,0,0,0"));
  EXPECT_EQ(zeros.code, 1) << zeros.text;
  EXPECT_THAT(zeros.text, AllOf(HasSubstr("SURVIVED: "), HasSubstr("own.comp:4: in OpIMul 3 becomes 4")));
}

TEST_F(Subjects, SelftestJudgesACaseByItselfAlone) {
  const Ran alone = lanewise(fmt::format("selftest --rules operator {}", kCase));
  EXPECT_EQ(alone.code, 1) << "one case does not find everything\n" << alone.text;
  EXPECT_THAT(alone.text, AllOf(HasSubstr("box_blur_naive_u32.comp"), Not(HasSubstr("reasons_"))));
  const Ran wrong = lanewise("selftest " + capsule());
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("unchanged, it does not pass"));
  EXPECT_THAT(lanewise("selftest checksum/sum/shuffle --radius 3").text, HasSubstr("name one case with --size"));
}

TEST_F(Subjects, SelftestNamesTheKernelsThatShareAModule) {
  const Ran alone = lanewise("selftest depth/floor/spd-in-place --rules comparison");
  EXPECT_EQ(alone.code, 1) << alone.text;
  EXPECT_THAT(alone.text, AllOf(HasSubstr("note: depth/floor/spd runs depth_spd.comp too"),
                                Not(HasSubstr("note: depth/floor/spd-in-place")), Not(HasSubstr("note: broken/"))));
  const Ran passed = lanewise("selftest depth/floor/spd-in-place --rules rounding");
  EXPECT_EQ(passed.code, 0) << passed.text;
  EXPECT_THAT(passed.text, Not(HasSubstr("note:")));
}

TEST_F(Subjects, SelftestOfNothingIsNoApproval) {
  const Ran broken = lanewise("selftest 'broken/*'");
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.text, AllOf(HasSubstr("nothing to test"), Not(HasSubstr("PASSED"))));
  const Ran none = lanewise("selftest --rules 'barrier dropped' " + own("1,2,3,4"));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text, AllOf(HasSubstr("nothing was tested"), Not(HasSubstr("PASSED"))));
  const Ran unwritten = lanewise("selftest --json " + path("none/self.json") + " " + own("1,2,3,4"));
  EXPECT_EQ(unwritten.code, 6);
  EXPECT_THAT(unwritten.text, AllOf(HasSubstr("none"), Not(HasSubstr("kill rate")))) << "before it runs anything";
}

TEST_F(Subjects, WhatHasNoMeaningIsRefusedAndTheCommandThatDoesItIsNamed) {
  EXPECT_THAT(lanewise("list " + path("own.comp")).text, HasSubstr("`lanewise inspect` shows"));
  EXPECT_THAT(lanewise("validate " + path("own.comp")).text, HasSubstr("`lanewise check` takes a module"));
  EXPECT_THAT(lanewise("replay " + path("own.comp")).text, HasSubstr("no expected result"));
  EXPECT_EQ(lanewise("replay 'checksum/sum/shuffle' --size 3x3 --devices model").code, 0);
}

// Only `run` writes what a module's --out names.
TEST_F(Subjects, AFileThatNobodyWouldWriteIsRefused) {
  for (const std::string command : {"check --devices model", "trace", "debug -e quit", "selftest", "bench --runs 1 --devices model"}) {
    const Ran ran = lanewise(fmt::format("{} {} --out 0:0={}", command, own("1,2,3,4"), path("b.bin")));
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_THAT(ran.text, AllOf(HasSubstr("--out 0:0"), HasSubstr("only `lanewise run` writes files"))) << command;
    EXPECT_FALSE(fs::exists(path("b.bin"))) << command;
  }
  EXPECT_EQ(lanewise("trace " + own("1,2,3,4") + " --out 0:0=-").code, 0) << "it says what the output is";
  EXPECT_EQ(lanewise("run " + own("1,2,3,4") + " --out 0:0=" + path("b.bin")).code, 0);
  EXPECT_TRUE(fs::exists(path("b.bin")));
}

// A subgroup size for which nothing is promised.
TEST_F(Subjects, AreNotApplicableOutsideOfTheirSubgroupSizes) {
  const std::string quads =
      "'pyramid/mean2x2/spd-quads @ 8x8 reduction=mean levels=spd layers=1 rect=whole format=rgba8ui input=noise:1 subgroup=";
  const Ran ran = lanewise("replay " + quads + "2' --devices model");
  EXPECT_EQ(ran.code, 3) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("model: not applicable: it is right for subgroups of 4 to 128 lanes, not of 2"));
  EXPECT_EQ(lanewise("replay " + quads + "4' --devices model").code, 0);
  EXPECT_THAT(lanewise("trace " + quads + "2' --lines").text, HasSubstr("it is right for subgroups of 4 to 128 lanes, not of 2"));
  EXPECT_THAT(lanewise("trace " + quads + "4' --lines").text, Not(HasSubstr("it is right for")));
}

// The same case twice runs once.
TEST_F(Subjects, RunOnce) {
  const std::string one = "'photo/sobel/checked @ 5x3 format=rgba8ui input=ramp' ";
  EXPECT_THAT(lanewise("validate --devices model " + one + one).text, HasSubstr("PASSED: 1 cases"));
  const std::string all = lanewise("validate --devices model photo/sobel/checked --count").text;
  EXPECT_EQ(
      lanewise("validate --devices model photo/sobel/checked --count 'photo/sobel/checked @ 1x7 format=rgba8ui input=constant:255'").text,
      all)
      << "it is one of the quick set";
}

// Then --lcov has nothing to write.
TEST_F(Subjects, AModuleMaySayNoLines) {
  ASSERT_EQ(
      shell(fmt::format("cd {} && glslangValidator -V own.comp -o named.spv > /dev/null && spirv-opt --strip-debug named.spv -o own.spv",
                        folder_.string()))
          .code,
      0);
  const Ran none = lanewise("check " + path("own.spv") + " --buffer 0:0=u32:1,2,3,4 --devices model --lcov " + path("none.info"));
  EXPECT_EQ(none.code, 0) << none.text;
  EXPECT_THAT(none.text, HasSubstr("--lcov wrote nothing: the module does not say its lines; compile it with -g"));
  EXPECT_FALSE(fs::exists(path("none.info")));
  const Ran lines = lanewise("check " + own("1,2,3,4") + " --devices model --lcov " + path("lines.info"));
  EXPECT_THAT(lines.text, Not(HasSubstr("wrote nothing")));
  EXPECT_TRUE(fs::exists(path("lines.info")));
}

// What is given and wrong is told before what is missing, and what is left out is told.
TEST_F(Subjects, ArgumentsAreJudgedBeforeWhatIsMissing) {
  std::ofstream(path("push.comp"))
      << "#version 450\nlayout(binding = 0) buffer B { uint a[]; };\nlayout(binding = 1) buffer C { uint c[]; };\n"
         "layout(push_constant) uniform P { uint n; };\nvoid main() { a[0] = n; c[0] = n; }\n";
  const std::string run = "run " + path("push.comp");
  EXPECT_THAT(lanewise(run + " --buffer 0:0=u32:x").text, HasSubstr("'x'"));
  EXPECT_THAT(lanewise(run + " --buffer 0:0=u32:1").text, HasSubstr("0:1 (C)"));
  const std::string both = run + " --buffer 0:0=u32:1 --buffer 0:1=u32:1";
  EXPECT_THAT(lanewise(both).text, HasSubstr("0 bytes of push constants are given, the module reads 4"));
  const Ran more = lanewise(both + " --push u32:4,7");
  EXPECT_EQ(more.code, 0) << more.text;
  EXPECT_THAT(more.text, HasSubstr("note: 8 bytes of push constants are given, the module reads 4; the rest is left out"));
  EXPECT_THAT(lanewise(both + " --push u32:4").text, Not(HasSubstr("push constants")));
}

}  // namespace
}  // namespace lanewise
