// What a physical device supports, which of it Lanewise enables, and what a module needs.
//
// A device is created once, with every feature of the table that it has. A module's capabilities are then checked against these. So a
// missing one is an error with the capability's name, not undefined behaviour of a driver. Source: Vulkan 1.3, "SPIR-V Environment"
// (capabilities), "Features", "Limits".
#pragma once

#include <span>

#include "gpu/feature_structures.h"
#include "model/spirv/interface.h"

namespace lanewise {

// Stands before the name of a feature that a device has and is made without.
inline constexpr const char* kUnusedFeature = "unused ";

// All that the backend reads of a device.
struct PhysicalFacts {
  std::string name;
  std::uint32_t apiVersion = 0;
  std::vector<std::string> extensions;
  vk::PhysicalDeviceLimits limits;
  vk::PhysicalDeviceVulkan11Properties vulkan11;
  vk::PhysicalDeviceVulkan12Properties vulkan12;
  vk::PhysicalDeviceVulkan13Properties vulkan13;
  Features enabled;                 // what the device will be made with
  std::vector<std::string> unused;  // features that it has besides, by name
};

// Error (device trouble): the device does not have Vulkan 1.3 (`facts` cannot say more).
Expected<PhysicalFacts> readFacts(const vk::raii::PhysicalDevice& device);
// The queue family for jobs: one with compute, and with timestamps if there is one. Empty: none has compute.
std::optional<std::uint32_t> queueFamilyOf(const std::vector<vk::QueueFamilyProperties>& families);
// The profile from the device's properties of Vulkan 1.0.
Profile profileOf(const vk::PhysicalDeviceProperties& basic);
// Works for any version: anything that cannot be queried has a conservative value. The name is empty. `ofInstance`: extensions of the
// instance, which are listed among the capabilities too, as are the features that the device is made without.
Profile readProfile(const vk::raii::PhysicalDevice& device, std::span<const std::string> ofInstance);

// Whether the device, as made, can run an entry point of the module. Device trouble: a capability, float mode or limit that the device
// lacks, by name; unsupported: a capability that the backend does not know.
Status checkModule(const Interface& module, const InterfaceEntry& entry, const std::string& moduleName, const PhysicalFacts& facts);

}  // namespace lanewise
