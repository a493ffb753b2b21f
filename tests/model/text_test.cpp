// The model on the programs in tests/programs: the expected bytes, and the same bytes for every subgroup size and schedule, after
// optimisation, and from the observed engine.
#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

// Wants everything, and lets it pass.
class QuietObserver final : public Observer {
 public:
  std::uint32_t watches() const override { return ~0u; }
};

// What can change without changing the bytes.
struct Variant {
  std::string name;
  std::uint32_t subgroupSize = 32;
  Schedule schedule = {};
  bool observed = false;
  SubgroupMapping mapping = SubgroupMapping::kLinear;
  bool parts = false;  // workgroups on several threads, where that can be
};

// Lanes that run alone, in several orders.
const std::vector<Schedule> kLanes = {
    {Schedule::Order::kInOrder, 0, true}, {Schedule::Order::kReverse, 0, true}, {Schedule::Order::kSeeded, 7, true}};

std::vector<Variant> variants(const ProgramText& program) {
  const std::uint32_t own = program.job.subgroupSize ? program.job.subgroupSize : 32;
  if (program.oneOrder && program.errorOutcome) return {};
  if (program.oneOrder) return {{"observed", own, {}, true}};
  std::vector<Variant> out = {{"reverse", own, {Schedule::Order::kReverse, 0}, false},
                              {"seeded", own, {Schedule::Order::kSeeded, 7}, false},
                              {"observed", own, {}, true},
                              {"parts", own, {}, false, SubgroupMapping::kLinear, true},
                              {"parts, reverse", own, {Schedule::Order::kReverse, 0}, false, SubgroupMapping::kLinear, true}};
  if (program.races) return out;
  for (const Schedule& s : kLanes) out.push_back({s.token(), own, s, false});
  out.push_back({"lanes-reverse, observed", own, kLanes[1], true});
  for (const char* token : {"interleave:seed:7", "interleave:seed:8@2", "in-order@3"})
    out.push_back({token, own, *parseSchedule(token), false});
  if (program.subgroupDependent || program.job.subgroupSize) return out;
  out.push_back({"interleaved subgroups", 8, {}, false, SubgroupMapping::kInterleaved});
  out.push_back({"lanes, subgroups of 4", 4, kLanes[0], false});
  for (std::uint32_t size : {1u, 4u, 8u, 64u, 128u}) out.push_back({fmt::format("subgroups of {}", size), size, {}, false});
  return out;
}

RunResult runVariant(const ProgramText& program, std::shared_ptr<const ShaderModule> module, const Variant& variant) {
  Job job = program.job;
  job.dispatches[0].module = std::move(module);
  job.subgroupSize = variant.subgroupSize;
  Profile profile;
  profile.subgroupMapping = variant.mapping;
  ModelOptions options{profile, variant.schedule};
  if (variant.parts) options.parallel = {.inOrder = {}, .least = {}, .parts = 3};
  Model model(options);
  if (!variant.observed) return model.run(job);
  RunResult result;
  Expected<Execution> execution = model.start(job);
  if (!execution) {
    result.error = execution.error();
    return result;
  }
  QuietObserver observer;
  result.error = execution->run(observer);
  result.printed = execution->printed().lines;
  if (!result.error) result.outputs = execution->takeOutputs();
  return result;
}

void judge(const ProgramText& program, const RunResult& result, const std::string& name) {
  SCOPED_TRACE(program.file + ", " + name);
  if (program.errorOutcome) {
    ASSERT_TRUE(result.error) << "an error was expected";
    EXPECT_EQ(result.error->outcome, *program.errorOutcome) << result.error->text();
    EXPECT_THAT(result.error->text(), testing::HasSubstr(program.errorPart));
    return;
  }
  ASSERT_FALSE(result.error) << result.error->text();
  std::vector<std::string> printed, expectedLines = program.printed;
  for (const Printed& p : result.printed)
    printed.push_back(fmt::format("{} {} {}: {}", p.invocation.x, p.invocation.y, p.invocation.z, p.text));
  if (name != "plain") {  // another schedule prints the same lines in its own order
    std::ranges::sort(printed);
    std::ranges::sort(expectedLines);
  }
  EXPECT_EQ(printed, expectedLines);
  for (const Resource& r : result.outputs) {
    const auto expected = program.expected.find(r.name);
    if (expected == program.expected.end()) continue;
    EXPECT_EQ(difference(expected->second, r.bytes()), "") << "binding " << r.name;
  }
}

class TextProgram : public testing::TestWithParam<std::string> {};

