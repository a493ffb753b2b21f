// The built program, run as a user runs it: exit codes, messages and files. Runs are of a few tiny cases on the model alone, unless a test
// is about devices.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

using Validate = Scratch;

TEST(Command, OneThatIsNotThereIsNamedWithThoseThatAre) {
  const Ran none = lanewise("frobnicate --fast");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text,
              AllOf(HasSubstr("there is no command 'frobnicate' (lanewise); one of list, init, validate,"), HasSubstr("devices")));
  EXPECT_THAT(lanewise("golden").text, HasSubstr("a command is missing (lanewise golden); one of status, verify,"));
  EXPECT_THAT(lanewise("golden all").text, HasSubstr("there is no command 'all' (lanewise golden)"));
  EXPECT_THAT(lanewise("").text, HasSubstr("a command is missing (lanewise); one of list,"));
  // A command that is there, with an option that is not.
  EXPECT_THAT(lanewise("list --fast").text, HasSubstr("there is no option '--fast' (lanewise list); see `lanewise list --help`"));
  EXPECT_THAT(lanewise("--nosuch").text, HasSubstr("there is no option '--nosuch' (lanewise); see `lanewise --help`"));
  EXPECT_THAT(lanewise("check race.comp --schedule foo").text, HasSubstr("there is no option '--schedule' (lanewise check); see"));
  EXPECT_THAT(lanewise("inspect one.comp two.comp").text, HasSubstr("'two.comp' is not expected here (lanewise inspect)"));
}

TEST(Command, OneThatIsNearIsSuggested) {
  EXPECT_THAT(lanewise("runn k.comp").text, HasSubstr("there is no command 'runn' (lanewise); did you mean run? one of list,"));
  EXPECT_THAT(lanewise("frobnicate").text, Not(HasSubstr("did you mean")));
  EXPECT_THAT(lanewise("validate --schedule=reverse").text,
              HasSubstr("there is no option '--schedule' (lanewise validate); did you mean --schedules? see"));
}

// 0 would be all cores, which is what it means to leave it out.
TEST(Command, RunsOnAtLeastOneThread) {
  for (const char* command : {"run k.comp", "check k.comp", "validate 'photo/*'"}) {
    const Ran ran = lanewise(std::string(command) + " --threads 0");
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_THAT(ran.text, HasSubstr("--threads")) << command;
  }
}

// OpenImageIO, which takes 0.3 s to load, is in the module that is loaded with the first picture.
TEST(Start, NeedsNoLibraryForPictures) {
  const Ran program = shell("ldd " LANEWISE_PROGRAM), module = shell("ldd $(dirname " LANEWISE_PROGRAM ")/lanewise-pictures.so");
  EXPECT_THAT(program.text, AllOf(HasSubstr("libc.so"), Not(HasSubstr("OpenImageIO"))));
  EXPECT_THAT(module.text, HasSubstr("libOpenImageIO.so"));
}

// A report's pictures are PNG files, which are written without it. Files of other kinds, and those that are read, need it.
TEST_F(Validate, WithoutTheModuleForPicturesAReportIsWhole) {
  fs::create_directories(path("bin"));
  fs::copy_file(LANEWISE_PROGRAM, path("bin/lanewise"));
  fs::create_directory_symlink(fs::path(LANEWISE_PROGRAM).parent_path().parent_path() / "share", path("share"));
  const std::string program = path("bin/lanewise") + " ", wrong = "validate broken/box-blur-centres --devices model ";
  EXPECT_EQ(shell(program + "--version").code, 0);
  const Ran report = shell(program + wrong + "--report " + path("report") + " 2>&1");
  EXPECT_EQ(report.code, 1) << report.text;
  EXPECT_EQ(shell("grep -q 'data:image/png;base64,' " + path("report/report.html")).code, 0);
  for (const bool broken : {false, true}) {
    if (broken) std::ofstream(path("bin/lanewise-pictures.so")) << "no module";
    for (const std::string& option : {"--keep " + path("kept"), "--picture " + path("a.png")}) {
      const Ran ran = shell(program + wrong + option + " 2>&1");
      EXPECT_EQ(ran.code, 6) << ran.text;
      EXPECT_THAT(ran.text, AllOf(HasSubstr("cannot load the library for pictures"), HasSubstr("LANEWISE_PICTURES=ON")));
      EXPECT_FALSE(fs::exists(path("kept")));
    }
  }
  // It is named where it would be: beside the program, or in the folder of an installation.
  fs::remove(path("bin/lanewise-pictures.so"));
  for (const char* folder : {"bin/", "lib/lanewise/"}) {
    fs::create_directories(path(folder));
    const Ran ran = shell(program + wrong + "--picture " + path("a.png") + " 2>&1");
    EXPECT_THAT(ran.text, HasSubstr(path(folder) + "lanewise-pictures.so"));
    EXPECT_EQ(ran.text.find("lanewise-pictures.so"), ran.text.rfind("lanewise-pictures.so")) << "named twice\n" << ran.text;
  }
}

