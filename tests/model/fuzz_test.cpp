// Broken modules: whatever words a module has, the model answers with an Error or runs it, within its limits; it never harms its host.
// Most damage is caught by the validator; what passes it reaches the decoder and the engine. Run it under the asan preset too.
#include <random>

#include "model/model.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

Job jobOf(const ProgramText& program, std::vector<std::uint32_t> words) {
  Job job = program.job;
  job.limits.maxSteps = 20000;
  job.dispatches[0].module = std::make_shared<const ShaderModule>(ShaderModule{program.file, std::move(words)});
  return job;
}

// What a run may answer. Anything else is a bug of ours.
void expectOrderly(const RunResult& result) {
  if (!result.error) return;
  const Outcome o = result.error->outcome;
  EXPECT_TRUE(o == Outcome::kBadInput || o == Outcome::kUnsupported || o == Outcome::kFinding) << result.error->text();
  EXPECT_FALSE(result.error->what.empty());
}

class Fuzz : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    program_ = readProgram(programPath(GetParam()));
    const auto module = programModule(GetParam());
    ASSERT_TRUE(module.ok());
    words_ = (*module)->words;
  }
  ProgramText program_;
  std::vector<std::uint32_t> words_;
};

TEST_P(Fuzz, TruncatedModules) {
  Model model;
  for (std::size_t n = 0; n < words_.size(); n += 1 + words_.size() / 40) {
    const RunResult result = model.run(jobOf(program_, {words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(n)}));
    ASSERT_TRUE(result.error) << "a module cut after " << n << " words ran";
    EXPECT_EQ(result.error->outcome, Outcome::kBadInput) << result.error->text();
  }
}

TEST_P(Fuzz, GarbledWords) {
  std::mt19937 random(static_cast<unsigned>(words_.size()));
  const auto below = [&](std::size_t n) { return random() % n; };
  std::size_t ran = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint32_t> words = words_;
    for (std::size_t damage = 1 + below(2); damage > 0; --damage) {
      std::uint32_t& word = words[5 + below(words.size() - 5)];
      switch (below(4)) {
        case 0:
          word ^= 1u << below(32);
          break;
        case 1:
          word = words_[5 + below(words_.size() - 5)];
          break;
        case 2:
          word += static_cast<std::uint32_t>(below(5)) - 2;
          break;
        default:
          word = below(2) ? 0xffffffffu : static_cast<std::uint32_t>(below(64));
          break;
      }
    }
    Model model;
    const RunResult result = model.run(jobOf(program_, std::move(words)));
    expectOrderly(result);
    ran += !result.error;
  }
  EXPECT_GT(ran, 0u) << "no damage got past the validator: nothing was tried";
}

INSTANTIATE_TEST_SUITE_P(Programs, Fuzz,
                         testing::Values("phi_heavy.comp", "function_pointers.comp", "layouts.comp", "image_shapes.comp",
                                         "atomics_u32.comp", "subgroup_all.comp", "spec_constants.comp", "barrier_loop.comp"),
                         [](const auto& instance) { return instance.param.substr(0, instance.param.find('.')); });

// A module that nobody has to be careful with: no words, only a header, only zeros.
TEST(FuzzModules, NothingAtAll) {
  Model model;
  ProgramText empty;
  empty.job.dispatches.emplace_back();
  for (const std::vector<std::uint32_t>& words :
       {std::vector<std::uint32_t>{}, {0x07230203}, {0x07230203, 0x10600, 0, 8, 0}, std::vector<std::uint32_t>(64, 0)}) {
    const RunResult result = model.run(jobOf(empty, words));
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->outcome, Outcome::kBadInput) << result.error->text();
  }
}

}  // namespace
}  // namespace lanewise::text
