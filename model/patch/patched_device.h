// A device that runs patched modules: the same patch for every side of a run, so that all run the same words.
#pragma once

#include <map>
#include <mutex>

#include "model/patch/patch.h"

namespace lanewise {

// Thread-safe, as the device inside is. Each module is patched once.
class PatchedDevice final : public Device {
 public:
  // `inner` must outlive it.
  PatchedDevice(Device& inner, Patch patch, const CommonControls& controls) : inner_(inner), patch_(patch), controls_(controls) {}
  const Profile& profile() const override { return inner_.profile(); }
  RunResult run(const Job& job) override;

 private:
  Expected<std::shared_ptr<const ShaderModule>> patched(const std::shared_ptr<const ShaderModule>& module);

  Device& inner_;
  Patch patch_;
  CommonControls controls_;
  std::mutex mutex_;
  // By the module as given, which is kept so that its address stays its own.
  std::map<std::shared_ptr<const ShaderModule>, std::shared_ptr<const ShaderModule>> modules_;
};

}  // namespace lanewise
