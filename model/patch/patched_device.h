// A device that runs patched modules: the same patch for every side of a run, so that all run the same words.
#pragma once

#include <memory>

#include "model/patch/patch.h"

namespace lanewise {

// Thread-safe, as the device inside is.
class PatchedDevice final : public Device {
 public:
  // `inner` must outlive it.
  PatchedDevice(Device& inner, std::shared_ptr<JobPatcher> patch) : inner_(inner), patch_(std::move(patch)) {}
  const Profile& profile() const override { return inner_.profile(); }
  RunResult run(const Job& job) override;

 private:
  Device& inner_;
  std::shared_ptr<JobPatcher> patch_;
};

}  // namespace lanewise
