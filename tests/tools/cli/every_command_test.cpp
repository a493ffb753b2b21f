// What commands share: their help, options that several have, and reports on a disk that is full.
#include <fstream>
#include <sstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The help of a command, and of the commands in it. Returns how many these are.
int helpFits(const std::string& command) {
  std::istringstream lines(lanewise(command + " --help").text);
  bool areCommands = false;
  int count = 1;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << command << ": " << line;
    if (areCommands && line.size() > 2 && line[2] != ' ') count += helpFits(command + line.substr(1, line.find(' ', 2) - 1));
    areCommands |= line == "Subcommands:";
  }
  return count;
}

TEST(Program, HelpFitsEightyColumns) {
  EXPECT_GE(helpFits(""), 30);
}

using SourceFolders = Scratch;

TEST_F(SourceFolders, AreFoldersAndALimitOfStepsIsANumberOfSteps) {
  std::ofstream(path("k.comp")) << "#version 450\nvoid main() {}\n";
  const std::string run = "run " + path("k.comp");
  EXPECT_EQ(lanewise(run + " -I " + folder_.string() + " --max-steps 9").code, 0);
  const Ran none = lanewise(run + " -I nosuchdir");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text, AllOf(HasSubstr("--include"), HasSubstr("nosuchdir")));
  const Ran zero = lanewise(run + " --max-steps 0");
  EXPECT_EQ(zero.code, 2);
  EXPECT_THAT(zero.text, HasSubstr("--max-steps: has to be at least 1"));
}

using Reports = Scratch;

TEST_F(Reports, ADiskThatFillsUpIsToldOnce) {
  const Ran full = lanewise(
      "validate box-blur/double/naive --devices model --sizes 1..9x1..9 --radii 1 --edges zero --inputs ramp --report " + path("report"),
      "ulimit -f 1; trap '' XFSZ;");
  EXPECT_EQ(full.code, 6) << full.text;
  const std::size_t first = full.text.find("cannot write");
  ASSERT_NE(first, std::string::npos) << full.text;
  EXPECT_EQ(full.text.find("cannot write", first + 1), std::string::npos) << full.text;
}

}  // namespace
}  // namespace lanewise
