// A user's kernel as a description, through every command.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMean =
    "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D source;\n"
    "layout(binding = 1, rgba8ui) uniform writeonly uimage2D target;\nlayout(push_constant) uniform P { ivec2 size; int radius; };\n"
    "void main() {\n"
    "  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "  if (at.x >= size.x || at.y >= size.y) return;\n"
    "  uvec4 sum = uvec4(0);\n"
    "  for (int i = -radius; i <= radius; ++i) sum += imageLoad(source, ivec2(clamp(at.x + i, 0, size.x - LAST), at.y));\n"
    "  uint k = 2u * uint(radius) + 1u;\n"
    "  imageStore(target, at, (2u * sum + k) / (2u * k));\n}\n";
constexpr const char* kMeanDescription =
    "lanewise = 1\nname = \"mean\"\n[size]\nlargest = 200\n[parameters.radius]\nrange = [0, 20]\ndefault = 1\n"
    "[modules.mean]\nfile = \"mean.comp\"\ndefine = [\"LAST=1\"]\n"
    "[resources.source]\nimage = \"rgba8ui\"\ndata = \"input\"\n[resources.target]\nimage = \"rgba8ui\"\noutput = true\n"
    "[[dispatches]]\ngroups = [\"ceil_div(width, 8)\", \"ceil_div(height, 8)\"]\npush = { size = [\"width\", \"height\"], radius = "
    "\"radius\" }\n";
constexpr const char* kSlow =
    "[modules.slow]\nfile = \"slow.comp\"\n[[reference.dispatches]]\nmodule = \"slow\"\ngroups = [\"width\", \"height\"]\n"
    "push = { radius = \"radius\" }\n";

class Described : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    write("mean.comp", kMean);
    write("slow.comp",
          "#version 450\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D source;\nlayout(binding = 1, rgba8ui) uniform writeonly "
          "uimage2D target;\n"
          "layout(push_constant) uniform P { int radius; };\nvoid main() {\n  ivec2 at = ivec2(gl_WorkGroupID.xy); int w = "
          "int(gl_NumWorkGroups.x);\n"
          "  uvec4 sum = uvec4(0); uint k = uint(2 * radius + 1);\n  for (int i = at.x - radius; i <= at.x + radius; ++i)\n"
          "    sum += imageLoad(source, ivec2(i < 0 ? 0 : i >= w ? w - 1 : i, at.y));\n  imageStore(target, at, (2u * sum + k) / (2u * "
          "k));\n}\n");
    write("mean.toml", with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"") + kSlow);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kMeanDescription;
    return text.replace(text.find(from), from.size(), to);
  }
  // The reading beyond the last column, clamped one too late.
  void breakIt() const {
    write("mean.toml", std::string(with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"") + kSlow)
                           .replace(std::string(with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"")).find("LAST=1"), 6, "LAST=0"));
  }
  Ran in(const std::string& arguments) const {
    return shell(fmt::format("cd '{}' && " LANEWISE_PROGRAM " {} 2>&1", folder_.string(), arguments));
  }
};

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

// One signal ends a run of a case that would take hours.
TEST_F(Described, ASignalEndsALongCase) {
  write("long.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\nvoid main() { b[0] = 1; }\n");
  write("long.toml",
        "lanewise = 1\n[size]\ndimensions = 1\n[modules.long]\nfile = \"long.comp\"\n[resources.B]\nbuffer = \"u32\"\nelements = 1\n"
        "output = true\n[[dispatches]]\ngroups = 500000000\n[[reference.dispatches]]\ngroups = 1\n");
  const Ran ran =
      shell("cd " + folder_.string() +
            " && timeout --preserve-status -k 60 -s TERM 2 " LANEWISE_PROGRAM " validate long.toml --devices model --sizes 1x1 2>&1");
  EXPECT_EQ(ran.code, 130) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("INTERRUPTED"));
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

// A sum of lines by four invocations, of which the remainder is forgotten, and the same by one.
constexpr const char* kSum =
    "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) readonly buffer A { uint a[]; };\n"
    "layout(binding = 1) buffer S { uint sum; };\nlayout(push_constant) uniform P { uint n; };\nshared uint part[4];\nvoid main() {\n"
    "  uint t = gl_LocalInvocationIndex, s = 0;\n"
    "  uint each = n / 4;\n"
    "  for (uint i = 0; i < each; ++i) s += a[t * each + i];\n"
    "  part[t] = s;\n  barrier();\n  if (t == 0) sum = part[0] + part[1] + part[2] + part[3];\n}\n";
