// `lanewise check` on the model: what it tells of kernels, and the files that it writes.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/tools/check/checked.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// In the middle of its first run, which otherwise takes minutes. A run that ended so is no finding.
TEST(CheckOnTheModel, IsStoppedWithinARun) {
  std::atomic<bool> stop = false;
  Job job = text::programJob("endless_loop.comp");
  job.limits.maxSteps = std::uint64_t{1} << 40;
  const std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  const CheckResult r = runCheck(1,
                                 [&](std::size_t) {
                                   return Expected<CheckJob>(CheckJob{"job", "job", job});
                                 },
                                 modelWays({.stop = &stop}, true), {.stop = &stop});
  EXPECT_EQ(r.outcome(), Outcome::kInterrupted);
  EXPECT_EQ(r.runs, 0u);
  EXPECT_THAT(keysOf(r), IsEmpty());
}

// So many that no order of them all is run.
TEST(CheckOnTheModel, LooksForRacesWithStaleMemoryToo) {
  const auto check = [](const std::string& file) {
    Job job = text::programJob(file);
    job.dispatches[0].groups = {64, 1, 1};
    for (Resource& r : job.resources) r.data = BufferData{std::vector<std::byte>(256)};
    return checkedOnTheModel(file, job, false);
  };
  const CheckResult planted = check("race_store_buffer.comp");
  EXPECT_THAT(keysOf(planted), ElementsAre(HasSubstr("data race race_store_buffer.comp")));
  EXPECT_THAT(planted.findings[0].way, HasSubstr("+weak:"));
  EXPECT_THAT(keysOf(check("race_store_buffer_exchanged.comp")), IsEmpty());
}

// A race and its mended twin, in all ways.
TEST(CheckOnTheModel, TellsARaceOnceAndItsMendedTwinNever) {
  const CheckResult planted = checkedOnTheModel("race_scan.comp", true);
  EXPECT_THAT(keysOf(planted), Contains("data race race_scan.comp:19 partial against race_scan.comp:17"));
  EXPECT_EQ(planted.outcome(), Outcome::kFinding);
  const CheckResult mended = checkedOnTheModel("race_scan_mended.comp", true);
  EXPECT_THAT(keysOf(mended), IsEmpty());
  EXPECT_EQ(mended.outcome(), Outcome::kOk);
  EXPECT_THAT(mended.depends, IsEmpty());
  EXPECT_EQ(mended.runs, modelWays({}, true).size());
}

// Without a race, a barrier orders all; an atomic may have its result from any order.
TEST(CheckOnTheModel, ProvesThatNoOrderChangesWhatHasNeitherRaceNorAtomic) {
  EXPECT_THAT(checkText(checkedOnTheModel("race_scan_mended.comp", false), "s"), HasSubstr("proved: no order"));
  EXPECT_THAT(checkText(checkedOnTheModel("race_scan.comp", false), "s"), Not(HasSubstr("proved: no order")));
  EXPECT_THAT(checkText(checkedOnTheModel("race_last_workgroup_mended.comp", false), "s"), Not(HasSubstr("proved: no order")));
}

// With the subgroup size as it is by default there is no race, and the bytes show none.
TEST(CheckOnTheModel, TellsRelianceOnOneSubgroup) {
  const CheckResult r = checkedOnTheModel("race_subgroup.comp", true);
  EXPECT_THAT(keysOf(r), Contains("data race race_subgroup.comp:15 given against race_subgroup.comp:13"));
  EXPECT_THAT(checkText(r, "s"), HasSubstr("put barrier() before race_subgroup.comp:15 (tried: this mends it)"));
  EXPECT_EQ(checkedOnTheModel("race_subgroup.comp", false).findings.size(), 0u) << "where the size is the subject's own";
}

TEST(CheckOnTheModel, TellsRelianceOnTheMappingOfInvocations) {
  const CheckResult r = checkedOnTheModel("subgroup_mapping.comp", false);
  EXPECT_THAT(keysOf(r), Contains("depends on which invocations are a subgroup subgroup_mapping.comp:10"));
}