TEST_F(Validate, AFewCasesOnTheModelPass) {
  const Ran ran = lanewise("validate 'box-blur/double/naive' box-blur/double/accumulated-x1 --devices model --sizes 1x1,17x3 --radii 0,9");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("PASSED: 32 cases, 0 failed"));
}

TEST_F(Validate, TakesProfilesSchedulesFindingsAndPatches) {
  const std::string cases = "validate box-blur/double/naive --devices model --sizes 5x3 --radii 1 --edges clamp ";
  const Ran ran = lanewise(cases + "--profile nvidia --schedules in-order,lanes-reverse --findings --patch exact");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr(" 0 failed"));
  const Ran profile = lanewise(cases + "--profile fast");
  EXPECT_EQ(profile.code, 2);
  EXPECT_THAT(profile.text, HasSubstr("no such profile: 'fast'"));
  const Ran patch = lanewise(cases + "--patch fast");
  EXPECT_EQ(patch.code, 2);
  EXPECT_THAT(patch.text, HasSubstr("no such patch: 'fast'"));
  const Ran schedule = lanewise(cases + "--schedules lane");
  EXPECT_EQ(schedule.code, 2);
  EXPECT_THAT(schedule.text, HasSubstr("lanes-reverse"));
}

TEST_F(Validate, ThePlantedBugIsShownOnTheModel) {
  const Ran ran = lanewise("validate 'broken/box-blur-remainder-x4' --devices model --report " + path("report"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.text, HasSubstr("2x1, r=1, clamp, input [255, 0], texel 1: 85 expected, 170 got"));
  EXPECT_THAT(ran.text, HasSubstr("13 cases, 7 failed"));
  const auto json = nlohmann::json::parse(std::ifstream(path("report/report.json")));
  EXPECT_EQ(json["exitCode"], 1);
  EXPECT_TRUE(fs::exists(path("report/report.html")) && fs::exists(path("report/junit.xml")));
}

#ifdef LANEWISE_GPU
TEST_F(Validate, ThePlantedBugIsTheSameOnLavapipe) {
  const Ran ran = lanewise("validate 'broken/box-blur-remainder-x4' --devices model,lavapipe");
  EXPECT_EQ(ran.code, 1);
  const std::size_t shown = ran.text.find("2x1, r=1, clamp, input [255, 0], texel 1: 85 expected, 170 got");
  ASSERT_NE(shown, std::string::npos) << ran.text;
  EXPECT_THAT(ran.text.substr(shown), HasSubstr("on model and lavapipe alike"));
  EXPECT_THAT(ran.text, HasSubstr("kernel wrong: model, lavapipe give the same wrong bytes"));
}

TEST_F(Validate, ModelAndLavapipeAgreeWithTheGolden) {
  const Ran ran = lanewise(
      "validate box-blur/double/naive box-blur/double/accumulated-x1 'checksum/*' --devices model,lavapipe --sizes 33x65,1x300 --radii "
      "0,200");
  EXPECT_EQ(ran.code, 0) << ran.text;
}
#endif

TEST_F(Validate, APlainRunLeavesTheBrokenOnesOut) {
  const Ran ran = lanewise("validate --devices model --sizes 2x1 --radii 1 --edges clamp --inputs list:255,0");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, Not(HasSubstr("broken/")));
  EXPECT_THAT(ran.text, HasSubstr("box-blur/double/naive"));
}

// Each known-bad kernel on the model that shows what is wrong with it; at any sizes.
TEST_F(Validate, EachBrokenKernelFails) {
  const Ran ran = lanewise("validate 'broken/*' --devices model --no-arbitration --report " + path("bad"));
  EXPECT_EQ(ran.code, 1);
  std::ifstream in(path("bad/report.json"));
  std::map<std::string, bool> failed;
  const nlohmann::json report = nlohmann::json::parse(in);
  for (const auto& c : report["cases"])
    for (const auto& side : c["sides"]) failed[c["kernel"]] |= side["verdict"] == "mismatch" || side["verdict"] == "error";
  EXPECT_GT(failed.size(), 40u);
  for (const auto& [kernel, is] : failed) EXPECT_TRUE(is) << kernel;
  const Ran sizes = lanewise("validate 'broken/*' --devices model --no-arbitration --sizes 1..3x1..3");
  EXPECT_EQ(sizes.code, 1) << sizes.text;
  const Ran named = lanewise("validate broken/depth-overwrite --devices model --profile adverse");
  EXPECT_EQ(named.code, 0) << "the user's own profile is the only model\n" << named.text;
}

