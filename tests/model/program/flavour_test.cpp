// Both flavours of every text program give the same bytes, lines, errors and counts of steps, under every kind of schedule; and the
// faithful one has an instruction for every line that the module has one for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "model/spirv/debug_set.h"
#include "tests/model/program/both_flavours.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

class Flavours : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { program_ = wholeProgram(GetParam()); }
  ProgramText program_;
};

TEST_P(Flavours, GiveTheSame) {
  for (const char* token : {"in-order", "reverse", "lanes", "lanes-seed:7", "interleave:seed:7", "interleave:seed:8@2"})
    EXPECT_EQ(differenceOfFlavours({.profile = {}, .schedule = *parseSchedule(token)}, program_.job), "") << token;
}

// Also what robust access, other rounding and other subgroups make of it.
TEST_P(Flavours, GiveTheSameUnderAnotherProfile) {
  program_.job.subgroupSize = 0;
  Profile profile;
  profile.subgroupSize = 8;
  profile.subgroupMapping = SubgroupMapping::kInterleaved;
  profile.rounding = Rounding::kTowardZero;
  EXPECT_EQ(differenceOfFlavours({.profile = profile, .schedule = {}}, program_.job), "");
}

// The labels of a function that can be reached from its first, whatever the branches there decide.
std::set<std::uint32_t> blocksOf(const spirv::Module& m, const spirv::FunctionRange& range) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  std::vector<std::uint32_t> open;
  std::uint32_t label = 0;
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const spirv::Instruction& inst = m.instructions[i];
    if (inst.op == spv::Op::OpLabel) {
      label = inst.result;
      if (open.empty()) open.push_back(label);
    }
    const bool conditional = inst.op == spv::Op::OpBranchConditional;
    if (inst.op == spv::Op::OpBranch) next[label] = {inst.operand(0)};
    if (conditional) next[label] = {inst.operand(1), inst.operand(2)};
    if (inst.op == spv::Op::OpSwitch)
      for (std::size_t k = 1; k < inst.operands.size(); ++k) next[label].push_back(inst.operands[k]);
  }
  std::set<std::uint32_t> reached;
  while (!open.empty()) {
    const std::uint32_t b = open.back();
    open.pop_back();
    if (reached.insert(b).second) open.insert(open.end(), next[b].begin(), next[b].end());
  }
  return reached;
}

// The lines of the instructions that the entry point can reach; debug information is none.
std::set<std::string> linesOf(const spirv::Module& m, std::uint32_t function) {
  std::set<std::string> lines;
  const spirv::DebugSet debug(m);
  std::set<std::uint32_t> called;
  std::vector<std::uint32_t> open = {function};
  while (!open.empty()) {
    const std::uint32_t f = open.back();
    open.pop_back();
    if (!called.insert(f).second) continue;
    const spirv::FunctionRange& range = *m.function(f);
    const std::set<std::uint32_t> blocks = blocksOf(m, range);
    bool live = false;
    for (std::uint32_t i = range.first; i < range.last; ++i) {
      const spirv::Instruction& inst = m.instructions[i];
      if (inst.op == spv::Op::OpLabel) live = blocks.contains(inst.result);
      if (inst.op == spv::Op::OpFunctionCall) open.push_back(inst.operand(0));
      if (live && inst.op != spv::Op::OpVariable && !debug.entry(inst)) lines.insert(m.lineText(inst.source));
    }
  }
  lines.erase("");
  return lines;
}

TEST_P(Flavours, TheFaithfulOneHasEveryLine) {
  if (program_.errorOutcome == Outcome::kUnsupported || program_.errorOutcome == Outcome::kBadInput ||
      !program_.job.dispatches[0].spec.empty())
    return;  // what specialization switches off is in no program
  const auto decoded = Model().program(program_.job.dispatches[0], 32, ir::Flavour::kFaithful);
  ASSERT_TRUE(decoded.ok()) << decoded.error().text();
  const Program& p = **decoded;
  std::set<std::string> there, missing;
  for (std::uint32_t pc = 0; pc < p.info.size(); ++pc) there.insert(p.lineOf(pc));
  std::ranges::set_difference(linesOf(p.module, p.module.computeEntry(program_.job.dispatches[0].entryPoint)->function), there,
                              std::inserter(missing, missing.end()));
  EXPECT_THAT(missing, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Programs, Flavours, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace lanewise::text
