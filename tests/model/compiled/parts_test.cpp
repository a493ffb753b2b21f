// Parts of a dispatch side by side by compiled code: the bytes of the run in order, whatever the workgroups do to each other.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "model/compiled/llvm.h"
#include "model/exec/marks.h"
#include "tests/model/compiled/compiled_code.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kGroups = 40;
constexpr std::uint32_t kOrderWords[] = {kGroups * 128 + 1, 5};

struct CompiledParts : testing::Test {
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  }
};

Job jobOf(const std::string& kernel, std::uint32_t mode, std::span<const std::uint32_t> words, std::uint32_t groups = kGroups) {
  Job job = kernelJob(kernel, groups, words);
  job.dispatches[0].spec = {{0, mode}};
  return job;
}

struct Ran {
  bool failed = false, met = false, gaveUp = false;
  std::uint64_t parallel = 0;
  std::vector<std::vector<std::byte>> bytes;
};

// In so many parts; 0: in order, or as is `chosen`.
Ran run(Model& model, const Job& job, const std::shared_ptr<const compiled::Compiled>& code, std::uint32_t parts, bool chosen = false) {
  Expected<Execution> execution = model.start(job, ir::Flavour::kUnwatched);
  EXPECT_TRUE(execution.ok()) << execution.error().text();
  execution->setParallel({.allowed = parts != 0 || chosen, .inOrder = {}, .least = {}, .parts = parts});
  const auto get = [&](const Dispatch&, const Program&, Tier, double, double) { return code; };
  if (code) execution->setTier(Tier::kCompiled, {get, [](const Program&, double) {}});
  Ran out;
  out.failed = execution->run().has_value();
  out.met = execution->met();
  out.gaveUp = execution->gaveUp();
  out.parallel = execution->ranParallel();
  for (const Resource& r : execution->resources()) out.bytes.push_back(r.bytes());
  return out;
}

enum class Outcomes : std::uint8_t { kParallel, kMeets, kInOrder, kGivesUp, kAny };
struct Counts {
  std::uint32_t parallel = 0, met = 0;
};

// In 2, 3, 7 and 126 parts, each with a program that remembers nothing. What met runs once more, and then in order.
Counts expectSame(const Job& job, const std::string& what, Outcomes outcome) {
  Counts counts;
  Model reference;
  const Ran expected = run(reference, job, nullptr, 0);
  const std::shared_ptr<const compiled::Compiled> code = compiledCodeOf(job.dispatches[0]);
  for (const std::uint32_t parts : {2u, 3u, 7u, 126u}) {
    Model model;
    Ran got = run(model, job, code, parts);
    counts.parallel += got.parallel != 0;
    counts.met += got.met;
    EXPECT_EQ(got.gaveUp, outcome == Outcomes::kGivesUp) << what << ", parts: " << parts;
    if (outcome == Outcomes::kGivesUp) continue;
    if (outcome != Outcomes::kAny) {
      EXPECT_EQ(got.met, outcome == Outcomes::kMeets) << what << ", parts: " << parts;
      EXPECT_EQ(got.parallel != 0, outcome == Outcomes::kParallel) << what << ", parts: " << parts;
    }
    if (got.met) got = run(model, job, code, parts);
    EXPECT_FALSE(got.met || got.failed) << what << ", parts: " << parts;
    EXPECT_EQ(got.bytes, expected.bytes) << what << ", parts: " << parts;
  }
  return counts;
}

TEST_F(CompiledParts, OfEveryOrder) {
  for (const std::uint32_t mode : {0u, 6u, 8u, 11u, 300u})
    expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode), Outcomes::kParallel);
  for (const std::uint32_t mode : {1u, 2u, 3u, 9u, 10u})
    expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode), Outcomes::kMeets);
}

// Many chunks, of which each thread takes what it gets: whether they meet does not depend on who takes them.
TEST_F(CompiledParts, OfThreadsThatTakeChunks) {
  if (threadsForParts() < 2) GTEST_SKIP() << "one thread";
  constexpr std::uint32_t kMany = 1 << 14, kWords[] = {kMany * 128 + 1, 5}, kSums[] = {4, 4, 8};
  const auto tryOne = [&](const Job& job, const std::string& what, bool meets) {
    Model reference, model;
    Ran got = run(model, job, compiledCodeOf(job.dispatches[0]), 0, true);
    EXPECT_EQ(got.met, meets) << what;
    EXPECT_EQ(got.parallel != 0, !meets) << what;
    if (got.met) got = run(model, job, compiledCodeOf(job.dispatches[0]), 0, true);
    EXPECT_EQ(got.bytes, run(reference, job, nullptr, 0).bytes) << what;
  };
  for (const std::uint32_t mode : {0u, 6u, 8u, 300u})
    tryOne(jobOf("parts_order", mode, kWords, kMany), "mode " + std::to_string(mode), false);
  for (const std::uint32_t mode : {1u, 2u, 3u, 9u}) tryOne(jobOf("parts_order", mode, kWords, kMany), "mode " + std::to_string(mode), true);
  for (const std::uint32_t sum : {0u, 5u}) tryOne(jobOf("parts_sums", sum, kSums, kMany), "sum " + std::to_string(sum), false);
}

