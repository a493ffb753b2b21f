// What commands share: their help, options that several have, and reports on a disk that is full.
#include <fstream>
#include <sstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Program, HelpOfOptionsFitsEightyColumns) {
  for (const std::string command : {"run", "check", "bench", "validate"}) {
    std::istringstream lines(lanewise(command + " --help").text);
    for (std::string line; std::getline(lines, line);) {
      const bool isOneWord = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      if (line.starts_with("  ") && !isOneWord) {
        EXPECT_LE(line.size(), 80u) << line;
      }
    }
  }
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
