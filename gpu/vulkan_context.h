// The parts of a Vulkan device of this process: the handles and facts that a run works with.
#pragma once

#include <memory>

#include "gpu/instance.h"
#include "gpu/memory.h"
#include "gpu/pipelines.h"
#include "gpu/samplers.h"

namespace lanewise {

struct VulkanDeviceOptions {
  std::string name;         // its name in messages; empty: the driver's name
  std::uint32_t index = 0;  // in the loader's list
  std::string deviceName;   // the device expected there; another one is an error
  bool validation = false;
  std::uint32_t repeat = 0;           // DeviceOptions.repeat
  std::uint32_t descriptorSlack = 0;  // DeviceOptions.descriptorSlack
  std::string loader = "libvulkan.so.1";
  PhaseCallback onPhase = [](const std::string&, const std::string&) {};  // called before each step in which a driver may hang
};

// Destroyed in the reverse order: pools and caches before the device, the device before its instance.
struct VulkanContext {
  VulkanDeviceOptions options;
  Profile profile;
  PhysicalFacts facts;
  bool usable = true;
  std::uint32_t queueFamily = 0;
  std::uint32_t timestampBits = 0;  // 0: no timestamps
  std::unique_ptr<VulkanInstance> instance;
  vk::raii::PhysicalDevice physical{nullptr};
  vk::raii::Device device{nullptr};
  vk::raii::Queue queue{nullptr};
  vk::raii::CommandPool commandPool{nullptr};
  vk::raii::QueryPool queries{nullptr};
  vk::raii::Fence fence{nullptr};
  vk::raii::DescriptorPool descriptorPool{nullptr};
  std::uint32_t descriptorRoom = 0;  // sets, and descriptors of each type, in descriptorPool
  std::unique_ptr<MemoryPool> memory;
  std::unique_ptr<PipelineCache> pipelines;
  std::unique_ptr<SamplerCache> samplers;
};

}  // namespace lanewise
