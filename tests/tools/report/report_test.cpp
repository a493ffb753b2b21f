// The reports of a sweep: text, JSON, JUnit, HTML, and the folder that holds them.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "golden/image/inputs.h"
#include "tests/scratch_folder.h"
#include "tests/tools/fake_sweep.h"
#include "tools/report/escape.h"
#include "tools/report/folder.h"
#include "tools/report/html_images.h"
#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

SweepResult plantedFailure() {
  static FakeDevice good, bad(flipLastBit);
  return sweep({"box-blur/double/naive @ 2x1 input=list:255,0", "checksum/sum/shuffle @ 2x1", "box-blur/double/naive @ 300x2"},
               {{"model", &good}, {"fa<ke", &bad}});
}

TEST(Report, TheNameOfAGoldensStateSaysTheState) {
  const Case known = *parseCase("box-blur/double/naive @ 2x1");
  Kernel recorded = *known.kernel, invariants = recorded;
  recorded.recorded = true;
  invariants.invariants = true;
  const auto named = [&](const Kernel& kernel, GoldenState state) {
    CaseResult c;
    c.what = known;
    c.what.kernel = &kernel;
    c.golden = state;
    EXPECT_EQ(goldenStateOf(goldenName(c)), state) << goldenName(c);
    return std::string(goldenName(c));
  };
  for (const GoldenState state : {GoldenState::kNotChecked, GoldenState::kAgrees, GoldenState::kTrouble})
    EXPECT_EQ(named(recorded, state), named(*known.kernel, state));
  EXPECT_EQ(named(*known.kernel, GoldenState::kOracleOnly), "oracle only");
  EXPECT_EQ(named(recorded, GoldenState::kOracleOnly), "recorded");
  EXPECT_EQ(named(invariants, GoldenState::kOracleOnly), "no reference");
  EXPECT_FALSE(goldenStateOf("agreed"));
}

TEST(Report, TextShowsTheCaseTheTexelAndTheVerdict) {
  const std::string text = summaryText(plantedFailure());
  EXPECT_THAT(text, HasSubstr("2x1, r=1, clamp, input [255, 0], texel 1: 85 expected, 84 got (channel a)"));
  EXPECT_THAT(text, HasSubstr("on fa<ke: 1 of 8 components differ, by at most 1"));
  EXPECT_THAT(text, HasSubstr("FAILED: 3 cases, 3 failed"));
  EXPECT_THAT(summaryText(plantedFailure(), 1), HasSubstr("and 2 more failing cases"));
}

TEST(Report, JsonHoldsEveryCaseAndItsFirstBadTexel) {
  const auto json = nlohmann::json::parse(jsonText(plantedFailure(), {"lanewise validate", "today"}));
  EXPECT_EQ(json["schema"], "lanewise-report-1");
  EXPECT_EQ(json["exitCode"], 1);
  ASSERT_EQ(json["cases"].size(), 3u);
  const auto& side = json["cases"][0]["sides"]["fa<ke"];
  EXPECT_EQ(side["verdict"], "mismatch");
  EXPECT_EQ(side["diff"]["first"]["x"], 1);
  EXPECT_EQ(side["diff"]["first"]["expected"], "85");
  EXPECT_EQ(json["summary"][0]["sides"]["model"]["ok"], 2);
}

// A journal that cannot be written: the words agree with the outcome.
TEST(Report, TroubleOfTheRunIsNoPass) {
  FakeDevice good;
  SweepResult r = sweep({"box-blur/double/naive @ 2x1"}, {{"model", &good}});
  const auto verdict = [&] { return nlohmann::json::parse(jsonText(r, {"", ""}))["verdict"]; };
  const std::string before = verdict();
  EXPECT_THAT(before, testing::StartsWith("PASSED"));
  r.trouble = Error{Outcome::kIoError, "cannot write the journal", "", ""};
  EXPECT_EQ(verdict(), "TROUBLE");
  EXPECT_THAT(summaryText(r), HasSubstr("TROUBLE: 1 cases, 0 failed"));
  EXPECT_THAT(htmlText(r, {"", ""}), testing::AllOf(HasSubstr("TROUBLE"), Not(HasSubstr("All cases passed"))));
  r.cases[0].sides[0].verdict = Verdict::kMismatch;
  EXPECT_EQ(verdict(), "FAILED");
}

