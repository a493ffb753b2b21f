// Checks a job against the declarations of its modules before a device gets it. Gives the resource and view of each descriptor, and what
// each image must support.
//
// Makes no Vulkan call. Errors: bad input, naming the dispatch, the binding or the resource; unsupported, naming the descriptor type.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/interface.h"

namespace lanewise {

// One descriptor to write.
struct CheckedDescriptor {
  std::uint32_t set = 0, binding = 0, element = 0;
  DescriptorKind kind = DescriptorKind::kStorageBuffer;
  std::size_t resource = 0;  // index into Job.resources; kNoResource for a sampler
  // Images and texel buffers.
  Format viewFormat = Format::UNDEFINED;
  spv::Dim dim = spv::Dim::Dim2D;
  bool arrayed = false;
  std::uint32_t baseLevel = 0, levelCount = 1;
  std::uint32_t baseLayer = 0, layerCount = 1;
  // Buffers and texel buffers, in bytes.
  std::uint64_t offset = 0, size = 0;
  SamplerState sampler = {};
};
inline constexpr std::size_t kNoResource = ~std::size_t{0};

struct CheckedImage {
  bool storage = false;
  bool sampled = false;
  std::vector<Format> otherViewFormats;  // besides the image's own, each once
};

struct CheckedJob {
  std::vector<std::vector<CheckedDescriptor>> dispatches;  // one list a dispatch
  std::map<std::size_t, CheckedImage> images;              // by resource
};

// Checks resources and blits: sizes fit their formats and extents, names occur once, and the sum is within Limits.maxMemory.
Status checkResources(const Job& job);

// `interfaces` has one entry a dispatch. Assumes checkResources().
Expected<CheckedJob> checkJob(const Job& job, std::span<const InterfaceEntry* const> interfaces);

}  // namespace lanewise
