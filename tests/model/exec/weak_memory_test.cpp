// Weak memory on the litmus programs: no run leaves the axioms. And on kernels with an order missing: they give a wrong result, the same
// one for the same token, and their mended twins never do.
#include "model/exec/weak_memory.h"

#include <gmock/gmock.h>

#include <set>

#include "model/model.h"
#include "tests/model/check/litmus_kernel.h"
#include "tests/text/program_job.h"

namespace lanewise {
namespace {

using memory_model::Litmus;

// Seeds, each in four orders. The last outcome to be seen, of test4, takes 690.
constexpr std::uint32_t kAlways = 25, kAtMost = 2000;

const std::vector<Litmus>& litmus() {
  static const std::vector<Litmus> all = memory_model::allLitmus(LANEWISE_LITMUS);
  return all;
}

RunResult run(const Job& job, const std::string& token) {
  const Expected<Schedule> schedule = parseSchedule(token);
  return Model({.profile = {}, .schedule = *schedule}).run(job);
}

class LitmusKernel : public testing::TestWithParam<std::string> {
 protected:
  const Litmus& program() const {
    return *std::ranges::find_if(litmus(), [](const Litmus& l) { return l.name == GetParam(); });
  }
};

// A read of what is stored behind it, perhaps through other threads (load buffering), or of another storage class, which is other memory
// in the kernel.
bool isOutOfReach(const memory_model::Program& p, const memory_model::Execution& x) {
  const auto count = static_cast<std::uint32_t>(p.events.size());
  const auto isOne = [&](std::uint32_t a, std::uint32_t b) { return p.events[a].invocation == p.events[b].invocation; };
  memory_model::Relation before;
  for (std::uint32_t a = 0; a < count; ++a) {
    if (const std::int32_t from = x.readsFrom[a]; from != memory_model::Execution::kInitial) {
      const auto write = static_cast<std::uint32_t>(from);
      if (p.events[write].storageClass != p.events[a].storageClass) return true;
      before.add(write, a);
    }
    for (std::uint32_t b = 0; b < count; ++b) {
      if (isOne(a, b) && a < b) before.add(a, b);
      // What stands before a barrier comes before its other side.
      if (a == b || !p.events[a].controlBarrier || !p.events[b].controlBarrier || p.events[a].instance != p.events[b].instance) continue;
      for (std::uint32_t c = 0; c < a; ++c)
        if (isOne(c, a)) before.add(c, b);
    }
  }
  return !before.acyclic(count);
}

using Reads = std::set<std::vector<std::int32_t>>;

// What the axioms let the program read.
Reads withinReach(const Litmus& l) {
  Reads all;
  memory_model::allExecutions(l.program, {}, [&](const memory_model::Execution& x) {
    if (all.contains(x.readsFrom) || isOutOfReach(l.program, x)) return true;
    const memory_model::Judgement j = judge(l.program, x);
    if (j.wellFormed && j.consistent) all.insert(x.readsFrom);
    return true;
  });
  return all;
}

TEST_P(LitmusKernel, SeesWhatTheAxiomsAllowAndNothingElse) {
  const Litmus& l = program();
  const std::optional<Job> job = memory_model::kernelOf(l);
  if (!job) GTEST_SKIP() << "no kernel of one dispatch";
  const Reads reach = withinReach(l);
  Reads seen;
  for (std::uint32_t seed = 0; seed < kAlways || (seed < kAtMost && seen.size() < reach.size()); ++seed)
    for (const std::string order : {"in-order@all", "reverse@all", "interleave:seed:N", "lanes-seed:N@all"}) {
      std::string token = order + "+weak:" + std::to_string(seed);
      if (const auto n = token.find('N'); n != std::string::npos) token.replace(n, 1, std::to_string(seed));
      const RunResult result = run(*job, token);
      ASSERT_FALSE(result.error) << result.error->text();
      const std::vector<std::int32_t> reads = memory_model::readsOf(l, result);
      const bool isNew = seen.insert(reads).second;
      EXPECT_TRUE(!isNew || reach.contains(reads)) << l.name << " under " << token << ": " << testing::PrintToString(reads);
    }
  for (const auto& reads : reach) EXPECT_TRUE(seen.contains(reads)) << l.name << " never shows " << testing::PrintToString(reads);
}

INSTANTIATE_TEST_SUITE_P(Programs, LitmusKernel, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Litmus& l : litmus()) names.push_back(l.name);
                           return names;
                         }()));

// Kernels with an order missing, and their mended twins (tests/programs).
class WeakTwins : public testing::TestWithParam<std::string> {};

// Both must give what the mended one expects.
bool isExpected(const text::ProgramText& mended, const RunResult& result) {
  return !result.error && std::ranges::all_of(result.outputs, [&](const Resource& r) {
    const auto expected = mended.expected.find(r.name);
    return expected == mended.expected.end() || text::difference(expected->second, r.bytes()).empty();
  });
}

TEST_P(WeakTwins, AreToldApartByTheirBytes) {
  constexpr std::uint32_t kFew = 20;
  const text::ProgramText right = text::readProgram(text::programPath(GetParam() + "_mended.comp"));
  ASSERT_FALSE(right.expected.empty()) << right.problem;
  for (const bool mended : {false, true}) {
    const std::string name = GetParam() + (mended ? "_mended.comp" : ".comp");
    const Job job = text::programJob(name);
    std::string wrong;
    for (std::uint32_t seed = 0; seed < kFew && wrong.empty(); ++seed)
      for (const std::string order : {"in-order", "interleave:seed:5@4"}) {
        const std::string token = order + "+weak:" + std::to_string(seed);
        if (isExpected(right, run(job, token))) continue;
        wrong = token;
        break;
      }
    if (mended) {
      EXPECT_EQ(wrong, "") << name;
      continue;
    }
    ASSERT_NE(wrong, "") << name << ": no seed shows it";
    const RunResult once = run(job, wrong), again = run(job, wrong);
    for (std::size_t i = 0; i < once.outputs.size(); ++i)
      EXPECT_EQ(once.outputs[i].bytes(), again.outputs[i].bytes()) << name << ": the same token gives the same bytes";
  }
}

// Kernels without a race, of data smaller than the words that weak memory keeps.
class WeakParts : public testing::TestWithParam<std::string> {};

TEST_P(WeakParts, GiveTheSameBytesWithEverySeed) {
  constexpr std::uint32_t kMany = 100;
  const text::ProgramText program = text::wholeProgram(GetParam());
  ASSERT_FALSE(program.expected.empty());
  for (std::uint32_t seed = 0; seed < kMany; ++seed)
    for (const std::string order : {"in-order", "reverse", "interleave:seed:5@4"}) {
      const std::string token = order + "+weak:" + std::to_string(seed);
      EXPECT_TRUE(isExpected(program, run(program.job, token))) << token;
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, WeakParts,
                         testing::Values("weak_halves.comp", "weak_members.comp", "weak_texels.comp", "weak_written_twice.comp",
                                         "weak_written_by_another.comp", "weak_wide.comp"));

INSTANTIATE_TEST_SUITE_P(Programs, WeakTwins, testing::Values("race_last_workgroup", "race_look_back", "race_lockstep"));

}  // namespace
}  // namespace lanewise