TEST(Report, JunitCountsAndEscapes) {
  const std::string xml = junitText(plantedFailure());
  EXPECT_THAT(xml, HasSubstr("on fa&lt;ke\" tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"texel 1: 85 expected, 84 got (channel a)\">  2x1, r=1, clamp"));
  EXPECT_THAT(xml, HasSubstr("  verdict: ")) << "the ruling is the failure's text";
  EXPECT_THAT(xml, HasSubstr("to run it again: lanewise validate "));
  EXPECT_THAT(xml, Not(HasSubstr("fa<ke")));
}

// A reference that cannot be asked fails every case in the same way.
TEST(Report, AnErrorOfManyCasesIsToldOnce) {
  SweepResult r = plantedFailure();
  r.evidence.clear();
  CaseResult failed = r.cases[0];
  for (SideResult& side : failed.sides) {
    side = {};
    side.verdict = Verdict::kError;
    side.error = Error{Outcome::kBadInput, "nobody answers", "", ""};
  }
  for (int i = 0; i < 7; ++i) r.cases.push_back(failed);
  for (SideResult& side : r.cases.back().sides) side.error->what = "another one";
  const std::string text = summaryText(r);
  EXPECT_EQ(text.find("nobody answers"), text.rfind("nobody answers")) << text;
  EXPECT_THAT(text, HasSubstr("... and 5 more cases with errors that are told above"));
  EXPECT_THAT(text, HasSubstr("another one"));
  EXPECT_THAT(junitText(r), HasSubstr("<error type=\"bad input\" message=\"nobody answers\">nobody answers</error>"));
}

// A browser opens a page of this size at once: the first failures in full, all others a line each or a part of a map.
TEST(Report, TenThousandFailuresAreASmallPage) {
  SweepResult r = plantedFailure();
  r.evidence.clear();
  const CaseResult one = r.cases[0];
  while (r.cases.size() < 10000) {
    r.cases.push_back(one);
    r.cases.back().what.size = {static_cast<std::uint32_t>(1 + r.cases.size() % 100), static_cast<std::uint32_t>(1 + r.cases.size() / 100)};
  }
  const std::string html = htmlText(r, {"lanewise validate", "today"});
  EXPECT_LT(html.size(), std::size_t{1} << 20);
  EXPECT_THAT(html, HasSubstr("10000 of 10000 cases failed"));
  // A browser lays out the tables that are seen, if they are small.
  const auto count = [](std::string_view in, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = in.find(what); at != std::string_view::npos; at = in.find(what, at + 1)) ++n;
    return n;
  };
  std::size_t rows = 0;
  for (std::size_t at = html.find("<div class=\"part\">"); at != std::string::npos; at = html.find("<div class=\"part\">", at + 1)) {
    const std::size_t own = count(html.substr(at, html.find("</div>", at) - at), "<tr class=\"fail\"");
    EXPECT_THAT(own, testing::AllOf(testing::Ge(1u), testing::Le(100u)));
    rows += own;
  }
  EXPECT_EQ(rows, count(html, "<tr class=\"fail\"")) << "no row is outside of them";
  // What the filter hides has no heads in it.
  EXPECT_EQ(count(html, "<th>what is wrong</th>"), 1u);
  EXPECT_LT(html.find("<th>what is wrong</th>"), html.find("<div class=\"part\">"));
  EXPECT_GT(rows, 1000u);
}

TEST(Report, HtmlEmbedsTheImagesAndNeedsNothingElse) {
  const std::string html = htmlText(plantedFailure(), {"lanewise validate '<x>'", "today"});
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,iVBOR"));
  EXPECT_THAT(html, HasSubstr("got on fa&lt;ke"));
  EXPECT_THAT(html, HasSubstr("difference x 255"));
  EXPECT_THAT(html, HasSubstr("Shown: 96x2 texels from (204, 0) of 300x2."));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, Not(HasSubstr("fa<ke")));
  EXPECT_THAT(html, Not(HasSubstr("<x>")));
  EXPECT_THAT(html, Not(HasSubstr("http")));
}

