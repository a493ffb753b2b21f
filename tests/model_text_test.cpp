// The model on the programs in tests/programs: the expected bytes, and the same bytes for every subgroup size and schedule, after
// optimisation, and from the observed engine.
#include <fmt/format.h>

#include "model/model.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

class QuietObserver final : public ExecutionObserver {
 public:
  bool beforeInstruction(const Batch&, std::uint32_t) override { return true; }
  void afterInstruction(const Batch&, std::uint32_t, LaneMask) override {}
  void access(const Batch&, std::uint32_t, const MemoryEvent&) override {}
};

// What can change without changing the bytes.
struct Variant {
  std::string name;
  std::uint32_t subgroupSize = 32;
  Schedule schedule = {};
  bool observed = false;
};

std::vector<Variant> variants(const ProgramText& program) {
  const std::uint32_t own = program.job.subgroupSize ? program.job.subgroupSize : 32;
  std::vector<Variant> out = {{"reverse", own, {Schedule::Order::kReverse, 0}, false},
                              {"seeded", own, {Schedule::Order::kSeeded, 7}, false},
                              {"observed", own, {}, true}};
  if (program.subgroupDependent || program.job.subgroupSize) return out;
  for (std::uint32_t size : {1u, 4u, 8u, 64u, 128u}) out.push_back({fmt::format("subgroups of {}", size), size, {}, false});
  return out;
}

RunResult runVariant(const ProgramText& program, std::shared_ptr<const ShaderModule> module, const Variant& variant) {
  Job job = program.job;
  job.dispatches[0].module = std::move(module);
  job.subgroupSize = variant.subgroupSize;
  Model model({{}, variant.schedule});
  if (!variant.observed) return model.run(job);
  RunResult result;
  Expected<Execution> execution = model.start(job);
  if (!execution) {
    result.error = execution.error();
    return result;
  }
  QuietObserver observer;
  result.error = execution->run(&observer);
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
  const auto module = programModule(GetParam());
  ASSERT_TRUE(module.ok()) << module.error().text();
  const Variant plain{"plain", program.job.subgroupSize ? program.job.subgroupSize : 32, {}, false};
  judge(program, runVariant(program, *module, plain), plain.name);
  if (HasFailure()) return;
  for (const Variant& v : variants(program)) judge(program, runVariant(program, *module, v), v.name);
  if (program.errorOutcome) return;
  for (const bool forSize : {false, true}) {
    const auto smaller = optimised(**module, forSize);
    ASSERT_NE(smaller, nullptr) << "the optimiser refuses the module";
    judge(program, runVariant(program, smaller, plain), smaller->name);
    if (!program.subgroupDependent && !program.job.subgroupSize)
      judge(program, runVariant(program, smaller, {"subgroups of 4", 4, {}, false}), smaller->name + ", subgroups of 4");
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, TextProgram, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

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
