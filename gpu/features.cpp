// See features.h.
#include "gpu/features.h"

#include <fmt/format.h>

#include <spirv/unified1/spirv.hpp11>

#include "gpu/feature_names.h"
#include "model/spirv/capability_name.h"

namespace lanewise {
namespace {

using Facts = PhysicalFacts;
using Sub = vk::SubgroupFeatureFlagBits;

bool subgroupHas(const Facts& f, Sub operation) {
  return (f.vulkan11.subgroupSupportedStages & vk::ShaderStageFlagBits::eCompute) && (f.vulkan11.subgroupSupportedOperations & operation);
}

struct CapabilityRow {
  spv::Capability capability;
  const char* name;
  bool (*has)(const Facts&);
  const char* extension = nullptr;  // of Vulkan, which brings it without a feature
};

bool hasExtension(const Facts& f, std::string_view name) {
  return std::ranges::any_of(f.enabled.extensions, [&](const char* e) { return e == name; });
}
bool hasCapability(const Facts& f, const CapabilityRow& row) {
  return row.extension != nullptr ? hasExtension(f, row.extension) : row.has(f);
}

// Extensions of SPIR-V that come without a capability, and those of Vulkan that bring them.
struct ExtensionRow {
  std::string_view spirv;
  const char* vulkan;
};
constexpr ExtensionRow kWithoutCapability[] = {
    {"SPV_AMD_gcn_shader", VK_AMD_GCN_SHADER_EXTENSION_NAME},
    {"SPV_AMD_shader_ballot", VK_AMD_SHADER_BALLOT_EXTENSION_NAME},
    {"SPV_AMD_shader_trinary_minmax", VK_AMD_SHADER_TRINARY_MINMAX_EXTENSION_NAME},
    {"SPV_KHR_maximal_reconvergence", kMaximalReconvergence},
};

bool hasDerivatives(const Facts& f) {
  return f.enabled.derivatives.computeDerivativeGroupQuads || f.enabled.derivatives.computeDerivativeGroupLinear;
}

bool always(const Facts&) {
  return true;
}

#define LANEWISE_ROW(name, ...) \
  { spv::Capability::name, #name, __VA_ARGS__ }
// By number. A capability that is not here is unsupported.
constexpr CapabilityRow kCapabilities[] = {
    LANEWISE_ROW(Matrix, always),
    LANEWISE_ROW(Shader, always),
    LANEWISE_ROW(Float16, [](const Facts& f) { return f.enabled.vulkan12.shaderFloat16 != 0; }),
    LANEWISE_ROW(Float64, [](const Facts& f) { return f.enabled.core.shaderFloat64 != 0; }),
    LANEWISE_ROW(Int64, [](const Facts& f) { return f.enabled.core.shaderInt64 != 0; }),
    LANEWISE_ROW(Int64Atomics, [](const Facts& f) { return f.enabled.vulkan12.shaderBufferInt64Atomics != 0; }),
    LANEWISE_ROW(Int16, [](const Facts& f) { return f.enabled.core.shaderInt16 != 0; }),
    LANEWISE_ROW(ImageGatherExtended, [](const Facts& f) { return f.enabled.core.shaderImageGatherExtended != 0; }),
    LANEWISE_ROW(StorageImageMultisample, [](const Facts& f) { return f.enabled.core.shaderStorageImageMultisample != 0; }),
    LANEWISE_ROW(UniformBufferArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.core.shaderUniformBufferArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(SampledImageArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.core.shaderSampledImageArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(StorageBufferArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.core.shaderStorageBufferArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(StorageImageArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.core.shaderStorageImageArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(ImageCubeArray, [](const Facts& f) { return f.enabled.core.imageCubeArray != 0; }),
    LANEWISE_ROW(Int8, [](const Facts& f) { return f.enabled.vulkan12.shaderInt8 != 0; }),
    LANEWISE_ROW(MinLod, [](const Facts& f) { return f.enabled.core.shaderResourceMinLod != 0; }),
    LANEWISE_ROW(Sampled1D, always),
    LANEWISE_ROW(Image1D, always),
    LANEWISE_ROW(SampledCubeArray, [](const Facts& f) { return f.enabled.core.imageCubeArray != 0; }),
    LANEWISE_ROW(SampledBuffer, always),
    LANEWISE_ROW(ImageBuffer, always),
    LANEWISE_ROW(ImageMSArray, [](const Facts& f) { return f.enabled.core.shaderStorageImageMultisample != 0; }),
    LANEWISE_ROW(StorageImageExtendedFormats, [](const Facts& f) { return f.enabled.core.shaderStorageImageExtendedFormats != 0; }),
    LANEWISE_ROW(ImageQuery, always),
    LANEWISE_ROW(StorageImageReadWithoutFormat, [](const Facts& f) { return f.enabled.core.shaderStorageImageReadWithoutFormat != 0; }),
    LANEWISE_ROW(StorageImageWriteWithoutFormat, [](const Facts& f) { return f.enabled.core.shaderStorageImageWriteWithoutFormat != 0; }),
    LANEWISE_ROW(GroupNonUniform, [](const Facts& f) { return subgroupHas(f, Sub::eBasic); }),
    LANEWISE_ROW(GroupNonUniformVote, [](const Facts& f) { return subgroupHas(f, Sub::eVote); }),
    LANEWISE_ROW(GroupNonUniformArithmetic, [](const Facts& f) { return subgroupHas(f, Sub::eArithmetic); }),
    LANEWISE_ROW(GroupNonUniformBallot, [](const Facts& f) { return subgroupHas(f, Sub::eBallot); }),
    LANEWISE_ROW(GroupNonUniformShuffle, [](const Facts& f) { return subgroupHas(f, Sub::eShuffle); }),
    LANEWISE_ROW(GroupNonUniformShuffleRelative, [](const Facts& f) { return subgroupHas(f, Sub::eShuffleRelative); }),
    LANEWISE_ROW(GroupNonUniformClustered, [](const Facts& f) { return subgroupHas(f, Sub::eClustered); }),
    LANEWISE_ROW(GroupNonUniformQuad, [](const Facts& f) { return subgroupHas(f, Sub::eQuad); }),
    LANEWISE_ROW(WorkgroupMemoryExplicitLayoutKHR,
                 [](const Facts& f) { return f.enabled.workgroupLayout.workgroupMemoryExplicitLayout != 0; }),
    LANEWISE_ROW(WorkgroupMemoryExplicitLayout8BitAccessKHR,
                 [](const Facts& f) { return f.enabled.workgroupLayout.workgroupMemoryExplicitLayout8BitAccess != 0; }),
    LANEWISE_ROW(WorkgroupMemoryExplicitLayout16BitAccessKHR,
                 [](const Facts& f) { return f.enabled.workgroupLayout.workgroupMemoryExplicitLayout16BitAccess != 0; }),
    LANEWISE_ROW(DeviceGroup, always),
    LANEWISE_ROW(StorageBuffer16BitAccess, [](const Facts& f) { return f.enabled.vulkan11.storageBuffer16BitAccess != 0; }),
    LANEWISE_ROW(UniformAndStorageBuffer16BitAccess,
                 [](const Facts& f) { return f.enabled.vulkan11.uniformAndStorageBuffer16BitAccess != 0; }),
    LANEWISE_ROW(StoragePushConstant16, [](const Facts& f) { return f.enabled.vulkan11.storagePushConstant16 != 0; }),
    LANEWISE_ROW(VariablePointersStorageBuffer, [](const Facts& f) { return f.enabled.vulkan11.variablePointersStorageBuffer != 0; }),
    LANEWISE_ROW(VariablePointers, [](const Facts& f) { return f.enabled.vulkan11.variablePointers != 0; }),
    LANEWISE_ROW(StorageBuffer8BitAccess, [](const Facts& f) { return f.enabled.vulkan12.storageBuffer8BitAccess != 0; }),
    LANEWISE_ROW(UniformAndStorageBuffer8BitAccess,
                 [](const Facts& f) { return f.enabled.vulkan12.uniformAndStorageBuffer8BitAccess != 0; }),
    LANEWISE_ROW(StoragePushConstant8, [](const Facts& f) { return f.enabled.vulkan12.storagePushConstant8 != 0; }),
    LANEWISE_ROW(DenormPreserve, always),  // the float-control modes are checked by width, below
    LANEWISE_ROW(DenormFlushToZero, always),
    LANEWISE_ROW(SignedZeroInfNanPreserve, always),
    LANEWISE_ROW(RoundingModeRTE, always),
    LANEWISE_ROW(RoundingModeRTZ, always),
    LANEWISE_ROW(ShaderNonUniform, [](const Facts& f) { return f.enabled.vulkan12.descriptorIndexing != 0; }),
    LANEWISE_ROW(RuntimeDescriptorArray, [](const Facts& f) { return f.enabled.vulkan12.runtimeDescriptorArray != 0; }),
    LANEWISE_ROW(UniformTexelBufferArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderUniformTexelBufferArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(StorageTexelBufferArrayDynamicIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderStorageTexelBufferArrayDynamicIndexing != 0; }),
    LANEWISE_ROW(UniformBufferArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderUniformBufferArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(SampledImageArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderSampledImageArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(StorageBufferArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderStorageBufferArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(StorageImageArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderStorageImageArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(UniformTexelBufferArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderUniformTexelBufferArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(StorageTexelBufferArrayNonUniformIndexing,
                 [](const Facts& f) { return f.enabled.vulkan12.shaderStorageTexelBufferArrayNonUniformIndexing != 0; }),
    LANEWISE_ROW(VulkanMemoryModel, [](const Facts& f) { return f.enabled.vulkan12.vulkanMemoryModel != 0; }),
    LANEWISE_ROW(VulkanMemoryModelDeviceScope, [](const Facts& f) { return f.enabled.vulkan12.vulkanMemoryModelDeviceScope != 0; }),
    LANEWISE_ROW(PhysicalStorageBufferAddresses, [](const Facts& f) { return f.enabled.vulkan12.bufferDeviceAddress != 0; }),
    LANEWISE_ROW(DemoteToHelperInvocation, [](const Facts& f) { return f.enabled.vulkan13.shaderDemoteToHelperInvocation != 0; }),
    LANEWISE_ROW(DotProductInputAll, [](const Facts& f) { return f.enabled.vulkan13.shaderIntegerDotProduct != 0; }),
    LANEWISE_ROW(DotProductInput4x8Bit, [](const Facts& f) { return f.enabled.vulkan13.shaderIntegerDotProduct != 0; }),
    LANEWISE_ROW(DotProductInput4x8BitPacked, [](const Facts& f) { return f.enabled.vulkan13.shaderIntegerDotProduct != 0; }),
    LANEWISE_ROW(DotProduct, [](const Facts& f) { return f.enabled.vulkan13.shaderIntegerDotProduct != 0; }),
    LANEWISE_ROW(AtomicFloat32AddEXT, [](const Facts& f) { return f.enabled.atomicFloat.shaderBufferFloat32AtomicAdd != 0; }),
    LANEWISE_ROW(AtomicFloat64AddEXT, [](const Facts& f) { return f.enabled.atomicFloat.shaderBufferFloat64AtomicAdd != 0; }),
    LANEWISE_ROW(AtomicFloat16AddEXT, [](const Facts& f) { return f.enabled.atomicFloat2.shaderBufferFloat16AtomicAdd != 0; }),
    LANEWISE_ROW(AtomicFloat16MinMaxEXT, [](const Facts& f) { return f.enabled.atomicFloat2.shaderBufferFloat16AtomicMinMax != 0; }),
    LANEWISE_ROW(AtomicFloat32MinMaxEXT, [](const Facts& f) { return f.enabled.atomicFloat2.shaderBufferFloat32AtomicMinMax != 0; }),
    LANEWISE_ROW(AtomicFloat64MinMaxEXT, [](const Facts& f) { return f.enabled.atomicFloat2.shaderBufferFloat64AtomicMinMax != 0; }),
    LANEWISE_ROW(Int64ImageEXT, [](const Facts& f) { return f.enabled.imageInt64.shaderImageInt64Atomics != 0; }),
    LANEWISE_ROW(ShaderClockKHR, [](const Facts& f) { return f.enabled.clock.shaderSubgroupClock || f.enabled.clock.shaderDeviceClock; }),
    LANEWISE_ROW(DerivativeControl, [](const Facts& f) { return hasDerivatives(f); }),
    LANEWISE_ROW(ComputeDerivativeGroupQuadsNV, [](const Facts& f) { return f.enabled.derivatives.computeDerivativeGroupQuads != 0; }),
    LANEWISE_ROW(ComputeDerivativeGroupLinearNV, [](const Facts& f) { return f.enabled.derivatives.computeDerivativeGroupLinear != 0; }),
    LANEWISE_ROW(FragmentMaskAMD, nullptr, VK_AMD_SHADER_FRAGMENT_MASK_EXTENSION_NAME),
    LANEWISE_ROW(SubgroupBallotKHR, nullptr, VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME),
    LANEWISE_ROW(SubgroupVoteKHR, nullptr, VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME),
};
#undef LANEWISE_ROW

// Those of a device's features that Lanewise enables: all but a few that change how memory is handled.
Features chosen(Features features) {
  features.core.sparseBinding = features.core.sparseResidencyBuffer = features.core.sparseResidencyImage2D = false;
  features.core.sparseResidencyImage3D = features.core.sparseResidencyAliased = false;
  features.vulkan11.protectedMemory = false;
  features.vulkan12.bufferDeviceAddressCaptureReplay = false;
  features.vulkan12.bufferDeviceAddressMultiDevice = false;
  // Not used, and with robustBufferAccess it would need robustBufferAccessUpdateAfterBind
  // (VUID-VkDeviceCreateInfo-robustBufferAccess-10247).
  features.vulkan12.descriptorBindingUniformBufferUpdateAfterBind = features.vulkan12.descriptorBindingStorageBufferUpdateAfterBind = false;
  features.vulkan12.descriptorBindingUniformTexelBufferUpdateAfterBind = false;
  features.vulkan12.descriptorBindingStorageTexelBufferUpdateAfterBind = false;
  return features;
}

// Of these extensions of a device, those that bring what Lanewise uses where it is there.
std::vector<const char*> usedOf(const std::vector<vk::ExtensionProperties>& extensions) {
  std::vector<const char*> used;
  const auto use = [&](std::string_view name) {
    const auto has = [&](const vk::ExtensionProperties& e) { return name == e.extensionName.data(); };
    const auto isThere = [&](const char* e) { return name == e; };
    if (std::ranges::any_of(extensions, has) && std::ranges::none_of(used, isThere)) used.push_back(name.data());
  };
  Features().forEachExtension([&](const auto&, const char* name) { use(name); });
  for (const ExtensionRow& row : kWithoutCapability) use(row.vulkan);
  for (const CapabilityRow& row : kCapabilities)
    if (row.extension != nullptr) use(row.extension);
  return used;
}

std::string versionText(std::uint32_t version) {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
}

// The float-control property of a mode and a width; nullptr if there is none.
const vk::Bool32* floatProperty(const vk::PhysicalDeviceVulkan12Properties& p, FloatMode mode) {
  const auto pick = [&](const vk::Bool32& f16, const vk::Bool32& f32, const vk::Bool32& f64) -> const vk::Bool32* {
    return mode.width == 16 ? &f16 : mode.width == 32 ? &f32 : mode.width == 64 ? &f64 : nullptr;
  };
  switch (mode.mode) {
    case spv::ExecutionMode::DenormPreserve:
      return pick(p.shaderDenormPreserveFloat16, p.shaderDenormPreserveFloat32, p.shaderDenormPreserveFloat64);
    case spv::ExecutionMode::DenormFlushToZero:
      return pick(p.shaderDenormFlushToZeroFloat16, p.shaderDenormFlushToZeroFloat32, p.shaderDenormFlushToZeroFloat64);
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
      return pick(p.shaderSignedZeroInfNanPreserveFloat16, p.shaderSignedZeroInfNanPreserveFloat32,
                  p.shaderSignedZeroInfNanPreserveFloat64);
    case spv::ExecutionMode::RoundingModeRTE:
      return pick(p.shaderRoundingModeRTEFloat16, p.shaderRoundingModeRTEFloat32, p.shaderRoundingModeRTEFloat64);
    case spv::ExecutionMode::RoundingModeRTZ:
      return pick(p.shaderRoundingModeRTZFloat16, p.shaderRoundingModeRTZFloat32, p.shaderRoundingModeRTZFloat64);
    default:
      return nullptr;
  }
}

const char* floatModeName(spv::ExecutionMode mode) {
  constexpr const char* kNames[] = {"DenormPreserve", "DenormFlushToZero", "SignedZeroInfNanPreserve", "RoundingModeRTE",
                                    "RoundingModeRTZ"};
  return kNames[std::uint32_t(mode) - std::uint32_t(spv::ExecutionMode::DenormPreserve)];
}

FloatControls controlsOf(const vk::PhysicalDeviceVulkan12Properties& p, std::uint32_t width) {
  const auto has = [&](spv::ExecutionMode mode) { return *floatProperty(p, {mode, width}) != 0; };
  return {has(spv::ExecutionMode::SignedZeroInfNanPreserve), has(spv::ExecutionMode::DenormPreserve),
          has(spv::ExecutionMode::DenormFlushToZero), has(spv::ExecutionMode::RoundingModeRTE), has(spv::ExecutionMode::RoundingModeRTZ)};
}

Independence independenceOf(vk::ShaderFloatControlsIndependence independence) {
  switch (independence) {
    case vk::ShaderFloatControlsIndependence::eAll:
      return Independence::kAll;
    case vk::ShaderFloatControlsIndependence::e32BitOnly:
      return Independence::k32Only;
    default:
      return Independence::kNone;
  }
}

// Modes of the same choice, for widths that must choose the same (VUID-RuntimeSpirv-denormBehaviorIndependence-06289 to -06292).
Status checkIndependence(const InterfaceEntry& module, const std::string& where, const PhysicalFacts& facts) {
  const auto isDenorm = [](FloatMode m) {
    return m.mode == spv::ExecutionMode::DenormPreserve || m.mode == spv::ExecutionMode::DenormFlushToZero;
  };
  const auto isRounding = [](FloatMode m) {
    return m.mode == spv::ExecutionMode::RoundingModeRTE || m.mode == spv::ExecutionMode::RoundingModeRTZ;
  };
  const Independence denorm = independenceOf(facts.vulkan12.denormBehaviorIndependence);
  const Independence rounding = independenceOf(facts.vulkan12.roundingModeIndependence);
  for (const FloatMode a : module.floatModes)
    for (const FloatMode b : module.floatModes) {
      if (a.mode == b.mode || !((isDenorm(a) && isDenorm(b) && makeOneChoice(denorm, a.width, b.width)) ||
                                (isRounding(a) && isRounding(b) && makeOneChoice(rounding, a.width, b.width))))
        continue;
      return Error{
          Outcome::kUnsupported,
          fmt::format("the device lacks {} for {}-bit floats beside {} for {}-bit ones: its {} asks for one choice", floatModeName(a.mode),
                      a.width, floatModeName(b.mode), b.width, isDenorm(a) ? "denormBehaviorIndependence" : "roundingModeIndependence"),
          where, "declare the same mode for both widths"};
    }
  return {};
}

Status checkLimits(const InterfaceEntry& entry, const std::string& where, const PhysicalFacts& facts) {
  const auto beyond = [&](const char* what, std::uint64_t got, const char* limit, std::uint64_t most) {
    return Error{Outcome::kUnsupported, fmt::format("{} {}; the device takes {} ({})", what, got, most, limit), where, ""};
  };
  const vk::PhysicalDeviceLimits& l = facts.limits;
  const std::uint32_t* const size = entry.localSize;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > l.maxComputeWorkGroupSize[std::size_t(axis)]) {
      return beyond("a workgroup size of", size[axis], "maxComputeWorkGroupSize", l.maxComputeWorkGroupSize[std::size_t(axis)]);
    }
  }
  const std::uint64_t invocations = std::uint64_t{size[0]} * size[1] * size[2];  // each factor is within its limit by now
  if (invocations > l.maxComputeWorkGroupInvocations) {
    return beyond("workgroup invocations:", invocations, "maxComputeWorkGroupInvocations", l.maxComputeWorkGroupInvocations);
  }
  if (invocations == 0) return Error{Outcome::kBadInput, "a workgroup size of 0", where, ""};
  if (entry.workgroupBytes > l.maxComputeSharedMemorySize) {
    return beyond("bytes of workgroup memory:", entry.workgroupBytes, "maxComputeSharedMemorySize", l.maxComputeSharedMemorySize);
  }
  if (entry.pushBytes > l.maxPushConstantsSize) {
    return beyond("bytes of push constants:", entry.pushBytes, "maxPushConstantsSize", l.maxPushConstantsSize);
  }
  return {};
}

Status checkExtensions(const Interface& module, const std::string& where, const PhysicalFacts& facts) {
  for (const std::string& extension : module.extensions)
    for (const auto& [spirv, vulkan] : kWithoutCapability)
      if (extension == spirv && !hasExtension(facts, vulkan))
        return Error{Outcome::kUnsupported, fmt::format("the device lacks {}, which the module's {} is of", vulkan, extension), where, ""};
  return {};
}

}  // namespace

Expected<PhysicalFacts> readFacts(const vk::raii::PhysicalDevice& device) {
  PhysicalFacts facts;
  const vk::PhysicalDeviceProperties basic = device.getProperties();
  facts.name = basic.deviceName.data();
  facts.apiVersion = basic.apiVersion;
  facts.limits = basic.limits;
  if (basic.apiVersion < VK_API_VERSION_1_3) {
    return Error{Outcome::kDeviceTrouble, "the device has Vulkan " + versionText(basic.apiVersion) + "; 1.3 is needed", facts.name, ""};
  }
  vk::PhysicalDeviceProperties2 properties;
  properties.pNext = &facts.vulkan11;
  facts.vulkan11.pNext = &facts.vulkan12;
  facts.vulkan12.pNext = &facts.vulkan13;
  (*device).getProperties2(&properties, *device.getDispatcher());
  facts.vulkan11.pNext = facts.vulkan12.pNext = nullptr;

  Features has;
  const std::vector<vk::ExtensionProperties> extensions = device.enumerateDeviceExtensionProperties();
  has.extensions = usedOf(extensions);
  for (const vk::ExtensionProperties& e : extensions) facts.extensions.emplace_back(e.extensionName.data());
  vk::PhysicalDeviceFeatures2 features;
  features.pNext = has.chain();
  (*device).getFeatures2(&features, *device.getDispatcher());
  has.core = features.features;
  facts.enabled = chosen(has);
  appendFeatureNames(has, facts.unused);
  std::vector<std::string> used;
  appendFeatureNames(facts.enabled, used);
  std::erase_if(facts.unused, [&](const std::string& name) { return std::ranges::find(used, name) != used.end(); });
  return facts;
}

std::optional<std::uint32_t> queueFamilyOf(const std::vector<vk::QueueFamilyProperties>& families) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    if (!(families[i].queueFlags & vk::QueueFlagBits::eCompute)) continue;
    if (families[i].timestampValidBits) return i;
    if (!found) found = i;
  }
  return found;
}

Profile profileOf(const vk::PhysicalDeviceProperties& basic) {
  Profile profile;
  profile.name.clear();
  profile.apiVersion = versionText(basic.apiVersion);
  profile.description = basic.deviceName.data();
  profile.maxWorkgroupInvocations = basic.limits.maxComputeWorkGroupInvocations;
  std::ranges::copy(basic.limits.maxComputeWorkGroupSize, profile.maxWorkgroupSize);
  std::ranges::copy(basic.limits.maxComputeWorkGroupCount, profile.maxWorkgroupCount);
  profile.maxSharedMemory = basic.limits.maxComputeSharedMemorySize;
  profile.maxPushConstants = basic.limits.maxPushConstantsSize;
  profile.subTexelBits = basic.limits.subTexelPrecisionBits;
  return profile;
}

Profile readProfile(const vk::raii::PhysicalDevice& device, std::span<const std::string> ofInstance) {
  Profile profile = profileOf(device.getProperties());
  const Expected<PhysicalFacts> facts = readFacts(device);
  if (!facts) return profile;
  profile.description += fmt::format(", {} {}", facts->vulkan12.driverName.data(), facts->vulkan12.driverInfo.data());
  while (profile.description.back() == ' ') profile.description.pop_back();
  profile.subgroupSize = facts->vulkan11.subgroupSize;
  profile.minSubgroupSize = facts->vulkan13.minSubgroupSize;
  profile.maxSubgroupSize = facts->vulkan13.maxSubgroupSize;
  profile.float16 = controlsOf(facts->vulkan12, 16);
  profile.float32 = controlsOf(facts->vulkan12, 32);
  profile.float64 = controlsOf(facts->vulkan12, 64);
  profile.denormIndependence = independenceOf(facts->vulkan12.denormBehaviorIndependence);
  profile.roundingIndependence = independenceOf(facts->vulkan12.roundingModeIndependence);
  // Without robustImageAccess2 the answer is not reported.
  if (facts->enabled.robustness2.robustImageAccess2) profile.outsideImage = OutsideImage::kByFormat;
  for (const CapabilityRow& row : kCapabilities) {
    if (hasCapability(*facts, row)) profile.capabilities.emplace_back(row.name);
  }
  // A feature of samplers. Vulkan promises it only for single components, so it is listed only if four can be filtered that way.
  const vk::FormatProperties rgba = device.getFormatProperties(vk::Format::eR32G32B32A32Sfloat);
  if (facts->enabled.vulkan12.samplerFilterMinmax && (rgba.optimalTilingFeatures & vk::FormatFeatureFlagBits::eSampledImageFilterMinmax))
    profile.capabilities.emplace_back("samplerFilterMinmax");
  const std::vector<vk::QueueFamilyProperties> families = device.getQueueFamilyProperties();
  const std::optional<std::uint32_t> family = queueFamilyOf(families);
  // lavapipe draws a blit, and its rasterizer crashes at 16 lanes (22.3.6 and 26.2.6).
  const bool crashes = facts->vulkan12.driverID == vk::DriverId::eMesaLlvmpipe && profile.subgroupSize == 16;
  if (family && !crashes && (families[*family].queueFlags & vk::QueueFlagBits::eGraphics))
    profile.capabilities.emplace_back("vkCmdBlitImage");
  appendFeatureNames(facts->enabled, profile.capabilities);
  for (const std::string& name : facts->unused) profile.capabilities.push_back(kUnusedFeature + name);
  profile.capabilities.insert(profile.capabilities.end(), facts->extensions.begin(), facts->extensions.end());
  profile.capabilities.insert(profile.capabilities.end(), ofInstance.begin(), ofInstance.end());
  return profile;
}

Status checkModule(const Interface& module, const InterfaceEntry& entry, const std::string& moduleName, const PhysicalFacts& facts) {
  const std::string where = moduleName + " on " + facts.name;
  for (const spv::Capability capability : module.capabilities) {
    const auto same = [&](const CapabilityRow& row) { return row.capability == capability; };
    const auto row = std::ranges::find_if(kCapabilities, same);
    if (row == std::end(kCapabilities)) {
      return Error{Outcome::kUnsupported, "the Vulkan backend does not know SPIR-V capability " + spirv::capabilityName(capability), where,
                   ""};
    }
    if (!hasCapability(facts, *row)) {
      return Error{Outcome::kUnsupported, std::string("the device lacks the SPIR-V capability ") + row->name, where, ""};
    }
  }
  if (Status bad = checkExtensions(module, where, facts)) return bad;
  for (const FloatMode mode : entry.floatModes) {
    const vk::Bool32* property = floatProperty(facts.vulkan12, mode);
    if (property && *property) continue;
    return Error{Outcome::kUnsupported,
                 fmt::format("the device lacks the execution mode {} for {}-bit floats", floatModeName(mode.mode), mode.width), where, ""};
  }
  if (Status bad = checkIndependence(entry, where, facts)) return bad;
  return checkLimits(entry, where, facts);
}

}  // namespace lanewise
