// A user's kernel as a description, through every command.
#include <nlohmann/json.hpp>

#include "tests/tools/cli/described_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Described, IsListedValidatedAndRunAsAKernel) {
  const Ran list = in("list mean.toml");
  EXPECT_EQ(list.code, 0) << list.text;
  EXPECT_THAT(list.text, AllOf(HasSubstr("mean.toml\n"), HasSubstr("parameters radius=0..20"), HasSubstr("contract mean")));
  EXPECT_THAT(in("list --cases mean.toml").text, HasSubstr("mean.toml @ 9x17 radius="));
  const Ran all = in("validate mean.toml --devices model");
  EXPECT_EQ(all.code, 0) << all.text;
  EXPECT_THAT(all.text, AllOf(HasSubstr("PASSED"), HasSubstr("oracle only"), HasSubstr("bytes alone were judged")));
  EXPECT_THAT(in("validate mean.toml --devices model --findings").text, Not(HasSubstr("bytes alone were judged")));
  EXPECT_EQ(in("validate 'mean.toml @ 5x3 radius=20 input=ramp' --devices model").code, 0);
  EXPECT_EQ(in("validate mean.toml --sizes 1..4x1..4 --with radius=0..2 --devices model").code, 0);
  EXPECT_THAT(in("validate mean.toml --set full --count").text, HasSubstr("cases in all"));
  EXPECT_THAT(in("run mean.toml --size 5x3 --with radius=2").text, HasSubstr("as expected"));
  EXPECT_THAT(in("trace mean.toml --size 3x1 --invocation 1,0 --lines").text, HasSubstr("mean.comp:"));
  EXPECT_EQ(in("bench mean.toml --size 16x16 --runs 2 --devices model").code, 0);
  EXPECT_EQ(in("check mean.toml --size 9x9 --devices model").code, 0);
  EXPECT_THAT(in("debug mean.toml --size 3x1 -e 'break mean.comp:9' -e continue -e where").text, HasSubstr("mean.comp:9"));
  EXPECT_EQ(in("validate mean.toml --sizes 300x1").code, 2) << "beyond its largest";
  EXPECT_EQ(in("validate none.toml").code, 6);
}

TEST_F(Described, ATolerancesReasonIsPrintedWhereAllIsRight) {
  write("mean.toml", read("mean.toml") + "[tolerance.target.all]\nulp = 1\nreason = \"it is rounded\"\n");
  const Ran ran = in("validate mean.toml --devices model --sizes 3x3");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("mean.toml may differ: target at most 1 ULP, because it is rounded"));
}

TEST_F(Described, AnErrorBecomesTheSmallestCaseItsLineAndACapsule) {
  breakIt();
  const Ran wrong = in("validate mean.toml --devices model --report out");
  EXPECT_EQ(wrong.code, 1) << wrong.text;
  EXPECT_THAT(wrong.text, AllOf(HasSubstr("smallest: "), HasSubstr("1x1, r=1"), HasSubstr("mean.comp:12"), HasSubstr("FAILED")));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "report.html"));
  const Ran capsule = in("replay out/*.capsule --devices model");
  EXPECT_EQ(capsule.code, 1) << capsule.text;
  EXPECT_EQ(in("report --merge out").code, 1);
}

TEST_F(Described, MutantsAreFoundByItsQuickCases) {
  const Ran ran = in("selftest mean.toml --part 1/12");
  EXPECT_THAT(ran.text, HasSubstr("kill rate 100.0 %")) << ran.text;
}

