// The known-bad kernels do what their rows say (tools/catalogue/kernel.h, Defect): the wrong texel, the error, or the finding.
#include <fmt/format.h>

#include <sstream>

#include "golden/image/inputs.h"
#include "model/base/file.h"
#include "model/model.h"
#include "tools/arbitrate/arbitrate.h"
#include "tools/catalogue/catalogue.h"
#include "tools/subject/comma_lists.h"
#include "tools/sweep/result.h"

namespace lanewise {
namespace {

struct Planted {
  const Kernel* kernel;
  Defect defect;
};

void PrintTo(const Planted& p, std::ostream* out) {
  *out << p.kernel->name << ", " << p.defect.id;
}

std::vector<Planted> planted() {
  std::vector<Planted> all;
  for (const Kernel& kernel : kernels())
    for (const Defect& defect : kernel.defects) all.push_back({&kernel, defect});
  return all;
}

// What a run says: the first wrong texel, the error, a finding, or nothing.
std::string said(Model& model, const Kernel& kernel, const std::string& point) {
  const Expected<Case> c = parseCase(kernel.name + " @ " + point);
  if (!c) return "bad row: " + c.error().text();
  const Expected<golden::Image> input = inputOf(*c);
  if (!input) return "bad row: " + input.error().text();
  const Expected<Expectation> expected = expectationOf(*c, *input);
  if (!expected) return "bad row: " + expected.error().text();
  RunResult run = model.run(kernel.plan(*c, kernelModule(kernel), *input));
  if (run.error) return "error: " + run.error->text();
  std::string found;
  for (const RunFinding& finding : run.findings) found += finding.text() + "\n";
  return found.empty() ? judge(*expected, run)->text() : found;
}

ModelOptions optionsOf(const DefectWay& way) {
  ModelOptions options;
  if (!way.profile.empty()) options.profile = *parseProfile(way.profile);
  if (!way.schedule.empty()) options.schedule = *parseSchedule(way.schedule);
  options.findings = way.findings;
  return options;
}

class KnownBad : public testing::TestWithParam<Planted> {};

TEST_P(KnownBad, ShowsWhatItsRowSays) {
  const auto& [kernel, defect] = GetParam();
  Model model(optionsOf(defect.way()));
  const std::string shown = said(model, *kernel, defect.point);
  if (defect.shows == Defect::Shows::kWrongTexel)
    EXPECT_EQ(shown, defect.text);
  else if (defect.shows == Defect::Shows::kFinding)
    EXPECT_THAT(shown, testing::HasSubstr(defect.text));
  else
    EXPECT_THAT(shown, testing::AllOf(testing::StartsWith("error: "), testing::HasSubstr(defect.text)));
  if (!defect.nearMiss.empty()) {
    EXPECT_EQ(said(model, *kernel, defect.nearMiss), "") << "the near miss";
  }
}

// What a row shows under its profile or schedule, nobody sees without.
TEST_P(KnownBad, AsksForAProfileOrAScheduleOnlyWhereItMust) {
  const auto& [kernel, defect] = GetParam();
  if (defect.profile.empty() && defect.schedule.empty()) return;
  Model model;
  EXPECT_EQ(said(model, *kernel, defect.point), "");
}

INSTANTIATE_TEST_SUITE_P(Kernels, KnownBad, testing::ValuesIn(planted()), [](const auto& named) {
  std::string name = named.param.kernel->name.substr(7) + "_" + named.param.defect.id + named.param.defect.profile;
  std::ranges::replace_if(
      name, [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
  return name;
});

// The text of `--profile` and so on that a way is.
std::string wayText(const DefectWay& way) {
  std::string text;
  if (!way.profile.empty()) text += " `--profile " + way.profile + "`";
  if (!way.schedule.empty()) text += " `--schedules " + way.schedule + "`";
  if (way.findings) text += " `--findings`";
  return text.empty() ? " " : text + " ";
}

std::vector<const Kernel*> brokenKernels() {
  std::vector<const Kernel*> all;
  for (const Kernel& kernel : kernels())
    if (kernel.broken()) all.push_back(&kernel);
  return all;
}

std::string shortName(const Kernel& kernel) {
  return kernel.name.substr(7);
}

// The rows of the page's table.
std::vector<std::string> rowsOfPage() {
  std::istringstream page(*readWholeFile(LANEWISE_KNOWN_BAD_PAGE));
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| ")) rows.push_back(line);
  rows.erase(rows.begin());  // its head
  return rows;
}

// In the order of the catalogue, and of no other kernels.
TEST(KnownBad, ThePageHasRowsOfBrokenKernels) {
  std::vector<std::string> rows = rowsOfPage(), names;
  EXPECT_GT(rows.size(), 20u);
  for (const Kernel* kernel : brokenKernels())
    for (const std::string& row : rows)
      if (row.starts_with("| " + shortName(*kernel) + " |")) names.push_back(row);
  EXPECT_EQ(rows, names);
}

class SmallestCase : public testing::TestWithParam<const Kernel*> {};

// `lanewise validate` finds each wrong texel in the quick set and makes its case smaller until it is as small as the row's, or smaller, and
// fails in the same way; the page says what it ends at.
TEST_P(SmallestCase, IsFoundByTheTool) {
  const Kernel& kernel = *GetParam();
  const std::string begin = "| " + shortName(kernel) + " |";
  std::string onThePage, found;
  for (const std::string& row : rowsOfPage())
    if (row.starts_with(begin)) onThePage = row;
  const Defect& defect = kernel.defects[0];
  Model model(optionsOf(defect.way()));
  const Side side{{"model", "", model.profile().subgroupSize, true}, &model, true, {}, optionsOf(defect.way()).schedule};
  SweepResult swept = runSweep({*casesOf(kernel), {}, {}}, {&side, 1}, Inputs(), {});
  arbitrate(swept, {&side, 1}, Inputs(), ArbitrationOptions());
  if (swept.count(Verdict::kMismatch) > 0) {  // what shows only by a finding or an error is not made smaller
    ASSERT_EQ(swept.arbitrations.size(), 1u);
    const Arbitration& f = swept.arbitrations[0];
    EXPECT_THAT(f.shrinking, testing::HasSubstr("none of them fails"));
    const Expected<Case> smallest = parseCase(f.smallest), row = parseCase(kernel.name + " @ " + defect.point);
    EXPECT_LE(smallest->size.width * smallest->size.height, row->size.width * row->size.height) << f.smallest;
    EXPECT_EQ(failureKind(f.small->cases[0].sides[0]), failureKind(swept.cases[f.caseIndex].sides[0]));
    found = fmt::format("{}{}| `{}` | {} |", begin, wayText(defect.way()), f.smallest.substr(f.smallest.find("@ ") + 2), f.texel);
  }
  EXPECT_EQ(onThePage, found) << "in docs/known-bad.md";
}

INSTANTIATE_TEST_SUITE_P(Kernels, SmallestCase, testing::ValuesIn(brokenKernels()), [](const auto& named) {
  std::string name = shortName(*named.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

// The quick set has each row's point, so `lanewise validate 'broken/*'` shows it.
TEST(KnownBad, TheQuickSetHasEachPoint) {
  for (const Planted& p : planted()) {
    const Case c = *parseCase(p.kernel->name + " @ " + p.defect.point);
    EXPECT_THAT(*casesOf(*p.kernel), testing::Contains(c)) << c.name();
  }
}

// S1 between subgroups, which a schedule orders as a whole, and not only between the lanes of one.
TEST(KnownBad, AnOverwriteBetweenSubgroupsShowsInReverse) {
  const Kernel& kernel = *findKernel("broken/depth-overwrite");
  Model reverse({{}, *parseSchedule("reverse")}), inOrder;
  const std::string first = "4x8 input=impulse:0,4", second = "4x8 input=impulse:0,3";
  EXPECT_EQ(said(reverse, kernel, first), "texel (0, 1) of level 2: 1 (0x3f800000) expected, 0 (0x00000000) got");
  EXPECT_EQ(said(inOrder, kernel, first), "");
  EXPECT_EQ(said(reverse, kernel, second), "") << "the texel of the subgroup that runs first";
}

TEST(KnownBad, EveryBrokenKernelHasARowAndNoOther) {
  for (const Kernel& kernel : kernels()) EXPECT_EQ(kernel.broken(), kernel.name.starts_with("broken/")) << kernel.name;
}

}  // namespace
}  // namespace lanewise