// Up to the atomic that tells their order. Who accesses ahead of it what is not its own, or behind it, has met others.
TEST_F(CompiledParts, OfWhichEachTakesItsTurn) {
  expectSame(jobOf("parts_order", 5, kOrderWords), "an old value that is used", Outcomes::kParallel);
  constexpr std::uint32_t words[] = {(kGroups + 1) * 64, kGroups + 4};
  for (const std::uint32_t mode : {0u, 4u, 7u})
    expectSame(jobOf("parts_turns", mode, words), "mode " + std::to_string(mode), Outcomes::kParallel);
  for (const std::uint32_t mode : {1u, 2u, 3u, 5u, 6u, 8u})
    expectSame(jobOf("parts_turns", mode, words), "mode " + std::to_string(mode), Outcomes::kMeets);
}

// Their places are not their own where views of other units lead to the same bytes.
TEST_F(CompiledParts, OfViewsOfOtherUnits) {
  expectSame(viewsJob(kGroups, 4), "halves", Outcomes::kParallel);
  expectSame(viewsJob(kGroups, 6), "words and halves", Outcomes::kInOrder);
  expectSame(viewsJob(kGroups, 12), "halves, in turns", Outcomes::kParallel);
  expectSame(viewsJob(kGroups, 13), "bytes and halves, in turns", Outcomes::kInOrder);
}

// Each level has places of its own, until the last workgroup makes the last level.
TEST_F(CompiledParts, OfLevels) {
  expectSame(levelsJob(kGroups, 3), "in turns", Outcomes::kParallel);
  expectSame(levelsJob(kGroups, 4), "who stores what the last one does", Outcomes::kMeets);
}

// A workgroup that reaches the step limit ahead of its turn, or in it.
TEST_F(CompiledParts, OfWhichOneFaultsInItsTurn) {
  constexpr std::uint32_t words[] = {(kGroups + 1) * 64, kGroups + 4};
  for (const std::uint64_t steps : {std::uint64_t{100}, std::uint64_t{200}}) {
    Job job = jobOf("parts_turns", 0, words);
    job.limits.maxSteps = steps;
    const RunResult expected = Model().run(job);
    Model model({.profile = {}, .schedule = {}, .parallel = {.inOrder = {}, .least = {}, .parts = 3}, .tier = Tier::kCompiled});
    const RunResult got = model.run(job);
    EXPECT_EQ(got.error ? got.error->text() : "", expected.error ? expected.error->text() : "") << steps;
  }
}

// Of these, some meet and some do not.
TEST_F(CompiledParts, ThatMeetByChance) {
  Counts all;
  constexpr std::uint32_t kFirst = 12, kModes = 40;
  for (std::uint32_t mode = kFirst; mode < kFirst + kModes; ++mode) {
    const Counts counts = expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode), Outcomes::kAny);
    all.parallel += counts.parallel;
    all.met += counts.met;
  }
  EXPECT_GT(all.met, 0u);
  EXPECT_EQ(all.met + all.parallel, 4 * kModes);
}

// A part that reaches the step limit ends the run, whoever marks.
TEST_F(CompiledParts, OfWhichOneFaults) {
  Job job = jobOf("parts_order", 7, kOrderWords);
  job.limits.maxSteps = 5000;
  const RunResult expected = Model().run(job);
  ASSERT_TRUE(expected.error);
  Model model({.profile = {}, .schedule = {}, .parallel = {.inOrder = {}, .least = {}, .parts = 3}, .tier = Tier::kCompiled});
  const RunResult got = model.run(job);
  ASSERT_TRUE(got.error);
  EXPECT_EQ(got.error->text(), expected.error->text());
  EXPECT_EQ(model.tierReport().dispatches, 0u) << "the interpreter ran it";
}

// Who meets begins again, in the same run of a model, and does not meet again.
TEST_F(CompiledParts, AModelBeginsAgain) {
  const Job job = jobOf("parts_order", 2, kOrderWords);
  Model model({.profile = {}, .schedule = {}, .parallel = {.inOrder = {}, .least = {}, .parts = 3}, .tier = Tier::kCompiled});
  for (int time = 0; time < 2; ++time) {
    const RunResult got = model.run(job);
    ASSERT_FALSE(got.error) << got.error->text();
    EXPECT_EQ(got.outputs[0].bytes(), Model().run(job).outputs[0].bytes());
  }
  EXPECT_EQ(model.tierReport().dispatches, 2u);
}