TEST_P(TextProgram, GivesTheExpectedBytes) {
  const ProgramText program = readProgram(programPath(GetParam()));
  ASSERT_EQ(program.problem, "") << program.file;
  ASSERT_TRUE(program.errorOutcome || !program.expected.empty()) << "nothing is expected";
  const bool isDefined = std::ranges::any_of(program.expected, [](const auto& one) { return one.second.front().defined; });
  EXPECT_TRUE(program.hasProse || isDefined || program.expected.empty()) << "no line of prose (-- ...) says what the values are";
  const auto module = programModule(GetParam());
  ASSERT_TRUE(module.ok()) << module.error().text();
  const Variant plain{"plain", program.job.subgroupSize ? program.job.subgroupSize : 32, {}, false};
  judge(program, runVariant(program, *module, plain), plain.name);
  if (HasFailure()) return;
  for (const Variant& v : variants(program)) judge(program, runVariant(program, *module, v), v.name);
  if (program.errorOutcome || program.unoptimised) return;
  for (const bool forSize : {false, true}) {
    const auto smaller = optimised(**module, forSize);
    ASSERT_NE(smaller, nullptr) << "the optimiser refuses the module";
    judge(program, runVariant(program, smaller, plain), smaller->name);
    if (!program.subgroupDependent && !program.job.subgroupSize)
      judge(program, runVariant(program, smaller, {"subgroups of 4", 4, {}, false}), smaller->name + ", subgroups of 4");
  }
}

// The first of the parts that finds no text of its own that contains it; empty where each does.
std::string unmatched(const std::vector<std::string>& parts, const std::vector<std::string>& texts) {
  std::vector<std::size_t> partOf(texts.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<bool> seen(texts.size());
    // Whether one is free, or its part can take another.
    const auto take = [&](std::size_t part, const auto& self) -> bool {
      for (std::size_t t = 0; t < texts.size(); ++t) {
        if (seen[t] || texts[t].find(parts[part]) == std::string::npos) continue;
        seen[t] = true;
        if (partOf[t] < parts.size() && !self(partOf[t], self)) continue;
        partOf[t] = part;
        return true;
      }
      return false;
    };
    if (!take(i, take)) return parts[i];
  }
  return {};
}

// What the observed engine finds is what the program says that it must, and nothing else.
TEST_P(TextProgram, HasItsFindings) {
  const ProgramText program = readProgram(programPath(GetParam()));
  const auto module = programModule(GetParam());
  ASSERT_TRUE(module.ok()) << module.error().text();
  Job job = program.job;
  job.dispatches[0].module = *module;
  const RunResult result = Model({.profile = {}, .schedule = {}, .findings = true}).run(job);
  EXPECT_EQ(result.error.has_value(), program.errorOutcome.has_value());
  std::vector<std::string> told;
  for (const RunFinding& f : result.findings) told.push_back(f.text());
  const std::string all = fmt::format("{}", fmt::join(told, "\n"));
  EXPECT_EQ(told.size(), program.findings.size()) << all;
  EXPECT_EQ(unmatched(program.findings, told), "") << all;
  EXPECT_THAT(result.refereed.disagreements, testing::IsEmpty()) << "the axioms say otherwise";
}

TEST(Findings, OfAProgramMatchALineEach) {
  EXPECT_EQ(unmatched({"race", "race of b"}, {"race of b", "race of a"}), "");
  EXPECT_EQ(unmatched({"race", "race"}, {"race of a", "fault"}), "race") << "one finding is not two";
  EXPECT_EQ(unmatched({"fault", "race"}, {"race of a"}), "fault");
}

// A kernel that relies on lockstep gives other bytes under each order of lanes that run alone.
TEST_P(TextProgram, ShowsItsRaces) {
  const ProgramText program = readProgram(programPath(GetParam()));
  if (!program.races) return;
  const auto module = programModule(GetParam());
  ASSERT_TRUE(module.ok()) << module.error().text();
  for (const Schedule& s : kLanes) {
    const RunResult result = runVariant(program, *module, {s.token(), 32, s, false});
    ASSERT_FALSE(result.error) << result.error->text();
    bool differs = false;
    for (const Resource& r : result.outputs)
      if (const auto expected = program.expected.find(r.name); expected != program.expected.end())
        differs = differs || !difference(expected->second, r.bytes()).empty();
    EXPECT_TRUE(differs) << s.token();
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, TextProgram, testing::ValuesIn(allProgramFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Schedules, AreTheirTokens) {
  for (const char* token :
       {"in-order", "reverse", "seed:7", "last:3", "lanes", "lanes-reverse", "lanes-seed:7", "lanes-last:3", "interleave:seed:7",
        "interleave:seed:7@4", "in-order@4", "lanes-reverse@all", "reverse+fair", "in-order@4+occupancy-bound", "interleave:seed:7+hsa",
        "lanes@all+lobe", "in-order+weak:3", "interleave:seed:7@4+weak:0", "reverse+fair+weak:2"}) {
    const Expected<Schedule> schedule = parseSchedule(token);
    ASSERT_TRUE(schedule.ok()) << token;
    EXPECT_EQ(schedule->token(), token);
    EXPECT_EQ(schedule->lanes, std::string_view(token).starts_with("lanes"));
  }
  for (const char* token : {"",
                            "lane",
                            "lanes-",
                            "seed:",
                            "seed:x",
                            "seed:1 ",
                            "last",
                            "lanes-in-order",
                            "interleave",
                            "reverse@",
                            "reverse@0",
                            "reverse@x",
                            "@all",
                            "reverse+",
                            "reverse+nothing",
                            "+fair",
                            "reverse+fair@4",
                            "in-order+weak:",
                            "+weak:1",
                            "in-order+weak:x",
                            "in-order+weak:1+weak:2",
                            "reverse+fair+hsa"})
    EXPECT_FALSE(parseSchedule(token).ok()) << token;
  EXPECT_THAT(parseSchedule("back").error().text(), testing::HasSubstr("lanes-seed:N"));
}

TEST(SubgroupMapping, InterleavesInvocations) {
  const ProgramText program = readProgram(programPath("subgroup_mapping.comp"));
  const auto module = programModule("subgroup_mapping.comp");
  ASSERT_TRUE(module.ok()) << module.error().text();
  const RunResult result = runVariant(program, *module, {"interleaved", 8, {}, false, SubgroupMapping::kInterleaved});
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint32_t got[16] = {};
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], i % 2 * 256 + i / 2) << "invocation " << i;
}

