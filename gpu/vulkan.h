// Vulkan's C++ headers, with functions loaded at run time: nothing links to libvulkan, so the program starts where there is none. They are
// large, so this is the precompiled header of the targets that use it.
#pragma once

#define VK_NO_PROTOTYPES
#define VULKAN_HPP_DISPATCH_LOADER_DYNAMIC 1
#define VULKAN_HPP_ENABLE_DYNAMIC_LOADER_TOOL 0
#include <vulkan/vulkan_raii.hpp>
