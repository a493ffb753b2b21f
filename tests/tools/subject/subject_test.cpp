// Subjects: what a text names, which options belong to it, and a saved state's line of text.
#include "tools/subject/subject.h"

#include <gmock/gmock.h>

#include "tools/catalogue/sets.h"
#include "tools/subject/subject_text.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const SubjectArguments& arguments) {
  const Expected<Subject> s = openSubject(arguments);
  return s ? "opened" : s.error().text();
}

TEST(Subject, AKernelHasTheParametersThatAreNamed) {
  const Expected<Subject> s = openSubject({.text = "box-blur/double/naive",
                                           .kernel = {.size = "5x3", .radius = "2", .input = "ramp", .with = {"edge=zero"}},
                                           .subgroupSize = 8});
  ASSERT_TRUE(s.ok()) << s.error().text();
  ASSERT_NE(s->madeCase(), nullptr);
  EXPECT_EQ(s->capsule(), nullptr);
  EXPECT_EQ(s->module(), nullptr);
  EXPECT_EQ(s->name, "box-blur/double/naive @ 5x3 radius=2 edge=zero format=rgba8ui input=ramp subgroup=8");
  EXPECT_EQ(s->job.subgroupSize, 8u);
}

// The names of all quick cases of a family: each opens as the case it names.
TEST(Subject, APrintedCaseIsThatCase) {
  std::size_t cases = 0;
  const Status bad = forEachCase(*findKernel("checksum/sum/shuffle"), CaseSet::kQuick, {}, [&](const Case& c) {
    ++cases;
    const Expected<Case> again = caseOf(c.name(), {});
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(*again, c) << c.name();
  });
  EXPECT_FALSE(bad);
  EXPECT_GT(cases, 10u);
  const Expected<Case> other = caseOf("box-blur/double/naive @ 5x3 radius=2", {.with = {"radius=3"}});
  ASSERT_TRUE(other.ok());
  EXPECT_THAT(other->name(), HasSubstr("radius=3"));
}

TEST(Subject, OptionsThatWouldBeIgnoredAreRefused) {
  EXPECT_THAT(refusal({}), HasSubstr("nothing is named"));
  EXPECT_THAT(refusal({.text = "no/such"}), HasSubstr("no kernel, case or file 'no/such'"));
  EXPECT_EQ(openSubject({.text = "no/such"}).error().outcome, Outcome::kBadInput);
  EXPECT_EQ(openSubject({.text = "no/such.comp"}).error().outcome, Outcome::kIoError);
  EXPECT_THAT(refusal({.text = "box-blur/*"}), HasSubstr("one is meant here"));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive @ 5x3", .kernel = {.size = "4x4"}}),
              AllOf(HasSubstr("--size"), HasSubstr("says its size")));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive @ 5x3", .kernel = {.input = "ramp"}}), HasSubstr("--input"));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive", .module = {.run = {.groups = "2"}}}),
              AllOf(HasSubstr("--groups"), HasSubstr("only a module")));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive", .kernel = {.radius = "1", .with = {"radius=2"}}}), HasSubstr("named twice"));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive", .kernel = {.with = {"radius=1,2"}}}), HasSubstr("2 values for 'radius'"));
  const std::vector<std::string> mixed = {"levels=full,1..3,7"};
  EXPECT_EQ(parseWith(mixed)->front().texts, (std::vector<std::string>{"full", "1", "2", "3", "7"}));
  EXPECT_THAT(refusal({.text = "box-blur/double/naive", .kernel = {.with = {"colour=1"}}}),
              AllOf(HasSubstr("no parameter 'colour'"), HasSubstr("edge"), HasSubstr("radius")));
  EXPECT_THAT(refusal({.text = "/dev/null", .kernel = {.radius = "1"}}), AllOf(HasSubstr("--radius"), HasSubstr("only a built-in kernel")));
}

TEST(Subject, TheFirstOptionOfAKindThatWasGivenIsNamed) {
  SubjectArguments a{.text = "x", .kernel = {.with = {"radius=1"}}, .subgroupSize = 4};
  a.module.source.defines = {"A"};
  a.module.run.buffers = {"b"};
  EXPECT_EQ(givenOption(a, {For::kModule}), "--define");
  EXPECT_EQ(givenOption(a, {For::kOne}), "--subgroup-size");
  EXPECT_EQ(givenOption(a, {For::kCase, For::kKernel}), "--with");
  EXPECT_EQ(givenOption(a, {For::kCase}), "") << "a set takes --with too";
  EXPECT_EQ(givenOption({.text = "x", .module = {.run = {.buffers = {"b"}}}}, {For::kModule}), "--buffer");
  EXPECT_EQ(givenOption({.text = "x", .module = {.maxSteps = 1}}, {For::kModule}), "") << "that anything takes";
}