TEST(CheckFiles, HoldTheFindings) {
  const CheckResult r = checkedOnTheModel("race_scan.comp", false);
  const auto sarif = nlohmann::json::parse(checkSarif(r, {"1.2.3"}));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_FALSE(run["tool"]["driver"].contains("informationUri")) << "an empty one is no URI";
  const auto named = nlohmann::json::parse(checkSarif(r, {"1.2.3", "https://example.org/lanewise"}));
  EXPECT_EQ(named["runs"][0]["tool"]["driver"]["informationUri"], "https://example.org/lanewise");
  ASSERT_EQ(run["results"].size(), r.findings.size());
  // GitHub wants three texts of each rule.
  for (const auto& rule : run["tool"]["driver"]["rules"]) {
    for (const char* text : {"shortDescription", "fullDescription", "help"}) EXPECT_NE(rule[text]["text"], "") << rule;
    const bool isMended = rule["help"]["markdown"].get<std::string>().find("\n\n**What mends it**: ") != std::string::npos;
    EXPECT_TRUE(isMended || rule["id"] != "data race") << rule;
  }
  const auto race = std::ranges::find_if(run["results"], [](const auto& one) { return one["ruleId"] == "data race"; });
  ASSERT_NE(race, run["results"].end());
  const auto& place = (*race)["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "race_scan.comp");
  EXPECT_GT(place["region"]["startLine"], 10);
  // The other access of the race, at a line of its own. An editor opens both from the folder of the run.
  const auto& other = (*race)["relatedLocations"][0];
  EXPECT_EQ(other["physicalLocation"]["artifactLocation"]["uri"], "race_scan.comp");
  EXPECT_NE(other["physicalLocation"]["region"]["startLine"], place["region"]["startLine"]);
  EXPECT_THAT(other["message"]["text"].get<std::string>(), HasSubstr("against the "));
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file://" + std::filesystem::current_path().string() + "/");
  const std::string junit = checkJunit(r, "a<b");
  EXPECT_THAT(junit, AllOf(HasSubstr("classname=\"a&lt;b\""), HasSubstr("<failure message=\"race_scan.comp:")));
  EXPECT_THAT(checkJunit(CheckResult{}, "s"), HasSubstr("tests=\"1\" failures=\"0\""));
}

// GitHub refuses a file in which one result has no place, or a name that is no URI.
TEST(CheckFiles, EveryResultOfSarifHasAPlaceThatIsAUri) {
  CheckResult r;
  const auto add = [&](const std::string& group, const std::string& file, std::uint32_t line) {
    CheckFinding f;
    f.group = group;
    f.finding.at.file = file;
    f.finding.at.line = line;
    r.findings.push_back(f);
  };
  add("", "kernels/blur.comp", 31);
  add("", "./kernels/../a b#1%:\xc3\xa9.comp", 2);
  add("", (std::filesystem::current_path() / "blur.comp").string(), 3);
  add("", "/else where/blur.comp", 4);
  add("", "../blur.comp", 5);
  add("bare.spv", "bare.spv", 0);
  add("box-blur/double/naive", "", 0);
  std::vector<std::string> places;
  const auto sarif = nlohmann::json::parse(checkSarif(r, {"1"}));
  for (const auto& one : sarif["runs"][0]["results"]) {
    const auto& place = one["locations"][0]["physicalLocation"];
    const auto& file = place["artifactLocation"];
    places.push_back(file["uri"].get<std::string>() + " " + place["region"]["startLine"].dump());
    EXPECT_EQ(file.contains("uriBaseId"), !file["uri"].get<std::string>().starts_with("file:")) << "an absolute one has no base";
    EXPECT_FALSE(one.contains("relatedLocations"));
  }
  const std::string above = std::filesystem::current_path().parent_path().string();
  EXPECT_THAT(places, ElementsAre("kernels/blur.comp 31", "a%20b%231%25%3A%C3%A9.comp 2", "blur.comp 3", "file:///else%20where/blur.comp 4",
                                  "file://" + above + "/blur.comp 5", "bare.spv 1", "box-blur/double/naive 1"));
}

TEST(CheckOnTheModel, NamesTheLinesThatDidNotRunAndTheInputsThatWereNotRead) {
  Model model;
  const Expected<JobCoverage> covered = coverageOf(model, text::programJob("coverage_lines.comp"));
  ASSERT_TRUE(covered.ok()) << covered.error().text();
  EXPECT_EQ(missedLines(covered->lines), "coverage_lines.comp:14-15");
  EXPECT_THAT(covered->unread, ElementsAre("1 of 5 texels of '0' (source), first texel 4,0 of level 0"));
  EXPECT_THAT(lcovText(covered->lines), AllOf(HasSubstr("SF:coverage_lines.comp\n"), HasSubstr("\nDA:11,2\n"), HasSubstr("\nDA:14,0\n"),
                                              HasSubstr("\nBRDA:13,0,0,0\nBRDA:13,0,1,2\n"), HasSubstr("end_of_record")));
  const Expected<JobCoverage> all = coverageOf(model, text::programJob("race_none.comp"));
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(all->unread, IsEmpty());
}

// A switch in a loop of four rounds of 64 lanes, each in one of eight ways, of which two are the default; and one of two ways.
TEST(CheckOnTheModel, CountsTheWaysOfASwitchByTarget) {
  Model model;
  const Expected<JobCoverage> covered = coverageOf(model, text::programJob("switch_fallthrough.comp"));
  ASSERT_TRUE(covered.ok()) << covered.error().text();
  const std::string text = lcovText(covered->lines);
  EXPECT_THAT(text, HasSubstr("BRDA:10,0,0,32\nBRDA:10,0,1,32\nBRDA:10,0,2,32\nBRDA:10,0,3,32\nBRDA:10,0,4,32\nBRDA:10,0,5,32\n"
                              "BRDA:10,0,6,64\n"));
  EXPECT_THAT(text, HasSubstr("BRDA:21,0,0,32\nBRDA:21,0,1,32\n"));
}

TEST(CheckOnTheModel, SaysWhereWaysPart) {
  const CheckResult r = checkedOnTheModel("subgroup_tiles.comp", true);
  std::vector<std::string> texts;
  for (const CheckFinding& f : r.findings) texts.push_back(f.says);
  EXPECT_THAT(texts, Contains(AllOf(HasSubstr("under subgroupMapping=interleaved"), HasSubstr("they part at subgroup_tiles.comp:11: "))));
  EXPECT_THAT(keysOf(r), Contains("depends on which invocations are a subgroup subgroup_tiles.comp:11"));
}

// A constant of the run is no result: what is stored is told. An atomic's result that nobody uses is not.
TEST(CheckOnTheModel, SaysWhereWaysPartIfNoResultDiffersOrOneThatNobodyUses) {
  const auto saysOf = [](const char* body) {
    const std::string text = std::string(R"(
      OpCapability Shader
      OpCapability GroupNonUniform
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %size %id %b
      OpExecutionMode %main LocalSize 8 1 1
      %file = OpString "p.comp"
      OpDecorate %size BuiltIn SubgroupSize
      OpDecorate %id BuiltIn LocalInvocationIndex
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 4
      OpDecorate %b DescriptorSet 0
      OpDecorate %b Binding 0
      %void = OpTypeVoid
      %function = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %zero = OpConstant %uint 0
      %one = OpConstant %uint 1
      %block = OpTypeStruct %uint %uint
      %toInput = OpTypePointer Input %uint
      %toBlock = OpTypePointer StorageBuffer %block
      %toUint = OpTypePointer StorageBuffer %uint
      %size = OpVariable %toInput Input
      %id = OpVariable %toInput Input
      %b = OpVariable %toBlock StorageBuffer
      %main = OpFunction %void None %function
      %entry = OpLabel
      %n = OpLoad %uint %size
      %i = OpLoad %uint %id
      %first = OpAccessChain %toUint %b %zero
      %second = OpAccessChain %toUint %b %one
      )") + body + "\nOpReturn\nOpFunctionEnd";
    Job job;
    Dispatch d;
    d.module = text::assembled(text);
    EXPECT_FALSE(d.module->words.empty()) << d.module->name;
    job.resources.push_back({"b", BufferData{std::vector<std::byte>(8)}, false, true});
    Binding binding;
    binding.resource = "b";
    d.bindings.push_back(binding);
    job.dispatches.push_back(d);
    std::string all;
    for (const CheckFinding& f : checkedOnTheModel("p", job, true).findings) all += f.says + "\n";
    return all;
  };
  EXPECT_THAT(saysOf("OpLine %file 3 0\n%is = OpIEqual %bool %i %zero\nOpSelectionMerge %end None\nOpBranchConditional %is %do %end\n"
                     "%do = OpLabel\nOpLine %file 4 0\nOpStore %first %n\nOpBranch %end\n%end = OpLabel"),
              HasSubstr("they part at p.comp:4: OpStore stores 32 and 4, invocation 0,0,0"));
  EXPECT_THAT(saysOf("OpLine %file 3 0\n%unused = OpAtomicIAdd %uint %first %one %zero %one\n"
                     "OpLine %file 4 0\n%old = OpAtomicExchange %uint %second %one %zero %i"),
              AllOf(HasSubstr(" under lanes-reverse"), Not(HasSubstr("they part"))));
  // Each stores the same in both, and another one of them is the last.
  EXPECT_THAT(saysOf("OpLine %file 3 0\nOpStore %first %i"), AllOf(HasSubstr(" under lanes-reverse"), Not(HasSubstr("they part"))));
}

// A line that loads and stores has two races with itself. Both are told where what mends them differs.
TEST(CheckOnTheModel, TellsBothRacesOfALine) {
  const std::vector<std::string> lock = keysOf(checkedOnTheModel("race_lock.comp", false));
  EXPECT_THAT(lock, Contains(testing::EndsWith("against race_lock.comp:14")));
  EXPECT_THAT(lock, Contains(testing::EndsWith("against race_lock.comp:14, two stores")));
  EXPECT_THAT(keysOf(checkedOnTheModel("race_update.comp", false)), Not(Contains(testing::EndsWith(", two stores"))));
  // These lines have no load.
  EXPECT_THAT(
      keysOf(checkedOnTheModel("race_values.comp", false)),
      AllOf(Contains("data race race_values.comp:42 u against race_values.comp:42"), Not(Contains(testing::EndsWith(", two stores")))));
}

}  // namespace
}  // namespace lanewise
