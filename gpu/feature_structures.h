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

  // Calls use(structure, name) for the structure of each optional extension that has one.
  template <class Use>
  void forEachExtension(const Use& use) {
    use(robustness2, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    use(atomicFloat, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
    use(atomicFloat2, VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME);
    use(imageInt64, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME);
    use(clock, VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
    use(derivatives, VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME);
    use(workgroupLayout, VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME);
    use(customBorder, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    use(reconvergence, kMaximalReconvergence);
  }
  // Chains the structures that core Vulkan 1.3 and `extensions` define, for a query or for creating a device. The pointer is valid as long
  // as this object.
  void* chain();
};

}  // namespace lanewise