// What no case executes, or executes only in another specialization or order, is not the same kernel for that.
TEST_F(Described, AMutantThatNoCaseShowsIsNotTheSameKernel) {
  const auto rare = [this](const std::string& spec, const std::string& body) {
    write("rare.comp",
          "#version 460\nlayout(local_size_x = 4) in;\nlayout(constant_id = 0) const uint F = 1;\n"
          "layout(binding = 0) buffer Out { uint result[]; };\nlayout(push_constant) uniform P { uint rare; };\n"
          "void main() {\n  uint v = gl_GlobalInvocationID.x;\n" +
              body + "  result[gl_GlobalInvocationID.x] = v;\n}\n");
    write("rare.toml",
          "lanewise = 1\n[size]\ndimensions = 1\n[parameters.f]\nrange = [1, 3]\ndefault = 1\n[modules.k]\nfile = \"rare.comp\"\n"
          "[resources.Out]\nbuffer = \"u32\"\nelements = \"4 * width\"\noutput = true\n"
          "[[dispatches]]\ngroups = \"width\"\npush = { rare = \"" +
              spec + "\" }\nspec = { F = \"f\" }\n");
    return in("selftest rare.toml --rules operator");
  };
  const Ran divided = rare("f == 1", "  if (rare != 0) v = v / F;\n");
  EXPECT_EQ(divided.code, 1);
  EXPECT_THAT(divided.text, HasSubstr("SURVIVED: rare.comp:8: OpUDiv becomes OpIMul"));
  const Ran never = rare("f > 3", "  if (F == 2 && rare != 0) v = v * 3 + 5;\n");
  EXPECT_EQ(never.code, 1);
  EXPECT_THAT(never.text, HasSubstr("SURVIVED: rare.comp:8: OpIMul"));
}

TEST_F(Described, WithoutAReferenceEveryRunMustAgree) {
  write("mean.toml", kMeanDescription);
  const Ran same = in("validate mean.toml --devices model --sizes 3x3 --with radius=1 --report out");
  EXPECT_EQ(same.code, 0) << same.text;
  EXPECT_THAT(same.text, AllOf(HasSubstr("model lanes-reverse"), HasSubstr("model subgroups of 8"), HasSubstr("model optimised"),
                               HasSubstr("no reference"), Not(HasSubstr("oracle only"))));
  EXPECT_THAT(same.text, AllOf(HasSubstr("NO DIFFERENCE, WHICH IS NO APPROVAL: "), Not(HasSubstr("PASSED")),
                               HasSubstr("nothing says that a result is right"), HasSubstr("`lanewise check mean.toml`")));
  EXPECT_THAT(read("out/junit.xml"), HasSubstr("<property name=\"judged\" value=\""));
  EXPECT_THAT(read("out/report.html"), AllOf(HasSubstr("NO DIFFERENCE"), Not(HasSubstr("All cases passed"))));
  EXPECT_EQ(nlohmann::json::parse(read("out/report.json"))["verdict"], "NO DIFFERENCE, WHICH IS NO APPROVAL");
  const Ran mixed = in("validate mean.toml box-blur/double/naive --devices model --sizes 3x3 --radii 1");
  EXPECT_THAT(mixed.text, HasSubstr("NOTHING SAYS WHAT IS RIGHT")) << mixed.text;
  write("race.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint last; };\nvoid main() { last = "
        "gl_GlobalInvocationID.x; }\n");
  write("race.toml",
        "lanewise = 1\n[size]\ndimensions = 1\n[modules.race]\nfile = \"race.comp\"\n[resources.B]\nbuffer = \"u32\"\nelements = 1\noutput "
        "= true\n"
        "[[dispatches]]\ngroups = \"width\"\n");
  const Ran race = in("validate race.toml --devices model --sizes 2x1");
  EXPECT_EQ(race.code, 1) << race.text;
  EXPECT_THAT(race.text, AllOf(HasSubstr("depends on how it runs"), HasSubstr("nothing says what is right"), Not(HasSubstr("exact"))));
}

