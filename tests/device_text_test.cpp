// The text programs on lavapipe: their expectations are what a real device gives too. With LANEWISE_REWRITE_EXPECTATIONS=1 in the
// environment, the expected values in the files are replaced by the device's.
#include <cstdlib>
#include <fstream>

#include "model/patch/patch.h"
#include "tests/gpu_fixture.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

// Replaces the values of the `expect` lines, which keep their types; the last line of a resource takes the rest.
void rewrite(const ProgramText& program, const std::vector<Resource>& outputs) {
  std::map<std::string, std::size_t> done;
  std::map<std::string, std::size_t> line;
  std::ifstream in(program.file);
  std::string text;
  for (std::string s; std::getline(in, s); text += s + "\n") {
    const std::string mark = program.assembly ? "; expect " : "// expect ";
    if (!s.starts_with(mark)) continue;
    const std::string name = s.substr(mark.size(), s.find(' ', mark.size()) - mark.size());
    for (const Resource& r : outputs) {
      if (r.name != name) continue;
      const std::vector<Segment>& segments = program.expected.at(name);
      const std::size_t index = line[name]++;
      const std::size_t left = r.bytes().size() - done[name];
      const std::size_t size = index + 1 == segments.size() ? left : std::min(left, segments[index].bytes.size());
      s = s.substr(0, s.find(':') + 1) + valuesText(segments[index].type, r.bytes().data() + done[name], size);
      done[name] += size;
    }
  }
  in.close();
  std::ofstream(program.file) << text;
}

class DeviceText : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (deviceNamed("lavapipe-8") != nullptr) device_ = openForTest("lavapipe-8").release();
  }
  static void TearDownTestSuite() {
    delete device_;
    device_ = nullptr;
  }
  // The same bytes from the module with the patch "exact", where that adds anything.
  static void expectPatched(const ProgramText& program, const std::shared_ptr<const ShaderModule>& module) {
    CommonControls controls;
    controls.narrow(device_->profile());
    const Expected<PatchedModule> patched = patchModule(module, Patch::kExact, controls);
    ASSERT_TRUE(patched.ok()) << patched.error().text();
    if (patched->module == module) return;
    Job job = program.job;
    job.dispatches[0].module = patched->module;
    const RunResult result = device_->run(job);
    ASSERT_FALSE(result.error) << patched->what << ": " << result.error->text();
    for (const Resource& r : result.outputs)
      if (const auto expected = program.expected.find(r.name); expected != program.expected.end()) {
        EXPECT_EQ(difference(expected->second, r.bytes()), "") << "binding " << r.name << ", " << patched->what;
      }
  }
  static WorkerDevice* device_;
};
WorkerDevice* DeviceText::device_ = nullptr;

TEST_F(DeviceText, GivesTheExpectedBytes) {
  if (device_ == nullptr) GTEST_SKIP() << "lavapipe is not here";
  const bool rewriting = std::getenv("LANEWISE_REWRITE_EXPECTATIONS") != nullptr;
  for (const std::string& file : programFiles()) {
    SCOPED_TRACE(file);
    const ProgramText program = readProgram(programPath(file));
    if (program.modelOnly || program.errorOutcome) continue;
    if (program.job.subgroupSize > 8) continue;
    const auto module = programModule(file);
    if (!module.ok()) {
      ADD_FAILURE() << module.error().text();
      continue;
    }
    if (!rewriting) expectPatched(program, *module);
    Job job = program.job;
    job.dispatches[0].module = *module;
    const RunResult result = device_->run(job);
    if (result.error) {
      ADD_FAILURE() << result.error->text();
      continue;
    }
    if (rewriting) rewrite(program, result.outputs);
    for (const Resource& r : result.outputs) {
      const auto expected = program.expected.find(r.name);
      if (rewriting || expected == program.expected.end()) continue;
      EXPECT_EQ(difference(expected->second, r.bytes()), "") << "binding " << r.name;
    }
  }
}

}  // namespace
}  // namespace lanewise::text