constexpr const char* kOne =
    "#version 450\nlayout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) buffer S { uint sum; };\n"
    "layout(push_constant) uniform P { uint n; };\nvoid main() { uint s = 0; for (uint i = 0; i < n; ++i) s += a[i]; sum = s; }\n";
constexpr const char* kSumDescription =
    "lanewise = 1\n[size]\ndimensions = 1\n[modules.sum]\nfile = \"sum.comp\"\n[modules.slow]\nfile = \"one.comp\"\n"
    "[resources.A]\nbuffer = \"u32\"\nelements = \"width\"\ndata = \"input\"\n[resources.S]\nbuffer = \"u32\"\nelements = 1\n"
    "data = \"zeros\"\noutput = true\n[[dispatches]]\nmodule = \"sum\"\ngroups = 1\npush = { n = \"width\" }\n"
    "[[reference.dispatches]]\nmodule = \"slow\"\ngroups = 1\npush = { n = \"width\" }\n";

TEST_F(Described, ASuspectIsTheLineOfTheBug) {
  write("sum.comp", kSum);
  write("one.comp", kOne);
  write("sum.toml", kSumDescription);
  const Ran ran = in("validate sum.toml --devices model --sizes 4..8x1 --inputs noise:1 --report out");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("suspect: sum.comp:9: OpUDiv: 1 more mends the smallest case and 3 of 3 failing ones, and keeps "
                                        "right 2 of 2 passing ones that it alters\n"),
                              HasSubstr("ruling: kernel wrong, as far as the model alone can tell, at sum.comp:9"),
                              HasSubstr("FAILED: 5 cases, 3 failed")));
  EXPECT_THAT(read("out/report.html"), HasSubstr("sum.comp:9"));
  EXPECT_EQ(nlohmann::json::parse(read("out/report.json"))["findings"][0]["suspects"].empty(), false);
  // One case, which is smaller than what was asked for, or is that: too few to decide.
  const Ran one = in("validate sum.toml --devices model --sizes 5x1 --inputs noise:1");
  EXPECT_THAT(one.text, AllOf(HasSubstr("1 more mends the smallest case and 1 of 1 failing ones\n"), HasSubstr("FAILED: 1 cases, 1 failed"),
                              Not(HasSubstr("can tell, at sum.comp"))));
  const Ran itself = in("validate 'sum.toml @ 1x1 input=constant:1' --devices model");
  EXPECT_THAT(itself.text, HasSubstr("1 more mends the smallest case\n"));
}

// What Vulkan leaves open is not decided by a suspect, and what is too much is not tried.
TEST_F(Described, ASuspectDecidesOnlyWhatItCan) {
  write("sum.comp", kSum);
  write("one.comp", kOne);
  write("sum.toml", kSumDescription);
  EXPECT_THAT(
      in("validate sum.toml --devices model --sizes 1..60x1 --inputs noise:1").text,
      AllOf(HasSubstr(" and 40 of 40 failing ones (5 more not tried), and keeps right 15 of 15 "), HasSubstr("60 cases, 45 failed")));
  const std::string root =
      "#version 450\nlayout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) buffer S { float root[]; };\nvoid main() {\n"
      "  uint i = gl_GlobalInvocationID.x;\n  root[i] = inversesqrt(float(a[i] % 100u + ";
  write("root.comp", root + "2u));\n}\n");
  write("right.comp", root + "3u));\n}\n");
  write("root.toml",
        "lanewise = 1\n[size]\ndimensions = 1\n[modules.root]\nfile = \"root.comp\"\n[modules.right]\nfile = \"right.comp\"\n"
        "[resources.A]\nbuffer = \"u32\"\nelements = \"width\"\ndata = \"input\"\n[resources.S]\nbuffer = \"f32\"\nelements = \"width\"\n"
        "data = \"zeros\"\noutput = true\n[[dispatches]]\nmodule = \"root\"\ngroups = \"width\"\n"
        "[[reference.dispatches]]\nmodule = \"right\"\ngroups = \"width\"\n");
  EXPECT_THAT(in("validate root.toml --devices model --sizes 1..5x1 --inputs noise:1").text,
              AllOf(HasSubstr("suspect: root.comp:6: "), HasSubstr(" and 5 of 5 failing ones\n"),
                    HasSubstr("ruling: undecided: the model alone ran, and Vulkan leaves something open")));
}

