// The Device contract on a Vulkan device of this process. It runs in lanewise-worker, because a driver may crash or hang.
//
// Every buffer is between canaries, robust access is on, and every wait has a time limit. After a lost device or a wait that timed out the
// device is not usable(). Its objects may still be in use, so the process has to end without destroying it.
#pragma once

#include <memory>
#include <mutex>

#include "gpu/vulkan_context.h"

namespace lanewise {

class VulkanDevice final : public Device {
 public:
  static Expected<std::unique_ptr<VulkanDevice>> open(VulkanDeviceOptions options);

  const Profile& profile() const override { return context_.profile; }
  RunResult run(const Job& job) override;
  bool usable() const { return context_.usable; }

 private:
  explicit VulkanDevice(VulkanDeviceOptions options) { context_.options = std::move(options); }
  Status create();
  Status chooseQueue();
  RunResult runChecked(const Job& job);
  RunResult runAsItIs(const Job& job);
  // An error with all messages of the validation layer since the last run; empty if there were none.
  Status validationError();

  VulkanContext context_;
  std::mutex mutex_;
};

}  // namespace lanewise