// Three kernels fail and one was looked into: the others say so, and show where they themselves are wrong. Without arbitration nobody does.
TEST(Report, WhatWasNotLookedIntoIsSaid) {
  FakeDevice bad(flipLastBit);
  SweepResult r = sweep({"box-blur/double/naive @ 2x1 input=list:255,0", "box-blur/double/naive @ 3x1", "checksum/sum/shuffle @ 2x1",
                         "box-blur/double/scan-slide @ 3x2"},
                        {{"model", &bad}});
  EXPECT_THAT(summaryText(r), Not(HasSubstr("not looked into")));
  EXPECT_THAT(htmlText(r, {"", ""}), Not(HasSubstr("not looked into")));
  Arbitration finding;
  finding.rulings = {"kernel wrong: planted"};
  finding.texel = "texel 0: the smallest";
  r.arbitrations = {finding};
  const std::string missing = "not looked into: only 1 of the kernels that fail are; `lanewise validate ";
  for (const std::string& text : {summaryText(r), htmlText(r, {"", ""})}) {
    EXPECT_THAT(text, HasSubstr(missing + "checksum/sum/shuffle` does"));
    EXPECT_THAT(text, HasSubstr(missing + "box-blur/double/scan-slide` does"));
    EXPECT_THAT(text, Not(HasSubstr(missing + "box-blur/double/naive")));
  }
  EXPECT_THAT(htmlText(r, {"", ""}), HasSubstr("<td>" + escaped(briefText(r.cases[3].what) + ": " + texelText(r.cases[3].sides[0]))));
  r.interrupted = true;
  EXPECT_THAT(summaryText(r), HasSubstr("not looked into: the run was interrupted; "));
}

golden::Image pictureOf(golden::Component component, std::uint32_t channels, std::initializer_list<float> values) {
  golden::Image image = golden::makeImage({static_cast<std::uint32_t>(values.size()) / channels, 1}, channels, component);
  std::size_t i = 0;
  for (const float v : values) {
    if (component == golden::Component::kU8)
      image.bytes[i++] = static_cast<std::byte>(v);
    else
      std::memcpy(image.bytes.data() + 4 * i++, &v, 4);
  }
  return image;
}

std::string figuresOf(const golden::Image& input, const golden::Image& expected, const golden::Image& got) {
  SweepResult r;
  r.sides = {{"model", "", 32, true}};
  r.cases.resize(1);
  r.cases[0].sides.resize(1);
  r.cases[0].sides[0].diff = std::make_shared<const golden::Diff>(*golden::compareImages(expected, got, {}));
  return figureRow(r, {0, input, {expected}, {{got}}}, {0});
}

// Codes beside sums in floats, and floats of another range: each picture has its own black and white, and codes need none.
TEST(Report, EachPictureSaysItsOwnRange) {
  using enum golden::Component;
  const golden::Image expected = pictureOf(kF32, 1, {2, 4}), got = pictureOf(kF32, 1, {2, 5});
  const std::string codes = figuresOf(pictureOf(kU8, 1, {0, 255}), expected, got);
  EXPECT_THAT(codes, HasSubstr("Of expected and got black is 2 and less, white 4 and more."));
  EXPECT_THAT(codes, Not(HasSubstr("Of the input")));
  const std::string floats = figuresOf(pictureOf(kF32, 1, {-8, 8}), expected, got);
  EXPECT_THAT(floats, HasSubstr("Of the input black is -8 and less, white 8 and more."));
  EXPECT_THAT(floats, HasSubstr("Of expected and got black is 2 and less, white 4 and more."));
  EXPECT_THAT(figuresOf(pictureOf(kU8, 1, {0, 255}), pictureOf(kU8, 1, {0, 9}), pictureOf(kU8, 1, {1, 9})), Not(HasSubstr("black")));
}

