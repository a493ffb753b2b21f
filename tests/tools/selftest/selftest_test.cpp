// The self-test: its mutants, and that it tells a set of cases with a hole from one without.
#include <fmt/format.h>

#include <set>

#include "golden/image/compare.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "shaders/embedded.h"
#include "tools/selftest/executed.h"
#include "tools/selftest/reasons.h"
#include "tools/selftest/tested_module.h"

namespace lanewise {
namespace {

spirv::Module moduleOf(const char* kernel) {
  const auto module = kernelModule(*findKernel(kernel));
  auto parsed = spirv::parse(module->name, module->words);
  EXPECT_TRUE(parsed.ok());
  return std::move(*parsed);
}

TEST(Mutants, DifferFromTheModuleInWordsAndMostAreValid) {
  const spirv::Module module = moduleOf("checksum/sum/shuffle");
  std::set<std::string> rules;
  std::size_t valid = 0;
  const std::vector<Mutant> mutants = mutantsOf(module);
  for (const Mutant& m : mutants) {
    EXPECT_NE(m.words, module.words) << m.change;
    EXPECT_FALSE(m.place.empty());
    rules.insert(m.rule);
    valid += spirv::validate("mutant", m.words) ? 0 : 1;
  }
  EXPECT_GT(valid * 10, mutants.size() * 8) << valid << " of " << mutants.size();
  for (const char* rule :
       {"operator", "comparison", "constant", "operands", "store dropped", "barrier dropped", "barrier weakened", "atomic made plain"})
    EXPECT_TRUE(rules.contains(rule)) << rule;
}

TEST(Mutants, OfEveryKernelAreFiveHundredAtLeast) {
  std::size_t all = 0;
  std::set<std::string> seen;
  for (const Kernel& k : kernels()) {
    if (k.broken() || k.module.empty() || !seen.insert(k.module).second) continue;
    const std::size_t n = mutantsOf(moduleOf(k.name.c_str())).size();
    EXPECT_GE(n, 10u) << k.name;
    all += n;
  }
  EXPECT_GE(all, 500u);
}

// Pushed zeros are a picture without texels: every invocation returns before it reads and stores.
TEST(ExecutedBlocks, AreThoseThatAnInvocationReaches) {
  const Kernel* kernel = findKernel("box-blur/double/naive");
  const auto tested = testedModules({kernel});
  ASSERT_TRUE(tested.ok());
  const TestedModule& module = tested->front();
  Job job = module.cases.front()->job(nullptr);
  Model model;
  const auto count = [&] {
    const std::vector<bool> executed = executedBlocks(model, job, module.module->name, module.blockOf);
    EXPECT_EQ(executed.size(), module.blockOf.back() + 1);
    return std::ranges::count(executed, true);
  };
  const auto before = count();
  EXPECT_EQ(before, std::ranges::count(module.executed.front(), true));
  for (Dispatch& d : job.dispatches) std::ranges::fill(d.push, std::remove_reference_t<decltype(d.push.front())>{});
  EXPECT_LT(count(), before);
  EXPECT_GT(count(), 0);
}

TEST(Selftest, IsInterruptedWhileItPrepares) {
  const std::atomic<bool> stop = true;
  SelftestOptions options;
  options.kernels = {findKernel("box-blur/double/naive")};
  options.stop = &stop;
  const auto result = runSelftest(options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().outcome, Outcome::kInterrupted);
}

// An unrolled line's changes: a few of them, the last copy among these.
TEST(Mutants, CopiesOfALineAreFew) {
  std::map<std::string, std::vector<std::string>> alike;
  for (const Mutant& m : mutantsOf(moduleOf("box-blur/double/accumulated-x32")))
    if (m.rule == "index" && m.place.text() == "box_blur_accumulated.comp:34")
      alike[m.change.substr(0, m.change.find_first_of("0123456789"))].push_back(m.change);
  ASSERT_FALSE(alike.empty());
  for (const auto& [text, changes] : alike) EXPECT_LE(changes.size(), kCopies) << text;
  EXPECT_THAT(alike["in OpAccessChain "], testing::Contains("in OpAccessChain 31 becomes 32"));
}

// Where a change is: its line's number and text. The second branch of a choice has no line of its own.
TEST(Mutants, SayTheirLine) {
  bool reads = false;
  for (const Mutant& m : mutantsOf(moduleOf("box-blur/double/naive"))) {
    EXPECT_FALSE(m.source.empty()) << m.place.text() << " " << m.change;
    reads = reads || (m.place.file == "box_blur.glsl" && m.source == "SUM sum = SUM(0);");
  }
  EXPECT_TRUE(reads);
}

SelftestResult selftest(std::vector<Kernel>& kernels, std::uint32_t parts, std::vector<std::string> rules = {}) {
  SelftestOptions options;
  for (const Kernel& k : kernels) options.kernels.push_back(&k);
  options.parts = parts;
  options.rules = std::move(rules);
  Progress progress;
  options.progress = &progress;
  auto result = runSelftest(options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text());
  if (result) {
    EXPECT_EQ(progress.total, result->mutants.size());
    EXPECT_EQ(progress.done, result->mutants.size());
    EXPECT_EQ(progress.failed, result->count(Fate::kSurvived));
  }
  return result ? std::move(*result) : SelftestResult{};
}

// A small part of the mutants of one kernel: nothing survives without a reason.
TEST(Selftest, TheQuickSetFindsWhatIsChanged) {
  if (!reasonsFit()) GTEST_SKIP() << "the reasons name what another glslang writes";
  std::vector<Kernel> kernels = {*findKernel("box-blur/double/naive")};
  const SelftestResult r = selftest(kernels, 6);
  EXPECT_GE(r.wrong(), 8u);
  EXPECT_EQ(r.count(Fate::kSurvived), 0u);
  for (const MutantResult& m : r.mutants)
    if (m.fate == Fate::kSurvived) ADD_FAILURE() << m.place.text() << ": " << m.change;
}

// A row of reasons whose line was edited, or whose change is no longer made, excuses fewer mutants than it says.
TEST(Selftest, EveryReasonNamesChangesThatAreMade) {
  if (!reasonsFit()) GTEST_SKIP() << "the reasons name what another glslang writes";
  SelftestResult all;
  for (const EmbeddedModule& m : embeddedModules()) {
    const std::string name = std::string(m.name) + ".comp";
    const auto parsed = spirv::parse(name, {m.words.begin(), m.words.end()});
    ASSERT_TRUE(parsed.ok());
    for (const Mutant& change : mutantsOf(*parsed)) {
      all.mutants.push_back({name, change.rule, change.place, change.source, change.change, Fate::kSurvived, {}, {}, {}, 0});
      explainSurvivor(all.mutants.back(), true);
    }
  }
  std::vector<std::size_t> made(reasons().size());
  for (const MutantResult& m : all.mutants)
    if (m.reason) ++made[*m.reason];
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_GE(made[i], reasons()[i].mutants) << reasons()[i].rule << " " << reasons()[i].source << " " << reasons()[i].change;
  EXPECT_THAT(reasonProblems(reasons(), {}, false), testing::IsEmpty());
  // A change that no row names stays a survivor.
  MutantResult other{
      "box_blur_naive_u32.comp", "operator", {"box_blur.glsl", 1}, "no such line", "OpIAdd becomes OpISub", Fate::kSurvived, {}, {}, {}, 0};
  explainSurvivor(other, true);
  EXPECT_EQ(other.fate, Fate::kSurvived);
}

// A row is bound to its mutants: more fail every run, fewer a run of all; a row names its rule and its change.
TEST(Selftest, ARowExcusesSoManyMutantsAndNoOthers) {
  const Reason row{Fate::kExplained, "operator", "blur", "blur.comp", "a + b", "OpIAdd becomes OpISub", 2, "why"};
  const MutantResult mutant{
      "blur_f32.comp", "operator", {"blur.comp", 7}, "c = a + b;", "OpIAdd becomes OpISub", Fate::kSurvived, {}, {}, {}, 0};
  const auto problems = [&](Reason r, std::size_t survivors, bool complete) {
    SelftestResult result;
    for (std::size_t i = 0; i < survivors; ++i) {
      result.mutants.push_back(mutant);
      if (reasonFor(std::span(&r, 1), mutant) == 0) result.mutants.back().reason = 0;
    }
    return reasonProblems(std::span(&r, 1), result, complete).size();
  };
  EXPECT_EQ(problems(row, 2, true), 0u);
  EXPECT_EQ(problems(row, 3, false), 1u);
  EXPECT_EQ(problems(row, 1, true), 1u);
  EXPECT_EQ(problems(row, 1, false), 0u) << "of a part of the modules";
  Reason other = row;
  other.mutants = 0;
  EXPECT_EQ(problems(other, 0, true), 1u) << "excuses nothing";
  for (const char* Reason::*part : {&Reason::rule, &Reason::change}) {
    other = row;
    other.*part = "";
    EXPECT_GE(problems(other, 2, false), 1u);
  }
  // What a row does not name, it does not excuse.
  for (const auto& [part, text] :
       {std::pair(&Reason::rule, "constant"), std::pair(&Reason::module, "scan"), std::pair(&Reason::file, "blur"),
        std::pair(&Reason::source, "a - b"), std::pair(&Reason::change, "OpISub becomes OpIAdd")}) {
    other = row;
    other.*part = text;
    EXPECT_EQ(problems(other, 2, true), 1u) << text;
  }
}

// The same kernel with one case of radius 0 and size 1x1: most changes survive, and the self-test says so.
TEST(Selftest, AHoleInTheSetShows) {
  std::vector<Kernel> kernels = {*findKernel("box-blur/double/naive")};
  CaseBlock hole = kernels[0].quick[0];
  hole.sizes = {{1, 1}};
  hole.values[0] = {0};
  hole.inputs = {"constant:0"};
  kernels[0].quick = {hole};
  const SelftestResult r = selftest(kernels, 3, {"constant", "operator", "operands"});
  EXPECT_GT(r.count(Fate::kSurvived), r.wrong() / 3);
}

// A device that flips one bit of an output, any bit, is always found.
TEST(Selftest, OneFlippedBitAnywhereIsFound) {
  for (const char* name : {"box-blur/double/naive @ 5x3 radius=1", "checksum/sum/shuffle @ 5x3", "photo/saturation/checked @ 3x2",
                           "photo/sobel/checked @ 3x3", "photo/fingerprint/workgroup @ 2x2"}) {
    const Case c = *parseCase(name);
    const golden::Image input = *inputOf(c);
    const Expectation expected = *expectationOf(c, input);
    std::size_t missed = 0;
    for (std::size_t output = 0; output < expected.images.size(); ++output)
      for (std::size_t bit = 0; bit < expected.images[output].bytes.size() * 8; ++bit) {
        std::vector<golden::Image> got = expected.images;
        got[output].bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
        const auto wrong = firstDifference(expected, got);
        missed += wrong.ok() && !wrong->has_value() ? 1 : 0;
      }
    EXPECT_EQ(missed, 0u) << name;
  }
}

// A form in floats may give any value inside its bounds: one flipped bit is found if it leads outside, and only then.
TEST(Selftest, OneFlippedBitIsFoundWhereItLeavesTheBounds) {
  for (const char* name : {"box-blur/float/two-pass-f32 @ 3x2 radius=1", "pyramid/energy-float/one-level @ 5x3 format=r32f",
                           "pyramid/energy-float/one-level @ 5x3 format=rgba16f"}) {
    const Case c = *parseCase(name);
    const Expectation expected = *expectationOf(c, *inputOf(c));
    ASSERT_EQ(expected.high.size(), 1u);
    const golden::Image &low = expected.images[0], &high = expected.high[0];
    const std::size_t step = golden::componentBytes(low.component);
    std::size_t outside = 0, inside = 0;
    for (std::size_t bit = 0; bit < low.bytes.size() * 8; ++bit) {
      std::vector<golden::Image> got = expected.images;
      got[0].bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      const std::size_t at = bit / 8 / step * step;
      // All values here are positive, so that their bits order as they do.
      const auto value = golden::bitsAt(got[0], at);
      const bool wrong = value < golden::bitsAt(low, at) || value > golden::bitsAt(high, at);
      ++(wrong ? outside : inside);
      ASSERT_EQ(firstDifference(expected, got)->has_value(), wrong) << name << " bit " << bit;
    }
    EXPECT_GT(outside, 0u);
    EXPECT_GT(outside, inside) << name;
  }
}

}  // namespace
}  // namespace lanewise
