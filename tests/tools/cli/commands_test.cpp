// The commands beside validate, run and golden: list, trace, bench.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Program, ListsDevicesAndHelp) {
  EXPECT_THAT(lanewise("list").text, HasSubstr("broken/box-blur-remainder-x4"));
  EXPECT_THAT(lanewise("list 'checksum/*' --cases").text,
              HasSubstr("checksum/sum/shuffle @ 1x1 format=rgba8ui input=noise:1 subgroup=128"));
  EXPECT_EQ(lanewise("list nothing").code, 2);
  EXPECT_THAT(lanewise("list pyramid/mean2x2/spd-quads").text, HasSubstr("16384x16384; subgroups of 4 to 128 lanes; "));
  EXPECT_THAT(lanewise("list pyramid/mean2x2/spd-memory").text, Not(HasSubstr("lanes;")));
  const Ran oneCase = lanewise("list 'checksum/sum/shuffle @ 1x1'");
  EXPECT_EQ(oneCase.code, 0);
  EXPECT_EQ(oneCase.text, lanewise("list checksum/sum/shuffle").text);
  EXPECT_EQ(lanewise("list --cases 'checksum/sum/shuffle @ 1x1'").text, "checksum/sum/shuffle @ 1x1 format=rgba8ui input=noise:1\n");
  const Ran file = lanewise("list /dev/null");
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.text, HasSubstr("`lanewise inspect` shows a module"));
  EXPECT_EQ(lanewise("--help").code, 0);
  EXPECT_EQ(lanewise("").code, 2);
}

using Trace = Scratch;

TEST_F(Trace, PrintsOneLineForEveryInstruction) {
  const Ran ran = lanewise("trace box-blur/double/naive --size 3x1 --radius 1 --input list:255,0,9 --invocation 1,0");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("d0 box_blur.glsl:50 OpImageFetch"));
  EXPECT_THAT(ran.text, HasSubstr("-> i32 255, i32 255, i32 255, i32 255 read source texel (0, 0)"));
  EXPECT_THAT(ran.text, HasSubstr("write blurred texel (1, 0)"));
  EXPECT_THAT(ran.text, HasSubstr("as expected"));
}

// Slices and levels are told apart, and memory is called as findings call it.
TEST_F(Trace, NamesThePlacesOfMemory) {
  std::ofstream(path("places.comp")) << R"(#version 450
layout(binding = 0, r32ui) uniform uimage3D volume;
layout(binding = 1) buffer B { uint count; uvec4 rows[2]; } b;
shared uint part[2];
void main() {
  imageStore(volume, ivec3(1, 0, 0), uvec4(1));
  imageStore(volume, ivec3(1, 0, 1), uvec4(2));
  part[1] = b.count;
  b.rows[1] = uvec4(part[1]);
  imageStore(volume, ivec3(1, 0, 5), uvec4(3));
})";
  const Ran ran = lanewise("trace " + path("places.comp") + " --groups 1 --image 0:0=zeros:r32ui:2x2x2 --buffer 0:1=zeros:48");
  EXPECT_EQ(ran.code, 0) << ran.text;
  for (const char* text : {"write volume texel (1, 0, 0)", "write volume texel (1, 0, 1)", "read b.count", "write part[1]",
                           "write b.rows[1].x", "write volume texel (1, 0, 5) (out of range)"})
    EXPECT_THAT(ran.text, HasSubstr(text));
  EXPECT_THAT(ran.text, Not(HasSubstr(" byte ")));
}

// The lines of a whole run are those of a run that was cut and resumed, wherever the cut is, and so are the bytes at the end.
TEST_F(Trace, ARunCutAnywhereAndResumedIsTheSameRun) {
  const std::string kernel = "trace checksum/sum/shuffle --size 7x5 --invocation 34,0 --subgroup-size 8";
  const std::string whole = lanewise(kernel).text;
  const std::size_t last = static_cast<std::size_t>(std::stoul(whole.substr(whole.rfind(" d0 ") - 7)));
  ASSERT_GT(last, 40u) << whole;
  for (const std::size_t at : {std::size_t{1}, last / 3, last / 2, last - 1, last}) {
    const Ran first = lanewise(fmt::format("{} --stop-at {} --save {}", kernel, at, path("state")));
    ASSERT_EQ(first.code, 0) << first.text;
    const Ran second = lanewise("trace --resume " + path("state"));
    EXPECT_EQ(second.code, 0) << second.text;
    EXPECT_EQ(first.text.substr(0, first.text.find("stopped before")) + second.text, whole) << "cut at " << at;
  }
}

