// Waits under the models of progress: which end, and what is told of those that do not. tests/programs/wait_*.comp has the texts of the
// findings in the order that is the default.
#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using testing::AllOf;
using testing::HasSubstr;

RunResult runUnder(const std::string& name, const std::string& token, bool findings = false) {
  return Model({.profile = {}, .schedule = *parseSchedule(token), .findings = findings}).run(programJob(name));
}

std::vector<std::uint32_t> wordsOf(const RunResult& result) {
  std::vector<std::uint32_t> words(result.outputs.at(0).bytes().size() / 4);
  std::memcpy(words.data(), result.outputs[0].bytes().data(), words.size() * 4);
  return words;
}

// The kinds of what a run told.
std::vector<FindingKind> kindsOf(const RunResult& result) {
  std::vector<FindingKind> kinds;
  for (const RunFinding& f : result.findings) kinds.push_back(f.kind);
  return kinds;
}

TEST(Waits, ForALaterWorkgroupEndWhereAllMakeProgress) {
  EXPECT_EQ(wordsOf(runUnder("wait_later_workgroup.comp", "in-order+fair")), (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(wordsOf(runUnder("wait_later_workgroup.comp", "reverse")), (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(wordsOf(runUnder("wait_later_workgroup.comp", "in-order@2+occupancy-bound")), (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(wordsOf(runUnder("wait_later_workgroup.comp", "interleave:seed:1")), (std::vector<std::uint32_t>{1, 8}));
  for (const char* token : {"in-order", "in-order+occupancy-bound", "in-order+hsa", "in-order+lobe", "in-order@2", "interleave:seed:1@1"}) {
    const RunResult result = runUnder("wait_later_workgroup.comp", token);
    ASSERT_TRUE(result.error) << token;
    EXPECT_EQ(result.error->outcome, Outcome::kFinding);
    EXPECT_THAT(result.error->text(), AllOf(HasSubstr("waits for ever"), HasSubstr("'flag', which stays 0"))) << token;
    EXPECT_EQ(kindsOf(result), std::vector{FindingKind::kWaits}) << token;
  }
}

// A look-back by the workgroup's own number needs a device that starts them in their order.
TEST(Waits, ForAnEarlierWorkgroupEndUnderHsaAndLobe) {
  const std::vector<std::uint32_t> all(5, 1);
  for (const char* token : {"in-order", "reverse+fair", "reverse+hsa", "reverse+lobe", "reverse@all+occupancy-bound", "last:1+lobe",
                            "seed:5+hsa", "lanes-reverse+lobe"})
    EXPECT_EQ(wordsOf(runUnder("wait_earlier_workgroup.comp", token)), all) << token;
  for (const char* token : {"reverse", "reverse@2+occupancy-bound", "reverse@all", "last:1"}) {
    const RunResult result = runUnder("wait_earlier_workgroup.comp", token);
    ASSERT_TRUE(result.error) << token;
    EXPECT_THAT(result.error->text(), HasSubstr("waits for ever: OpAtomicIAdd of 'flags[")) << token;
  }
  const std::string text = runUnder("wait_earlier_workgroup.comp", "reverse").error->text();
  EXPECT_THAT(text, AllOf(HasSubstr("of 'flags[3]', which stays 0, invocation 12,0,0"), HasSubstr("invocation 8,0,0 would store it at"),
                          HasSubstr("its workgroup has not started: 1 is resident"),
                          HasSubstr("it ends where progress is fair, lobe or hsa, and does not where it is occupancy-bound")));
}

TEST(Waits, InASubgroupEndWhereLanesRunAlone) {
  EXPECT_EQ(wordsOf(runUnder("wait_spin_lock.comp", "lanes")), (std::vector<std::uint32_t>{0, 32}));
  EXPECT_EQ(wordsOf(runUnder("wait_spin_lock.comp", "lanes-seed:3")), (std::vector<std::uint32_t>{0, 32}));
  for (const char* token : {"in-order+fair", "interleave:seed:2"}) {
    const RunResult result = runUnder("wait_spin_lock.comp", token);
    ASSERT_TRUE(result.error) << token;
    EXPECT_THAT(result.error->text(), AllOf(HasSubstr("which stays 1"), HasSubstr("invocations of a subgroup make progress one by one")))
        << token;
  }
}

// A wait in a workgroup: another subgroup stores the word, and a schedule need not run it.
TEST(Waits, ForAnotherSubgroupEndWhereItIsRun) {
  EXPECT_EQ(wordsOf(runUnder("wait_other_subgroup.comp", "reverse")), std::vector<std::uint32_t>{64});
  EXPECT_EQ(wordsOf(runUnder("wait_other_subgroup.comp", "in-order+occupancy-bound")), std::vector<std::uint32_t>{64});
  // Which model of progress would end it is tried with more workgroups than are resident.
  Job several = programJob("wait_other_subgroup.comp");
  several.dispatches[0].groups.x = 3;
  several.subgroupSize = 16;
  EXPECT_TRUE(Model({.profile = {}, .schedule = *parseSchedule("in-order+weak:2")}).run(several).error);
  EXPECT_EQ(wordsOf(runUnder("wait_other_subgroup.comp", "interleave:seed:9")), std::vector<std::uint32_t>{64});
}

// Each subgroup runs by itself where one may wait for another: the same in every flavour.
TEST(Waits, BetweenSubgroupsSeparateThem) {
  const auto separates = [](const std::string& name, std::uint32_t subgroupSize, ir::Flavour flavour) {
    const Job job = programJob(name);
    const Expected<std::shared_ptr<const Program>> program = Model(ModelOptions{}).program(job.dispatches[0], subgroupSize, flavour);
    return program.ok() && (*program)->separateSubgroups;
  };
  using enum ir::Flavour;
  for (const ir::Flavour flavour : {kUnwatched, kQuick, kFaithful}) {
    EXPECT_TRUE(separates("wait_lock_subgroups.comp", 4, flavour));
    EXPECT_TRUE(separates("wait_other_subgroup.comp", 32, flavour));
    EXPECT_FALSE(separates("wait_other_subgroup.comp", 64, flavour));
    EXPECT_FALSE(separates("loops_on_shared.comp", 16, flavour));
    EXPECT_FALSE(separates("wait_of_one.comp", 16, flavour));
    EXPECT_TRUE(separates("wait_lock_flag.comp", 4, flavour));
    EXPECT_TRUE(separates("wait_lock_either.comp", 4, flavour));
  }
  for (const char* token : {"in-order", "reverse", "lanes", "in-order+weak:3", "interleave:seed:5"})
    EXPECT_EQ(wordsOf(runUnder("wait_lock_subgroups.comp", token)), std::vector<std::uint32_t>{10}) << token;
}

// A loop that one invocation comes to separates nothing, and one that two come to does.
TEST(Waits, OfSeveralSeparateThem) {
  for (std::uint32_t kind = 0; kind <= 8; ++kind) {
    Job job = programJob("wait_of_several.comp");
    job.dispatches[0].spec = {{0, kind}};
    const Expected<std::shared_ptr<const Program>> program = Model(ModelOptions{}).program(job.dispatches[0], 16, ir::Flavour::kQuick);
    ASSERT_TRUE(program.ok());
    EXPECT_TRUE((*program)->separateSubgroups) << kind;
  }
}

// Locks that a variable ends: each order ends them.
TEST(Waits, ThatAVariableEndsSeparateThem) {
  for (std::uint32_t kind = 0; kind <= 6; ++kind) {
    Job job = programJob("wait_lock_variables.comp");
    job.dispatches[0].spec = {{0, kind}};
    for (const char* token : {"in-order", "reverse", "lanes"})
      EXPECT_EQ(wordsOf(Model({.profile = {}, .schedule = *parseSchedule(token)}).run(job)), std::vector<std::uint32_t>{4})
          << kind << token;
  }
}

// One invocation waits for another one of its workgroup.
TEST(Waits, ForOneOtherEndWhereThatRunsFirst) {
  EXPECT_EQ(wordsOf(runUnder("wait_for_one_other.comp", "in-order")), std::vector<std::uint32_t>{1});
  const RunResult reverse = runUnder("wait_for_one_other.comp", "reverse");
  ASSERT_TRUE(reverse.error);
  EXPECT_THAT(reverse.error->text(),
              AllOf(HasSubstr("waits for ever"), HasSubstr("it ends where progress is fair, lobe, hsa or occupancy-bound")));
}

// What ends by itself is no finding under any of them, and the bytes do not change.
TEST(Waits, ThatEndAreNotFound) {
  for (const char* token : {"in-order", "in-order+fair", "reverse+hsa", "lanes", "interleave:seed:4"}) {
    const RunResult result = runUnder("wait_bounded.comp", token, true);
    ASSERT_FALSE(result.error) << token << ": " << result.error->text();
    EXPECT_EQ(wordsOf(result), (std::vector<std::uint32_t>{0, 40000, 65536, 100000})) << token;
    EXPECT_TRUE(result.findings.empty()) << token;
  }
}

TEST(Waits, OfWhoMadeFewerStepsThanItsSubgroupAreProved) {
  for (const char* token : {"in-order", "lanes", "interleave:seed:1", "interleave:seed:2@1"}) {
    const RunResult result = runUnder("wait_fewer_steps.comp", token);
    ASSERT_TRUE(result.error) << token;
    EXPECT_THAT(result.error->text(), HasSubstr("waits for ever: OpAtomicIAdd of 'never'")) << token;
  }
}

// At each look all that was stored has become visible: what is stale then ends no wait.
TEST(Waits, AreProvedWithStaleMemoryToo) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const std::string weak = "+weak:" + std::to_string(seed);
    for (const char* order : {"in-order", "in-order@2", "in-order+lobe", "interleave:seed:1@1", "lanes"}) {
      const RunResult result = runUnder("wait_later_workgroup.comp", order + weak);
      ASSERT_TRUE(result.error) << order << weak;
      EXPECT_THAT(result.error->text(), AllOf(HasSubstr("waits for ever"), HasSubstr("'flag', which stays 0"))) << order << weak;
      EXPECT_EQ(kindsOf(result), std::vector{FindingKind::kWaits}) << order << weak;
    }
    for (const char* order : {"reverse", "in-order+fair", "in-order@2+occupancy-bound", "interleave:seed:1"})
      EXPECT_FALSE(runUnder("wait_later_workgroup.comp", order + weak).error) << order << weak;
    for (const char* order : {"in-order", "reverse+fair", "reverse+hsa", "interleave:seed:2"})
      EXPECT_FALSE(runUnder("wait_earlier_workgroup.comp", order + weak).error) << order << weak;
    const RunResult bounded = runUnder("wait_bounded.comp", "in-order" + weak);
    ASSERT_FALSE(bounded.error) << bounded.error->text();
    EXPECT_EQ(wordsOf(bounded), (std::vector<std::uint32_t>{0, 40000, 65536, 100000})) << weak;
  }
}

// How often somebody was proved to wait, as far as those know who still do when a workgroup ends.
class Proofs final : public Observer {
 public:
  explicit Proofs(const Execution& run) : run_(run) {}
  std::uint32_t watches() const override { return watch::kWorkgroup; }
  Answer moment(const Moment&) override {
    for (const WorkgroupState& w : run_.residents())
      for (const Batch& b : w.batches) count = std::max(count, b.waits);
    return Answer::kGoOn;
  }
  std::uint64_t count = 0;

 private:
  const Execution& run_;
};

// When all wait, who waits for a texel that has changed is looked at first.
TEST(Waits, ForATexelThatHasChangedAreLookedAtFirst) {
  constexpr std::uint32_t kCount = 128;
  Job job = programJob("wait_texels.comp");
  job.dispatches[0].groups.x = kCount;
  std::uint32_t places[kCount];
  for (std::uint32_t i = 0; i < kCount; ++i) places[i] = (i * 37 + 13) % kCount;
  std::memcpy(job.resources[1].bytes().data(), places, sizeof places);
  Model model({.profile = {}, .schedule = *parseSchedule("in-order@all+fair")});
  Expected<Execution> run = model.start(job);
  ASSERT_TRUE(run.ok());
  Proofs proofs(*run);
  const Status error = run->run(proofs);
  ASSERT_FALSE(error) << error->text();
  EXPECT_GE(proofs.count, kCount / 2);
  EXPECT_LT(proofs.count, 4 * kCount);
}

// Stops where a workgroup begins, but for the first.
class StopAtSecond final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kWorkgroup; }
  Answer moment(const Moment& moment) override {
    return std::holds_alternative<WorkgroupBegins>(moment) && ++begun_ > 1 ? Answer::kStop : Answer::kGoOn;
  }

 private:
  int begun_ = 0;
};

TEST(Waits, AreSavedWithTheState) {
  const Job job = programJob("wait_earlier_workgroup.comp");
  Model model({.profile = {}, .schedule = *parseSchedule("reverse+hsa")});
  Expected<Execution> first = model.start(job);
  ASSERT_TRUE(first.ok());
  StopAtSecond stop;
  ASSERT_FALSE(first->run(stop));
  ASSERT_FALSE(first->finished());
  const std::vector<std::byte> state = first->save();
  Expected<Execution> second = model.start(job);
  ASSERT_TRUE(second.ok());
  ASSERT_FALSE(second->restore(state));
  for (Execution* e : {&*first, &*second}) {
    ASSERT_FALSE(e->run());
    EXPECT_TRUE(e->finished());
    std::uint32_t words[5] = {};
    const std::vector<Resource> outputs = e->takeOutputs();
    std::memcpy(words, outputs[0].bytes().data(), sizeof words);
    EXPECT_THAT(words, testing::Each(1u));
  }
}

}  // namespace
}  // namespace lanewise::text
