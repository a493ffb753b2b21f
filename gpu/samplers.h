// Samplers, made once for each state.
#pragma once

#include <map>
#include <string>

#include "gpu/features.h"
#include "model/contract/sampler.h"

namespace lanewise {

// Not thread-safe. Vulkan's errors are vk:: exceptions.
class SamplerCache {
 public:
  SamplerCache(const vk::raii::Device& device, const PhysicalFacts& facts) : device_(device), facts_(facts) {}

  // Error (device trouble): a feature that the state needs and the device lacks, by name.
  Expected<vk::Sampler> get(const SamplerState& state);

 private:
  Status lacking(const SamplerState& state) const;

  const vk::raii::Device& device_;
  const PhysicalFacts& facts_;
  std::map<std::string, vk::raii::Sampler> samplers_;  // by samplerText
};

}  // namespace lanewise
