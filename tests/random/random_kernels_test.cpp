// Random kernels on the model in every variant, and on devices: the same bytes.
//
// LANEWISE_RANDOM_KERNELS and LANEWISE_RANDOM_SEED choose how many and from which seed on; the nightly test runs 10000. A kernel that
// differs is made smaller while it differs, and shown as a text program; the folder LANEWISE_RANDOM_KEEP gets it as a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <spirv/unified1/spirv.hpp11>

#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tests/model/program/both_flavours.h"
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

// What came of a kernel: how the sides differ (empty: not at all), and of what job.
struct Verdict {
  std::string difference;
  Job job = {};
  RunResult expected = {};
};
using Check = std::function<Verdict(const Kernel&)>;

// The smallest kernel found that still differs in the same way: an error stays an error, a value a value.
Kernel shrink(Kernel kernel, const Check& check, Verdict& verdict) {
  const auto isError = [](const std::string& s) { return s.starts_with("the "); };
  const bool error = isError(verdict.difference);
  for (std::size_t n = 0, tries = 0; tries < 4000; ++tries) {
    Kernel candidate = kernel;
    if (!shrinkOnce(candidate, n)) break;
    Verdict now = check(candidate);
    if (!now.difference.empty() && isError(now.difference) == error) {
      kernel = std::move(candidate);
      verdict = std::move(now);
    } else {
      ++n;
    }
  }
  return kernel;
}

// Compilers of devices that get a kind of operation wrong: what the model and the device differ in goes away when that kind is hidden from
// the compiler (random/rewrite.cpp). The program shows it alone, and is expected to differ still (device_text_test.cpp).
struct Fault {
  const char* device;
  const char* rewrite;
  const char* program;
};
constexpr Fault kFaults[] = {
    {"lavapipe", "64-bit comparison", "lavapipe_compare_64.comp"},
    {"swiftshader", "negation", "swiftshader_negated_quotient.comp"},
    {"nvidia", "8- and 16-bit operations", "nvidia_narrow_negate.comp"},
    {"nvidia", "sign", "nvidia_sign_and_division.comp"},
    {"nvidia", "bit fields", "nvidia_bit_field.spvasm"},
    {"nvidia", "minimum and maximum", "nvidia_max_of_negated.comp"},
    {"nvidia", "64-bit division", "nvidia_division_64.spvasm"},
};

bool curesIt(Kernel kernel, std::uint32_t rewrites, const Check& check) {
  kernel.rewrites = rewrites;
  return check(kernel).difference.empty();
}

// Which kinds of operations take the difference away when hidden, each alone.
std::vector<std::string> curesOf(const Kernel& kernel, const Check& check) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < rewrites().size(); ++i)
    if (curesIt(kernel, 1u << i, check)) out.push_back(rewrites()[i]);
  return out;
}

// Whether a known fault of the device explains a difference: by one of the cures, or several faults together.
bool isKnown(const std::string& device, const Kernel& kernel, const std::vector<std::string>& cures, const Check& check) {
  std::uint32_t all = 0;
  for (const Fault& fault : kFaults) {
    if (!device.starts_with(fault.device)) continue;
    if (std::ranges::find(cures, fault.rewrite) != cures.end()) return true;
    const std::vector<std::string> names = rewrites();
    all |= 1u << (std::ranges::find(names, fault.rewrite) - names.begin());
  }
  return all != 0 && curesIt(kernel, all, check);
}

// What no known fault explains is a failure. The first three such kernels (LANEWISE_RANDOM_SHRINK) are made smaller and shown.
void run(const std::string& side, std::uint64_t count, const std::vector<std::string>& capabilities, const Check& check) {
  const std::uint64_t first = setting("LANEWISE_RANDOM_SEED", 1);
  count = setting("LANEWISE_RANDOM_KERNELS", count);
  const char* folder = std::getenv("LANEWISE_RANDOM_KEEP");
  std::vector<std::uint64_t> differing;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Kernel kernel = generate(seed, capabilities);
    const Verdict verdict = check(kernel);
    if (verdict.difference.empty()) continue;
    const std::vector<std::string> cures = curesOf(kernel, check);
    const bool known = isKnown(side, kernel, cures, check);
    const std::string what = fmt::format("{}, seed {}: {}; cured by hiding: {}", side, seed, verdict.difference, fmt::join(cures, ", "));
    if (known) {
      fmt::print("A known fault of {}\n", what);
    } else {
      differing.push_back(seed);
      ADD_FAILURE() << what;
    }
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(differing.size(), setting("LANEWISE_RANDOM_SHRINK", 3)); ++i) {
    const Kernel kernel = generate(differing[i], capabilities);
    Verdict verdict = check(kernel);
    const Kernel small = shrink(kernel, check, verdict);
    const std::string prose = fmt::format("Seed {}, made smaller. {}", differing[i], verdict.difference);
    const std::string text = verdict.expected.outputs.empty() ? assembly(small) : textProgram(small, verdict.job, verdict.expected, prose);
    if (folder) std::ofstream(fmt::format("{}/random_{}_{}.spvasm", folder, side, differing[i])) << text;
    ADD_FAILURE() << prose << " Weight " << weight(kernel) << " made smaller to " << weight(small) << ":\n" << text;
  }
}

