// `lanewise golden`, as a user runs it.
#include <fstream>
#include <set>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

using Golden = Scratch;

std::string textOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Golden, AMissingGoldenIsFiveAndSaysWhatToDo) {
  fs::create_directory(path("empty"));
  const Ran ran = lanewise("validate --devices model box-blur/double/naive --golden " + path("empty"));
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.text, HasSubstr("golden regen"));
  EXPECT_EQ(lanewise("golden status --golden " + path("empty")).code, 5);
}

// Contracts have goldens for those that give their very bytes; one that may lie within bounds looks none up.
TEST_F(Golden, AreNotForKernelsThatAreHeldToBounds) {
  const Ran ran =
      lanewise("validate box-blur/float/accumulated-x4-f16 --devices model --sizes 2x1 --radii 1 --edges clamp --inputs noise:1");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("1 oracle only"));
}

TEST_F(Golden, ApproveWritesWhatVerifyExpects) {
  fs::create_directory(path("store"));
  EXPECT_EQ(lanewise("golden regen --golden " + path("store") + " --html " + path("page.html")).code, 0);
  EXPECT_FALSE(fs::exists(path("store/box-blur.golden"))) << "regen touches nothing";
  EXPECT_TRUE(fs::exists(path("page.html")));
  EXPECT_EQ(lanewise("golden approve --golden " + path("store")).code, 2) << "nothing was named";
  ASSERT_EQ(lanewise("golden approve --all --golden " + path("store")).code, 0);
  EXPECT_EQ(lanewise("golden verify --golden " + path("store")).code, 0);
  EXPECT_THAT(lanewise("golden regen --golden " + path("store")).text, HasSubstr("0 added, 0 removed, 0 changed"));

  // One character of one hash.
  std::string text;
  {
    std::ifstream in(path("store/box-blur.golden"));
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t line = text.find("box-blur/double @ 1x1 ");
  ASSERT_NE(line, std::string::npos);
  char& digit = text[text.rfind('\n', line) + 1];
  digit = digit == '0' ? '1' : '0';
  std::ofstream(path("store/box-blur.golden")) << text;
  EXPECT_EQ(lanewise("golden status --golden " + path("store")).code, 5);
  const Ran ran = lanewise("validate --devices model box-blur/double/naive --golden " + path("store"));
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("edited"), HasSubstr("`lanewise golden diff` shows which lines")));

  // The line, and nothing else; its new picture, and no old one: no version ever gave this hash.
  const std::string changes = "golden diff --golden " + path("store") + " --html " + path("diff.html") + " --before ";
  const Ran diff = lanewise(changes + LANEWISE_PROGRAM);
  EXPECT_EQ(diff.code, 0) << diff.text;
  EXPECT_THAT(diff.text, AllOf(HasSubstr("0 added, 0 removed, 1 changed"), HasSubstr("(box-blur.golden, line ")));
  EXPECT_THAT(textOf(path("diff.html")), AllOf(HasSubstr("<figcaption>new</figcaption>"), HasSubstr("the old bytes are gone"),
                                               Not(HasSubstr("<figcaption>old</figcaption>"))));

  // A store that an earlier version made, whose oracle was wrong at 1x1.
  const Ran wrong = lanewise("golden image 'box-blur/double/naive @ 1x1 radius=0 input=constant:77' --out " + path("wrong"));
  ASSERT_EQ(wrong.code, 0) << wrong.text;
  const std::string hash = wrong.text.substr(wrong.text.find("hash ") + 5, 32);
  text.replace(text.rfind('\n', line) + 1, hash.size(), hash);
  std::ofstream(path("store/box-blur.golden")) << text;
  std::ofstream(path("earlier")) << "#!/bin/sh\n" LANEWISE_PROGRAM " \"$@\" && cp " << path("wrong")
                                 << "/*/expected.png \"$5\"/*/expected.png\n";
  fs::permissions(path("earlier"), fs::perms::owner_all);
  ASSERT_EQ(lanewise(changes + path("earlier")).code, 0);
  EXPECT_THAT(textOf(path("diff.html")),
              AllOf(HasSubstr("<figcaption>new</figcaption>"), HasSubstr("<figcaption>old</figcaption>"), HasSubstr("difference x 9")));
  ASSERT_EQ(lanewise("golden regen --golden " + path("store") + " --html " + path("page.html")).code, 0);
  EXPECT_THAT(textOf(path("page.html")), AllOf(HasSubstr("<figcaption>new</figcaption>"), HasSubstr("the old bytes are gone")));
  EXPECT_THAT(lanewise("golden diff --before " LANEWISE_PROGRAM).text, HasSubstr("the old pictures go into a page"));
}

