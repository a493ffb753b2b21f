#include "model/patch/patched_device.h"

namespace lanewise {

Expected<std::shared_ptr<const ShaderModule>> PatchedDevice::patched(const std::shared_ptr<const ShaderModule>& module) {
  const std::lock_guard lock(mutex_);
  if (const auto known = modules_.find(module); known != modules_.end()) return known->second;
  Expected<PatchedModule> made = patchModule(module, patch_, controls_);
  if (!made) return made.error();
  modules_[module] = made->module;
  return made->module;
}

RunResult PatchedDevice::run(const Job& job) {
  Job own = job;
  for (Dispatch& d : own.dispatches) {
    if (!d.module) continue;
    Expected<std::shared_ptr<const ShaderModule>> module = patched(d.module);
    if (!module) {
      RunResult result;
      result.error = module.error();
      return result;
    }
    d.module = *module;
  }
  return inner_.run(own);
}

}  // namespace lanewise