Verdict assembled(const Kernel& kernel) {
  std::string problem;
  Verdict verdict;
  verdict.job = jobOf(kernel, &problem);
  if (!problem.empty()) verdict.difference = "the generator: " + problem.substr(0, problem.find('\n'));
  return verdict;
}

// Each variant of the model gives the bytes of the plain one, for the module as it is and as spirv-opt makes it.
TEST(RandomKernels, ModelInEveryVariant) {
  using Order = Schedule::Order;
  struct Variant {
    Schedule schedule;
    std::uint32_t subgroupSize;
    bool findings = false;
    std::uint32_t parts = 0;  // side by side
    bool together = false;    // workgroups in one batch, or lanes that the schedule has one by one
  };
  static const Variant variants[] = {{{Order::kReverse, 0}, 8},
                                     {{Order::kSeeded, 7}, 8},
                                     {{Order::kInOrder, 0, true}, 8},
                                     {{Order::kReverse, 0, true}, 8},
                                     {{Order::kSeeded, 3, true}, 8},
                                     {{}, 1},
                                     {{}, 4},
                                     {{}, 32},
                                     {{}, 64},
                                     {{}, 128},
                                     {{Order::kReverse, 0, true}, 32},
                                     {{}, 8, true},
                                     {{}, 8, false, 2},
                                     {{Order::kReverse, 0}, 32, false, 2},
                                     {{}, 8, false, 0, true},
                                     {{Order::kInOrder, 0, true}, 8, false, 0, true},
                                     {{}, 16, false, 2, true}};
  run("model", 30, {}, [](const Kernel& kernel) -> Verdict {
    Verdict v = assembled(kernel);
    const auto same = [&] {
      v.job.subgroupSize = 8;
      v.expected = Model().run(v.job);
      v.difference = differenceOfFlavours({}, v.job);
      if (!v.difference.empty()) return false;
      for (const Variant& variant : variants) {
        if (kernel.subgroups && variant.subgroupSize != 8) continue;
        v.job.subgroupSize = variant.subgroupSize;
        ModelOptions options{{}, variant.schedule, variant.findings};
        if (variant.parts != 0) options.parallel = {.inOrder = {}, .least = {}, .parts = variant.parts};
        options.parallel.together = variant.together ? 1 : 0;
        v.difference = outcomeOf(v.expected, Model(options).run(v.job));
        if (v.difference.empty()) continue;
        v.difference += fmt::format(" (plain and {}, subgroups of {}{}{})", variant.schedule.token(), variant.subgroupSize,
                                    variant.findings ? ", watched" : "",
                                    variant.parts != 0 ? ", in parts"
                                    : variant.together ? ", together"
                                                       : "");
        return false;
      }
      return true;
    };
    if (!v.difference.empty() || !same() || kernel.narrow) return v;
    const auto optimised = text::optimised(*v.job.dispatches[0].module, false);
    if (!optimised) return v;
    v.job.dispatches[0].module = optimised;
    if (!same()) v.difference += " (after spirv-opt -O)";
    return v;
  });
}