// A job of many programs that would meet begins again once: the others do not try their parts.
TEST_F(CompiledParts, AModelBeginsAgainOnce) {
  Job job = jobOf("parts_order", 0, kOrderWords);
  for (const std::uint64_t mode : {2, 3, 9, 10}) {
    job.dispatches.push_back(job.dispatches[0]);
    job.dispatches.back().spec = {{0, mode}};
  }
  Model model({.profile = {}, .schedule = {}, .parallel = {.inOrder = {}, .least = {}, .parts = 3}, .tier = Tier::kCompiled});
  const RunResult got = model.run(job);
  ASSERT_FALSE(got.error) << got.error->text();
  EXPECT_EQ(got.outputs[0].bytes(), Model().run(job).outputs[0].bytes());
  EXPECT_EQ(model.tierReport().dispatches, job.dispatches.size());
  const auto met = [&](const Dispatch& d) {
    const Expected<std::shared_ptr<const Program>> program = model.program(d, 32, ir::Flavour::kUnwatched);
    EXPECT_TRUE(program.ok());
    return program.ok() && (*program)->sideBySide.orderShows;
  };
  EXPECT_EQ(std::ranges::count_if(job.dispatches, met), 1);
  EXPECT_TRUE(met(job.dispatches[1]));
}

TEST_F(CompiledParts, OfWordsOfEveryWidth) {
  constexpr std::uint32_t words[] = {kGroups * 32 * 4 + 8, 5};
  for (const std::string width : {"8", "32", "64"})
    for (const std::uint32_t mode : {0u, 1u, 2u, 3u, 4u}) {
      const bool isProved = mode == 3;  // by what the buffer has
      const Outcomes outcome = width == "8" && !isProved ? Outcomes::kInOrder : mode == 1 ? Outcomes::kMeets : Outcomes::kParallel;
      expectSame(jobOf("parts_widths_" + width, mode, words), width + " bits, mode " + std::to_string(mode), outcome);
    }
}

// --- Marks ---

struct Marking {
  ZeroMemory memory;
  std::optional<Marks> marks;
  Marking() { again(); }
  void again() {
    marks.reset();
    marks.emplace(std::array{std::uint64_t{4}, std::uint64_t{1} << 20}, 3u, memory);
  }
  void access(std::uint32_t part, bool stores, std::uint64_t word, std::size_t buffer = 1) {
    compiled::Window w;
    marks->put(part, buffer, w);
    const std::uint64_t at = word + (stores ? 0 : w.loads);
    w.marks[at / 8] |= std::byte{1} << static_cast<int>(at % 8);
    w.touched[at / compiled::kMarksTogether] = std::byte{1};
  }
};

TEST(Marks, MeetWhereOneStoresAndAnotherAccesses) {
  constexpr std::uint64_t kLast = (std::uint64_t{1} << 18) - 1;
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{4095}, std::uint64_t{4096}, kLast}) {
    for (const bool storesToo : {true, false}) {
      Marking meets;
      meets.access(0, true, word);
      meets.access(2, storesToo, word);
      EXPECT_TRUE(meets.marks->meet()) << word;
    }
    Marking apart;
    apart.access(0, true, word);
    apart.access(0, false, word);
    apart.access(2, true, word ^ 1);
    apart.access(1, false, word ^ 2);
    apart.access(2, false, word ^ 2);
    apart.access(1, true, 0, 0);
    EXPECT_FALSE(apart.marks->meet()) << word << ": neighbours, another buffer, and readers alone";
    apart.access(1, false, word ^ 1);
    EXPECT_TRUE(apart.marks->meet()) << word;
    apart.again();
    apart.access(1, true, word);
    EXPECT_FALSE(apart.marks->meet()) << word << ": the memory is zeros again";
  }
  EXPECT_FALSE(Marking().marks->meet());
}

// No page is touched here: what counts is what was said to be in use.
TEST(ZeroMemory, KeepsAPieceUntilMuchOfItWasInUse) {
  constexpr std::uint64_t kPage = ZeroMemory::Piece::kPage, kHalf = ZeroMemory::kMostUsed / 2;
  ZeroMemory memory;
  const auto useAgain = [&](std::uint64_t size, std::uint64_t begin, std::uint64_t end) {
    ZeroMemory::Piece piece = memory.take(size);
    const std::uint64_t had = piece.size;
    piece.use(begin, end);
    memory.giveBack(std::move(piece));
    return had;
  };
  constexpr std::uint64_t kAll = 4 * ZeroMemory::kMostUsed;
  EXPECT_EQ(useAgain(kAll, 1, kHalf - 1), kAll);
  EXPECT_EQ(useAgain(kPage, 0, kHalf), kAll) << "the same pages";
  EXPECT_EQ(useAgain(kPage, kHalf, 2 * kHalf), kAll) << "others";
  EXPECT_EQ(useAgain(kPage, 2 * kHalf, 2 * kHalf + 1), kAll) << "as much as may be, and one page more";
  EXPECT_EQ(useAgain(kPage + 1, kPage, kPage + 1), kPage + 1) << "a fresh one";
  EXPECT_EQ(useAgain(ZeroMemory::kMost + 1, 0, 1), ZeroMemory::kMost + 1);
  EXPECT_EQ(useAgain(kPage, 0, 1), kPage + 1) << "too large a one is not kept";
}

}  // namespace
}  // namespace lanewise
