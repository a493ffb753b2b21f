// The structures of features that Lanewise reads and enables. Source: Vulkan 1.3, "Features".
#pragma once

#include <vector>

#include "gpu/vulkan.h"

namespace lanewise {

// Of VK_KHR_shader_maximal_reconvergence, which Vulkan's headers have since 1.3.274.
constexpr const char* kMaximalReconvergence = "VK_KHR_shader_maximal_reconvergence";
struct MaximalReconvergenceFeatures {
  VkStructureType sType = static_cast<VkStructureType>(1000434000);
  void* pNext = nullptr;
  vk::Bool32 shaderMaximalReconvergence = false;
};

struct Features {
  vk::PhysicalDeviceFeatures core;
  vk::PhysicalDeviceVulkan11Features vulkan11;
  vk::PhysicalDeviceVulkan12Features vulkan12;
  vk::PhysicalDeviceVulkan13Features vulkan13;
  vk::PhysicalDeviceRobustness2FeaturesEXT robustness2;
  vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat;
  vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT atomicFloat2;
  vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT imageInt64;
  vk::PhysicalDeviceShaderClockFeaturesKHR clock;
  vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV derivatives;
  vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroupLayout;
  vk::PhysicalDeviceCustomBorderColorFeaturesEXT customBorder;
  MaximalReconvergenceFeatures reconvergence;
  std::vector<const char*> extensions;  // of the optional ones that the device has

  // Chains the structures that core Vulkan 1.3 and `extensions` define, for a query or for creating a device. The pointer is valid as long
  // as this object.
  void* chain();
};

}  // namespace lanewise