// A barrier that is missing is no value.
TEST_F(Described, AMissingBarrierHasNoSuspect) {
  std::string raced = kSum;
  raced.replace(raced.find("n / 4"), 5, "(n + 3) / 4").replace(raced.find("  barrier();\n"), 13, "");
  write("sum.comp", raced);
  write("one.comp", kOne);
  write("sum.toml", kSumDescription);
  const Ran ran = in("validate sum.toml --devices model --sizes 5..6x1 --inputs noise:1 --schedules lanes-reverse,lanes");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_THAT(ran.text, Not(HasSubstr("suspect"))) << ran.text;
}

// A decision of one invocation, where nothing else mends it.
TEST_F(Described, ASuspectIsADecisionOfOneInvocation) {
  write("most.comp",
        "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) readonly buffer Values { uint values[]; };\nlayout(binding = 1) buffer Most { uint most; };\n"
        "layout(push_constant) uniform Push { uint count; };\nshared uint part[2];\nvoid main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n  uint m = subgroupMax(i < count ? values[i] : 0);\n"
        "  if (i % 32 == 0) part[i / 32] = m;\n  barrier();\n  if (i == 0) most = max(part[0], part[1]);\n}\n");
  write("most.toml",
        "lanewise = 1\n[size]\ndimensions = 1\nlargest = 64\n[modules.most]\nfile = \"most.comp\"\n"
        "[resources.Values]\nbuffer = \"u32\"\nelements = \"width\"\ndata = \"input\"\n[resources.Most]\nbuffer = \"u32\"\n"
        "elements = 1\noutput = true\n[[dispatches]]\ngroups = 1\npush = { count = \"width\" }\n");
  const Ran ran = in("validate most.toml --devices model --sizes 9..40x1 --inputs noise:1");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("suspect: most.comp:11: "), HasSubstr(" once for invocation (")));
}

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

TEST_F(Described, InitWritesADescriptionThatRuns) {
  write("scale.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) writeonly "
        "buffer B { uint b[]; };\n"
        "layout(push_constant) uniform P { uint count; uint factor; float bias; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; if (i < count) b[i] = a[i] * factor + uint(bias); }\n");
  const Ran made = in("init scale.comp");
  EXPECT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(in("init scale.comp").code, 2) << "it is there already";
  const Ran list = in("list scale.toml");
  EXPECT_THAT(list.text, HasSubstr("parameters factor=0..16 sizes")) << list.text;
  const Ran run = in("validate scale.toml --devices model");
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_EQ(in("init mean.comp -D LAST=1 --out first.toml").code, 0);
  const Ran image = in("validate first.toml --devices model --sizes 9x9");
  EXPECT_EQ(image.code, 0) << image.text;
  EXPECT_THAT(in("init --schema").text, HasSubstr("\"$schema\""));
}

