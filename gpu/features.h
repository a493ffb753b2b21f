// What a physical device can do, which of it Lanewise turns on, and what a module needs of it.
//
// A device is made once with every feature of the table that it has; a module's capabilities are then checked against them, so that a
// missing one is an error with the capability's name and not undefined behaviour of a driver. Source: Vulkan 1.3, "SPIR-V Environment"
// (capabilities), "Features", "Limits".
#pragma once

#include "gpu/vulkan.h"
#include "model/spirv/interface.h"

namespace lanewise {

struct Features {
  vk::PhysicalDeviceFeatures core;
  vk::PhysicalDeviceVulkan11Features vulkan11;
  vk::PhysicalDeviceVulkan12Features vulkan12;
  vk::PhysicalDeviceVulkan13Features vulkan13;
  vk::PhysicalDeviceRobustness2FeaturesEXT robustness2;
  vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat;
  vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroupLayout;
  vk::PhysicalDeviceCustomBorderColorFeaturesEXT customBorder;
  std::vector<const char*> extensions;  // of the optional ones that the device has

  // Chains those structures that core Vulkan 1.3 and `extensions` know, for a query or for creating a device. The pointer lives as long as
  // this.
  void* chain();
};

// All that the backend reads of a device.
struct PhysicalFacts {
  std::string name;
  std::uint32_t apiVersion = 0;
  vk::PhysicalDeviceLimits limits;
  vk::PhysicalDeviceVulkan11Properties vulkan11;
  vk::PhysicalDeviceVulkan12Properties vulkan12;
  vk::PhysicalDeviceVulkan13Properties vulkan13;
  Features enabled;  // what the device will be made with
};

// Error (device trouble): the device has not Vulkan 1.3 (`facts` cannot say more).
Expected<PhysicalFacts> readFacts(const vk::raii::PhysicalDevice& device);
// The queue family that runs jobs: one that computes, with timestamps where there is such a one. Nothing: none computes.
std::optional<std::uint32_t> queueFamilyOf(const std::vector<vk::QueueFamilyProperties>& families);
// What the device's properties of Vulkan 1.0 say.
Profile profileOf(const vk::PhysicalDeviceProperties& basic);
// Works for any version: what cannot be asked keeps a conservative value. The name is empty.
Profile readProfile(const vk::raii::PhysicalDevice& device);

// Whether the device, as made, can run an entry point of the module. Device trouble: a capability, float mode or limit that the device
// lacks, by name; unsupported: a capability that the backend does not know.
Status checkModule(const Interface& module, const InterfaceEntry& entry, const std::string& moduleName, const PhysicalFacts& facts);

}  // namespace lanewise