// The lines of what takes a size for granted: of subgroups, and of the dispatch.
TEST_F(Described, WithoutAReferenceTheLineIsOneCommandAway) {
  write("sums.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) buffer S { uint sum; };\nshared uint part[2];\n"
        "void main() {\n  uint t = gl_LocalInvocationIndex;\n  uint s = subgroupAdd(t < a.length() ? a[t] : 0);\n"
        "  if (t % 32 == 0) part[t / 32] = s;\n  barrier();\n  if (t == 0) sum = part[0] + part[1];\n}\n");
  EXPECT_EQ(in("init sums.comp").code, 0);
  const Ran sums = in("validate sums.toml --devices model");
  EXPECT_EQ(sums.code, 1) << sums.text;
  EXPECT_THAT(sums.text, HasSubstr("to see the line where it parts from the plain model: lanewise debug 'sums.toml @ 1x1 "));
  const Ran parted = in("debug 'sums.toml @ 1x1 input=constant:1' -e 'against subgroup-size 64'");
  EXPECT_THAT(parted.text, HasSubstr("sums.comp:10 in main")) << parted.text;
  write("one.comp",
        "#version 450\nlayout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) buffer S { uint sum; };\n"
        "void main() { sum = 0; for (int i = 0; i < min(64, a.length()); ++i) sum += a[i]; }\n");
  const std::string sumsToml = read("sums.toml");
  const std::size_t at = sumsToml.find("[[dispatches]]");
  write("judged.toml", sumsToml.substr(0, at) + "[modules.one]\nfile = \"one.comp\"\n[[dispatches]]\nmodule = \"sums\"" +
                           sumsToml.substr(at + 14) + "[[reference.dispatches]]\nmodule = \"one\"\n");
  EXPECT_THAT(in("validate judged.toml --devices model --sizes 1x1 --subgroup-sizes 64").text,
              HasSubstr("parts from the plain model: lanewise debug 'judged.toml @ 1x1 input=constant:1' -e 'against subgroup-size 64'"));
  write("few.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; if (i < b.length()) b[i] = i; }\n");
  write("few.toml",
        "lanewise = 1\n[size]\ndimensions = 1\n[modules.few]\nfile = \"few.comp\"\n[resources.B]\nbuffer = \"u32\"\n"
        "elements = \"width\"\noutput = true\n[[dispatches]]\ngroups = \"max(1, width / 64)\"\n");
  EXPECT_THAT(in("validate few.toml --devices model").text,
              HasSubstr("never written 'B', 4 bytes of 260, first b[64]; 1x1x1 workgroups of 64x1x1 ran"));
}

// One signal ends a run of a case that would take hours, and one of its reference; it may come twice, as timeout(1) sends it.
TEST_F(Described, ASignalEndsALongCase) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers a signal when the program waits next";
#endif
  write("long.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\nvoid main() { b[0] = 1; }\n");
  for (const auto& [own, reference] : {std::pair(500000000, 1), std::pair(1, 500000000)}) {
    write("long.toml",
          fmt::format("lanewise = 1\n[size]\ndimensions = 1\n[modules.long]\nfile = \"long.comp\"\n[resources.B]\nbuffer = \"u32\"\n"
                      "elements = 1\noutput = true\n[[dispatches]]\ngroups = {}\n[[reference.dispatches]]\ngroups = {}\n",
                      own, reference));
    const Ran ran =
        shell("cd " + folder_.string() +
              " && timeout --preserve-status -k 60 -s TERM 2 " LANEWISE_PROGRAM " validate long.toml --devices model --sizes 1x1 2>&1");
    EXPECT_EQ(ran.code, 130) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("INTERRUPTED")) << own;
  }
  write("asks.toml",
        "lanewise = 1\n[size]\ndimensions = 1\n[modules.long]\nfile = \"long.comp\"\n[resources.B]\nbuffer = \"u32\"\nelements = 1\n"
        "output = true\n[[dispatches]]\ngroups = 1\n[reference]\nprogram = [\"sh\", \"-c\", \"touch '" +
            path("asked") + "'; exec sleep 1000\"]\ntimeout = 1000\n");
  for (const char* command : {"validate asks.toml --devices model", "check asks.toml --size 1x1 --devices model", "selftest asks.toml"}) {
    const Ran ran =
        shell(fmt::format("cd '{}' && rm -f asked; " LANEWISE_PROGRAM " {} 2>&1 & until [ -e '{}' ] || ! kill -0 $!; do sleep 0.1; done; "
                          "kill -TERM $!; kill -TERM $!; wait $!",
                          folder_.string(), command, path("asked")));
    EXPECT_EQ(ran.code, 130) << ran.text;
    EXPECT_THAT(ran.text, Not(HasSubstr("reference program"))) << command;
  }
}

