// Every kind of finding has a name of its own, and its line on the page for users.
#include "model/contract/finding_kinds.h"

#include <fstream>
#include <set>

namespace lanewise {
namespace {

TEST(Findings, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const FindingKind kind : kFindingKinds) EXPECT_TRUE(names.insert(findingName(kind)).second) << findingName(kind);
  EXPECT_STREQ(findingName(FindingKind::kStepLimit), "step limit");
}

// Names that differ in a bracket share a line: `out of range (buffer)`, `(array)`.
TEST(Findings, StandInTheDocumentation) {
  std::ifstream file(LANEWISE_FINDINGS_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const auto has = [&page](const std::string& name) { return page.find('`' + name + '`') != std::string::npos; };
  EXPECT_TRUE(has("step limit"));
  EXPECT_FALSE(has("step limits"));
  for (const FindingKind kind : kFindingKinds) {
    const std::string name = findingName(kind);
    EXPECT_TRUE(has(name) || has(name.substr(std::min(name.find('('), name.size())))) << "docs/findings.md: " << name;
  }
}

}  // namespace
}  // namespace lanewise