// Where there is alpha it is opaque, unless it is what is wrong: then it is the picture.
TEST(Report, OpaqueAlphaIsSaidWhereThereIsAny) {
  using enum golden::Component;
  const golden::Image four = pictureOf(kU8, 4, {1, 2, 3, 4}), red = pictureOf(kU8, 4, {9, 2, 3, 4}),
                      alpha = pictureOf(kU8, 4, {1, 2, 3, 9});
  const golden::Image one = pictureOf(kU8, 1, {1}), other = pictureOf(kU8, 1, {9});
  EXPECT_THAT(figuresOf(four, four, red), HasSubstr("Alpha is shown as opaque."));
  EXPECT_THAT(figuresOf(four, one, other), HasSubstr("Alpha is shown as opaque."));
  EXPECT_THAT(figuresOf(four, four, alpha), Not(HasSubstr("opaque")));
  EXPECT_THAT(figuresOf(one, one, other), Not(HasSubstr("opaque")));
}

// Every bit of a picture of codes and of a sum of 64 bits: each report says that the case failed, on whom and where.
TEST(Report, OneFlippedBitAnywhereIsInEveryReport) {
  FakeDevice good;
  for (const std::string& name : {std::string("box-blur/double/naive @ 2x2 radius=1 edge=clamp format=rgba8ui input=noise:1"),
                                  std::string("checksum/sum/shuffle @ 2x2 format=rgba8ui input=noise:1")})
    for (std::size_t bit = 0; bit < (name.starts_with("box") ? 2 * 2 * 4 * 8 : 64); ++bit) {
      FakeDevice bad([bit](const Job&, RunResult& r) { r.outputs[0].bytes()[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8)); });
      const SweepResult r = sweep({name}, {{"model", &good}, {"fake", &bad}});
      ASSERT_EQ(r.outcome(), Outcome::kFinding) << name << " bit " << bit;
      EXPECT_THAT(summaryText(r), HasSubstr("FAILED: 1 cases, 1 failed"));
      EXPECT_THAT(summaryText(r), HasSubstr("on fake: 1 of "));
      const auto json = nlohmann::json::parse(jsonText(r, {"", ""}));
      EXPECT_EQ(json["exitCode"], 1);
      EXPECT_EQ(json["cases"][0]["sides"]["fake"]["diff"]["beyondTolerance"], 1);
      EXPECT_THAT(junitText(r), HasSubstr("failures=\"1\""));
      const std::string html = htmlText(r, {"", ""});
      EXPECT_THAT(html, HasSubstr(texelText(r.cases[0].sides[1])));
      if (name.starts_with("box")) {  // a picture, not a number
        EXPECT_THAT(html, HasSubstr("got on fake"));
      }
    }
}

TEST(ReportFolder, IsWrittenWholeOrNotAtAll) {
  const ScratchFolder scratch;
  const fs::path& place = scratch.path();
  {
    Expected<ReportFolder> first = ReportFolder::open(place / "new" / "report");
    ASSERT_TRUE(first.ok());
    EXPECT_FALSE(fs::exists(place / "new" / "report"));
    EXPECT_FALSE(first->commit({{"report.html", "one"}, {"report.json", "{}"}}).has_value());
    Expected<ReportFolder> second = ReportFolder::open(place / "new" / "report" / "");
    ASSERT_TRUE(second.ok());
    EXPECT_FALSE(second->commit({{"report.html", "two"}, {"report.json", "{}"}}).has_value());
    const Expected<ReportFolder> abandoned = ReportFolder::open(place / "new" / "report");
    EXPECT_TRUE(abandoned.ok());
  }
  std::string text;
  std::ifstream(place / "new" / "report" / "report.html") >> text;
  EXPECT_EQ(text, "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(place / "new"), fs::directory_iterator()), 1) << "nothing is left behind";
}

TEST(ReportFolder, NeverReplacesWhatIsNoReport) {
  const ScratchFolder scratch;
  const fs::path& place = scratch.path();
  std::ofstream(place / "thesis.txt") << "years of work";
  EXPECT_EQ(ReportFolder::open(place).error().outcome, Outcome::kBadInput);
  EXPECT_EQ(ReportFolder::open(place / "thesis.txt").error().outcome, Outcome::kIoError);
  EXPECT_EQ(ReportFolder::open(place / "thesis.txt" / "report").error().outcome, Outcome::kIoError);
  EXPECT_TRUE(fs::exists(place / "thesis.txt"));
}

}  // namespace
}  // namespace lanewise