// Nothing is called wrong of which nothing says what is right; and a kernel that has no case of one texel runs without a size.
TEST_F(Described, WithoutAReferenceNoResultIsExpected) {
  write("odd.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { float b[]; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; if (i < b.length()) b[i] = exp(float(i)); }\n");
  write("odd.toml",
        "lanewise = 1\nwhere = \"width % 4 == 3\"\n[size]\ndimensions = 1\nlargest = 100\n[modules.odd]\nfile = \"odd.comp\"\n"
        "[resources.B]\nbuffer = \"f32\"\nelements = \"width\"\noutput = true\n[[dispatches]]\ngroups = \"ceil_div(width, 8)\"\n");
  const Ran ran = in("run odd.toml --profile strict,adverse");
  EXPECT_THAT(ran.text, AllOf(HasSubstr("odd.toml @ 3x1 "), Not(HasSubstr("as expected"))));
  EXPECT_THAT(in("trace odd.toml").text, Not(HasSubstr("as expected")));
  const Ran check = in("check odd.toml --size 7x1 --devices model");
  EXPECT_THAT(check.text, Not(HasSubstr("wrong result")));
  EXPECT_THAT(in("debug odd.toml -e 'against golden'").text, HasSubstr("nothing says what the outputs have to be"));
  write("none.toml", read("odd.toml").replace(read("odd.toml").find("width % 4"), 9, "width - 99"));
  EXPECT_THAT(in("validate none.toml --devices model").text, HasSubstr("name sizes in `[size] quick` or --sizes, values in a parameter's"));
  EXPECT_EQ(in("run odd.toml --size 4x1").code, 2) << "a size that is given is meant";
  EXPECT_THAT(in("bench odd.toml --size 99x1 --runs 1 --devices model").text, HasSubstr("99x1"));
}

// A finding needs no reference.
TEST_F(Described, WithoutAReferenceFindingsFail) {
  write("mean.toml", with("LAST=1", "LAST=0"));
  const Ran ran = in("validate mean.toml --devices model --sizes 9x9");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("model observed"), HasSubstr("out of range"), HasSubstr("mean.comp:10"), HasSubstr("FAILED")));
}

#ifdef LANEWISE_GPU
// Devices have other subgroups than it is right for: neither command runs it there.
TEST_F(Described, ADeviceWithoutItsSubgroupsIsLeftOut) {
  write("mean.toml", with("[[dispatches]]", "[subgroups]\nleast = 32\n[[dispatches]]\nmodule = \"mean\"") + kSlow);
  const Ran ran = in("validate mean.toml --devices model,lavapipe");
  if (ran.text.find("no Vulkan device") != std::string::npos) GTEST_SKIP() << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("it is right for subgroups of 32 to 128 lanes, not of"));
  const Ran checked = in("check mean.toml --devices lavapipe");
  EXPECT_EQ(checked.code, 0) << checked.text;
  EXPECT_THAT(checked.text, HasSubstr("could not run under lavapipe: it is right for subgroups of 32 to 128 lanes, not of"));
}
#endif

TEST_F(Described, RecordedResultsAreApproved) {
  write("mean.toml", std::string(kMeanDescription) + "[reference]\nrecorded = \"mean.recorded\"\n");
  EXPECT_EQ(in("validate mean.toml --devices model").code, 5);
  EXPECT_EQ(in("golden status mean.toml").code, 5);
  EXPECT_THAT(in("golden regen mean.toml").text, HasSubstr("nothing was written"));
  EXPECT_THAT(in("golden approve mean.toml").text,
              AllOf(HasSubstr("added"), HasSubstr("written in mean.recorded"), HasSubstr("not proved")));
  EXPECT_EQ(in("golden verify mean.toml").code, 0);
  EXPECT_EQ(in("golden status mean.toml").code, 0);
  const Ran right = in("validate mean.toml --devices model");
  EXPECT_EQ(right.code, 0) << right.text;
  EXPECT_THAT(right.text,
              AllOf(HasSubstr(" recorded"), HasSubstr("PASSED AS RECORDED: "), HasSubstr("nobody proved"), Not(HasSubstr("oracle only"))));
  write("mean.comp", std::string(kMean).replace(std::string(kMean).find("2u * sum + k"), 12, "2u * sum + 0"));
  const Ran changed = in("validate mean.toml --devices model --no-arbitration");
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.text, HasSubstr("recorded results are not proved"));
  EXPECT_EQ(in("golden verify mean.toml").code, 5);
}

}  // namespace
}  // namespace lanewise
