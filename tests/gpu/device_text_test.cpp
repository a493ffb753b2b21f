// The text programs on the devices of this machine: devices give what the programs expect, but for those that a program says
// to differ.
#include "gpu/mesa_version.h"
#include "model/patch/patch.h"
#include "tests/gpu/fixture.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

class DeviceText : public testing::TestWithParam<const char*> {
 protected:
  // The same bytes from the module with the patch "exact", where that adds anything.
  void expectPatched(const ProgramText& program, const std::shared_ptr<const ShaderModule>& module) {
    CommonControls controls;
    controls.narrow(device_->profile());
    const Expected<PatchedModule> patched = patchModule(module, Patch::kExact, controls);
    ASSERT_TRUE(patched.ok()) << patched.error().text();
    if (patched->module == module) return;
    Job job = program.job;
    job.dispatches[0].module = patched->module;
    const RunResult result = device_->run(job);
    ASSERT_FALSE(result.error) << patched->what << ": " << result.error->text();
    EXPECT_EQ(differences(program, result), "") << patched->what;
  }

  static std::string differences(const ProgramText& program, const RunResult& result) {
    std::string all;
    for (const Resource& r : result.outputs)
      if (const auto expected = program.expected.find(r.name); expected != program.expected.end())
        if (const std::string d = difference(expected->second, r.bytes()); !d.empty()) all += "binding " + r.name + "\n" + d;
    return all;
  }

  // Whether the device has what the program asks for: its subgroup size and the module's capabilities.
  bool takes(const ProgramText& program, const RunResult& result) const {
    const Profile& p = device_->profile();
    if (program.job.subgroupSize && (program.job.subgroupSize < p.minSubgroupSize || program.job.subgroupSize > p.maxSubgroupSize))
      return false;
    if (!result.error) return true;
    const std::string text = result.error->text();
    for (const char* lack : {"the device lacks", "the device takes", "does not know SPIR-V capability", "not supported for this use"})
      if (text.find(lack) != std::string::npos) return false;
    return true;
  }

  // Whether the program says that this device gives other bytes.
  bool differs(const ProgramText& program) const {
    const Version version = mesaVersion(device_->profile());
    return std::ranges::any_of(program.differs, [&](const Differs& d) { return d.holds(GetParam(), version); });
  }

  void judge(const ProgramText& program, const RunResult& result) {
    const std::string got = result.error ? result.error->text() : differences(program, result);
    if (differs(program)) {
      EXPECT_NE(got, "") << "the device does not differ";
    } else {
      EXPECT_EQ(got, "");
    }
  }

  std::unique_ptr<WorkerDevice> device_;
};

TEST_P(DeviceText, GivesTheExpectedBytes) {
  const std::string name = GetParam();
  if (deviceNamed(name) == nullptr) GTEST_SKIP() << "there is no such device here";
  const bool first = name == "lavapipe-8";
  device_ = openForTest(name, {.validation = first});
  ASSERT_NE(device_, nullptr);
  std::size_t judged = 0;
  for (const std::string& file : programFiles()) {
    SCOPED_TRACE(file);
    const ProgramText program = readProgram(programPath(file));
    if (program.modelOnly || program.errorOutcome) continue;
    const auto module = programModule(file);
    if (!module.ok()) {
      ADD_FAILURE() << module.error().text();
      continue;
    }
    Job job = program.job;
    job.dispatches[0].module = *module;
    const RunResult result = device_->run(job);
    if (!takes(program, result)) {
      EXPECT_FALSE(first && !program.job.subgroupSize) << result.error->text();
      continue;
    }
    ++judged;
    judge(program, result);
    if (first && !differs(program) && !HasFailure()) expectPatched(program, *module);
  }
  EXPECT_GT(judged, 20u);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceText, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader", "nvidia"),
                         deviceTestName);

}  // namespace
}  // namespace lanewise::text