// Each way of writing a kernel otherwise gives the same bytes as the kernel itself: else no attribution could be trusted.
TEST(RandomKernels, RewritesChangeNothing) {
  std::vector<std::size_t> used(rewrites().size());
  const std::uint64_t seeds = setting("LANEWISE_RANDOM_KERNELS", 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Kernel kernel = generate(seed);
    const Verdict plain = assembled(kernel);
    const RunResult expected = Model().run(plain.job);
    for (std::uint32_t i = 0; i < rewrites().size(); ++i) {
      kernel.rewrites = 1u << i;
      const Verdict otherwise = assembled(kernel);
      ASSERT_EQ(otherwise.difference, "") << "seed " << seed << ", " << rewrites()[i];
      if (otherwise.job.dispatches[0].module->words == plain.job.dispatches[0].module->words) continue;
      ++used[i];
      EXPECT_EQ(outcomeOf(expected, Model().run(otherwise.job)), "") << "seed " << seed << ", " << rewrites()[i];
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) EXPECT_GT(used[i], 0u) << rewrites()[i] << " is in no kernel";
}

void againstDevice(const char* name, std::uint64_t count) {
  if (!deviceNamed(name)) GTEST_SKIP() << name << " is not here";
  const auto device = openForTest(name, {.validation = false});
  ASSERT_NE(device, nullptr);
  run(name, count, usableCapabilities(name, device->profile()), [&](const Kernel& kernel) -> Verdict {
    Verdict v = assembled(kernel);
    if (!v.difference.empty()) return v;
    Model model;
    const auto differs = [&](const char* what) {
      v.job.subgroupSize = device->profile().subgroupSize;
      v.expected = model.run(v.job);
      v.job.subgroupSize = 0;
      v.difference = outcomeOf(v.expected, device->run(v.job));
      if (kernel.subgroups) v.job.subgroupSize = device->profile().subgroupSize;
      if (!v.difference.empty()) v.difference += what;
      return !v.difference.empty();
    };
    if (differs(" (model and device)")) return v;
    // The optimised module is another kernel, with phis and without variables. It is compared with itself, since spirv-opt is not always
    // right: it folds 8- and 16-bit constants into literals that are not valid, and moves a negation into an unsigned division.
    const auto optimised = kernel.narrow ? nullptr : text::optimised(*v.job.dispatches[0].module, false);
    if (!optimised) return v;
    v.job.dispatches[0].module = optimised;
    differs(" (model and device, after spirv-opt -O)");
    return v;
  });
}

TEST(RandomKernels, Lavapipe4Agrees) {
  againstDevice("lavapipe-4", 5);
}
TEST(RandomKernels, Lavapipe8Agrees) {
  againstDevice("lavapipe-8", 10);
}
TEST(RandomKernels, Lavapipe16Agrees) {
  againstDevice("lavapipe-16", 5);
}
TEST(RandomKernels, SwiftShaderAgrees) {
  againstDevice("swiftshader", 15);
}
TEST(RandomKernels, NvidiaAgrees) {
  againstDevice("nvidia", 300);
}

// Each known fault has its program, which says so.
TEST(RandomKernels, KnownFaultsAreShown) {
  for (const Fault& fault : kFaults) {
    const text::ProgramText program = text::readProgram(text::programPath(fault.program));
    EXPECT_EQ(program.problem, "") << fault.program;
    EXPECT_THAT(program.differs, testing::Contains(testing::Field(&text::Differs::device, fault.device))) << fault.program;
    EXPECT_THAT(rewrites(), testing::Contains(fault.rewrite));
  }
}

// A difference is explained by the kind of operation that it is about, and only by that: xor is none.
TEST(RandomKernels, AKnownFaultExplainsNothingElse) {
  const auto planted = [](const char* rewrite) {
    return [=](const Kernel& kernel) -> Verdict {
      const std::vector<std::string> names = rewrites();
      const auto bit = static_cast<std::uint32_t>(std::ranges::find(names, rewrite) - names.begin());
      return {kernel.rewrites >> bit & 1 ? "" : "differs"};
    };
  };
  const auto known = [&](const char* device, const char* rewrite) {
    const Check check = planted(rewrite);
    const Kernel kernel = generate(1);
    return isKnown(device, kernel, curesOf(kernel, check), check);
  };
  EXPECT_TRUE(known("nvidia", "bit fields"));
  EXPECT_FALSE(known("nvidia", "shifts"));
  EXPECT_FALSE(known("lavapipe-8", "bit fields"));
  EXPECT_TRUE(known("lavapipe-8", "64-bit comparison"));
}

// The check itself: xor replaced by or is seen, and the shrunk kernel still has it.
TEST(RandomKernels, APlantedDifferenceIsSeenAndMadeSmaller) {
  const auto planted = [](const Kernel& kernel) -> Verdict {
    Verdict v = assembled(kernel);
    if (!v.difference.empty()) return {};
    Job wrong = v.job;
    ShaderModule module{"wrong", v.job.dispatches[0].module->words};
    for (std::size_t i = 5; i < module.words.size(); i += module.words[i] >> 16)
      if ((module.words[i] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpBitwiseXor))
        module.words[i] = 5u << 16 | static_cast<std::uint32_t>(spv::Op::OpBitwiseOr);
    wrong.dispatches[0].module = std::make_shared<const ShaderModule>(std::move(module));
    Model model;
    v.expected = model.run(v.job);
    v.difference = outcomeOf(v.expected, model.run(wrong));
    return v;
  };
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Kernel kernel = generate(seed);
    Verdict verdict = planted(kernel);
    if (verdict.difference.empty()) continue;
    const Kernel small = shrink(kernel, planted, verdict);
    EXPECT_LT(weight(small), weight(kernel));
    EXPECT_NE(planted(small).difference, "");
    return;
  }
  ADD_FAILURE() << "no kernel noticed";
}

}  // namespace
}  // namespace lanewise::random