// Adding 2^23 rounds to an integer, but Vulkan leaves open in which direction.
TEST_F(Validate, FloatsStayInTheirRangeInWhateverDirectionADeviceRounds) {
  const Ran ran = lanewise("validate 'pyramid/energy-float/*' --devices model --profile adverse");
  EXPECT_EQ(ran.code, 0) << ran.text;
}

TEST_F(Validate, SubgroupSizesAndThreadsChangeNothing) {
  for (const char* threads : {"1", "2"}) {
    const Ran ran =
        lanewise(fmt::format("validate --devices model box-blur/double/scan-slide box-blur/single/mps 'checksum/*' 'photo/*' "
                             "--subgroup-sizes 1,4,32,128 --sizes 97x1,33x65 --radii 7 --threads {}",
                             threads));
    EXPECT_EQ(ran.code, 0) << ran.text;
  }
}

TEST_F(Validate, KeepsImages) {
  const Ran ran =
      lanewise("validate box-blur/double/naive --devices model --sizes 3x2 --radii 1 --edges zero --inputs ramp --keep " + path("keep"));
  EXPECT_EQ(ran.code, 0) << ran.text;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path("keep"))) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 4u) << "input, expected, model, sides.txt";
}

TEST_F(Validate, TheUsersPictureIsTheInput) {
  ASSERT_EQ(
      lanewise("validate box-blur/double/naive --devices model --sizes 40x30 --radii 1 --edges zero --inputs ramp --keep " + path("keep"))
          .code,
      0);
  fs::path picture;
  for (const auto& entry : fs::recursive_directory_iterator(path("keep")))
    if (entry.path().filename() == "input.png") picture = entry.path();
  const Ran ran = lanewise("validate box-blur/double/naive box-blur/double/accumulated-x1 --devices model --radii 15 --picture '" +
                           picture.string() + "'");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("PASSED: 8 cases"));
}

TEST_F(Validate, WrongValuesAreBadInputThatNamesTheOption) {
  for (const auto& [arguments, says] : std::map<std::string, std::string>{{"--radii -1", "--radii"},
                                                                          {"--radii 99999999", "a number from 0 to"},
                                                                          {"--edges wrap", "one of clamp, mirror, mirror-101, zero"},
                                                                          {"--sizes 0x1", "--sizes"},
                                                                          {"--inputs fog", "--inputs"},
                                                                          {"--subgroup-sizes 3", "a power of two from 1 to 128"},
                                                                          {"--threads many", "--threads"},
                                                                          {"--fast", "--fast"},
                                                                          {"no-such-kernel", "no kernel, case or file"},
                                                                          {"no-such/*", "no kernel matches"},
                                                                          {"/dev/null", "`lanewise check` takes a module"},
                                                                          {"--with foo=1", "no kernel of the plan has a parameter 'foo'"},
                                                                          {"--radii 5000", "box-blur/"},
                                                                          {"--picture a.png --sizes 1x1", "--picture"}}) {
    const Ran ran = lanewise("validate --devices model " + arguments);
    EXPECT_EQ(ran.code, 2) << arguments << "\n" << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("lanewise: bad input: "));
    EXPECT_THAT(ran.text, HasSubstr(says));
  }
}

TEST_F(Validate, FilesThatCannotBeReadOrWrittenAreSix) {
  std::ofstream(path("file")) << "x";
  for (const std::string& arguments : {"--picture " + path("none.jpg"), "--picture " + path("file"), "--report " + path("file/report"),
                                       "--keep " + path("file/keep"), "--module " + path("none.spv")}) {
    const Ran ran = lanewise("validate --devices model box-blur/double/naive " + arguments);
    EXPECT_EQ(ran.code, 6) << arguments << "\n" << ran.text;
    EXPECT_THAT(ran.text, Not(HasSubstr("PASSED")));
  }
  EXPECT_THAT(lanewise("validate --devices model box-blur/double/naive --keep " + path("file")).text,
              HasSubstr("cannot write into " + path("file") + ": Not a directory (--keep)"));
}

