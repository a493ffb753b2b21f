// See pipelines.h.
#include "gpu/pipelines.h"

#include <fmt/format.h>

#include <spirv/unified1/spirv.hpp11>

#include "gpu/wire.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostPipelines = 512;

// The values of the constants that the module has (others are ignored, as in Vulkan), in Vulkan's form: the low bytes of each, one after
// another.
struct Specialization {
  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::byte> bytes;
};

Specialization specializationOf(const Dispatch& dispatch, const Interface& module) {
  Specialization out;
  for (const InterfaceSpec& constant : module.spec) {
    const auto given = std::ranges::find(dispatch.spec, constant.id, &SpecConstant::id);  // if there are two, the first is taken
    if (given == dispatch.spec.end()) continue;
    const std::uint32_t bytes = scalarBytes(constant.scalar);  // 4 of a boolean
    out.entries.emplace_back(constant.id, std::uint32_t(out.bytes.size()), bytes);
    const auto value = std::as_bytes(std::span(&given->value, 1));
    out.bytes.insert(out.bytes.end(), value.begin(), value.begin() + bytes);
  }
  return out;
}

bool hasSubgroupCapability(const Interface& module) {
  return std::ranges::any_of(module.capabilities, [](spv::Capability c) {
    return c >= spv::Capability::GroupNonUniform && c <= spv::Capability::GroupNonUniformQuad;
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
    case DescriptorKind::kAccelerationStructure:
    case DescriptorKind::kOther:
      break;  // refused by checkLayout
  }
  return vk::DescriptorType::eStorageBuffer;
}

// A runtime array of descriptors is as long as what the dispatch binds to it.
void sizeRuntimeArrays(const Dispatch& dispatch, InterfaceEntry& entry) {
  constexpr std::uint32_t kMostElements = 1u << 20;
  for (InterfaceBinding& slot : entry.bindings) {
    if (!slot.runtime) continue;
    slot.count = 1;
    for (const Binding& b : dispatch.bindings)
      if (b.set == slot.set && b.binding == slot.binding) slot.count = std::max(slot.count, std::min(b.element, kMostElements) + 1);
  }
}

std::vector<std::vector<vk::DescriptorSetLayoutBinding>> layoutBindings(const InterfaceEntry& entry) {
  std::vector<std::vector<vk::DescriptorSetLayoutBinding>> sets;
  for (const InterfaceBinding& slot : entry.bindings) {
    if (sets.size() <= slot.set) sets.resize(slot.set + 1);
    sets[slot.set].emplace_back(slot.binding, descriptorType(slot.kind), slot.count, vk::ShaderStageFlagBits::eCompute);
  }
  return sets;
}

Expected<std::shared_ptr<const PipelineEntry>> PipelineCache::get(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  if (subgroupSize == facts_.vulkan11.subgroupSize && facts_.vulkan13.minSubgroupSize == facts_.vulkan13.maxSubgroupSize)
    subgroupSize = 0;  // the device has no other
  const std::string key = pipelineKey(dispatch, subgroupSize);
  if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  if (entries_.size() >= kMostPipelines) entries_.clear();
  Expected<std::shared_ptr<const PipelineEntry>> made = make(dispatch, subgroupSize);
  if (made) entries_.emplace(key, *made);
  return made;
}

Expected<std::shared_ptr<const PipelineEntry>> PipelineCache::make(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  const std::string& name = dispatch.module->name;
  Expected<Interface> module = readInterface(*dispatch.module, dispatch.spec);
  if (!module) return module.error();
  const InterfaceEntry* const declared = module->entry(dispatch.entryPoint);
  if (!declared) return Error{Outcome::kBadInput, "no compute entry point '" + dispatch.entryPoint + "'", name, ""};
  auto entry = std::make_shared<PipelineEntry>();
  entry->interface = *declared;
  sizeRuntimeArrays(dispatch, entry->interface);
  if (Status wrong = checkModule(*module, *declared, name, facts_)) return *wrong;
  if (Status wrong = checkSubgroupSize(subgroupSize, entry->interface, name)) return *wrong;
  if (Status wrong = checkLayout(entry->interface, name)) return *wrong;
  onPhase_("building the pipeline of " + name, pipelineKey(dispatch, subgroupSize));
  makeLayout(*entry);
  makePipeline(*entry, dispatch, *module, subgroupSize);
  entry->types = std::move(module->types);
  return std::shared_ptr<const PipelineEntry>(entry);
}

Status PipelineCache::checkSubgroupSize(std::uint32_t size, const InterfaceEntry& module, const std::string& name) const {
  const std::uint32_t least = facts_.vulkan13.minSubgroupSize, most = facts_.vulkan13.maxSubgroupSize;
  if (size == 0) return {};
  const std::string where = name + " on " + facts_.name;
  if (!std::has_single_bit(size) || size < least || size > most) {
    return Error{Outcome::kUnsupported, fmt::format("the device has subgroups of {} to {} lanes, not of {}", least, most, size), where, ""};
  }
  const bool controls =
      facts_.enabled.vulkan13.subgroupSizeControl && (facts_.vulkan13.requiredSubgroupSizeStages & vk::ShaderStageFlagBits::eCompute);
  if (!controls) return Error{Outcome::kUnsupported, "the device cannot choose a subgroup size (subgroupSizeControl)", where, ""};
  const std::uint64_t invocations = std::uint64_t{module.localSize[0]} * module.localSize[1] * module.localSize[2];
  if (invocations > std::uint64_t{size} * facts_.vulkan13.maxComputeWorkgroupSubgroups) {
    return Error{Outcome::kUnsupported,
                 fmt::format("{} invocations in subgroups of {} are more than the device's {} subgroups a workgroup", invocations, size,
                             facts_.vulkan13.maxComputeWorkgroupSubgroups),
                 where, ""};
  }
  return {};
}

Status PipelineCache::checkLayout(const InterfaceEntry& module, const std::string& name) const {
  if (!module.conflicts.empty()) return Error{Outcome::kBadInput, module.conflicts[0], name, "no descriptor is both"};
  const vk::PhysicalDeviceLimits& l = facts_.limits;
  std::map<DescriptorKind, std::uint64_t> count;
  std::uint64_t all = 0;
  for (const InterfaceBinding& slot : module.bindings) {
    if (slot.kind >= DescriptorKind::kAccelerationStructure)
      return Error{Outcome::kUnsupported, fmt::format("the Vulkan backend does not bind a {}", descriptorKindName(slot.kind)),
                   fmt::format("{}, set {}, binding {}", name, slot.set, slot.binding), ""};
    count[slot.kind] += slot.count;
    all += slot.count;
    if (slot.set >= l.maxBoundDescriptorSets) {
      return Error{Outcome::kUnsupported, fmt::format("descriptor set {}; the device has {} sets", slot.set, l.maxBoundDescriptorSets),
                   name + " on " + facts_.name, ""};
    }
  }
  const auto over = [&](std::uint64_t got, std::uint32_t most, const char* what) -> Status {
    if (got <= most) return {};
    return Error{Outcome::kUnsupported, fmt::format("{} {} in one stage; the device takes {}", got, what, most),
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
  const std::vector<std::vector<vk::DescriptorSetLayoutBinding>> sets = layoutBindings(entry.interface);
  std::vector<std::vector<vk::DescriptorBindingFlags>> flags(sets.size());  // as sets
  for (const InterfaceBinding& slot : entry.interface.bindings)
    flags[slot.set].push_back(slot.runtime ? vk::DescriptorBindingFlagBits::ePartiallyBound : vk::DescriptorBindingFlags{});
  std::vector<vk::DescriptorSetLayout> handles;
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

void PipelineCache::makePipeline(PipelineEntry& entry, const Dispatch& dispatch, const Interface& module,
                                 std::uint32_t subgroupSize) const {
  const vk::raii::ShaderModule code(device_, vk::ShaderModuleCreateInfo({}, dispatch.module->words));
  const Specialization values = specializationOf(dispatch, module);
  const vk::SpecializationInfo specialization(std::uint32_t(values.entries.size()), values.entries.data(), values.bytes.size(),
                                              values.bytes.data());
  vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *code, dispatch.entryPoint.c_str(), &specialization);
  const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo required(subgroupSize);
  if (subgroupSize) stage.pNext = &required;
  // Lanewise relies on this: no subgroup is partly empty if whole ones fit.
  if (facts_.enabled.vulkan13.computeFullSubgroups && hasSubgroupCapability(module) &&
      entry.interface.localSize[0] % facts_.vulkan13.maxSubgroupSize == 0) {
    stage.flags |= vk::PipelineShaderStageCreateFlagBits::eRequireFullSubgroups;
  }
  entry.pipeline = vk::raii::Pipeline(device_, nullptr, vk::ComputePipelineCreateInfo({}, stage, *entry.layout));
}

}  // namespace lanewise