// A module under a profile that does not take its execution modes.
TEST(FloatModes, AreRefusedWhereTheProfileDoesNotTakeThem) {
  const RunResult result = Model({*profileByName("lavapipe"), {}}).run(programJob("float_modes.comp"));
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kUnsupported);
  EXPECT_THAT(result.error->what, testing::HasSubstr("the profile 'lavapipe' does not take"));
}

// Modes that differ between widths, where the profile makes one choice for these: 16 and 64 bits, or all three.
TEST(FloatModes, ThatDifferAreRefusedWhereTheProfileMakesOneChoice) {
  const auto runs = [](Independence independence, const std::string& modes) {
    Job job;
    Dispatch d;
    d.module = assembled(
        "OpCapability Shader\nOpCapability DenormPreserve\nOpCapability DenormFlushToZero\nOpCapability RoundingModeRTE\n"
        "OpCapability RoundingModeRTZ\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
        "OpExecutionMode %main LocalSize 1 1 1\n" +
        modes +
        "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%main = OpFunction %void None %function\n"
        "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
    job.dispatches = {d};
    Profile profile;
    profile.denormIndependence = profile.roundingIndependence = independence;
    const RunResult result = Model({profile, {}}).run(job);
    if (result.error) {
      EXPECT_EQ(result.error->outcome, Outcome::kUnsupported) << result.error->text();
      EXPECT_THAT(result.error->what, testing::HasSubstr("together"));
    }
    return !result.error;
  };
  using enum Independence;
  const std::string keep16 = "OpExecutionMode %main DenormPreserve 16\n", keep32 = "OpExecutionMode %main DenormPreserve 32\n";
  const std::string flush32 = "OpExecutionMode %main DenormFlushToZero 32\n", flush64 = "OpExecutionMode %main DenormFlushToZero 64\n";
  const std::string even16 = "OpExecutionMode %main RoundingModeRTE 16\n", zero64 = "OpExecutionMode %main RoundingModeRTZ 64\n";
  EXPECT_TRUE(runs(kAll, keep16 + flush32 + flush64 + even16 + zero64));
  EXPECT_TRUE(runs(k32Only, keep16 + flush32)) << "32 bits choose for themselves";
  EXPECT_FALSE(runs(k32Only, keep16 + flush64));
  EXPECT_FALSE(runs(k32Only, even16 + zero64));
  EXPECT_FALSE(runs(kNone, keep16 + flush32));
  EXPECT_TRUE(runs(kNone, keep16 + keep32)) << "one choice";
  EXPECT_TRUE(runs(kNone, flush64 + even16)) << "choices of different things";
}

// The harness itself: it sees a difference, says where, and takes what is equal.
TEST(TextHarness, ShowsTheFirstDifference) {
  const std::uint32_t got[] = {1, 2, 9};
  std::vector<std::byte> bytes(sizeof got);
  std::memcpy(bytes.data(), got, sizeof got);
  std::vector<Segment> expected = {{"u32", bytes}};
  EXPECT_EQ(difference(expected, bytes), "");
  bytes[8] = std::byte{8};
  EXPECT_EQ(difference(expected, bytes), "  byte 8 (u32 2): expected 9, got 8\n");
  bytes.pop_back();
  EXPECT_THAT(difference(expected, bytes), testing::HasSubstr("12 bytes expected, 11 there"));
}

}  // namespace
}  // namespace lanewise::text