// A disk without a free byte, and a folder that takes no file: one error that names the file, and no part of it left.
TEST_F(Validate, AFullDiskAndAReadOnlyFolderAreOneClearError) {
  const std::string blur = "validate box-blur/double/naive --devices model --sizes 3x2 --radii 1 --edges zero --inputs ramp ";
  const std::string sum = "validate checksum/sum/shuffle --devices model --sizes 3x2 --inputs ramp --subgroup-sizes 4 ";
  const std::string trace = "trace box-blur/double/naive --size 3x1 --stop-at 2 ";
  for (const auto& [command, name] : std::map<std::string, std::string>{{blur + "--report ", "report"},
                                                                        {sum + "--keep ", "texts"},
                                                                        {trace + "--save ", "state"},
                                                                        {"golden regen 'checksum/*' --html ", "page"}}) {
    const Ran full = lanewise(command + path(name), "ulimit -f 0; trap '' XFSZ;");
    EXPECT_EQ(full.code, 6) << command << "\n" << full.text;
    EXPECT_THAT(full.text, AllOf(HasSubstr("cannot write"), HasSubstr(path(name)), Not(HasSubstr(path("report.")))));
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) EXPECT_FALSE(entry.is_regular_file()) << entry.path();
    const Ran closed = lanewise(command + "/proc/" + name);
    EXPECT_EQ(closed.code, 6) << command << "\n" << closed.text;
    EXPECT_THAT(closed.text, AllOf(HasSubstr("cannot write"), HasSubstr("/proc")));
  }
}

TEST_F(Validate, AModuleCutShortIsBadInput) {
  std::ofstream(path("odd.spv")) << "12345";
  EXPECT_EQ(lanewise("validate --devices model box-blur/double/naive --sizes 1x1 --module " + path("odd.spv")).code, 2);
  const unsigned header[] = {0x07230203, 0x00010600, 0, 8, 0, 0x00020011};
  std::ofstream(path("short.spv"), std::ios::binary).write(reinterpret_cast<const char*>(header), sizeof header);
  const Ran ran =
      lanewise("validate --devices model box-blur/double/naive --sizes 1x1 --radii 1 --edges clamp --module " + path("short.spv"));
  EXPECT_EQ(ran.code, 2) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("short.spv"));
  // %1 is the entry point, and its function is not there. At the end of a function the file is not cut, and the id is told.
  std::vector<unsigned> words = {0x07230203, 0x00010600, 0, 8,   0,          0x00020011, 1,  0x0003000e, 0, 1,
                                 0x0004000f, 5,          1, 'm', 0x00060010, 1,          17, 1,          1, 1};
  const auto said = [&] {
    std::ofstream(path("cut.spv"), std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()), static_cast<long>(4 * words.size()));
    return lanewise("inspect " + path("cut.spv")).text + lanewise("run " + path("cut.spv")).text;
  };
  EXPECT_THAT(said(), HasSubstr("not a valid SPIR-V module: it ends before its last function does; the file is cut short"));
  for (const unsigned word : {0x00020013u, 2u, 0x00030021u, 3u, 2u, 0x00050036u, 2u, 4u, 0u, 3u, 0x000200f8u, 5u, 0x000100fdu, 0x00010038u})
    words.push_back(word);
  EXPECT_THAT(said(), AllOf(HasSubstr("IDs have not been defined: '1["), Not(HasSubstr("cut short"))));
}

// --module takes what `run` takes; a wrong file is said once, by its name, before anything runs.
TEST_F(Validate, AModuleMayBeASource) {
  const std::string run = "validate --devices model box-blur/double/naive --sizes 3x2 --radii 1 --edges clamp --module ";
  const std::string kernel = LANEWISE_SHADERS "/box_blur_naive.comp";
  const Ran passed = lanewise(run + kernel);
  EXPECT_EQ(passed.code, 0) << passed.text;
  EXPECT_EQ(lanewise(run + kernel + " -D kUnusedByIt=1").code, 0);
  const std::string head = "#version 450\nlayout(local_size_x = 8) in;\n";
  std::ofstream(path("empty.comp")) << head << "void main() {}\n";
  const Ran wrong = lanewise(run + path("empty.comp"));
  EXPECT_EQ(wrong.code, 1) << wrong.text;
  EXPECT_THAT(wrong.text, HasSubstr("looks never written"));
  std::ofstream(path("broken.comp")) << head << "void main() { nothing(); }\n";
  const Ran broken = lanewise(run + path("broken.comp"));
  EXPECT_EQ(broken.code, 2) << broken.text;
  EXPECT_THAT(broken.text, AllOf(HasSubstr(path("broken.comp") + ":3"), Not(HasSubstr("SPIR-V"))));
  std::ofstream(path("text.txt")) << "anything";
  const Ran text = lanewise(run + path("text.txt"));
  EXPECT_EQ(text.code, 2) << text.text;
  EXPECT_THAT(text.text, AllOf(HasSubstr(path("text.txt")), HasSubstr(".comp")));
}