// The same case, however it is named; and files beside kernels.
TEST_F(Trace, TakesWhateverNamesASubject) {
  const std::string kernel = lanewise("trace box-blur/double/naive --size 3x1 --with radius=1 --edge clamp --input list:255,0,9").text;
  EXPECT_THAT(kernel, HasSubstr("as expected"));
  EXPECT_EQ(lanewise("trace 'box-blur/double/naive @ 3x1 radius=1 edge=clamp input=list:255,0,9'").text, kernel);
  std::ofstream(path("own.comp")) << "#version 450\nlayout(binding = 0) buffer B { uint data[]; };\n"
                                     "void main() { data[gl_WorkGroupID.x] += 7u; }\n";
  const Ran module = lanewise("trace " + path("own.comp") + " --groups 2 --buffer 0:0=u32:1,2 --invocation 1,0");
  EXPECT_EQ(module.code, 0) << module.text;
  EXPECT_THAT(module.text, AllOf(HasSubstr("own.comp:3 OpIAdd"), HasSubstr("-> i32 9"), HasSubstr("output")));
  EXPECT_THAT(module.text, HasSubstr("OpAccessChain i32 1 -> i32 4")) << "without the stride";
  EXPECT_THAT(module.text, HasSubstr("OpIAdd i32 2, i32 7")) << "with the module's own constant";
  const Ran refused = lanewise("trace " + path("own.comp") + " --radius 3");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.text, HasSubstr("--radius"));
}

constexpr const char* kVariables = R"(#version 450
layout(local_size_x = 2) in;
layout(constant_id = 0) const int kBias = 3;
struct Item { vec3 color; float weights[3]; };
layout(binding = 0) buffer B { int data[]; };
shared vec2 row[2];
int total = 0;
int twice(int x) {
  int y = x + x;
  total += y;
  return y;
}
void main() {
  ivec2 cell = ivec2(gl_LocalInvocationIndex, 7);
  Item item;
  item.color = vec3(1.0, 2.0, 0.5);
  item.weights[cell.x] = 9.0;
  row[cell.x] = vec2(cell);
  bool odd = (cell.x & 1) != 0;
  int later;
  for (int i = 0; i < 2; ++i) later = twice(i + kBias);
  data[cell.x] = later + total;
}
)";

// The lines of a text that begin as variables do.
std::vector<std::string> variablesIn(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("          ")) out.push_back(line.substr(10));
  return out;
}

TEST_F(Trace, ShowsTheVariablesThatChangeByNameAndType) {
  std::ofstream(path("own.comp")) << kVariables;
  const std::string command = "trace " + path("own.comp") + " --buffer 0:0=i32:0,0 --invocation 1,0";
  const Ran ran = lanewise(command);
  EXPECT_EQ(ran.code, 0) << ran.text;
  const std::vector<std::string> changes = {"uint gl_LocalInvocationIndex = 1",
                                            "int total = 0",
                                            "ivec2 cell = (1, 7)",
                                            "vec3 item.color = (1, 2, 0.5)",
                                            "float item.weights[1] = 9",
                                            "vec2 row[1] = (1, 7)",
                                            "bool odd = true",
                                            "int i = 0",
                                            "int param = 3",
                                            "int x = 3",
                                            "int y = 6",
                                            "int total = 6",
                                            "int later = 6",
                                            "int i = 1",
                                            "int param = 4",
                                            "int x = 4",
                                            "int y = 8",
                                            "int total = 14",
                                            "int later = 8",
                                            "int i = 2",
                                            "int data[1] = 22"};
  EXPECT_EQ(variablesIn(ran.text), changes) << ran.text;
  EXPECT_THAT(variablesIn(lanewise(command + " --variables none").text), testing::IsEmpty());
  // Lines of the source in the place of instructions.
  const Ran lines = lanewise(command + " --lines");
  EXPECT_EQ(variablesIn(lines.text), changes);
  EXPECT_THAT(lines.text, HasSubstr("own.comp:14 main: ivec2 cell = ivec2(gl_LocalInvocationIndex, 7);"));
  EXPECT_THAT(lines.text, HasSubstr("own.comp:9 twice: int y = x + x;"));
  EXPECT_THAT(lines.text, Not(HasSubstr("OpStore")));
}

