// Every kind of finding is a rule of its own, in the words of its page.
#include "tools/check/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "model/contract/finding_kinds.h"
#include "tools/check/check.h"

namespace lanewise {
namespace {

CheckFinding reported(FindingKind kind) {
  CheckFinding f{.what = CheckFinding::What::kReported};
  f.finding.kind = kind;
  return f;
}

std::string textOf(const std::string& name) {
  std::ifstream file(fmt::format("{}/{}", LANEWISE_SOURCE_FOLDER, name));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first block of code of a page.
std::vector<std::string> exampleOf(const std::string& page) {
  std::vector<std::string> example;
  for (const std::string& line : linesOf(page)) {
    const bool isCode = line.starts_with("    ");
    if (isCode) example.push_back(line.substr(4));
    if (!isCode && !example.empty()) break;
  }
  return example;
}

TEST(Rules, SayWhatThePageOnFindingsSays) {
  const std::string page = textOf("docs/findings.md");
  for (const FindingKind kind : kFindingKinds) {
    const FindingRule rule = ruleOf(reported(kind));
    EXPECT_NE(page.find(fmt::format("| {}", rule.what)), std::string::npos) << findingName(kind) << ": " << rule.what;
    const bool inAFewWords = page.find(fmt::format("| {} |", rule.mends)) != std::string::npos;
    const bool below = page.find(fmt::format("| {} | its page |", rule.what)) != std::string::npos;
    EXPECT_NE(inAFewWords, below) << findingName(kind) << ": " << rule.mends;
  }
}

// Every kind has a page of its own, and its example is of a program of which a test expects that finding (model/text_test.cpp).
TEST(Rules, HavePages) {
  for (const FindingKind kind : kFindingKinds) {
    const std::string file = pageOf(reported(kind)), page = textOf(file), name = findingName(kind);
    EXPECT_TRUE(page.starts_with(fmt::format("# {}\n", name))) << file;
    for (const char* part : {"\n**Mend.** ", "\n**Clause.** "}) EXPECT_NE(page.find(part), std::string::npos) << file << part;

    const std::size_t at = page.find("(tests/programs/");
    ASSERT_NE(at, std::string::npos) << file;
    const std::string program = textOf(page.substr(at + 1, page.find_first_of(",)", at) - at - 1));
    const std::vector<std::string> lines = linesOf(program), example = exampleOf(page);
    EXPECT_FALSE(example.empty()) << file;
    EXPECT_LE(example.size(), 14u) << file;
    auto from = lines.begin();
    for (const std::string& line : example) {
      from = std::find(from, lines.end(), line);
      ASSERT_NE(from++, lines.end()) << file << ": " << line;
    }
    const auto expects = [&](const std::string& line) { return line.find(" finding ") <= 2 && line.find(name) != std::string::npos; };
    EXPECT_TRUE(std::ranges::any_of(lines, expects)) << file;
  }
}

TEST(Rules, OfRunsThatDifferHavePages) {
  CheckFinding f{.what = CheckFinding::What::kDependence};
  std::set<std::string> pages{pageOf({.what = CheckFinding::What::kWrongResult})};
  for (auto axis = static_cast<std::size_t>(Axis::kSchedule); axis <= static_cast<std::size_t>(Axis::kDevice); ++axis) {
    f.axis = static_cast<Axis>(axis);
    if (f.axis != Axis::kChoices) pages.insert(pageOf(f));  // it is no finding
  }
  EXPECT_EQ(pages.size(), 6);
  for (const std::string& page : pages) {
    const std::string text = textOf(page);
    for (const char* part : {"# ", "\n    #version ", "\n**Mend.** ", "\n**Clause.** "})
      EXPECT_NE(text.find(part), std::string::npos) << page << part;
  }
  EXPECT_EQ(pageOf({.what = CheckFinding::What::kError}), "docs/findings.md");
}

TEST(Rules, TellWhatIsNoFindingApart) {
  using What = CheckFinding::What;
  for (const What what : {What::kWrongResult, What::kDependence, What::kError}) EXPECT_EQ(ruleOf({.what = what}).mends, "");
  EXPECT_NE(ruleOf(reported(FindingKind::kReconvergence)).what, ruleOf({.what = What::kDependence}).what);
  EXPECT_NE(ruleOf({.what = What::kWrongResult}).what, ruleOf({.what = What::kDependence}).what);
  EXPECT_NE(ruleOf({.what = What::kError}).what, ruleOf({.what = What::kWrongResult}).what);
}

}  // namespace
}  // namespace lanewise
