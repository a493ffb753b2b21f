// Buffers and images with their memory, kept between runs, so that a small case allocates nothing.
//
// Vulkan's errors are vk:: exceptions, caught where a run ends. Not thread-safe. Everything taken must be given back, or kept alive for
// ever if the device is still using it.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "gpu/vulkan.h"

namespace lanewise {

struct PooledBuffer {
  vk::DeviceSize capacity = 0;
  vk::raii::DeviceMemory memory{nullptr};
  vk::raii::Buffer buffer{nullptr};
  std::byte* mapped = nullptr;  // staging only
};

// Two images with equal keys are interchangeable.
struct ImageKey {
  vk::ImageType type{};
  vk::Format format{};
  std::uint32_t width = 1, height = 1, depth = 1, levels = 1, layers = 1, samples = 1;
  vk::ImageUsageFlags usage;
  vk::ImageCreateFlags flags;
  std::vector<vk::Format> viewFormats;  // all of them, when there are several
  friend bool operator==(const ImageKey&, const ImageKey&) = default;
};

struct ViewKey {
  vk::ImageViewType type{};
  vk::Format format{};
  std::uint32_t baseLevel = 0, levelCount = 1;
  std::uint32_t baseLayer = 0, layerCount = 1;
  bool storage = false;
  friend auto operator<=>(const ViewKey&, const ViewKey&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
};

struct PooledImage {
  ImageKey key;
  vk::DeviceSize bytes = 0;
  vk::raii::DeviceMemory memory{nullptr};
  vk::raii::Image image{nullptr};
  std::map<ViewKey, vk::raii::ImageView> views;
};

// Depth of depth formats, colour of the others.
vk::ImageAspectFlags aspectOf(vk::Format format);

class MemoryPool {
 public:
  // `addresses`: buffers have device addresses.
  MemoryPool(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, bool addresses)
      : device_(device), addresses_(addresses), types_(physical.getMemoryProperties()) {}

  // A buffer of at least `size` bytes in device memory, for storage, uniform, texel and transfer use.
  std::unique_ptr<PooledBuffer> takeBuffer(vk::DeviceSize size);
  // A buffer for transfers in host memory, mapped and coherent.
  std::unique_ptr<PooledBuffer> takeStaging(vk::DeviceSize size);
  std::unique_ptr<PooledImage> takeImage(const ImageKey& key);
  void give(std::unique_ptr<PooledBuffer> buffer);
  void give(std::unique_ptr<PooledImage> image);
  // The view of an image, made once.
  vk::ImageView view(PooledImage& image, const ViewKey& key);

 private:
  std::unique_ptr<PooledBuffer> takeFrom(std::list<std::unique_ptr<PooledBuffer>>& idle, vk::DeviceSize size, bool staging);
  vk::raii::DeviceMemory allocate(const vk::MemoryRequirements& needs, vk::MemoryPropertyFlags must, vk::MemoryPropertyFlags better);
  void trim();

  const vk::raii::Device& device_;
  bool addresses_ = false;
  vk::PhysicalDeviceMemoryProperties types_;
  // Idle ones, the last used first.
  std::list<std::unique_ptr<PooledBuffer>> buffers_, staging_;
  std::list<std::unique_ptr<PooledImage>> images_;
};

}  // namespace lanewise