TEST_F(Trace, ShowsAllVariablesThatAreInScope) {
  std::ofstream(path("own.comp")) << kVariables;
  const Ran ran = lanewise("trace " + path("own.comp") + " --buffer 0:0=i32:0,0 --invocation 1,0 --variables all --lines");
  EXPECT_EQ(ran.code, 0) << ran.text;
  const std::size_t first = ran.text.find("own.comp:19"), second = ran.text.find("own.comp:21"), called = ran.text.find("own.comp:9 ");
  ASSERT_NE(called, std::string::npos) << ran.text;
  const std::string at19 = ran.text.substr(first, second - first), at9 = ran.text.substr(called, ran.text.find("own.comp:10") - called);
  EXPECT_THAT(at19, AllOf(Not(HasSubstr("odd = true")), Not(HasSubstr("odd = not")), HasSubstr("ivec2 cell = (1, 7)"),
                          HasSubstr("int kBias = 3"), HasSubstr("Item item = {color: (1, 2, 0.5), weights: {?, 9, ?}}"),
                          HasSubstr("int[] data = {0, 0}"), HasSubstr("vec2[2] row = {(0, 7), (1, 7)}"), Not(HasSubstr(" y = "))));
  EXPECT_THAT(at9, AllOf(Not(HasSubstr("y = not")), HasSubstr("int x = 3"), HasSubstr("ivec2 main.cell = (1, 7)")));
}

TEST_F(Trace, AStateSaysWhatItIsAndTakesNothingElse) {
  ASSERT_EQ(lanewise("trace box-blur/double/naive --size 3x1 --stop-at 9 --save " + path("state")).code, 0);
  EXPECT_EQ(lanewise("trace --resume " + path("state")).code, 0);
  for (const char* option : {"box-blur/double/naive", "--size 3x1", "--with radius=1", "--groups 2", "--subgroup-size 8",
                             "--invocation 0,0", "--profile strict", "--schedule reverse"}) {
    const Ran ran = lanewise("trace --resume " + path("state") + " " + option);
    EXPECT_EQ(ran.code, 2) << option;
    EXPECT_THAT(ran.text, HasSubstr("a saved state has its own")) << option;
  }
}

