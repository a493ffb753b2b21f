// The catalogue's kernels on CPU devices with the validation layer on: a sample of every quick set, against the oracles.
#include "tools/catalogue/catalogue.h"
#include "golden/image/inputs.h"
#include "tests/gpu/fixture.h"

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

void runSample(std::string_view deviceName, std::size_t step, bool validation = true) {
  const std::unique_ptr<WorkerDevice> device = openForTest(deviceName, {.validation = validation, .buildSeconds = 180});
  ASSERT_TRUE(device);
  for (const Kernel& kernel : kernels()) {
    if (std::ranges::count(kernel.minutesOn, deviceName) != 0) continue;
    const std::vector<Case> cases = sample(kernel, step, device->profile().subgroupSize);
    EXPECT_TRUE(kernel.broken() || !cases.empty()) << kernel.name;
    for (const Case& c : cases) {
      if (!cannotRun(c, device->profile()).empty()) continue;
      const Expected<golden::Image> input = inputOf(c);
      ASSERT_TRUE(input) << c.name();
      const Expected<Expectation> expected = expectationOf(c, *input);
      ASSERT_TRUE(expected) << c.name();
      Job job = kernel.plan(c, kernelModule(kernel), *input);
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
  runSample("lavapipe-16", 37);
}

TEST(GpuCatalogue, SwiftShaderGivesTheOraclesBytesWithoutAMessage) {
  if (!deviceNamed("swiftshader")) GTEST_SKIP() << "SwiftShader is not installed";
  runSample("swiftshader", 37);
}

// A fast device runs the whole quick set.
TEST(GpuCatalogue, NvidiaGivesTheOraclesBytes) {
  if (!deviceNamed("nvidia")) GTEST_SKIP() << "there is no NVIDIA GPU here";
  runSample("nvidia", 1, false);  // the layer is not installed beside every driver
}

}  // namespace
}  // namespace lanewise
