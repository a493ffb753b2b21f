// Compute pipelines, made once for each (module, entry point, specialization, subgroup size).
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "gpu/features.h"

namespace lanewise {

struct PipelineEntry {
  InterfaceEntry interface;
  std::vector<std::unique_ptr<Type>> types;               // what it points to
  std::vector<vk::raii::DescriptorSetLayout> setLayouts;  // by set number; gaps are empty layouts
  vk::raii::PipelineLayout layout{nullptr};
  vk::raii::Pipeline pipeline{nullptr};
};

// What begins now; of a pipeline that is built also its pipelineKey.
using PhaseCallback = std::function<void(const std::string& phase, const std::string& pipeline)>;

// Not thread-safe. Vulkan's errors leave as vk:: exceptions.
class PipelineCache {
 public:
  PipelineCache(const vk::raii::Device& device, const PhysicalFacts& facts, PhaseCallback onPhase)
      : device_(device), facts_(facts), onPhase_(std::move(onPhase)) {}

  // Shared: an entry in use outlives its removal from the cache.
  Expected<std::shared_ptr<const PipelineEntry>> get(const Dispatch& dispatch, std::uint32_t subgroupSize);

 private:
  Expected<std::shared_ptr<const PipelineEntry>> make(const Dispatch& dispatch, std::uint32_t subgroupSize);
  Status checkSubgroupSize(std::uint32_t size, const InterfaceEntry& module, const std::string& name) const;
  Status checkLayout(const InterfaceEntry& module, const std::string& name) const;
  void makeLayout(PipelineEntry& entry) const;
  void makePipeline(PipelineEntry& entry, const Dispatch& dispatch, const Interface& module, std::uint32_t subgroupSize) const;

  const vk::raii::Device& device_;
  const PhysicalFacts& facts_;
  PhaseCallback onPhase_;
  std::map<std::string, std::shared_ptr<const PipelineEntry>> entries_;
};

vk::DescriptorType descriptorType(DescriptorKind kind);

// The bindings of each descriptor set, by set number.
std::vector<std::vector<vk::DescriptorSetLayoutBinding>> layoutBindings(const InterfaceEntry& entry);
// The bound descriptors give the length of runtime arrays.
void sizeRuntimeArrays(const Dispatch& dispatch, InterfaceEntry& entry);

}  // namespace lanewise