// A folder that is not there is a mistake in its name: nothing is made there.
TEST_F(Golden, AMistypedFolderIsAnError) {
  for (const char* command : {"golden status", "golden verify", "golden diff", "golden approve --all", "golden approve --full --all",
                              "validate photo/sobel/checked --devices model"}) {
    const Ran ran = lanewise(command + (" --golden " + path("stroe")));
    EXPECT_EQ(ran.code, 6) << command << ran.text;
    EXPECT_THAT(ran.text, AllOf(HasSubstr("there is no folder"), HasSubstr("stroe"), HasSubstr("--golden")));
  }
  EXPECT_FALSE(fs::exists(path("stroe")));
}

TEST_F(Golden, AnImageIsWhatTheOracleGivesForAnyCase) {
  const std::string at = " --out " + path("images");
  const Ran exact = lanewise("golden image 'photo/sobel/checked @ 5x3 format=rgba8ui input=ramp'" + at);
  EXPECT_EQ(exact.code, 0) << exact.text;
  EXPECT_THAT(exact.text, AllOf(HasSubstr("input and expected"), HasSubstr("mean of the edges: ")));
  const Ran range = lanewise("golden image box-blur/float/two-pass-f32 --size 9x4 --with radius=2 --input noise:3" + at);
  EXPECT_EQ(range.code, 0) << range.text;
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path("images")))
    if (entry.is_regular_file()) files.insert(entry.path().filename());
  EXPECT_THAT(files, testing::ElementsAre("expected-0.txt", "expected-1.png", "greatest.png", "input.png", "least.png"));
  EXPECT_EQ(lanewise("golden image photo/sobel/checked" + at).code, 2);
  EXPECT_THAT(lanewise("golden image photo/sobel/checked" + at).text, HasSubstr("give it a --size"));
}

TEST_F(Golden, APatternApprovesOnlyWhatItNames) {
  fs::create_directory(path("store"));
  const std::string at = " --golden " + path("store");
  ASSERT_EQ(lanewise("golden approve 'checksum/*'" + at).code, 0);
  EXPECT_TRUE(fs::exists(path("store/checksum.golden")));
  EXPECT_FALSE(fs::exists(path("store/box-blur.golden")));
  EXPECT_THAT(lanewise("golden approve 'checksum/*'" + at).text, HasSubstr("pictures: left as they are; `lanewise golden approve --all`"));
  EXPECT_EQ(lanewise("golden status" + at).code, 5) << "the others are missing";
  EXPECT_THAT(lanewise("golden diff 'checksum/*'" + at).text, HasSubstr("nothing would change"));
  EXPECT_EQ(lanewise("golden regen 'no-such/*'" + at).code, 2);
  EXPECT_THAT(lanewise("golden regen 'checksum/*' --with format=r8" + at).text,
              HasSubstr("no golden matches (checksum/* --with format=r8)"));
  EXPECT_EQ(lanewise("golden approve --all 'checksum/*'" + at).code, 2) << "all, or some";
}

TEST_F(Golden, FoldedGoldensOfTheFullSetHaveAHashAWidth) {
  fs::create_directory(path("store"));
  const std::string at = " --full --golden " + path("store");
  ASSERT_EQ(lanewise("golden approve 'checksum/sum @ full width=7 *'" + at).code, 0);
  std::ifstream in(path("store/full/checksum.golden"));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_THAT(text, HasSubstr("checksum/sum @ full width=7 ("));
  EXPECT_THAT(lanewise("golden regen 'checksum/sum @ full width=7 *'" + at).text, HasSubstr("nothing would change"));
  EXPECT_EQ(lanewise("golden status" + at).code, 5);
  // The quick set has no such case.
  fs::copy_file(path("store/full/checksum.golden"), path("store/checksum.golden"));
  EXPECT_THAT(lanewise("golden status --golden " + path("store")).text,
              AllOf(HasSubstr("of no case: checksum/sum @ full width=7 ("), HasSubstr(" 1 of no case")));
}

TEST_F(Golden, TheStoreThatComesWithTheProgramIsWhatTheOraclesCompute) {
  const Ran ran = lanewise("golden verify");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

// Of the full set's one width; all of them every night.
TEST_F(Golden, TheFoldedStoreHasTheWholeFullSetAndAWidthOfItIsWhatTheOraclesCompute) {
  const Ran all = lanewise("golden status --full");
  EXPECT_EQ(all.code, 0) << all.text;
  const Ran width = lanewise("golden verify --full '* @ full width=5 *'");
  EXPECT_EQ(width.code, 0) << width.text;
  EXPECT_THAT(width.text, HasSubstr("the store is what the oracles compute"));
}

}  // namespace
}  // namespace lanewise
