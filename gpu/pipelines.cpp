// See pipelines.h.
#include "gpu/pipelines.h"

#include <fmt/format.h>

#include <spirv/unified1/spirv.hpp11>

#include "gpu/wire.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostPipelines = 512;

std::string keyOf(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  const ModuleHash hash = hashModule(*dispatch.module);
  std::string key(hash.begin(), hash.end());
  key += fmt::format("/{}/{}", dispatch.entryPoint, subgroupSize);
  for (const SpecConstant& s : dispatch.spec) key += fmt::format("/{}={}", s.id, s.value);
  for (const Binding& b : dispatch.bindings)
    if (b.element > 0) key += fmt::format("/{}.{}[{}]", b.set, b.binding, b.element);  // how long runtime arrays are
  return key;
}

// A runtime array of descriptors is as long as what the dispatch binds to it.
void sizeRuntimeArrays(const Dispatch& dispatch, ModuleInterface& module) {
  constexpr std::uint32_t kMostElements = 1u << 20;
  for (BindingSlot& slot : module.bindings) {
    if (!slot.runtime) continue;
    slot.count = 1;
    for (const Binding& b : dispatch.bindings)
      if (b.set == slot.set && b.binding == slot.binding) slot.count = std::max(slot.count, std::min(b.element, kMostElements) + 1);
  }
}

// The values of those constants that the module has, as Vulkan takes them: the low bytes of each, one after the other.
struct Specialization {
  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::byte> bytes;
};

Specialization specializationOf(const Dispatch& dispatch, const ModuleInterface& module) {
  Specialization out;
  for (const SpecConstant& s : dispatch.spec) {
    const auto same = [&](const SpecSlot& slot) { return slot.id == s.id; };
    const auto slot = std::ranges::find_if(module.spec, same);
    if (slot == module.spec.end()) continue;  // as in Vulkan: a constant that the module has not is ignored
    out.entries.emplace_back(s.id, std::uint32_t(out.bytes.size()), slot->bytes);
    const auto value = std::as_bytes(std::span(&s.value, 1));
    out.bytes.insert(out.bytes.end(), value.begin(), value.begin() + slot->bytes);
  }
  return out;
}

bool usesSubgroups(const ModuleInterface& module) {
  return std::ranges::any_of(module.capabilities, [](std::uint32_t c) {
    return c >= std::uint32_t(spv::Capability::GroupNonUniform) && c <= std::uint32_t(spv::Capability::GroupNonUniformQuad);
  });
}

}  // namespace

vk::DescriptorType descriptorType(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::kUniformBuffer:
      return vk::DescriptorType::eUniformBuffer;
    case DescriptorKind::kStorageBuffer:
      return vk::DescriptorType::eStorageBuffer;
    case DescriptorKind::kStorageImage:
      return vk::DescriptorType::eStorageImage;
    case DescriptorKind::kSampledImage:
      return vk::DescriptorType::eSampledImage;
    case DescriptorKind::kSampler:
      return vk::DescriptorType::eSampler;
    case DescriptorKind::kCombinedImageSampler:
      return vk::DescriptorType::eCombinedImageSampler;
    case DescriptorKind::kUniformTexelBuffer:
      return vk::DescriptorType::eUniformTexelBuffer;
    case DescriptorKind::kStorageTexelBuffer:
      return vk::DescriptorType::eStorageTexelBuffer;
  }
  return vk::DescriptorType::eStorageBuffer;
}

Expected<std::shared_ptr<const PipelineEntry>> PipelineCache::get(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  if (subgroupSize == facts_.vulkan11.subgroupSize && facts_.vulkan13.minSubgroupSize == facts_.vulkan13.maxSubgroupSize)
    subgroupSize = 0;  // the device has no other
  const std::string key = keyOf(dispatch, subgroupSize);
  if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  if (entries_.size() >= kMostPipelines) entries_.clear();
  Expected<std::shared_ptr<const PipelineEntry>> made = make(dispatch, subgroupSize);
  if (made) entries_.emplace(key, *made);
  return made;
}

Expected<std::shared_ptr<const PipelineEntry>> PipelineCache::make(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  const std::string& name = dispatch.module->name;
  Expected<ModuleInterface> interface = reflectModule(*dispatch.module, dispatch.entryPoint, dispatch.spec);
  if (!interface) return interface.error();
  sizeRuntimeArrays(dispatch, *interface);
  if (Status wrong = checkModule(*interface, name, facts_)) return *wrong;
  if (Status wrong = checkSubgroupSize(subgroupSize, *interface, name)) return *wrong;
  if (Status wrong = checkLayout(*interface, name)) return *wrong;
  onPhase_("building the pipeline of " + name);
  auto entry = std::make_shared<PipelineEntry>();
  entry->interface = std::move(*interface);
  makeLayout(*entry);
  makePipeline(*entry, dispatch, subgroupSize);
  return std::shared_ptr<const PipelineEntry>(entry);
}

Status PipelineCache::checkSubgroupSize(std::uint32_t size, const ModuleInterface& module, const std::string& name) const {
  const std::uint32_t least = facts_.vulkan13.minSubgroupSize, most = facts_.vulkan13.maxSubgroupSize;
  if (size == 0) return {};
  const std::string where = name + " on " + facts_.name;
  if (!std::has_single_bit(size) || size < least || size > most) {
    return Error{Outcome::kDeviceTrouble, fmt::format("the device has subgroups of {} to {} lanes, not of {}", least, most, size), where,
                 ""};
  }
  const bool controls =
      facts_.enabled.vulkan13.subgroupSizeControl && (facts_.vulkan13.requiredSubgroupSizeStages & vk::ShaderStageFlagBits::eCompute);
  if (!controls) return Error{Outcome::kDeviceTrouble, "the device cannot be told a subgroup size (subgroupSizeControl)", where, ""};
  const std::uint64_t invocations = std::uint64_t{module.localSize.x} * module.localSize.y * module.localSize.z;
  if (invocations > std::uint64_t{size} * facts_.vulkan13.maxComputeWorkgroupSubgroups) {
    return Error{Outcome::kDeviceTrouble,
                 fmt::format("{} invocations in subgroups of {} are more than the device's {} subgroups a workgroup", invocations, size,
                             facts_.vulkan13.maxComputeWorkgroupSubgroups),
                 where, ""};
  }
  return {};
}

