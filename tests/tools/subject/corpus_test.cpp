// Every kernel of the corpus, small: it is valid, the model finds nothing in it, no schedule and no subgroup size changes its bytes, and
// lavapipe gives the same bytes or, where the file's head says so, floats within its bound.
//
// Here the checkers take one half of the kernels as they are written and the other half optimised, and native code takes the first at
// subgroups of 32 and the second of 64; with LANEWISE_CORPUS_WAYS=all, at night, all kernels go all ways. Devices take both everywhere.
#include "tools/subject/corpus.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tools/check/check.h"
#include "tools/check/ways.h"
#include "tools/subject/subject.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

const std::vector<CorpusKernel>& corpus() {
  static const Expected<std::vector<CorpusKernel>> all = readCorpus(LANEWISE_CORPUS);
  static const std::vector<CorpusKernel> none;
  if (!all) ADD_FAILURE() << all.error().text();
  return all ? *all : none;
}

// The 32-bit values that differ, and the greatest difference relative to the greater of 1 and the value.
struct Apart {
  std::size_t values = 0;
  double most = 0;
};
Apart apart(const std::vector<Resource>& a, const std::vector<Resource>& b) {
  Apart out;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t at = 0; at + 4 <= a[i].bytes().size(); at += 4) {
      if (std::memcmp(&a[i].bytes()[at], &b[i].bytes()[at], 4) == 0) continue;
      float x = 0, y = 0;
      std::memcpy(&x, &a[i].bytes()[at], 4);
      std::memcpy(&y, &b[i].bytes()[at], 4);
      const double d = std::abs(double{x} - y) / std::max(1.0, std::abs(double{x}));
      ++out.values;
      out.most = std::isnan(d) ? HUGE_VAL : std::max(out.most, d);
    }
  return out;
}

// The subject at its small size, compiled as asked.
Subject opened(const CorpusKernel& k, bool optimise) {
  SubjectArguments a = k.small;
  a.module.source.optimise = optimise;
  Expected<Subject> s = openSubject(a);
  EXPECT_TRUE(s) << s.error().text();
  return s ? std::move(*s) : Subject{};
}

bool isNight() {
  return std::getenv("LANEWISE_CORPUS_WAYS") != nullptr;
}

class Corpus : public testing::TestWithParam<std::string> {
 protected:
  const CorpusKernel& kernel() const { return *std::ranges::find(corpus(), GetParam(), &CorpusKernel::name); }
  // Whether it is looked at as it is written, and optimised.
  std::vector<bool> optimised() const {
    if (isNight()) return {false, true};
    return {(&kernel() - corpus().data()) % 2 != 0};
  }
};

TEST_P(Corpus, IsSoundAndTheSameInEveryWay) {
  for (const bool optimise : optimised()) {
    const Subject s = opened(kernel(), optimise);
    const CheckResult r = runCheck(
        1,
        [&](std::size_t) {
          return Expected<CheckJob>(CheckJob{s.name, s.name, s.job, {}});
        },
        modelWays({}, true));
    for (const CheckFinding& f : r.findings) ADD_FAILURE() << (optimise ? "-O: " : "") << f.key() << ": " << f.says;
    EXPECT_GE(r.runs, 5u);
  }
}

