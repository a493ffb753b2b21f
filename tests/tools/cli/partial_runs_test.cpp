// `lanewise validate` that is interrupted, resumed, listed without running, or in parts.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// Before the program's name: interrupts it as soon as the journal, whose first line says what runs, has one case more.
std::string interruptedAfterACaseIn(const std::string& journal, const std::string& kill = "kill -INT $$") {
  return fmt::format(
      "J={} sh -c 'cases() {{ tail -n +2 \"$J\" 2>/dev/null | wc -l; }}; was=$(cases); "
      "(while [ $(cases) -le $was ] && kill -0 $$; do sleep 0.05; done; sleep 0.2; {}) & exec \"$@\"' sh",
      journal, kill);
}

using Validate = Scratch;

TEST_F(Validate, AnInterruptEndsWithAPartialReport) {
  const Ran ran = lanewise("validate box-blur/double/naive --devices model --sizes 256x256 --radii 0..4000 --report " + path("report"),
                           interruptedAfterACaseIn(path("report/journal.txt")));
  EXPECT_EQ(ran.code, 130) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("INTERRUPTED"));
  const auto json = nlohmann::json::parse(std::ifstream(path("report/report.json")));
  EXPECT_EQ(json["interrupted"], true);
  const auto& summary = json["summary"][0];
  const std::size_t left = summary["sides"]["model"]["not run"];
  EXPECT_GT(left, 0);
  EXPECT_EQ(json["cases"].size(), summary["cases"].get<std::size_t>() - left);
  std::ostringstream junit;
  junit << std::ifstream(path("report/junit.xml")).rdbuf();
  EXPECT_THAT(junit.str(), HasSubstr(fmt::format("name=\"{} more cases\"><skipped message=\"not run\"/>", left)));
}

// The second ends it at once, whichever of the two either is: no report is written.
TEST_F(Validate, ASecondSignalEndsItAtOnce) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers a signal when the program waits next";
#endif
  for (const auto& [first, second] : std::map<std::string, std::string>{{"INT", "TERM"}, {"TERM", "INT"}}) {
    const Ran ran = lanewise("validate box-blur/double/naive --devices model --sizes 256x256 --radii 0..4000 --report " + path(first),
                             interruptedAfterACaseIn(path(first + "/journal.txt"), fmt::format("kill -{} $$; kill -{} $$", first, second)));
    EXPECT_TRUE(ran.code == -1 || ran.code == 128 + 2 || ran.code == 128 + 15) << ran.code << ran.text;  // as the shell tells a signal
    EXPECT_THAT(ran.text, Not(HasSubstr("INTERRUPTED")));
    EXPECT_FALSE(fs::exists(path(first + "/report.json")));
  }
}

// Plans: counted, listed, cut into parts, resumed, put together.
TEST_F(Validate, APlanIsCountedAndListedWithoutRunning) {
  const std::string plan = "validate box-blur/double/naive --sizes 3x2,5x5 --radii 0..3 --devices no-such-device ";
  const Ran count = lanewise(plan + "--count");
  EXPECT_EQ(count.code, 0) << count.text;
  EXPECT_THAT(count.text, HasSubstr("32  cases in all"));
  const std::string listed = lanewise(plan + "--list").text;
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 32);
  EXPECT_EQ(listed, lanewise(plan + "--list").text);
  EXPECT_THAT(lanewise(plan + "--count --set full --shard 2/5").text, HasSubstr("in part 2/5"));
  EXPECT_EQ(lanewise(plan + "--set half --count").code, 2);
  EXPECT_EQ(lanewise(plan + "--algorithms no* --count").code, 2);
  EXPECT_EQ(lanewise(plan + "--formats r64f --count").code, 2);
}

TEST_F(Validate, PartsAreMergedAndAMissingOneIsSaid) {
  const std::string plan =
      "validate box-blur/double/naive broken/box-blur-remainder-x4 --devices model --sizes 1..5x1..2 --radii 1 --edges clamp --inputs "
      "noise:1 ";
  for (const int k : {1, 2, 3}) lanewise(fmt::format("{} --shard {}/3 --report {}", plan, k, path(fmt::format("part{}", k))));
  const Ran two = lanewise(fmt::format("report --merge {} {} --report {}", path("part1"), path("part3"), path("two")));
  EXPECT_EQ(two.code, 130);
  EXPECT_THAT(two.text, HasSubstr("part 2/3 is missing"));
  const Ran all = lanewise(fmt::format("report --merge {} {} {} --report {}", path("part1"), path("part2"), path("part3"), path("all")));
  EXPECT_EQ(all.code, 1);
  EXPECT_THAT(all.text, HasSubstr("FAILED: 20 cases"));
  EXPECT_TRUE(fs::exists(path("all/report.html")));
  EXPECT_EQ(lanewise("report --merge " + path("none")).code, 6);
  // Other files, and a folder of capsules.
  const auto refused = [&](const std::string& text) {
    std::ofstream(path("other.json")) << text;
    const Ran ran = lanewise("report --merge " + path("other.json"));
    EXPECT_EQ(ran.code, 2) << text;
    return ran.text;
  };
  EXPECT_THAT(refused("#version 450"),
              AllOf(HasSubstr("no JSON: it ends or is wrong at byte 1 ("), HasSubstr("; name the folder of a report")));
  EXPECT_THAT(refused("{}"), HasSubstr("not a report.json: key 'schema' not found ("));
  const Ran folder = lanewise("replay " + path("all"));
  EXPECT_EQ(folder.code, 2);
  EXPECT_THAT(folder.text, AllOf(HasSubstr("is a folder, and a capsule or a case is meant here"), HasSubstr(".capsule")));
}

TEST_F(Validate, AnInterruptedRunIsResumedAndAFailureReplayed) {
  const std::string run =
      "validate box-blur/double/naive --devices model --sizes 256x256 --radii 0..4000 --edges clamp --report " + path("report");
  EXPECT_EQ(lanewise(run, interruptedAfterACaseIn(path("report/journal.txt"))).code, 130);
  const Ran second = lanewise(run + " --resume", interruptedAfterACaseIn(path("report/journal.txt")));
  EXPECT_THAT(second.text, HasSubstr("taken over from the journal"));
  EXPECT_EQ(lanewise("validate broken/box-blur-remainder-x4 --devices model --report " + path("bad")).code, 1);
  fs::path capsule;
  for (const auto& entry : fs::directory_iterator(path("bad")))
    if (entry.path().extension() == ".capsule") capsule = entry.path();
  ASSERT_FALSE(capsule.empty());
  const Ran replay = lanewise("replay " + capsule.string() + " --devices model");
  EXPECT_EQ(replay.code, 1) << replay.text;
  EXPECT_THAT(replay.text, HasSubstr("as model then"));
  std::ofstream(capsule, std::ios::app) << "x";
  EXPECT_EQ(lanewise("replay " + capsule.string() + " --devices model").code, 2);
}

}  // namespace
}  // namespace lanewise
