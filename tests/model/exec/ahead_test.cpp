// Workgroups that the interpreter runs ahead of those before them, and parts of it that begin again where they meet.
#include "model/exec/ahead.h"

#include <gmock/gmock.h>

#include "model/model.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kGroups = 40;
constexpr std::uint32_t kTurnsWords[] = {(kGroups + 1) * 64, kGroups + 4}, kOrderWords[] = {kGroups * 128 + 1, 5};

Job jobOf(const std::string& kernel, std::uint32_t mode, std::span<const std::uint32_t> words) {
  Job job = kernelJob(kernel, kGroups, words);
  job.dispatches[0].spec = {{0, mode}};
  return job;
}

struct Ran {
  bool met = false;
  std::uint64_t parallel = 0;
  std::vector<std::vector<std::byte>> bytes;
};

// In so many parts; 0: in order.
Ran run(Model& model, const Job& job, std::uint32_t parts) {
  Expected<Execution> execution = model.start(job, ir::Flavour::kUnwatched);
  EXPECT_TRUE(execution.ok()) << execution.error().text();
  execution->setParallel({.allowed = parts != 0, .inOrder = {}, .least = {}, .parts = parts});
  const bool failed = execution->run().has_value();
  EXPECT_EQ(failed, execution->met());
  Ran out{execution->met(), execution->ranParallel(), {}};
  for (const Resource& r : execution->resources()) out.bytes.push_back(r.bytes());
  return out;
}

// In 2, 3, 7 and 126 parts, each with a program that remembers nothing. What met runs once more, and then in order.
void expectSame(const Job& job, const std::string& what, bool meets, const Schedule& schedule = {}) {
  Model reference({.profile = {}, .schedule = schedule});
  const Ran expected = run(reference, job, 0);
  for (const std::uint32_t parts : {2u, 3u, 7u, 126u}) {
    Model model({.profile = {}, .schedule = schedule});
    Ran got = run(model, job, parts);
    EXPECT_EQ(got.met, meets) << what << ", parts: " << parts;
    EXPECT_EQ(got.parallel, meets ? 0u : 1u) << what << ", parts: " << parts;
    if (got.met) got = run(model, job, parts);
    EXPECT_FALSE(got.met) << what << ", parts: " << parts;
    EXPECT_EQ(got.bytes, expected.bytes) << what << ", parts: " << parts;
  }
}

TEST(Ahead, EachTakesItsTurn) {
  for (const Schedule& schedule : {Schedule{}, Schedule{Schedule::Order::kReverse, 0}, Schedule{Schedule::Order::kSeeded, 5}}) {
    expectSame(jobOf("parts_order", 5, kOrderWords), "an old value that is used", false, schedule);
    for (const std::uint32_t mode : {0u, 4u, 7u, 9u})
      expectSame(jobOf("parts_turns", mode, kTurnsWords), "mode " + std::to_string(mode), false, schedule);
    for (const std::uint32_t mode : {1u, 2u, 3u, 5u, 6u, 8u})
      expectSame(jobOf("parts_turns", mode, kTurnsWords), "mode " + std::to_string(mode), true, schedule);
  }
}

TEST(Ahead, OfLevels) {
  expectSame(levelsJob(kGroups, 3), "in turns", false);
  expectSame(levelsJob(kGroups, 4), "who stores what the last one does", true);
}

// A workgroup that reaches the step limit ahead of its turn, or in it, and parts that meet: the job begins again.
TEST(Ahead, AModelBeginsAgain) {
  const auto expectAs = [](const Job& job, const std::string& what) {
    Model model({.profile = {}, .schedule = {}, .parallel = {.inOrder = {}, .least = {}, .parts = 3}, .tier = Tier::kInterpreter});
    for (int time = 0; time < 2; ++time) {
      const RunResult expected = Model({.profile = {}, .schedule = {}, .parallel = {.allowed = false}}).run(job), got = model.run(job);
      EXPECT_EQ(got.error ? got.error->text() : "", expected.error ? expected.error->text() : "") << what;
      EXPECT_EQ(got.outputs.size(), expected.outputs.size()) << what;
      for (std::size_t i = 0; i < std::min(got.outputs.size(), expected.outputs.size()); ++i)
        EXPECT_EQ(got.outputs[i].bytes(), expected.outputs[i].bytes()) << what;
    }
    const Expected<std::shared_ptr<const Program>> program = model.program(job.dispatches[0], 32, ir::Flavour::kUnwatched);
    return program.ok() && (*program)->sideBySide.orderShows;
  };
  for (const std::uint64_t steps : {std::uint64_t{100}, std::uint64_t{200}}) {
    Job job = jobOf("parts_turns", 0, kTurnsWords);
    job.limits.maxSteps = steps;
    EXPECT_EQ(expectAs(job, std::to_string(steps) + " steps"), steps == 200) << "the last one alone makes more";
  }
  EXPECT_TRUE(expectAs(jobOf("parts_turns", 6, kTurnsWords), "turns"));
  EXPECT_TRUE(expectAs(jobOf("parts_order", 2, kOrderWords), "parts"));
}

}  // namespace
}  // namespace lanewise
