#include "tools/run/optimise.h"

#include <spirv-tools/optimizer.hpp>

#include "model/spirv/validate.h"
#include "tools/run/passes.h"

namespace lanewise {

namespace {

// No passes: those of -O.
Expected<std::shared_ptr<const ShaderModule>> optimisedBy(const ShaderModule& module, const std::vector<std::string>& passes) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  std::string says;
  optimizer.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) {
    if (says.empty()) says = text;
  });
  if (passes.empty()) optimizer.RegisterPerformancePasses();
  for (const std::string& pass : passes)
    if (!optimizer.RegisterPassFromFlag(pass)) return Error{Outcome::kBadInput, "spirv-opt has no pass " + pass, module.name, ""};
  auto out = std::make_shared<ShaderModule>();
  out->name = module.name;
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  if (!optimizer.Run(module.words.data(), module.words.size(), &out->words, options))
    return Error{Outcome::kUnsupported, "SPIRV-Tools cannot optimise it: " + says, module.name, ""};
  if (const Status wrong = validateOptimised(module.name, out->words); wrong && !spirv::validate(module.name, module.words)) return *wrong;
  return std::shared_ptr<const ShaderModule>(std::move(out));
}

}  // namespace

Status validateOptimised(const std::string& name, std::span<const std::uint32_t> words) {
  const Status wrong = spirv::validate(name, words);
  if (!wrong) return {};
  return Error{Outcome::kUnsupported, "after spirv-opt: " + wrong->what, wrong->where,
               "leave out -O or the pass that does so, or use a newer spirv-opt"};
}

Expected<std::shared_ptr<const ShaderModule>> optimisedModule(const ShaderModule& module) {
  return optimisedBy(module, {});
}

Expected<std::shared_ptr<const ShaderModule>> afterPasses(const ShaderModule& module, const std::vector<std::string>& passes) {
  return optimisedBy(module, passes);
}

RunResult OptimisingDevice::run(const Job& job) {
  Job changed = job;
  for (Dispatch& dispatch : changed.dispatches) {
    const std::lock_guard lock(mutex_);
    auto& made = made_[dispatch.module];
    if (!made) {
      Expected<std::shared_ptr<const ShaderModule>> optimised = optimisedModule(*dispatch.module);
      if (!optimised) {
        RunResult failed;
        failed.error = optimised.error();
        return failed;
      }
      made = std::move(*optimised);
    }
    dispatch.module = made;
  }
  return inner_.run(changed);
}

}  // namespace lanewise
