// The Vulkan loader and an instance, with the validation layer's messages collected.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/vulkan.h"
#include "model/base/outcome.h"

namespace lanewise {

// The text of a Vulkan exception as device trouble; `during` says what was being done.
Error vulkanError(const std::exception& exception, const std::string& during);

// Whether the validation layer says only that it is older than an extension of the driver: Ubuntu 24.04 has 1.3.275, and Mesa 25.
bool isOfNewerDriver(std::string_view message);

class VulkanInstance {
 public:
  // Errors: no loader library, no driver, no validation layer if one is asked for.
  static Expected<std::unique_ptr<VulkanInstance>> create(const std::string& loader, bool validation);

  const vk::raii::Instance& get() const { return *instance_; }
  // That the loader and its drivers have, by name.
  const std::vector<std::string>& extensions() const { return extensions_; }
  // Physical devices in the loader's order; may be empty.
  Expected<std::vector<vk::raii::PhysicalDevice>> devices() const;
  // The validation layer's messages since the last call. Safe from any thread.
  std::vector<std::string> takeMessages();

 private:
  VulkanInstance() = default;
  void addMessage(std::string text);
  static VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                  const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);

  std::mutex mutex_;
  std::vector<std::string> messages_, extensions_;
  std::unique_ptr<vk::raii::Context> context_;
  std::unique_ptr<vk::raii::Instance> instance_;  // empty when the loader has no driver
  std::unique_ptr<vk::raii::DebugUtilsMessengerEXT> messenger_;
};

}  // namespace lanewise