TEST_F(Trace, WrongStatesAndInvocationsAreBadInput) {
  EXPECT_EQ(lanewise("trace box-blur/double/naive --invocation 1").code, 0);
  EXPECT_EQ(lanewise("trace box-blur/double/naive --invocation 1,0,0,0").code, 2);
  EXPECT_EQ(lanewise("trace box-blur/double/naive --size 3x1 --invocation 99,0").code, 2);
  EXPECT_EQ(lanewise("trace box-blur/double/naive --stop-at 3").code, 2);
  EXPECT_EQ(lanewise("trace nothing").code, 2);
  EXPECT_EQ(lanewise("trace --resume " + path("none")).code, 6);
  ASSERT_EQ(lanewise("trace box-blur/double/naive --size 3x1 --stop-at 9 --save " + path("state")).code, 0);
  std::string bytes;
  {
    std::ifstream in(path("state"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::ofstream(path("short"), std::ios::binary) << bytes.substr(0, bytes.size() - 1);
  EXPECT_EQ(lanewise("trace --resume " + path("short")).code, 2);
  bytes.replace(bytes.find("3x1"), 3, "3x2");
  std::ofstream(path("other"), std::ios::binary) << bytes;
  EXPECT_EQ(lanewise("trace --resume " + path("other")).code, 2);
}

using Check = Scratch;

// A module with a race between workgroups, and the same with an atomic.
TEST_F(Check, GivesAVerdictOfAModule) {
  const auto kernel = [](const char* store) {
    return fmt::format(
        "#version 450\nlayout(local_size_x = 32) in;\nlayout(binding = 0) buffer B {{ uint sum; }};\nvoid main() {{\n  {}\n}}\n", store);
  };
  std::ofstream(path("race.comp")) << kernel("sum += 1u;");
  std::ofstream(path("atomic.comp")) << kernel("atomicAdd(sum, 1u);");
  const std::string options = " --groups 2 --buffer 0:0=u32:0 --devices model";
  const Ran planted = lanewise("check " + path("race.comp") + options + " --sarif " + path("out.sarif") + " --junit " + path("out.xml"));
  EXPECT_EQ(planted.code, 1) << planted.text;
  EXPECT_THAT(planted.text, AllOf(HasSubstr("race.comp:5: data race"), HasSubstr("depends on the schedule")));
  EXPECT_TRUE(std::filesystem::exists(path("out.sarif")) && std::filesystem::exists(path("out.xml")));
  const Ran mended = lanewise("check " + path("atomic.comp") + options);
  EXPECT_EQ(mended.code, 0) << mended.text;
  EXPECT_THAT(mended.text, AllOf(HasSubstr("nothing found"), HasSubstr("not proved")));
  // What was there before is left out; what is accepted passes; what no longer occurs fails.
  ASSERT_EQ(
      shell(fmt::format("{} check {}{} --json > {} 2>/dev/null", LANEWISE_PROGRAM, path("race.comp"), options, path("base.json"))).code, 1);
  EXPECT_EQ(lanewise("check " + path("race.comp") + options + " --baseline " + path("base.json")).code, 0);
  std::ofstream(path("accepted.txt")) << "data race nowhere.comp:1 sum # a reason\n";
  EXPECT_EQ(lanewise("check " + path("atomic.comp") + options + " --accept " + path("accepted.txt")).code, 1);
  EXPECT_EQ(lanewise("check " + path("atomic.comp") + options + " --accept " + path("none.txt")).code, 6);
}

// Said before a run, which may be long, not after it.
TEST_F(Check, SaysFirstWhichFilesItCannotWrite) {
  const std::string check = "check 'photo/sobel/*' --devices model";
  const auto refused = [&](const std::string& files, int code, const std::string& says) {
    const Ran ran = lanewise(check + files);
    EXPECT_EQ(ran.code, code) << ran.text;
    EXPECT_THAT(ran.text, AllOf(HasSubstr(says), Not(HasSubstr("photo/sobel/"))));
  };
  refused(" --sarif " + path("none/out.sarif"), 6, "cannot write " + path("none/out.sarif"));
  refused(" --junit " + path("."), 6, "Is a directory (--junit)");
  refused(" --lcov " + path(std::string(300, 'a')), 6, "File name too long");
  refused(" --sarif " + path("out") + " --junit " + path("./out"), 2, "--sarif and --junit name the same file");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  std::ofstream(path("mine.comp")) << "#version 450\nvoid main() {}\n";
  const Ran over = lanewise("check " + path("mine.comp") + " --devices model --reduce " + path("./mine.comp"));
  EXPECT_EQ(over.code, 2) << over.text;
  EXPECT_THAT(over.text, HasSubstr("SUBJECT and --reduce name the same file"));
  EXPECT_EQ(lanewise("check 'box-blur/double/naive @ 5x3 radius=2' --devices model --sarif /dev/null --junit /dev/null").code, 0);
  const Ran bench = lanewise("bench 'photo/sobel/*' --csv " + path("out") + " --json " + path("./out"));
  EXPECT_EQ(bench.code, 2);
  EXPECT_THAT(bench.text, HasSubstr("--csv and --json name the same file"));
}

TEST_F(Check, TakesKernelsAndCases) {
  const Ran set = lanewise("check 'photo/sobel/*' --devices model");
  EXPECT_EQ(set.code, 0) << set.text;
  EXPECT_EQ(lanewise("check 'box-blur/double/naive @ 5x3 radius=2' --devices model").code, 0);
  const Ran bad = lanewise("check broken/box-blur-remainder-x4 --devices model");
  EXPECT_EQ(bad.code, 1) << bad.text;
  EXPECT_THAT(bad.text, HasSubstr("wrong result: texel 1"));
  EXPECT_EQ(lanewise("check nothing").code, 2);
  EXPECT_EQ(lanewise("check box-blur/double/naive --radius 3").code, 2) << "a quick set has its own";
}

TEST(Program, RepeatsARun) {
  const std::string kernel = "run 'box-blur/double/naive @ 9x5 radius=1' --device model --schedule in-order,reverse ";
  const Ran text = lanewise(kernel + "--tier interpreter --repeat 3");
  EXPECT_EQ(text.code, 0) << text.text;
  EXPECT_THAT(text.text, AllOf(HasSubstr(" ms at first, then "), HasSubstr(" in 3 runs)"), HasSubstr("x the time of ")));
  const Ran ran = lanewise(kernel + "--tier interpreter --repeat 4 --json");
  const nlohmann::json sides = nlohmann::json::parse(ran.text, nullptr, false)["sides"];
  ASSERT_EQ(sides.size(), 2u) << ran.text;
  for (const nlohmann::json& side : sides) {
    EXPECT_EQ(side["warm"]["seconds"].size(), 4u);
    EXPECT_EQ(side["warm"]["parted"], 0);
    EXPECT_GT(side["warm"]["medianSeconds"].get<double>(), 0);
  }
  EXPECT_FALSE(nlohmann::json::parse(lanewise(kernel + "--json").text, nullptr, false)["sides"][0].contains("warm"));
  EXPECT_EQ(lanewise(kernel + "--repeat 0").code, 2);
  EXPECT_EQ(lanewise(kernel + "--repeat many").code, 2);
  const Ran watched = lanewise(kernel + "--repeat 2 --findings");
  EXPECT_EQ(watched.code, 2);
  EXPECT_THAT(watched.text, HasSubstr("leave out --findings"));
}

// Compiled programs on disk, as --json tells of them.
class KeptCode : public Scratch {
 protected:
  nlohmann::json run(const std::string& options, const std::string& environment = "", const std::string& size = "40x30") const {
    const Ran ran = lanewise(fmt::format("run 'box-blur/double/naive @ {} radius=2' --threads 1 --json {}", size, options),
                             "env -u LANEWISE_NO_CACHE XDG_CACHE_HOME=" + folder_.string() + " " + environment);
    EXPECT_EQ(ran.code, 0) << ran.text;
    return nlohmann::json::parse(ran.text, nullptr, false)["sides"][0]["compiled"];
  }
  bool has() const {
    const std::filesystem::path code = folder_ / "lanewise/code";
    return std::filesystem::exists(code) && !std::filesystem::is_empty(code);
  }
};

TEST_F(KeptCode, IsReadByTheNextRun) {
  EXPECT_EQ(run("--tier interpreter")["programs"], 0);
  EXPECT_EQ(run("", "", "1x1")["programs"], 0) << "it is done before it would be worth while";
  EXPECT_FALSE(has());
  const nlohmann::json unkept = run("--tier compiled --no-cache");
  if (unkept["programs"] == 0) GTEST_SKIP() << unkept;
  EXPECT_EQ(run("--tier compiled", "LANEWISE_NO_CACHE=1")["kept"], 0);
  EXPECT_FALSE(has());
  EXPECT_EQ(run("--tier compiled")["kept"], 0);
  EXPECT_TRUE(has());
  const nlohmann::json again = run("--tier compiled");
  EXPECT_EQ(again["kept"], again["programs"]);
  EXPECT_FALSE(again.contains("notKept"));
  std::filesystem::permissions(folder_ / "lanewise/code", std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  const nlohmann::json open = run("--tier compiled");
  EXPECT_EQ(open["kept"], 0);
  EXPECT_THAT(open["notKept"].get<std::string>(), HasSubstr("its mode is 0704, not 0700"));
}

TEST(Program, KnowsTheTiers) {
  for (const std::string command : {"run", "validate", "bench", "check"}) {
    const Ran ran = lanewise(command + " box-blur/double/naive --tier native");
    EXPECT_EQ(ran.code, 2) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("there is no tier 'native' (--tier); auto, interpreter or compiled")) << command;
  }
}

TEST(Program, BenchTimesAndChecks) {
  const Ran ran = lanewise("bench box-blur/double/naive --size 16x16 --radius 1 --runs 2 --devices model");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("model"));
}

TEST(Program, BenchTellsScale) {
  const std::string bench = "bench checksum/sum/shuffle --size 8x8 --runs 1 --devices model ";
  const Ran ran = lanewise(bench + "--threads 1,2");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("1 thread each"), HasSubstr("2 threads each"), HasSubstr("   efficiency ")));
  EXPECT_THAT(lanewise(bench + "--threads 2").text, Not(HasSubstr("efficiency")));
  EXPECT_EQ(lanewise(bench + "--threads 0,2").code, 2);
  EXPECT_EQ(lanewise(bench + "--threads 1,2 --gpu").code, 2);
}

