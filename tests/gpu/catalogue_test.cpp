// The catalogue's kernels on CPU devices with the validation layer on: a sample of every quick set, against the oracles.
//
// What the layer judges is how the API is used. Here one kernel stands for all that use it in the same way, because a CPU compiles each of
// them for seconds; with LANEWISE_CATALOGUE=all, at night, every kernel has its sample. `validate` runs all of the quick sets without
// layer.
#include <fmt/core.h>

#include <cstdlib>
#include <set>

#include "golden/image/inputs.h"
#include "tests/gpu/fixture.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

// Every `step`th case that runs at a device's own subgroup size, of `lanes` lanes. A step of 1 takes those too that a CPU compiles slowly.
std::vector<Case> sample(const Kernel& kernel, std::size_t step, std::uint32_t lanes) {
  const Expected<std::vector<Case>> all = casesOf(kernel);
  EXPECT_TRUE(all) << all.error().text();
  std::vector<Case> some;
  std::size_t count = 0;
  for (const Case& c : *all) {
    if ((!c.slow || step == 1) && (c.subgroupSize == 0 || c.subgroupSize == lanes) && count++ % step == 0) some.push_back(c);
  }
  return some;
}

// What each of its dispatches has and binds: everything that the validation layer looks at but sizes and values.
std::set<std::string> usesOfApi(const Job& job) {
  std::set<std::string> uses;
  if (!job.blits.empty()) uses.insert("blits");
  for (const Dispatch& d : job.dispatches) {
    std::string use = fmt::format("push {} constants {}{}", d.push.size(), d.spec.size(), d.barrierBefore ? "" : " at once");
    for (const Binding& b : d.bindings) {
      const std::size_t r = resourceNamed(job.resources, b.resource);
      const auto* image = r < job.resources.size() ? std::get_if<ImageData>(&job.resources[r].data) : nullptr;
      use += fmt::format(" {}:{} {} {}", b.set, b.binding, image ? static_cast<int>(image->format) : -1, b.levelCount);
    }
    constexpr std::size_t kHeader = 5;
    constexpr std::uint32_t kOpCapability = 17;
    const std::vector<std::uint32_t>& words = d.module->words;
    for (std::size_t at = kHeader; at < words.size() && (words[at] & 0xffff) == kOpCapability; at += 2)
      use += fmt::format(" capability {}", words[at + 1]);
    uses.insert(std::move(use));
  }
  return uses;
}

// `each`: every kernel, and not one for each use of the API.
void runSample(std::string_view deviceName, std::size_t step, bool each, bool validation = true) {
  const std::unique_ptr<WorkerDevice> device = openForTest(deviceName, {.validation = validation, .buildSeconds = 180});
  ASSERT_TRUE(device);
  std::set<std::pair<bool, std::set<std::string>>> uses;  // of kernels that are broken, and of those that are judged
  for (const Kernel& kernel : kernels()) {
    if (std::ranges::count(kernel.minutesOn, deviceName) != 0) continue;
    const std::vector<Case> cases = sample(kernel, step, device->profile().subgroupSize);
    EXPECT_TRUE(kernel.broken() || !cases.empty()) << kernel.name;
    for (const Case& c : cases) {
      if (!cannotRun(c, device->profile()).empty()) continue;
      const Expected<golden::Image> input = inputOf(c);
      ASSERT_TRUE(input) << c.name();
      Job job = kernel.plan(c, kernelModule(kernel), *input);
      if (!each && !uses.emplace(kernel.broken(), usesOfApi(job)).second) continue;
      const Expected<Expectation> expected = expectationOf(c, *input);
      ASSERT_TRUE(expected) << c.name();
      if (!kernel.broken())
        job.limits.timeoutSeconds *= 6;  // a driver may compile long on a busy machine; a hanging one is other tests' matter
      RunResult result = device->run(job);
      if (kernel.broken()) continue;
      ASSERT_FALSE(result.error) << c.name() << ": " << result.error->text();
      const auto judged = judge(*expected, result);
      ASSERT_TRUE(judged) << c.name() << ": " << judged.error().text();
      EXPECT_FALSE(judged->wrong) << c.name();
    }
  }
}

TEST(GpuCatalogue, LavapipeGivesTheOraclesBytesWithoutAMessage) {
  runSample("lavapipe-16", 37, std::getenv("LANEWISE_CATALOGUE") != nullptr);
}

TEST(GpuCatalogue, SwiftShaderGivesTheOraclesBytesWithoutAMessage) {
  if (!deviceNamed("swiftshader")) GTEST_SKIP() << "SwiftShader is not installed";
  runSample("swiftshader", 37, std::getenv("LANEWISE_CATALOGUE") != nullptr);
}

// A fast device runs the whole quick set.
TEST(GpuCatalogue, NvidiaGivesTheOraclesBytes) {
  if (!deviceNamed("nvidia")) GTEST_SKIP() << "there is no NVIDIA GPU here";
  runSample("nvidia", 1, true, false);  // the layer is not installed beside every driver
}

}  // namespace
}  // namespace lanewise