TEST_P(Corpus, CompiledCodeGivesTheSame) {
  for (const bool optimise : {false, true}) {
    Subject s = opened(kernel(), optimise);
    for (const std::uint32_t size : {32u, 64u}) {
      if (!isNight() && optimise != (size == 64)) continue;
      if (s.job.subgroupSize == 0 || size == 64) s.job.subgroupSize = size;
      const RunResult plain = Model().run(s.job);
      Model model({.profile = *profileByName("strict"), .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
      const RunResult compiled = model.run(s.job);
      ASSERT_EQ(plain.error.has_value(), compiled.error.has_value());
      const TierReport report = model.tierReport();
      // Twice the lanes take twice the code, which may be too much.
      if (size == 32) {
        EXPECT_TRUE(report.refusals.empty()) << report.refusals.front();
      }
      for (std::size_t i = 0; i < plain.outputs.size(); ++i)
        EXPECT_TRUE(plain.outputs[i].bytes() == compiled.outputs[i].bytes()) << plain.outputs[i].name << ", subgroups of " << size;
    }
  }
}

// With more workgroups than its small size has: what these store beyond a buffer is dropped.
TEST_P(Corpus, WorkgroupsAndLanesTogetherGiveTheSame) {
  for (const bool optimise : optimised()) {
    Subject s = opened(kernel(), optimise);
    for (Dispatch& d : s.job.dispatches) d.groups.x = std::max(d.groups.x, 7u);
    for (const bool lanes : {false, true}) {
      const Schedule schedule{.lanes = lanes};
      const RunResult alone = Model({.profile = {}, .schedule = schedule, .parallel = {.allowed = false, .together = 0}}).run(s.job);
      const RunResult together = Model({.profile = {}, .schedule = schedule, .parallel = {.allowed = false, .together = 1}}).run(s.job);
      ASSERT_EQ(alone.error ? alone.error->text() : "", together.error ? together.error->text() : "");
      for (std::size_t i = 0; i < alone.outputs.size(); ++i)
        EXPECT_TRUE(alone.outputs[i].bytes() == together.outputs[i].bytes()) << alone.outputs[i].name << (lanes ? ", lanes" : "");
    }
  }
}

TEST_P(Corpus, ADeviceGivesTheSame) {
  // With one thread a workgroup never waits for another for long: lavapipe ends loops after 65535 iterations (gpu/devices.h).
  const std::unique_ptr<Device> device = openForTest("lavapipe", {.validation = true, .threads = 1});
  ASSERT_TRUE(device);
  Model model;
  for (const bool optimise : {false, true}) {
    const Subject s = opened(kernel(), optimise);
    const RunResult ours = model.run(s.job), theirs = device->run(s.job);
    ASSERT_FALSE(ours.error) << ours.error->text();
    ASSERT_FALSE(theirs.error) << theirs.error->text();
    ASSERT_FALSE(ours.outputs.empty());
    std::vector<Resource> before;
    std::ranges::copy_if(s.job.resources, std::back_inserter(before), &Resource::output);
    EXPECT_NE(apart(before, ours.outputs).values, 0u) << "it writes nothing";
    const Apart d = apart(ours.outputs, theirs.outputs);
    EXPECT_LE(d.most, kernel().bound) << d.values << " values";
    for (std::size_t i = 0; i < ours.outputs.size() && kernel().bound == 0; ++i)
      EXPECT_TRUE(ours.outputs[i].bytes() == theirs.outputs[i].bytes()) << ours.outputs[i].name;
    if (d.values != 0) std::printf("%s: %zu values differ, by %.2g at most: %s\n", s.name.c_str(), d.values, d.most, kernel().why.c_str());
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const CorpusKernel& k : corpus()) out.push_back(k.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(names()));

TEST(CorpusHead, IsRead) {
  const auto k = parseCorpusKernel("a/b.comp",
                                   "// What it is,\n// in two lines.\n// small: --groups 2 --buffer x=u32:1\n// small: --buffer y=u32:2\n"
                                   "// large: -D N=9 --zero\n// differs: 0.5 sines\n// transcendental\n#version 450\n// small: nothing\n");
  ASSERT_TRUE(k) << k.error().text();
  EXPECT_EQ(k->name, "b");
  EXPECT_EQ(k->what, "What it is, in two lines.");
  EXPECT_EQ(k->small.module.run.groups, "2");
  EXPECT_THAT(k->small.module.run.buffers, testing::ElementsAre("x=u32:1", "y=u32:2"));
  EXPECT_THAT(k->large.module.source.defines, testing::ElementsAre("N=9"));
  EXPECT_TRUE(k->large.module.run.zero);
  EXPECT_FALSE(k->small.module.run.zero);
  EXPECT_EQ(k->bound, 0.5);
  EXPECT_EQ(k->why, "sines");
  EXPECT_TRUE(k->transcendental);
}

TEST(CorpusHead, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"// small: --groups 1\n// large: --groups 1\n", "nothing says what it is"},
      {"// A\n// small: --groups 1\n", "no line 'large:'"},
      {"// A\n// small: --grops 1\n// large:\n", "'--grops' is no option"},
      {"// A\n// small: --groups\n// large:\n", "'--groups' is no option"},
      {"// A\n// small:\n// large:\n// differs: much\n", "no bound"},
  };
  for (const auto& [text, says] : wrong) {
    const auto k = parseCorpusKernel("a.comp", text);
    ASSERT_FALSE(k) << text;
    EXPECT_THAT(k.error().text(), HasSubstr(says));
  }
}

}  // namespace
}  // namespace lanewise