TEST(With, ReadsRangesAndNames) {
  const std::string pairs[] = {"radius=0..2,7", "edge=clamp,zero"};
  const Expected<std::vector<NamedValues>> with = parseWith(pairs);
  ASSERT_TRUE(with.ok());
  EXPECT_THAT((*with)[0].texts, ElementsAre("0", "1", "2", "7"));
  EXPECT_THAT((*with)[1].texts, ElementsAre("clamp", "zero"));
  for (const std::string bad : {"radius", "=1", "radius=", "radius=1,", "radius=2..1"}) {
    const Expected<std::vector<NamedValues>> refused = parseWith({&bad, 1});
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().where, "--with") << bad;
  }
}

TEST(With, ChoosesTheCasesThatHaveAValue) {
  const std::string pair = "radius=1,3";
  const Expected<std::vector<NamedValues>> with = parseWith({&pair, 1});
  ASSERT_TRUE(with.ok());
  EXPECT_TRUE(hasValues(*parseCase("box-blur/double/naive @ 3x3 radius=3"), *with));
  EXPECT_FALSE(hasValues(*parseCase("box-blur/double/naive @ 3x3 radius=2"), *with));
  EXPECT_FALSE(hasValues(*parseCase("checksum/sum/shuffle @ 3x3"), *with)) << "a kernel without the parameter";
}

TEST(SubjectText, OptionsAreThoseOfTheCommandLine) {
  EXPECT_EQ(subjectOptions({.text = "box-blur/double/naive @ 5x3 radius=2"}), "'box-blur/double/naive @ 5x3 radius=2'");
  SubjectArguments a{.text = "it's.comp"};
  a.module.run.groups = "2";
  a.module.run.buffers = {"0:0=u32:64*1", "0:1=zeros:4"};
  a.module.run.zero = true;
  a.module.maxSteps = 7;
  a.module.source.targetEnvironment = "vulkan1.1";
  EXPECT_EQ(subjectOptions(a),
            "'it'\\''s.comp' --target-env vulkan1.1 --groups 2 --buffer '0:0=u32:64*1' --buffer 0:1=zeros:4 --zero --max-steps 7");
}

TEST(SubjectText, GivesEveryFieldBack) {
  SubjectArguments a{.text = "dir/with space\".comp",
                     .kernel = {"3x1", "2", "clamp", "list:1,2", {"format=r8", "x=1"}},
                     .module = {.source = {{"inc"}, {"A=\"b\""}, "vulkan1.1"},
                                .run = {.entry = "main",
                                        .groups = "1,2",
                                        .buffers = {"0:0=u32:1,2"},
                                        .memory = {"m=zeros:4"},
                                        .images = {"0:1=zeros:r32f:4x4"},
                                        .samplers = {"0:2=linear"},
                                        .outs = {"0:0=-:u32"},
                                        .push = {"u32:5"},
                                        .spec = {"3=16"},
                                        .zero = true},
                                .maxSteps = 1ull << 40},
                     .subgroupSize = 16};
  const std::optional<SubjectArguments> again = parseSubjectText(subjectText(a));
  ASSERT_TRUE(again);
  EXPECT_EQ(subjectText(*again), subjectText(a));
  EXPECT_EQ(again->text, a.text);
  EXPECT_EQ(again->kernel.with, a.kernel.with);
  EXPECT_EQ(again->module.source.defines, a.module.source.defines);
  EXPECT_EQ(again->module.maxSteps, a.module.maxSteps);
  EXPECT_EQ(subjectText(a).find('\n'), std::string::npos);
  EXPECT_EQ(subjectText({}), "{}");
  for (const char* bad : {"", "[]", "{", R"({"size":3})", R"({"with":"a"})", R"({"with":[1]})", R"({"zero":1})", R"({"subgroupSize":-1})",
                          R"({"subgroupSize":4294967296})"})
    EXPECT_FALSE(parseSubjectText(bad)) << bad;
}

}  // namespace
}  // namespace lanewise
