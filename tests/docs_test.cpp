// The pages: lines of prose fit 120 columns, and the files that they name are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

const fs::path kRoot = LANEWISE_SOURCE_FOLDER;
constexpr std::size_t kColumns = 120;

std::vector<std::string> linesOf(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> all = {kRoot / "tests/litmus/README.md"};
  for (const fs::path& folder : {kRoot, kRoot / "docs", kRoot / "docs/findings"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".md") all.push_back(entry.path());
  return all;
}

// UTF-8: bytes that go on with a character do not count.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Lines that are too wide, by number. Rows of tables have no line breaks, and what is indented is as a program prints it.
std::vector<std::size_t> wide(const std::vector<std::string>& lines) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].starts_with("|") && !lines[i].starts_with("    ") && columns(lines[i]) > kColumns) found.push_back(i + 1);
  return found;
}

// Files of the repository that a page names and that are not there.
std::vector<std::string> missing(const std::vector<std::string>& lines) {
  static const std::regex name(
      R"((?:^|[ (`|])((?:docs|tools|tests|model|golden|gpu|shaders|cmake)/[\w./-]*\.(?:h|cpp|inc|cmake|txt|md|comp|glsl|sh))\b)");
  std::vector<std::string> gone;
  for (const std::string& line : lines)
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at)
      if (const std::string file = (*at)[1]; !fs::exists(kRoot / file)) gone.push_back(file);
  return gone;
}

TEST(Docs, ProseFitsTheColumns) {
  ASSERT_GT(pages().size(), 15u);
  for (const fs::path& page : pages()) {
    std::ifstream file(page);
    EXPECT_THAT(wide(linesOf(file)), IsEmpty()) << page;
  }
}

TEST(Docs, NamedFilesAreThere) {
  for (const fs::path& page : pages()) {
    std::ifstream file(page);
    EXPECT_THAT(missing(linesOf(file)), IsEmpty()) << page;
  }
}

TEST(Docs, TheRulesThemselves) {
  EXPECT_THAT(wide({std::string(120, 'x'), std::string(121, 'x'), "|" + std::string(121, 'x'), "    " + std::string(121, 'x')}),
              ElementsAre(2));
  std::string accents;
  for (int i = 0; i < 120; ++i) accents += "é";
  EXPECT_THAT(wide({accents, accents + "e"}), ElementsAre(2));
  EXPECT_THAT(missing({"see docs/nowhere.md and (docs/run.md)"}), ElementsAre("docs/nowhere.md"));
}

}  // namespace
}  // namespace lanewise