TEST(Program, BenchComparesWithTheFirstOnly) {
  const Ran ran = lanewise("bench checksum/sum/shuffle --sizes 8x8,16x16 --runs 1 --devices model --threads 1,2,1");
  EXPECT_EQ(ran.code, 0) << ran.text;
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = ran.text.find(what); at != std::string::npos; at = ran.text.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("   efficiency "), 2u) << "of two threads: " << ran.text;
  EXPECT_EQ(count(" x the first size's"), 3u) << "of 16x16: " << ran.text;
}

// Whether the peak of a process can be set back, which `bench` tells no memory without.
bool tellsPeakMemory() {
  std::ofstream reset("/proc/self/clear_refs");
  return static_cast<bool>(reset << 5 << std::flush);
}

using BenchSizes = Scratch;
TEST_F(BenchSizes, HasTheCostOfATexelAndTheMemory) {
  const std::string csv = path("sizes.csv"), bench = "bench --runs 1 --devices model --threads 1 --csv " + csv + " ";
  const std::string mebibytes = tellsPeakMemory() ? "[0-9.]+" : "";
  const Ran ran = lanewise(bench + "checksum/sum/shuffle --sizes 8x8,64x64");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, testing::ContainsRegex(std::string("64x64.*\n.* ns a texel, [0-9.]+ x the first size's") +
                                               (mebibytes.empty() ? "\n" : "   [0-9.]+ MiB")));
  const std::string table = shell("cat " + csv).text;
  EXPECT_THAT(table,
              testing::StartsWith("case,size,threads,side,median_ms,least_ms,most_ms,before_first_ms,ns_a_texel,growth,memory_mib,"));
  EXPECT_THAT(table, testing::ContainsRegex(" @ 8x8 .*,8x8,1,model,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,," + mebibytes + ",1.000,\n"));
  EXPECT_THAT(table, testing::ContainsRegex(" @ 64x64 .*,64x64,1,model,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+," + mebibytes +
                                            ",1.000,\n"));
}

