// The patch "exact": what it adds where, that the module stays valid, and that the bytes of every text program stay as expected.
#include "model/patch/patch.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "model/patch/locals_in_memory.h"
#include "model/patch/order_edit.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

PatchedModule exact(std::shared_ptr<const ShaderModule> module, const Profile& profile = {}) {
  CommonControls controls;
  controls.narrow(profile);
  Expected<PatchedModule> patched = patchModule(std::move(module), Patch::kExact, controls);
  EXPECT_TRUE(patched.ok()) << patched.error().text();
  return patched.ok() ? *patched : PatchedModule{};
}

std::shared_ptr<const ShaderModule> moduleOf(const std::string& file) {
  const auto module = programModule(file);
  EXPECT_TRUE(module.ok()) << module.error().text();
  return module.ok() ? *module : nullptr;
}

class Patched : public testing::TestWithParam<std::string> {};

TEST_P(Patched, IsValidAndGivesTheSameBytes) {
  const ProgramText program = readProgram(programPath(GetParam()));
  const PatchedModule patched = exact(moduleOf(GetParam()));
  ASSERT_NE(patched.module, nullptr);
  const Status invalid = spirv::validate(GetParam(), patched.module->words);
  ASSERT_FALSE(invalid) << invalid->text();
  if (program.errorOutcome) return;
  Job job = program.job;
  job.dispatches[0].module = patched.module;
  const RunResult result = Model().run(job);
  ASSERT_FALSE(result.error) << result.error->text();
  for (const Resource& r : result.outputs)
    if (const auto expected = program.expected.find(r.name); expected != program.expected.end()) {
      EXPECT_EQ(difference(expected->second, r.bytes()), "") << "binding " << r.name << ", " << patched.what;
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Patched, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

constexpr const char* kSource = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 1 1 1
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %b DescriptorSet 0
  OpDecorate %b Binding 0
  %void = OpTypeVoid
  %function = OpTypeFunction %void
  %float = OpTypeFloat 32
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %block = OpTypeStruct %float
  %pointer = OpTypePointer StorageBuffer %block
  %leaf = OpTypePointer StorageBuffer %float
  %b = OpVariable %pointer StorageBuffer
  %main = OpFunction %void None %function
  %entry = OpLabel
  %at = OpAccessChain %leaf %b %zero
  %value = OpLoad %float %at
  %product = OpFMul %float %value %value
  %sum = OpFAdd %float %product %value
  OpStore %at %sum
  OpReturn
  OpFunctionEnd
)";

TEST(Patch, SaysWhatItAdds) {
  const auto module = assembled(kSource);
  EXPECT_EQ(exact(module).what, "exact: SignedZeroInfNanPreserve 32, RoundingModeRTE 32, DenormPreserve 32, NoContraction on 2 results");
  EXPECT_EQ(exact(module, *profileByName("lavapipe")).what,
            "exact: SignedZeroInfNanPreserve 32, RoundingModeRTE 32, NoContraction on 2 results");
  EXPECT_EQ(exact(module, *profileByName("swiftshader")).what, "exact: SignedZeroInfNanPreserve 32, NoContraction on 2 results");
  // Twice adds nothing.
  EXPECT_EQ(exact(exact(module).module).what, "");
}

// Before SPIR-V 1.4 the modes are an extension's.
TEST(Patch, NamesTheExtensionWhereTheVersionAsksForIt) {
  const auto old = exact(assembled(kSource, SPV_ENV_VULKAN_1_0));
  const Expected<spirv::Module> parsed = spirv::parse("old", old.module->words);
  ASSERT_TRUE(parsed.ok());
  EXPECT_LT(parsed->version, 0x00010400u);
  const auto extensions = [](const spirv::Module& m) {
    std::vector<std::string> names;
    for (const spirv::Instruction& i : m.instructions)
      if (i.op == spv::Op::OpExtension) names.push_back(spirv::literalString(i.operands));
    return names;
  };
  EXPECT_THAT(extensions(*parsed), testing::Contains("SPV_KHR_float_controls"));
  const auto now = exact(assembled(kSource));
  EXPECT_THAT(extensions(*spirv::parse("now", now.module->words)), testing::IsEmpty());
}

// What the author chose stays: float_modes.comp rounds toward zero and flushes.
TEST(Patch, KeepsTheAuthorsModes) {
  const PatchedModule patched = exact(moduleOf("float_modes.comp"));
  EXPECT_THAT(patched.what, testing::HasSubstr("SignedZeroInfNanPreserve 32"));
  EXPECT_THAT(patched.what, testing::Not(testing::HasSubstr("RoundingModeRTE 32")));
  EXPECT_THAT(patched.what, testing::HasSubstr("RoundingModeRTE 64"));
}

// Where widths must choose alike, a mode that not all of them can have is left out, and one that the author chose otherwise too.
TEST(Patch, GivesWidthsTogetherWhatMustBeAlike) {
  std::string source(kSource);
  source.insert(source.find("  %uint = "), "  %half = OpTypeFloat 16\n  %double = OpTypeFloat 64\n");
  const auto module = assembled(source);
  Profile some;
  some.float64.denormPreserve = some.float64.roundingModeRTE = false;
  EXPECT_THAT(exact(module, some).what, testing::HasSubstr("DenormPreserve 32"));
  EXPECT_THAT(exact(module, some).what, testing::HasSubstr("RoundingModeRTE 32"));
  some.denormIndependence = Independence::kNone;
  EXPECT_THAT(exact(module, some).what, testing::Not(testing::HasSubstr("DenormPreserve")));
  EXPECT_THAT(exact(module, some).what, testing::HasSubstr("RoundingModeRTE 32"));
  some.denormIndependence = Independence::k32Only;  // 64 bits go with 16 bits, which go without
  EXPECT_THAT(exact(module, some).what, testing::HasSubstr("DenormPreserve 32"));
  EXPECT_THAT(exact(module, some).what, testing::Not(testing::HasSubstr("DenormPreserve 16")));
  some.roundingIndependence = Independence::kNone;
  EXPECT_THAT(exact(module, some).what, testing::Not(testing::HasSubstr("RoundingModeRTE")));
  // The author's RoundingModeRTZ of one width.
  Profile alike;
  alike.roundingIndependence = Independence::kNone;
  EXPECT_THAT(exact(moduleOf("float_modes.comp"), alike).what, testing::Not(testing::HasSubstr("RoundingModeRTE")));
}

// A module without floats is handed on as it is, and so is every one where no patch is asked for.
TEST(Patch, LeavesOthersAlone) {
  const auto integers = moduleOf("bits.comp");
  EXPECT_EQ(exact(integers).module, integers);
  const auto floats = assembled(kSource);
  EXPECT_EQ(patchModule(floats, Patch::kNone, {})->module, floats);
  EXPECT_FALSE(parsePatch("fast").ok());
  EXPECT_EQ(parsePatch("exact").value(), Patch::kExact);
}

// The program does what it did; a second time there is nothing to change.
TEST(LocalsInMemory, AreValidAndGiveTheSameBytes) {
  std::size_t compared = 0;
  for (const std::string& file : programFiles()) {
    const ProgramText program = readProgram(programPath(file));
    if (program.errorOutcome) continue;
    Job job = program.job;
    const auto changed = [&](const ShaderModule& module) {
      return withLocalsInMemory(*spirv::parse(module.name, module.words), job.dispatches[0].entryPoint);
    };
    const std::optional<ShaderModule> kept = changed(*moduleOf(file));
    if (!kept) continue;
    const Status invalid = spirv::validate(file, kept->words);
    ASSERT_FALSE(invalid) << invalid->text();
    EXPECT_FALSE(changed(*kept)) << file;
    job.dispatches[0].module = std::make_shared<const ShaderModule>(*kept);
    // A flag in memory hides that a subgroup waits, so others are given their turns by the model of progress.
    const RunResult result = Model({.profile = {}, .schedule = *parseSchedule("in-order+occupancy-bound")}).run(job);
    ASSERT_FALSE(result.error) << file << result.error->text();
    for (const Resource& r : result.outputs)
      if (const auto expected = program.expected.find(r.name); expected != program.expected.end()) {
        EXPECT_EQ(difference(expected->second, r.bytes()), "") << file << ", binding " << r.name;
      }
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

// Barriers of memory, atomics, and accesses of memory and texels alike: what is left is valid, and orders nothing.
TEST(Relaxed, ModulesAreValidAndHaveNoOrderLeft) {
  std::size_t relaxed = 0, accesses = 0;
  for (const std::string& file : programFiles()) {
    if (readProgram(programPath(file)).errorOutcome) continue;
    const auto module = spirv::parse(file, (*moduleOf(file)).words);
    const std::vector<OrderEdit> edits = relaxedAll(*module);
    if (edits.empty()) continue;
    const ShaderModule changed = withOrder(*module, edits);
    const Status invalid = spirv::validate(file, changed.words);
    ASSERT_FALSE(invalid) << invalid->text();
    const auto again = spirv::parse(file, changed.words);
    EXPECT_TRUE(relaxedAll(*again).empty()) << file;
    accesses += changed.words.size() < module->words.size() ? 1 : 0;
    ++relaxed;
  }
  EXPECT_GT(relaxed, 20u);
  EXPECT_GT(accesses, 5u);
}

// A module without a decoration, where the built-in has to be decorated.
TEST(LocalsInMemory, NeedNoDecorationInTheModule) {
  const auto module = assembled(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%run = OpTypeFunction %void
%u = OpTypeInt 32 0
%one = OpConstant %u 1
%p = OpTypePointer Function %u
%main = OpFunction %void None %run
%start = OpLabel
%v = OpVariable %p Function
OpStore %v %one
%x = OpLoad %u %v
OpReturn
OpFunctionEnd
)");
  ASSERT_FALSE(module->words.empty()) << module->name;
  const std::optional<ShaderModule> kept = withLocalsInMemory(*spirv::parse(module->name, module->words), "main");
  ASSERT_TRUE(kept);
  const Status invalid = spirv::validate("kept", kept->words);
  EXPECT_FALSE(invalid) << invalid->text();
}

}  // namespace
}  // namespace lanewise::text
