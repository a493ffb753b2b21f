// A module that is made smaller: it is valid, it still shows the same, and what could not show it is refused.
#include "tools/check/reduce_finding.h"

#include <gmock/gmock.h>

#include <atomic>

#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "tests/text/program_job.h"

namespace lanewise {
namespace {

using testing::HasSubstr;
using testing::Le;
using testing::Lt;

CheckJob checkJobOf(const std::string& file) {
  return {file, file, text::programJob(file)};
}

std::size_t countOf(const ShaderModule& module, spv::Op op) {
  const Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  return parsed ? static_cast<std::size_t>(std::ranges::count(parsed->instructions, op, &spirv::Instruction::op)) : 0;
}

TEST(Reduce, KeepsWhatIsAskedForAndLittleElse) {
  const auto module = *text::programModule("race_last_workgroup.comp");
  const Expected<Reduced> r = reduceModule(*module, [](const ShaderModule& m) { return countOf(m, spv::Op::OpAtomicIAdd) != 0; });
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_TRUE(r->finished);
  EXPECT_FALSE(spirv::validate("reduced", r->module.words));
  EXPECT_EQ(countOf(r->module, spv::Op::OpAtomicIAdd), 1u);
  EXPECT_EQ(countOf(r->module, spv::Op::OpBranchConditional), 0u);
  EXPECT_EQ(countOf(r->module, spv::Op::OpStore), 0u);
  // The function, its block, the pointer, the atomic and the return.
  EXPECT_THAT(r->after, Le(6u));
  EXPECT_GT(r->before, 30u);
}

TEST(Reduce, KeepsALoopThatIsAskedFor) {
  const auto module = *text::programModule("race_scan.comp");
  const std::size_t loops = countOf(*module, spv::Op::OpLoopMerge);
  ASSERT_NE(loops, 0u);
  const Expected<Reduced> r = reduceModule(*module, [](const ShaderModule& m) { return countOf(m, spv::Op::OpLoopMerge) != 0; });
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_FALSE(spirv::validate("reduced", r->module.words));
  EXPECT_EQ(countOf(r->module, spv::Op::OpLoopMerge), 1u);
  EXPECT_EQ(countOf(r->module, spv::Op::OpControlBarrier), 0u);
  const Expected<Reduced> without = reduceModule(*module, [](const ShaderModule&) { return true; });
  EXPECT_EQ(countOf(without->module, spv::Op::OpLoopMerge), 0u);
  EXPECT_THAT(without->after, Le(4u)) << "a function that returns";
}

// Of a switch any side may be the one that is asked for.
TEST(Reduce, GoesOnAtAnySideOfASwitch) {
  const auto module = text::assembled(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%run = OpTypeFunction %void
%u = OpTypeInt 32 0
%p = OpTypePointer Input %u
%id = OpVariable %p Input
%scope = OpConstant %u 2
%order = OpConstant %u 264
%main = OpFunction %void None %run
%start = OpLabel
%x = OpLoad %u %id
OpSelectionMerge %end None
OpSwitch %x %other 1 %first 2 %second
%first = OpLabel
OpBranch %end
%second = OpLabel
OpMemoryBarrier %scope %order
OpBranch %end
%other = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_FALSE(module->words.empty()) << module->name;
  const Expected<Reduced> r = reduceModule(*module, [](const ShaderModule& m) { return countOf(m, spv::Op::OpMemoryBarrier) != 0; });
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ(countOf(r->module, spv::Op::OpMemoryBarrier), 1u);
  EXPECT_EQ(countOf(r->module, spv::Op::OpSwitch), 0u);
}

TEST(Reduce, ABoundAndAnInvalidModuleAreSaid) {
  const auto module = *text::programModule("race_scan.comp");
  const Expected<Reduced> r = reduceModule(*module, [](const ShaderModule&) { return true; }, {.modules = 1});
  ASSERT_TRUE(r.ok());
  EXPECT_FALSE(r->finished);
  EXPECT_EQ(r->tried, 1u);
  ShaderModule broken = *module;
  broken.words.resize(broken.words.size() - 1);
  EXPECT_EQ(reduceModule(broken, [](const ShaderModule&) { return true; }).error().outcome, Outcome::kBadInput);
}

// The finding of a check in a module that is smaller is the same one.
TEST(Reduce, AFindingKeepsItsKindPlaceAndMissingOrder) {
  for (const char* file : {"race_scan.comp", "race_memory.comp"}) {
    const CheckJob job = checkJobOf(file);
    const auto make = [&](std::size_t) { return Expected<CheckJob>(job); };
    const std::vector<CheckWay> ways = modelWays({}, false);
    const CheckResult before = runCheck(1, make, ways);
    ASSERT_FALSE(before.findings.empty()) << file;
    const CheckFinding& f = before.findings[0];
    const Expected<Reduced> r = reduceFor(job, f, ways, {.modules = 200});
    ASSERT_TRUE(r.ok()) << file << ": " << r.error().text();
    EXPECT_THAT(r->after, Lt(r->before)) << file;
    CheckJob smaller = job;
    smaller.job.dispatches[0].module = std::make_shared<ShaderModule>(r->module);
    const CheckResult after = runCheck(
        1, [&](std::size_t) { return Expected<CheckJob>(smaller); }, ways);
    const auto same = std::ranges::find(after.findings, f.key(), &CheckFinding::key);
    ASSERT_NE(same, after.findings.end()) << file << ": " << f.key();
    EXPECT_EQ(same->finding.missing, f.finding.missing) << file;
    EXPECT_TRUE(after.leftOut.empty()) << file << ": it ends, as the module does";
  }
}

// The runs of a device, until `most` of them: then a signal comes, and the run that is under way ends.
class Interrupted final : public Device {
 public:
  Interrupted(std::shared_ptr<Device> device, std::atomic<bool>& stop, int most) : device_(std::move(device)), stop_(stop), left_(most) {}
  const Profile& profile() const override { return device_->profile(); }
  RunResult run(const Job& job) override {
    if (--left_ < 0) stop_ = true;
    return stop_ ? RunResult{Error{Outcome::kInterrupted, "interrupted", "", ""}, {}, 0} : device_->run(job);
  }

 private:
  std::shared_ptr<Device> device_;
  std::atomic<bool>& stop_;
  int left_;
};

// What is smaller by then shows the finding, without another run.
TEST(Reduce, ASignalEndsTheRunThatIsUnderWay) {
  const CheckJob job = checkJobOf("race_scan.comp");
  for (const char* name : {"in-order", "interleave:seed:1@4"}) {
    std::vector<CheckWay> ways = modelWays({}, false);
    CheckWay& way = *std::ranges::find(ways, name, &CheckWay::name);
    const CheckResult found = runCheck(1, [&](std::size_t) { return Expected<CheckJob>(job); }, {way});
    ASSERT_FALSE(found.findings.empty()) << name;
    std::atomic<bool> stop = false;
    way.device = std::make_shared<Interrupted>(way.device, stop, 60);
    const Expected<Reduced> r = reduceFor(job, found.findings[0], ways, {.stop = &stop});
    ASSERT_TRUE(r.ok()) << name << ": " << r.error().text();
    EXPECT_THAT(r->after, Lt(r->before)) << name;
    EXPECT_FALSE(r->finished) << name;
  }
}

// An error keeps its line: another loop's limit of steps is not it.
TEST(Reduce, AnErrorOfAnotherLineIsNotTheSame) {
  CheckJob job = checkJobOf("wait_other_subgroup.comp");
  for (const bool observed : {true, false}) {
    std::vector<CheckWay> ways = modelWays({}, false);
    if (!observed) ways[0].observer = std::exchange(ways[0].device, std::shared_ptr<Device>(makeModel({})));
    const CheckResult found = runCheck(
        1, [&](std::size_t) { return Expected<CheckJob>(job); }, ways);
    ASSERT_FALSE(found.findings.empty());
    CheckFinding own = found.findings[0];
    EXPECT_EQ(own.key(), "waits for ever wait_other_subgroup.comp:17 flag");
    const Expected<Reduced> r = reduceFor(job, own, ways, {.modules = 50});
    ASSERT_TRUE(r.ok()) << r.error().text();
    ++own.finding.at.line;
    EXPECT_THAT(reduceFor(job, own, ways, {.modules = 50}).error().text(), HasSubstr("did not come again"));
  }
}

TEST(Reduce, WhatSaysNothingOfASmallerModuleIsRefused) {
  CheckJob job = checkJobOf("race_scan.comp");
  const std::vector<CheckWay> ways = modelWays({}, false);
  CheckFinding wrong{.what = CheckFinding::What::kWrongResult, .way = "in-order"};
  EXPECT_THAT(reduceFor(job, wrong, ways, {}).error().text(), HasSubstr("nobody knows the right result"));
  CheckFinding explored{.what = CheckFinding::What::kDependence, .way = "turns:2"};
  EXPECT_THAT(reduceFor(job, explored, ways, {}).error().text(), HasSubstr("the finding is of one order"));
  job.job.dispatches.push_back(job.job.dispatches[0]);
  job.job.dispatches[1].module = *text::programModule("race_scan_mended.comp");
  CheckFinding reported{.what = CheckFinding::What::kReported, .way = "in-order"};
  EXPECT_THAT(reduceFor(job, reported, ways, {}).error().text(), HasSubstr("several modules"));
}

}  // namespace
}  // namespace lanewise
