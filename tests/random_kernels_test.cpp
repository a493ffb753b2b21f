// Random kernels on the model in every variant, and on devices: the same bytes.
//
// LANEWISE_RANDOM_KERNELS and LANEWISE_RANDOM_SEED choose how many and from which seed on; the nightly test runs 10000. A kernel that
// differs is made smaller while it differs, and its assembly and the first difference are what the failure shows.
#include <fmt/format.h>

#include <cstdlib>
#include <spirv/unified1/spirv.hpp11>

#include "model/model.h"
#include "tests/gpu_fixture.h"
#include "tests/random/kernel.h"
#include "tests/text/program_modules.h"

namespace lanewise::random {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string outcomeOf(const RunResult& a, const RunResult& b) {
  if (a.error) return "the first: " + a.error->text();
  if (b.error) return "the second: " + b.error->text();
  for (std::size_t r = 0; r < a.outputs.size(); ++r) {
    const auto x = wordsOf(a.outputs[r].bytes()), y = wordsOf(b.outputs[r].bytes());
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) return fmt::format("{}[{}]: {} and {}", a.outputs[r].name, i, x[i], y[i]);
  }
  return "";
}

// What a kernel is compared with; empty if the same.
using Check = std::function<std::string(const Kernel&)>;

// The smallest kernel found that still differs in the same way: an error stays an error, a value a value.
Kernel shrink(Kernel kernel, const Check& differs, std::string& difference) {
  const auto isError = [](const std::string& s) { return s.starts_with("the "); };
  const bool error = isError(difference);
  for (std::size_t n = 0, tries = 0; tries < 4000; ++tries) {
    Kernel candidate = kernel;
    if (!shrinkOnce(candidate, n)) break;
    const std::string now = differs(candidate);
    if (!now.empty() && isError(now) == error) {
      kernel = std::move(candidate);
      difference = now;
    } else {
      ++n;
    }
  }
  return kernel;
}

void run(std::uint64_t count, const std::vector<std::string>& capabilities, const Check& differs) {
  const std::uint64_t first = setting("LANEWISE_RANDOM_SEED", 1);
  count = setting("LANEWISE_RANDOM_KERNELS", count);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Kernel kernel = generate(seed, capabilities);
    std::string difference = differs(kernel);
    if (difference.empty()) continue;
    const Kernel small = shrink(kernel, differs, difference);
    std::string problem;
    jobOf(small, &problem);
    ADD_FAILURE() << "seed " << seed << ", weight " << weight(kernel) << " made smaller to " << weight(small) << ": " << difference << "\n"
                  << problem << assembly(small);
    return;
  }
}

TEST(RandomKernels, ModelInEveryVariant) {
  run(100, {}, [](const Kernel& kernel) -> std::string {
    std::string problem;
    Job job = jobOf(kernel, &problem);
    if (!problem.empty()) return "the generator: " + problem.substr(0, problem.find('\n'));
    job.subgroupSize = 8;
    Model plain, reverse({{}, {Schedule::Order::kReverse, 0}}), watched({.profile = {}, .schedule = {}, .findings = true});
    const RunResult expected = plain.run(job);
    if (const std::string d = outcomeOf(expected, watched.run(job)); !d.empty()) return d + " (plain and watched)";
    if (const std::string d = outcomeOf(expected, reverse.run(job)); !d.empty()) return d + " (plain and reverse)";
    if (!kernel.subgroups) {
      job.subgroupSize = 32;
      if (const std::string d = outcomeOf(expected, plain.run(job)); !d.empty()) return d + " (subgroups of 8 and of 32)";
    }
    return "";
  });
}

void againstDevice(const char* name, std::uint64_t count) {
  if (!deviceNamed(name)) GTEST_SKIP() << name << " is not here";
  const auto device = openForTest(name, {.validation = false});
  ASSERT_NE(device, nullptr);
  run(count, device->profile().capabilities, [&](const Kernel& kernel) -> std::string {
    std::string problem;
    Job job = jobOf(kernel, &problem);
    if (!problem.empty()) return "the generator: " + problem.substr(0, problem.find('\n'));
    Model model;
    const auto compare = [&](std::uint32_t size) {
      job.subgroupSize = size;
      const RunResult expected = model.run(job);
      job.subgroupSize = 0;
      return outcomeOf(expected, device->run(job));
    };
    const std::uint32_t size = device->profile().subgroupSize;
    if (const std::string d = compare(size); !d.empty()) return d + " (model and device)";
    // The optimised module is another kernel, with phis and without variables. It is compared with itself, since spirv-opt is not always
    // right: it folds 8- and 16-bit constants into literals that are not valid, and moves a negation into an unsigned division.
    const auto optimised = kernel.narrow ? nullptr : text::optimised(*job.dispatches[0].module, false);
    if (!optimised) return "";
    job.dispatches[0].module = optimised;
    const std::string d = compare(size);
    return d.empty() ? d : d + " (model and device, after spirv-opt -O)";
  });
}

TEST(RandomKernels, LavapipeAgrees) {
  againstDevice("lavapipe-8", 15);
}
TEST(RandomKernels, NvidiaAgrees) {
  againstDevice("nvidia", 300);
}
TEST(RandomKernels, SwiftShaderAgrees) {
  againstDevice("swiftshader", 15);
}

// The check itself: xor replaced by or is seen, and the shrunk kernel still has it.
TEST(RandomKernels, APlantedDifferenceIsSeenAndMadeSmaller) {
  const auto planted = [](const Kernel& kernel) -> std::string {
    std::string problem;
    const Job job = jobOf(kernel, &problem);
    if (!problem.empty()) return "";
    Job wrong = job;
    ShaderModule module{"wrong", job.dispatches[0].module->words};
    for (std::size_t i = 5; i < module.words.size(); i += module.words[i] >> 16)
      if ((module.words[i] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpBitwiseXor))
        module.words[i] = 5u << 16 | static_cast<std::uint32_t>(spv::Op::OpBitwiseOr);
    wrong.dispatches[0].module = std::make_shared<const ShaderModule>(std::move(module));
    Model model;
    return outcomeOf(model.run(job), model.run(wrong));
  };
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Kernel kernel = generate(seed);
    std::string difference = planted(kernel);
    if (difference.empty()) continue;
    const Kernel small = shrink(kernel, planted, difference);
    EXPECT_LT(weight(small), weight(kernel));
    EXPECT_NE(planted(small), "");
    return;
  }
  ADD_FAILURE() << "no kernel noticed";
}

}  // namespace
}  // namespace lanewise::random