TEST_F(BenchSizes, KeepsItsFigures) {
  const Ran nowhere = lanewise("bench checksum/sum/shuffle --runs 1 --devices model --size 8x8 --csv /no/such/folder.csv");
  EXPECT_EQ(nowhere.code, 6);
  EXPECT_THAT(nowhere.text, testing::Not(testing::HasSubstr("medians of")));  // told before anything is measured
  const std::string csv = path("figures.csv");
  const Ran ended = lanewise("bench broken/box-blur-centres --runs 1 --devices model --sizes 1x1,8x8 --csv " + csv);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_THAT(shell("cat " + csv).text, testing::HasSubstr("broken/box-blur-centres @ 1x1"));
}

TEST(Bench, SaysWhichValueNoKernelHas) {
  const std::string bench = "bench box-blur/single/strips --size 8x8 --runs 1 --devices model ";
  const Ran radius = lanewise(bench + "--radius 64");
  EXPECT_EQ(radius.code, 2) << radius.text;
  EXPECT_THAT(radius.text, AllOf(HasSubstr("not a radius: '64' (--radius); a number from 0 to 63"), Not(HasSubstr("medians of"))));
  const Ran format = lanewise(bench + "--with format=r32f");
  EXPECT_EQ(format.code, 2) << format.text;
  EXPECT_THAT(format.text, HasSubstr("no such format: 'r32f' (--with); one of rgba8ui, bgra8"));
  EXPECT_EQ(lanewise(bench + "--with no=1").code, 2);
}

