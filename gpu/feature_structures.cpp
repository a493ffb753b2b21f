#include "gpu/feature_structures.h"

#include <algorithm>
#include <string_view>

namespace lanewise {

void* Features::chain() {
  vulkan11.pNext = &vulkan12;
  vulkan12.pNext = &vulkan13;
  vulkan13.pNext = nullptr;
  void** tail = &vulkan13.pNext;
  const auto append = [&](auto& structure, const char* extension) {
    const auto same = [&](const char* e) { return std::string_view(e) == extension; };
    if (std::ranges::none_of(extensions, same)) return;
    *tail = &structure;
    structure.pNext = nullptr;
    tail = &structure.pNext;
  };
  append(robustness2, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
  append(atomicFloat, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  append(atomicFloat2, VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME);
  append(imageInt64, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME);
  append(clock, VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
  append(derivatives, VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME);
  append(workgroupLayout, VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME);
  append(customBorder, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
  append(reconvergence, kMaximalReconvergence);
  return &vulkan11;
}

}  // namespace lanewise