// Kernels of other shapes, whose first descriptions run as they are.
TEST_F(Described, InitKnowsAddressesTexelBuffersLinesAndCubes) {
  const std::string head = "#version 450\nlayout(local_size_x = 8) in;\n";
  const std::string all = "void main() { uint i = gl_GlobalInvocationID.x; ";
  write("address.comp",
        "#version 450\n#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 8) in;\n"
        "layout(buffer_reference, std430) buffer Data { uint v[]; };\n"
        "layout(push_constant) uniform P { Data from; Data to; uint n; };\n" +
            all + "if (i < n) to.v[i] = from.v[i] + 1; }\n");
  write("texels.comp", head +
                           "layout(binding = 0) uniform isamplerBuffer a;\nlayout(binding = 1, r16f) uniform writeonly imageBuffer b;\n" +
                           all + "if (i < imageSize(b)) imageStore(b, int(i), vec4(texelFetch(a, int(i)).x)); }\n");
  write("line.comp", head + "layout(binding = 0, r32ui) uniform uimage1D line;\n" + all +
                         "if (i < imageSize(line)) imageStore(line, int(i), uvec4(i)); }\n");
  write("cube.comp",
        "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0) uniform samplerCube cube;\n"
        "layout(binding = 1, rgba8) uniform writeonly image2D side;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  if (all(lessThan(p, imageSize(side)))) imageStore(side, p, textureLod(cube, vec3(p, 1), 0)); }\n");
  write("cubes.comp", head + "layout(binding = 0) uniform samplerCubeArray cubes;\nlayout(binding = 1) buffer B { float b[]; };\n" + all +
                          "if (i < b.length() && gl_GlobalInvocationID.y == 0) b[i] = textureLod(cubes, vec4(1, 0, 0, i % 2), 0).x; }\n");
  write("array.comp", head +
                          "layout(binding = 0) readonly buffer A { uint a[]; } parts[3];\nlayout(binding = 1) buffer B { uint b[]; };\n" +
                          all + "if (i < b.length()) b[i] = parts[i % 3].a[i]; }\n");
  for (const char* name : {"address", "texels", "line", "cube", "cubes", "array"}) {
    EXPECT_EQ(in(std::string("init ") + name + ".comp").code, 0);
    const Ran ran = in(std::string("validate --devices model ") + name + ".toml");
    EXPECT_EQ(ran.code, 0) << ran.text << read(std::string(name) + ".toml");
    EXPECT_THAT(ran.text, HasSubstr("NO DIFFERENCE"));
  }
  EXPECT_THAT(read("address.toml"), HasSubstr("push = { from = \"addr: from\", to = \"addr: to\", n = \"width\" }"));
  write("nameless.spvasm",
        "; SPIR-V\n; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\nOpExecutionMode "
        "%f LocalSize 1 1 1\n"
        "OpDecorate %B BufferBlock\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\n"
        "OpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0\nOpMemberDecorate %P 1 Offset 8\n%void = OpTypeVoid\n"
        "%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%two = OpTypeVector %uint 2\n%zero = OpConstant %uint 0\n"
        "%one = OpConstant %uint 1\n%B = OpTypeStruct %uint\n%P = OpTypeStruct %uint %two\n%pB = OpTypePointer Uniform %B\n"
        "%pP = OpTypePointer PushConstant %P\n%pu = OpTypePointer Uniform %uint\n%ppu = OpTypePointer PushConstant %uint\n"
        "%b = OpVariable %pB Uniform\n%p = OpVariable %pP PushConstant\n%f = OpFunction %void None %fn\n%1 = OpLabel\n"
        "%from = OpAccessChain %ppu %p %one %one\n%x = OpLoad %uint %from\n%to = OpAccessChain %pu %b %zero\nOpStore %to %x\nOpReturn\n"
        "OpFunctionEnd\n");
  EXPECT_EQ(in("init nameless.spvasm").code, 0);
  EXPECT_EQ(in("validate --devices model --sizes 1x1 nameless.toml").code, 0) << read("nameless.toml");
  write("read.comp", head + "layout(binding = 0) readonly buffer A { uint a[]; };\nvoid main() { if (a[0] == 1) return; }\n");
  EXPECT_EQ(in("init read.comp").code, 0);
  EXPECT_THAT(read("read.toml"), HasSubstr("?? The module writes to no binding"));
}

// The quick set of a kernel with operations of subgroups has more sizes than the device's own.
TEST_F(Described, InitAsksForSubgroupSizes) {
  const std::string head =
      "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\nlayout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer A { uint a[]; };\nvoid main() { ";
  write("sum.comp", head + "uint i = gl_GlobalInvocationID.x, s = subgroupAdd(1); if (i < a.length()) a[i] = s - s; }\n");
  write("plain.comp", head + "a[gl_GlobalInvocationID.x] = 1; }\n");
  EXPECT_EQ(in("init sum.comp").code, 0);
  EXPECT_EQ(in("init plain.comp").code, 0);
  EXPECT_THAT(read("sum.toml"), HasSubstr("[subgroups]\nsizes = [8, 32, 64]"));
  EXPECT_THAT(read("plain.toml"), Not(HasSubstr("[subgroups]")));
  EXPECT_THAT(in("list sum.toml --cases").text, AllOf(HasSubstr("subgroup=8"), HasSubstr("subgroup=64")));
  EXPECT_EQ(in("validate sum.toml --devices model").code, 0);
}