Status PipelineCache::checkLayout(const ModuleInterface& module, const std::string& name) const {
  const vk::PhysicalDeviceLimits& l = facts_.limits;
  std::map<DescriptorKind, std::uint64_t> count;
  std::uint64_t all = 0;
  for (const BindingSlot& slot : module.bindings) {
    count[slot.kind] += slot.count;
    all += slot.count;
    if (slot.set >= l.maxBoundDescriptorSets) {
      return Error{Outcome::kDeviceTrouble, fmt::format("descriptor set {}; the device has {} sets", slot.set, l.maxBoundDescriptorSets),
                   name + " on " + facts_.name, ""};
    }
  }
  const auto over = [&](std::uint64_t got, std::uint32_t most, const char* what) -> Status {
    if (got <= most) return {};
    return Error{Outcome::kDeviceTrouble, fmt::format("{} {} in one stage; the device takes {}", got, what, most),
                 name + " on " + facts_.name, ""};
  };
  if (Status s = over(count[DescriptorKind::kStorageBuffer], l.maxPerStageDescriptorStorageBuffers, "storage buffers")) return s;
  if (Status s = over(count[DescriptorKind::kUniformBuffer], l.maxPerStageDescriptorUniformBuffers, "uniform buffers")) return s;
  const std::uint64_t combined = count[DescriptorKind::kCombinedImageSampler];
  const std::uint64_t storage = count[DescriptorKind::kStorageImage] + count[DescriptorKind::kStorageTexelBuffer];
  if (Status s = over(storage, l.maxPerStageDescriptorStorageImages, "storage images")) return s;
  const std::uint64_t sampled = count[DescriptorKind::kSampledImage] + count[DescriptorKind::kUniformTexelBuffer] + combined;
  if (Status s = over(sampled, l.maxPerStageDescriptorSampledImages, "sampled images")) return s;
  if (Status s = over(count[DescriptorKind::kSampler] + combined, l.maxPerStageDescriptorSamplers, "samplers")) return s;
  return over(all, l.maxPerStageResources, "resources");
}

void PipelineCache::makeLayout(PipelineEntry& entry) const {
  std::vector<std::vector<vk::DescriptorSetLayoutBinding>> sets;
  std::vector<std::vector<vk::DescriptorBindingFlags>> flags;  // as sets
  for (const BindingSlot& slot : entry.interface.bindings) {
    if (sets.size() <= slot.set) sets.resize(slot.set + 1);
    std::vector<vk::DescriptorSetLayoutBinding>& set = sets[slot.set];
    // Two variables may share a binding: one descriptor serves both.
    if (!set.empty() && set.back().binding == slot.binding) continue;
    set.emplace_back(slot.binding, descriptorType(slot.kind), slot.count, vk::ShaderStageFlagBits::eCompute);
    if (flags.size() <= slot.set) flags.resize(slot.set + 1);
    flags[slot.set].push_back(slot.runtime ? vk::DescriptorBindingFlagBits::ePartiallyBound : vk::DescriptorBindingFlags{});
  }
  std::vector<vk::DescriptorSetLayout> handles;
  flags.resize(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const vk::DescriptorSetLayoutBindingFlagsCreateInfo partial(flags[i]);
    vk::DescriptorSetLayoutCreateInfo info({}, sets[i]);
    const auto any = [](vk::DescriptorBindingFlags f) { return bool(f); };
    if (std::ranges::any_of(flags[i], any) && facts_.enabled.vulkan12.descriptorBindingPartiallyBound) info.pNext = &partial;
    entry.setLayouts.emplace_back(device_, info);
    handles.push_back(*entry.setLayouts.back());
  }
  const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0, (entry.interface.pushBytes + 3) / 4 * 4);
  vk::PipelineLayoutCreateInfo info({}, handles);
  if (range.size) info.setPushConstantRanges(range);
  entry.layout = vk::raii::PipelineLayout(device_, info);
}

void PipelineCache::makePipeline(PipelineEntry& entry, const Dispatch& dispatch, std::uint32_t subgroupSize) const {
  const vk::raii::ShaderModule module(device_, vk::ShaderModuleCreateInfo({}, dispatch.module->words));
  const Specialization values = specializationOf(dispatch, entry.interface);
  const vk::SpecializationInfo specialization(std::uint32_t(values.entries.size()), values.entries.data(), values.bytes.size(),
                                              values.bytes.data());
  vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module, dispatch.entryPoint.c_str(), &specialization);
  const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo required(subgroupSize);
  if (subgroupSize) stage.pNext = &required;
  // Lanes that Lanewise counts on: no subgroup is left partly empty where whole ones fit.
  if (facts_.enabled.vulkan13.computeFullSubgroups && usesSubgroups(entry.interface) &&
      entry.interface.localSize.x % facts_.vulkan13.maxSubgroupSize == 0) {
    stage.flags |= vk::PipelineShaderStageCreateFlagBits::eRequireFullSubgroups;
  }
  entry.pipeline = vk::raii::Pipeline(device_, nullptr, vk::ComputePipelineCreateInfo({}, stage, *entry.layout));
}

}  // namespace lanewise
