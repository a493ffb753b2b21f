// What is to be run: dispatches over named resources. Plain values.
#ifndef LANEWISE_JOB_H
#define LANEWISE_JOB_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "module.h"

namespace lw {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

// A buffer is bytes. An image is its texels in rows without padding: level after level, in a level layer after layer, in a layer slice
// after slice.
struct Resource {
  std::string name;
  std::vector<std::byte> bytes;
  bool output = false;     // Run::outputs has it
  bool undefined = false;  // it has no content yet: its bytes are A7, and to read them is a finding
  // Of an image.
  std::string format{};  // "rgba8ui", or Vulkan's "R8G8B8A8_UINT"; empty: a buffer
  Extent extent{};
  std::uint32_t levels = 1, layers = 1, dimensions = 2;
  std::uint64_t lacking = 0;  // bytes that output() found no memory for: a run of the job is an error
};

// A buffer with these values.
template <class T>
Resource buffer(const std::string& name, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
  Resource made{name, std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
  return made;
}
// An image with these texels.
template <class T>
Resource image(const std::string& name, const std::string& format, Extent extent, const std::vector<T>& texels) {
  Resource made = buffer(name, texels);
  made.format = format;
  made.extent = extent;
  return made;
}
// A buffer of so many bytes, and an image, for the kernel to write. An image that cannot be is told when the job runs.
LANEWISE_EXPORT Resource output(const std::string& name, std::size_t bytes);
LANEWISE_EXPORT Resource outputImage(const std::string& name, const std::string& format, Extent extent, std::uint32_t levels = 1);

// The bytes as values.
template <class T>
std::vector<T> valuesOf(const Resource& resource) {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
  std::vector<T> values(resource.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), resource.bytes.data(), values.size() * sizeof(T));
  return values;
}

// The resource that a descriptor has.
struct Binding {
  std::uint32_t set = 0, binding = 0;
  std::string resource;   // empty: a sampler without an image
  std::string sampler{};  // "linear,repeat,mip=linear": docs/images.md
  std::uint32_t element = 0;
  std::uint32_t baseLevel = 0, levelCount = 0;  // of an image; 0: all the rest
  std::uint64_t offset = 0, size = 0;           // of a buffer; 0: all the rest
  std::string viewFormat{};                     // of an image another one than its own; of a texel buffer its format
};

struct Constant {
  std::uint32_t id = 0;     // of the specialization constant
  std::uint64_t value = 0;  // its bits
};

struct Dispatch {
  Module module;
  Extent groups{};
  std::vector<Binding> bindings{};
  std::vector<std::byte> push{};
  std::vector<Constant> constants{};
  std::string entry = "main";
  bool barrierBefore = true;
};

struct Job {
  std::vector<Resource> resources{};
  std::vector<Dispatch> dispatches{};
  std::uint32_t subgroupSize = 0;                    // 0: the device's own
  std::uint64_t maxSteps = std::uint64_t{1} << 32;   // of an invocation, on the model
  std::uint64_t maxMemory = std::uint64_t{4} << 30;  // bytes
  double timeoutSeconds = 30;                        // of a device; 0: no limit
};

}  // namespace lw

#endif
