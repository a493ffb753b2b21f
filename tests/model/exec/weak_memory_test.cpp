// Weak memory on the litmus programs: no run leaves the axioms. And on kernels with an order missing: they give a wrong result, the same
// one for the same token, and their mended twins never do.
#include "model/exec/weak_memory.h"

#include <gmock/gmock.h>

#include <set>

#include "model/model.h"
#include "tests/model/check/litmus_kernel.h"
#include "tests/text/program_modules.h"

namespace lanewise {
namespace {

using memory_model::Litmus;

constexpr std::uint32_t kSeeds = 25;

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

TEST_P(LitmusKernel, StaysWithinTheAxioms) {
  const Litmus& l = program();
  const std::optional<Job> job = memory_model::kernelOf(l);
  if (!job) GTEST_SKIP() << "no kernel of one dispatch";
  std::set<std::vector<std::int32_t>> seen;
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed)
    for (const std::string order : {"in-order@all", "reverse@all", "interleave:seed:N", "lanes-seed:N@all"}) {
      std::string token = order + "+weak:" + std::to_string(seed);
      if (const auto n = token.find('N'); n != std::string::npos) token.replace(n, 1, std::to_string(seed));
      const RunResult result = run(*job, token);
      ASSERT_FALSE(result.error) << result.error->text();
      seen.insert(memory_model::readsOf(l, result));
    }
  for (const auto& reads : seen) EXPECT_TRUE(memory_model::isAllowed(l, reads)) << l.name << ": " << testing::PrintToString(reads);
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
    const text::ProgramText program = text::readProgram(text::programPath(name));
    ASSERT_EQ(program.problem, "") << name;
    const auto module = text::programModule(name);
    ASSERT_TRUE(module.ok()) << module.error().text();
    Job job = program.job;
    job.dispatches[0].module = *module;
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

INSTANTIATE_TEST_SUITE_P(Programs, WeakTwins, testing::Values("race_last_workgroup", "race_look_back", "race_lockstep"));

}  // namespace
}  // namespace lanewise