#ifdef LANEWISE_GPU
TEST(Bench, ComparesKernelsOnADevice) {
  const Ran ran =
      lanewise("bench 'pyramid/energy/nvpro-*' box-blur/double/naive --gpu --size 16x12 --with format=srgb8 --runs 2 --devices lavapipe");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("pyramid/energy/nvpro-hybrid "), HasSubstr("   1.00"), HasSubstr("box-blur/double/naive is left out"),
                    HasSubstr("no such format: 'srgb8' (--with)"), Not(HasSubstr("model"))));
}

TEST(Bench, TellsWhatItDoesAndTheRatioToTheFloor) {
  const std::string bench = "bench pyramid/energy/one-level checksum/sum/shuffle --size 16x12 --runs 1 --devices lavapipe ";
  const Ran checked = lanewise(bench + "--gpu");
  EXPECT_EQ(checked.code, 0) << checked.text;
  EXPECT_THAT(checked.text, AllOf(HasSubstr("checking 2 of 2: pyramid/energy/one-level @ 16x12"), HasSubstr("checking the floor: pyramid/"),
                                  HasSubstr(" x pyramid/traffic/one-dispatch"), HasSubstr("a floor"), Not(HasSubstr("not checked"))));
  const Ran timed = lanewise(bench + "--gpu --time-only");
  EXPECT_EQ(timed.code, 0) << timed.text;
  EXPECT_THAT(timed.text,
              AllOf(HasSubstr("results not checked"), HasSubstr(" x pyramid/traffic/one-dispatch"), Not(HasSubstr("checking"))));
  const Ran alone = lanewise("bench pyramid/traffic/one-dispatch --size 16x12 --runs 1 --devices lavapipe --gpu");
  EXPECT_THAT(alone.text, Not(HasSubstr(" x pyramid/"))) << "a floor has none";
  EXPECT_EQ(lanewise(bench + "--time-only").code, 2) << "it is an option of --gpu";
}

using BenchFiles = Scratch;
TEST_F(BenchFiles, HaveAGapWhereADeviceFails) {
  const std::string csv = path("corpus.csv");
  const Ran ran = lanewise("bench --corpus modular-inverse-64 saxpy --runs 1 --threads 1 --devices model,swiftshader --csv " + csv);
  if (ran.text.find("no Vulkan device named") != std::string::npos) GTEST_SKIP() << ran.text;
  EXPECT_EQ(ran.code, 3) << ran.text;  // SwiftShader has no 64-bit integers
  EXPECT_THAT(ran.text, AllOf(HasSubstr(" failed"), HasSubstr("  swiftshader: unsupported: the device lacks"), HasSubstr("of 1 kernel,")));
  EXPECT_THAT(shell("cat " + csv).text, testing::ContainsRegex("modular-inverse-64,0,1,[0-9.]+,\nsaxpy,0,1,[0-9.]+,[0-9.]+\n"));
}

TEST(Bench, TheModelIsNoGpu) {
  const Ran ran = lanewise("bench checksum/sum/shuffle --gpu --size 8x8 --devices model");
  EXPECT_EQ(ran.code, 4) << ran.text;
}
#endif

}  // namespace
}  // namespace lanewise
