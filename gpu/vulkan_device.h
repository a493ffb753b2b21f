// The Device contract on a Vulkan device of this process. It runs inside lanewise-worker: a driver may crash or hang.
//
// Every buffer stands between canaries, robust access is on, every wait has a time limit. After a lost device or a wait that timed out the
// device is not usable(): its objects may still be in use, so the process has to end without destroying it.
#pragma once

#include <memory>
#include <mutex>

#include "gpu/instance.h"
#include "gpu/memory.h"
#include "gpu/pipelines.h"
#include "gpu/samplers.h"

namespace lanewise {

struct VulkanDeviceOptions {
  std::string name;         // what messages call it; empty: as its driver does
  std::uint32_t index = 0;  // in the loader's list
  std::string deviceName;   // what stands there; another device is an error
  bool validation = false;
  std::uint32_t repeat = 0;           // DeviceOptions.repeat
  std::uint32_t descriptorSlack = 0;  // DeviceOptions.descriptorSlack
  std::string loader = "libvulkan.so.1";
  PhaseCallback onPhase = [](const std::string&) {};  // before each step that a driver may hang in
};

class VulkanDevice final : public Device {
 public:
  static Expected<std::unique_ptr<VulkanDevice>> open(VulkanDeviceOptions options);

  const Profile& profile() const override { return profile_; }
  RunResult run(const Job& job) override;
  bool usable() const { return usable_; }

 private:
  friend class VulkanRun;
  explicit VulkanDevice(VulkanDeviceOptions options) : options_(std::move(options)) {}
  Status create();
  Status chooseQueue();
  RunResult runChecked(const Job& job);
  RunResult runAsItIs(const Job& job);
  // An error with all that the validation layer has said since the last run; nothing if it was silent.
  Status validationError();

  VulkanDeviceOptions options_;
  Profile profile_;
  PhysicalFacts facts_;
  std::mutex mutex_;
  bool usable_ = true;
  std::uint32_t queueFamily_ = 0;
  std::uint32_t timestampBits_ = 0;  // 0: no timestamps
  std::unique_ptr<VulkanInstance> instance_;
  vk::raii::PhysicalDevice physical_{nullptr};
  vk::raii::Device device_{nullptr};
  vk::raii::Queue queue_{nullptr};
  vk::raii::CommandPool commandPool_{nullptr};
  vk::raii::QueryPool queries_{nullptr};
  vk::raii::Fence fence_{nullptr};
  vk::raii::DescriptorPool descriptorPool_{nullptr};
  std::uint32_t descriptorRoom_ = 0;  // sets, and descriptors of each type, in descriptorPool_
  std::unique_ptr<MemoryPool> memory_;
  std::unique_ptr<PipelineCache> pipelines_;
  std::unique_ptr<SamplerCache> samplers_;
};

}  // namespace lanewise
