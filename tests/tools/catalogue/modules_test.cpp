// The modules that are built into the program: the model accepts exactly these objects without validating them.
#include "model/model.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

// The kernel's smallest case with another module in the place of its own.
Job jobWith(const std::shared_ptr<const ShaderModule>& module) {
  const Expected<Case> c = parseCase("box-blur/double/naive @ 2x1");
  Job job = c->kernel->plan(*c, kernelModule(*c->kernel), *inputOf(*c));
  for (Dispatch& d : job.dispatches) d.module = module;
  return job;
}

// The module with integers of a width that no SPIR-V has.
std::shared_ptr<const ShaderModule> withWidth(const ShaderModule& module, std::uint32_t width) {
  auto broken = std::make_shared<ShaderModule>(module);
  const Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  for (const spirv::Instruction& inst : parsed->instructions)
    if (inst.op == spv::Op::OpTypeInt) broken->words[inst.offset + 2] = width;
  return broken;
}

TEST(BuiltModules, AreValid) {
  for (const Kernel& kernel : kernels()) {
    const auto module = kernelModule(kernel);
    if (!module) continue;  // a plan of blits
    const Status bad = spirv::validate(module->name, module->words);
    EXPECT_FALSE(bad) << kernel.name << ": " << bad->text();
    EXPECT_TRUE(isBuiltModule(*module)) << kernel.name;
    const ShaderModule copy = *module;  // NOLINT(performance-unnecessary-copy-initialization): a copy is meant
    EXPECT_FALSE(isBuiltModule(copy)) << kernel.name;
  }
}

TEST(BuiltModules, ABrokenCopyIsRefusedInTheValidatorsWords) {
  ModelOptions options;
  options.isValid = isBuiltModule;
  Model vouching(options), plain;
  const auto built = moduleNamed("box_blur_naive_u32");
  EXPECT_FALSE(vouching.run(jobWith(built)).error);  // whatever was taken for valid before
  const auto broken = withWidth(*built, 24);
  const RunResult refused = vouching.run(jobWith(broken));
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->outcome, Outcome::kBadInput);
  EXPECT_THAT(refused.error->what, testing::HasSubstr("not a valid SPIR-V module"));
  EXPECT_EQ(refused.error->text(), plain.run(jobWith(broken)).error->text());
}

// Both programs of a blur are decoded at once; what is told is what the first of them has.
TEST(BuiltModules, TheFirstErrorOfAJobIsTold) {
  const auto built = moduleNamed("box_blur_naive_u32");
  Job job = jobWith(withWidth(*built, 24));
  ASSERT_EQ(job.dispatches.size(), 2u);
  const std::string first = Model().run(job).error->text();
  job.dispatches[1].module = withWidth(*built, 12);
  EXPECT_EQ(Model().run(job).error->text(), first);
  job.dispatches[0].module = built;
  EXPECT_THAT(Model().run(job).error->text(), testing::HasSubstr("(12)"));
  job.dispatches[1].module = built;
  EXPECT_FALSE(Model().run(job).error);
}

}  // namespace
}  // namespace lanewise