TEST_F(Validate, ADeviceThatIsNotThereIsDeviceTrouble) {
  const Ran ran = lanewise("validate --devices model,no-such-device --sizes 1x1");
  EXPECT_EQ(ran.code, 4) << ran.text;
}

// An empty file in the loader's place: opening it fails, as on a machine without one.
TEST_F(Validate, WithoutALoaderTheModelRunsAloneAndSaysSo) {
  std::ofstream(path("libvulkan.so.1")).flush();
  const std::string loaderless = "LD_LIBRARY_PATH=" + folder_.string();
  const std::string arguments = "validate box-blur/double/naive --sizes 1x1 --radii 0 --edges zero";
  const Ran plain = lanewise(arguments, loaderless);
  EXPECT_EQ(plain.code, 0) << plain.text;
  EXPECT_THAT(plain.text, HasSubstr("only the model runs"));
  const Ran named = lanewise(arguments + " --devices all", loaderless);
  EXPECT_EQ(named.code, 4) << named.text;
}

// The name that a report prints, given to every command that works on cases.
TEST_F(Validate, APrintedCaseIsASubjectOfEveryCommand) {
  const std::string good = "'box-blur/double/naive @ 5x3 radius=2 edge=zero input=ramp subgroup=8'";
  const std::string bad = "'broken/box-blur-remainder-x4 @ 2x1 input=list:255,0'";
  const Ran passed = lanewise("validate " + good + " --devices model --report " + path("report"));
  EXPECT_EQ(passed.code, 0) << passed.text;
  EXPECT_THAT(passed.text, HasSubstr("1 case"));
  const Ran failed = lanewise("validate " + bad + " --devices model --report " + path("report"));
  EXPECT_EQ(failed.code, 1) << failed.text;
  EXPECT_THAT(failed.text, HasSubstr("FAILED: 1 case"));
  EXPECT_EQ(lanewise("replay " + good + " --devices model").code, 0);
  EXPECT_EQ(lanewise("replay " + bad + " --devices model").code, 1);
  EXPECT_EQ(lanewise("replay 'photo/sobel/checked @ 5x3 input=ramp' --devices model").code, 0);
  EXPECT_THAT(lanewise("replay " + bad + " --with radius=0 --devices model").text, HasSubstr("@ 2x1 radius=0 edge=clamp"));
  EXPECT_EQ(lanewise("trace " + good).code, 0);
  EXPECT_EQ(lanewise("bench " + good + " --devices model --runs 1").code, 0);
  EXPECT_THAT(lanewise("golden verify 'box-blur/double/naive @ 5x3 radius=2'").text,
              HasSubstr("`lanewise golden image` shows the golden of any case"));
  EXPECT_EQ(lanewise("golden verify 'box-blur/double/naive @ 1x1 radius=0 edge=clamp input=noise:1'").code, 0);
}

// A quick set that names one parameter keeps its own choice of the others, and says so.
TEST_F(Validate, ANarrowedQuickSetSaysWhatItLeavesOut) {
  const Ran ran = lanewise("validate box-blur/double/naive --with edge=zero --sizes 3x3 --devices model --report " + path("report"));
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("not every value of radius runs for 1 kernel: choose others by --with radius=VALUES"));
  const Ran unknown = lanewise("validate box-blur/double/naive --with colour=1 --devices model --report " + path("report"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.text, AllOf(HasSubstr("no parameter 'colour'"), HasSubstr("radius")));
}

TEST(Completion, OfKernelsWhereOneMayBeNamed) {
  const auto completed = [](const std::string& before) {
    return shell("bash -c 'PATH=$(dirname " LANEWISE_PROGRAM "):$PATH; eval \"$(lanewise manual bash)\"; COMP_WORDS=(lanewise " + before +
                 " box-blur/double/n); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lanewise; echo \"[${COMPREPLY[*]}]\"' 2>&1")
        .text;
  };
  for (const char* command : {"list", "run", "debug", "selftest", "golden image"})
    EXPECT_EQ(completed(command), "[box-blur/double/naive]\n") << command;
  for (const char* command : {"golden regen", "measure", "init"}) EXPECT_EQ(completed(command), "[]\n") << command;
}

}  // namespace
}  // namespace lanewise
