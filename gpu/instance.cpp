// See instance.h.
#include "gpu/instance.h"

#include <dlfcn.h>

namespace lanewise {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

// The library stays loaded: drivers have threads of their own.
Expected<std::unique_ptr<vk::raii::Context>> loadLoader(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* why = handle ? nullptr : dlerror();
  void* entry = handle ? dlsym(handle, "vkGetInstanceProcAddr") : nullptr;
  if (!entry) {
    return Error{Outcome::kDeviceTrouble, "no Vulkan loader: " + std::string(why ? why : library + " has no vkGetInstanceProcAddr"), "",
                 "install libvulkan1, or run on the model alone"};
  }
  return std::make_unique<vk::raii::Context>(reinterpret_cast<PFN_vkGetInstanceProcAddr>(entry));
}

}  // namespace

Error vulkanError(const std::exception& exception, const std::string& during) {
  std::string what;
  if (dynamic_cast<const vk::DeviceLostError*>(&exception)) {
    what = "the device was lost while " + during;
  } else if (dynamic_cast<const vk::OutOfDeviceMemoryError*>(&exception)) {
    what = "out of device memory while " + during;
  } else if (dynamic_cast<const vk::OutOfHostMemoryError*>(&exception) || dynamic_cast<const std::bad_alloc*>(&exception)) {
    what = "out of host memory while " + during;
  } else {
    what = std::string(exception.what()) + " while " + during;
  }
  return {Outcome::kDeviceTrouble, what, "", ""};
}

bool isOfNewerDriver(std::string_view message) {
  return message.find("unknown VkStructureType") != message.npos || message.find("is not supported by this layer") != message.npos;
}

VkBool32 VulkanInstance::onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* self) {
  const char* const text = data && data->pMessage ? data->pMessage : "(no text)";
  if (!isOfNewerDriver(text)) static_cast<VulkanInstance*>(self)->addMessage(text);
  return VK_FALSE;
}

void VulkanInstance::addMessage(std::string text) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(text));
}

std::vector<std::string> VulkanInstance::takeMessages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

Expected<std::unique_ptr<VulkanInstance>> VulkanInstance::create(const std::string& loader, bool validation) try {
  Expected<std::unique_ptr<vk::raii::Context>> context = loadLoader(loader);
  if (!context) return context.error();
  std::unique_ptr<VulkanInstance> out(new VulkanInstance);
  out->context_ = std::move(*context);

  const vk::ApplicationInfo application("lanewise", 1, "lanewise", 1, VK_API_VERSION_1_3);
  using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
  // Validation messages only: performance advice is not an error, and the loader's general messages are about other drivers.
  vk::DebugUtilsMessengerCreateInfoEXT messenger({}, Severity::eWarning | Severity::eError,
                                                 vk::DebugUtilsMessageTypeFlagBitsEXT::eValidation);
  // Of C's type, which C++'s newer headers take in no constructor.
  static_cast<VkDebugUtilsMessengerCreateInfoEXT&>(messenger).pfnUserCallback = &onMessage;
  messenger.pUserData = out.get();
  std::vector<const char*> layers, extensions;
  if (validation) {
    layers.push_back(kValidationLayer);
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  }
  vk::InstanceCreateInfo info({}, &application, layers, extensions);
  if (validation) info.pNext = &messenger;
  try {
    out->instance_ = std::make_unique<vk::raii::Instance>(*out->context_, info);
  } catch (const vk::IncompatibleDriverError&) {
    return out;  // the loader has no driver: a list of no devices
  } catch (const vk::LayerNotPresentError&) {
    return Error{Outcome::kDeviceTrouble, std::string("the validation layer is not installed: ") + kValidationLayer, "",
                 "install vulkan-validationlayers"};
  }
  for (const vk::ExtensionProperties& e : out->context_->enumerateInstanceExtensionProperties())
    out->extensions_.emplace_back(e.extensionName.data());
  if (validation) out->messenger_ = std::make_unique<vk::raii::DebugUtilsMessengerEXT>(*out->instance_, messenger);
  return out;
} catch (const std::exception& e) {
  return vulkanError(e, "creating a Vulkan instance");
}

Expected<std::vector<vk::raii::PhysicalDevice>> VulkanInstance::devices() const try {
  if (!instance_) return std::vector<vk::raii::PhysicalDevice>{};
  return instance_->enumeratePhysicalDevices();
} catch (const std::exception& e) {
  return vulkanError(e, "listing the devices");
}

}  // namespace lanewise
