// See memory.h.
#include "gpu/memory.h"

#include <bit>
#include <optional>

namespace lanewise {
namespace {

// Beyond either limit, idle memory of a kind is freed, the longest unused first.
constexpr vk::DeviceSize kMostIdleBytes = vk::DeviceSize{256} << 20;
constexpr std::size_t kMostIdleObjects = 256;
constexpr vk::DeviceSize kSmallest = 4096;

template <class T>
vk::DeviceSize sizeOf(const T& item) {
  if constexpr (std::is_same_v<T, PooledImage>) {
    return item.bytes;
  } else {
    return item.capacity;
  }
}

template <class T>
void trimList(std::list<std::unique_ptr<T>>& idle) {
  vk::DeviceSize bytes = 0;
  for (const auto& item : idle) bytes += sizeOf(*item);
  while (!idle.empty() && (bytes > kMostIdleBytes || idle.size() > kMostIdleObjects)) {
    bytes -= sizeOf(*idle.back());
    idle.pop_back();
  }
}

}  // namespace

vk::ImageAspectFlags aspectOf(vk::Format format) {
  const bool depth = format == vk::Format::eD16Unorm || format == vk::Format::eD32Sfloat;
  return depth ? vk::ImageAspectFlagBits::eDepth : vk::ImageAspectFlagBits::eColor;
}

vk::raii::DeviceMemory MemoryPool::allocate(const vk::MemoryRequirements& needs, vk::MemoryPropertyFlags must,
                                            vk::MemoryPropertyFlags better) {
  std::optional<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < types_.memoryTypeCount; ++i) {
    const vk::MemoryPropertyFlags flags = types_.memoryTypes[i].propertyFlags;
    if (!(needs.memoryTypeBits >> i & 1) || (flags & must) != must) continue;
    if ((flags & better) == better) {
      chosen = i;
      break;
    }
    if (!chosen) chosen = i;
  }
  if (!chosen) throw vk::OutOfDeviceMemoryError("no suitable memory type");
  vk::MemoryAllocateInfo info(needs.size, *chosen);
  const vk::MemoryAllocateFlagsInfo addressed(vk::MemoryAllocateFlagBits::eDeviceAddress);
  if (addresses_) info.pNext = &addressed;
  return {device_, info};
}

std::unique_ptr<PooledBuffer> MemoryPool::takeFrom(std::list<std::unique_ptr<PooledBuffer>>& idle, vk::DeviceSize size, bool staging) {
  // A power of two, so that few sizes serve all. An idle buffer of up to four times that is taken too.
  const vk::DeviceSize capacity = std::bit_ceil(std::max(size, kSmallest));
  for (auto it = idle.begin(); it != idle.end(); ++it) {
    if ((*it)->capacity < capacity || (*it)->capacity > 4 * capacity) continue;
    std::unique_ptr<PooledBuffer> found = std::move(*it);
    idle.erase(it);
    return found;
  }
  auto made = std::make_unique<PooledBuffer>();
  made->capacity = capacity;
  using Usage = vk::BufferUsageFlagBits;
  const vk::BufferUsageFlags transfer = Usage::eTransferSrc | Usage::eTransferDst;
  vk::BufferUsageFlags usage =
      staging ? transfer
              : transfer | Usage::eStorageBuffer | Usage::eUniformBuffer | Usage::eUniformTexelBuffer | Usage::eStorageTexelBuffer;
  if (addresses_ && !staging) usage |= Usage::eShaderDeviceAddress;
  made->buffer = vk::raii::Buffer(device_, vk::BufferCreateInfo({}, capacity, usage));
  const vk::MemoryRequirements needs = made->buffer.getMemoryRequirements();
  using Memory = vk::MemoryPropertyFlagBits;
  // Staging is read back by the host: cached memory is many times faster there.
  made->memory = staging ? allocate(needs, Memory::eHostVisible | Memory::eHostCoherent, Memory::eHostCached)
                         : allocate(needs, {}, Memory::eDeviceLocal);
  made->buffer.bindMemory(*made->memory, 0);
  if (staging) made->mapped = static_cast<std::byte*>(made->memory.mapMemory(0, VK_WHOLE_SIZE));
  return made;
}

std::unique_ptr<PooledBuffer> MemoryPool::takeBuffer(vk::DeviceSize size) {
  return takeFrom(buffers_, size, false);
}

std::unique_ptr<PooledBuffer> MemoryPool::takeStaging(vk::DeviceSize size) {
  return takeFrom(staging_, size, true);
}

std::unique_ptr<PooledImage> MemoryPool::takeImage(const ImageKey& key) {
  for (auto it = images_.begin(); it != images_.end(); ++it) {
    if ((*it)->key != key) continue;
    std::unique_ptr<PooledImage> found = std::move(*it);
    images_.erase(it);
    return found;
  }
  auto made = std::make_unique<PooledImage>();
  made->key = key;
  const vk::ImageFormatListCreateInfo formats(key.viewFormats);
  vk::ImageCreateInfo info(key.flags, key.type, key.format, {key.width, key.height, key.depth}, key.levels, key.layers,
                           vk::SampleCountFlagBits(key.samples), vk::ImageTiling::eOptimal, key.usage);
  if (!key.viewFormats.empty()) info.pNext = &formats;
  made->image = vk::raii::Image(device_, info);
  const vk::MemoryRequirements needs = made->image.getMemoryRequirements();
  made->bytes = needs.size;
  made->memory = allocate(needs, {}, vk::MemoryPropertyFlagBits::eDeviceLocal);
  made->image.bindMemory(*made->memory, 0);
  return made;
}

vk::ImageView MemoryPool::view(PooledImage& image, const ViewKey& key) {
  if (const auto found = image.views.find(key); found != image.views.end()) return *found->second;
  // The view is made for its own use only: its format may not have the others that the image has.
  const vk::ImageViewUsageCreateInfo usage(key.storage ? vk::ImageUsageFlagBits::eStorage : vk::ImageUsageFlagBits::eSampled);
  vk::ImageViewCreateInfo info({}, *image.image, key.type, key.format, {},
                               {aspectOf(key.format), key.baseLevel, key.levelCount, key.baseLayer, key.layerCount});
  info.pNext = &usage;
  return *image.views.emplace(key, vk::raii::ImageView(device_, info)).first->second;
}

void MemoryPool::give(std::unique_ptr<PooledBuffer> buffer) {
  (buffer->mapped ? staging_ : buffers_).push_front(std::move(buffer));
  trim();
}

void MemoryPool::give(std::unique_ptr<PooledImage> image) {
  images_.push_front(std::move(image));
  trim();
}

void MemoryPool::trim() {
  trimList(buffers_);
  trimList(staging_);
  trimList(images_);
}

}  // namespace lanewise