TEST_F(Described, InitTakesTheModulesOfSeveralDispatches) {
  const std::string head = "#version 450\nlayout(local_size_x = 64) in;\nlayout(push_constant) uniform P { uint width; uint height; };\n";
  write("first.comp",
        head +
            "layout(binding = 0) readonly buffer From { uint from[]; };\nlayout(binding = 1) buffer Middle { uint middle[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; if (i < width * height) middle[i] = from[i] + 1; }\n");
  write("second.comp",
        head +
            "layout(binding = 0) readonly buffer Middle { uint middle[]; };\nlayout(binding = 1) buffer From { uint from[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; if (i < width * height) from[i] = middle[i] * 2; }\n");
  EXPECT_EQ(in("init first.comp second.comp --out both.toml").code, 0);
  const std::string text = read("both.toml");
  EXPECT_THAT(text,
              AllOf(HasSubstr("dimensions = 2"), HasSubstr("[modules.first]"), HasSubstr("module = \"second\""),
                    HasSubstr("groups = \"ceil_div(width * height, 64)\""), HasSubstr("# uint[] from\n"),
                    HasSubstr("[resources.From]\n# uint[] from\nbuffer = \"u32\"\nelements = \"width * height\"  # ?? how many\ndata = "
                              "\"input\"\noutput = true\n")));
  EXPECT_EQ(text.find("[resources.Middle]"), text.rfind("[resources.Middle]")) << "they share it";
  const Ran run = in("validate both.toml --devices model");
  EXPECT_EQ(run.code, 0) << run.text;
}

TEST_F(Described, ModulesShareOnlyWhatIsTheSame) {
  const std::string data = "layout(binding = 1) buffer B { uint data[]; };\n";
  const auto block = [&](const std::string& members, const std::string& sum) {
    return "#version 450\nlayout(binding = 0) uniform P { " + members + " } params;\n" + data +
           "void main() { data[gl_WorkGroupID.x] += " + sum + "; }\n";
  };
  write("one.comp", block("uint n;", "params.n"));
  write("same.comp", block("uint other;", "params.other"));
  write("longer.comp", block("uint n; float k; vec4 c;", "params.n + uint(params.k + params.c.x)"));
  EXPECT_EQ(in("init one.comp same.comp longer.comp --out blocks.toml").code, 0);
  const std::string blocks = read("blocks.toml");
  EXPECT_THAT(blocks, AllOf(HasSubstr("[resources.params]\n# 4 bytes: uint n"), HasSubstr("[resources.longer_0_0]\n# 32 bytes: uint n"),
                            HasSubstr("bind = { \"0:0\" = \"longer_0_0\" }"), Not(HasSubstr("same_0_0"))));
  EXPECT_EQ(in("validate blocks.toml --devices model").code, 0);
  const auto step = [](const std::string& from, const std::string& to) {
    return "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0) uniform sampler2D " + from +
           ";\nlayout(binding = 1, r32f) writeonly uniform image2D " + to +
           ";\nvoid main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); " + "imageStore(" + to + ", at, texelFetch(" + from +
           ", at, 0)); }\n";
  };
  write("there.comp", step("tex", "middle"));
  write("back.comp", step("middle", "tex"));
  EXPECT_EQ(in("init there.comp back.comp --out images.toml").code, 0);
  EXPECT_THAT(read("images.toml"), AllOf(HasSubstr("[resources.tex]\nimage = \"r32f\"\n"), Not(HasSubstr("does not say"))));
}

TEST_F(Described, WhereNothingRunsNothingIsApproved) {
  write("scale.comp", "#version 450\nlayout(binding = 0) buffer A { uint a[]; };\nvoid main() { if (gl_WorkGroupID.x == 0) a[0] = 1; }\n");
  EXPECT_EQ(in("init scale.comp").code, 0);
  std::string text = read("scale.toml");
  const std::string groups = "groups = \"ceil_div(width, 1)\"";
  ASSERT_NE(text.find(groups), std::string::npos) << text;
  EXPECT_EQ(in("validate scale.toml --devices model").code, 0);
  write("scale.toml", std::string(text).replace(text.find(groups), groups.size(), "groups = \"width / 5000\""));
  const Ran run = in("validate scale.toml --devices model");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.text, HasSubstr("nothing runs in the case 1x1"));
  // A case of several may be left out by name.
  write("scale.toml", "where = \"width > 2\"\n" + std::string(text).replace(text.find(groups), groups.size(), "groups = \"width / 3\""));
  const Ran left = in("validate scale.toml --devices model");
  EXPECT_EQ(left.code, 0) << left.text;
}

}  // namespace
}  // namespace lanewise
