#include "gpu/feature_names.h"

namespace lanewise {
namespace {

struct FeatureRow {
  const char* name;
  bool (*has)(const Features&);
};

#define LANEWISE_FEATURE(structure, name)                          \
  FeatureRow {                                                     \
#name, [](const Features& f) { return f.structure.name != 0; } \
  }
// Source: Vulkan 1.3, "Features": VkPhysicalDeviceFeatures, and of the later structures what a compute shader can see.
constexpr FeatureRow kRows[] = {
    LANEWISE_FEATURE(core, robustBufferAccess),
    LANEWISE_FEATURE(core, fullDrawIndexUint32),
    LANEWISE_FEATURE(core, imageCubeArray),
    LANEWISE_FEATURE(core, independentBlend),
    LANEWISE_FEATURE(core, geometryShader),
    LANEWISE_FEATURE(core, tessellationShader),
    LANEWISE_FEATURE(core, sampleRateShading),
    LANEWISE_FEATURE(core, dualSrcBlend),
    LANEWISE_FEATURE(core, logicOp),
    LANEWISE_FEATURE(core, multiDrawIndirect),
    LANEWISE_FEATURE(core, drawIndirectFirstInstance),
    LANEWISE_FEATURE(core, depthClamp),
    LANEWISE_FEATURE(core, depthBiasClamp),
    LANEWISE_FEATURE(core, fillModeNonSolid),
    LANEWISE_FEATURE(core, depthBounds),
    LANEWISE_FEATURE(core, wideLines),
    LANEWISE_FEATURE(core, largePoints),
    LANEWISE_FEATURE(core, alphaToOne),
    LANEWISE_FEATURE(core, multiViewport),
    LANEWISE_FEATURE(core, samplerAnisotropy),
    LANEWISE_FEATURE(core, textureCompressionETC2),
    LANEWISE_FEATURE(core, textureCompressionASTC_LDR),
    LANEWISE_FEATURE(core, textureCompressionBC),
    LANEWISE_FEATURE(core, occlusionQueryPrecise),
    LANEWISE_FEATURE(core, pipelineStatisticsQuery),
    LANEWISE_FEATURE(core, vertexPipelineStoresAndAtomics),
    LANEWISE_FEATURE(core, fragmentStoresAndAtomics),
    LANEWISE_FEATURE(core, shaderTessellationAndGeometryPointSize),
    LANEWISE_FEATURE(core, shaderImageGatherExtended),
    LANEWISE_FEATURE(core, shaderStorageImageExtendedFormats),
    LANEWISE_FEATURE(core, shaderStorageImageMultisample),
    LANEWISE_FEATURE(core, shaderStorageImageReadWithoutFormat),
    LANEWISE_FEATURE(core, shaderStorageImageWriteWithoutFormat),
    LANEWISE_FEATURE(core, shaderUniformBufferArrayDynamicIndexing),
    LANEWISE_FEATURE(core, shaderSampledImageArrayDynamicIndexing),
    LANEWISE_FEATURE(core, shaderStorageBufferArrayDynamicIndexing),
    LANEWISE_FEATURE(core, shaderStorageImageArrayDynamicIndexing),
    LANEWISE_FEATURE(core, shaderClipDistance),
    LANEWISE_FEATURE(core, shaderCullDistance),
    LANEWISE_FEATURE(core, shaderFloat64),
    LANEWISE_FEATURE(core, shaderInt64),
    LANEWISE_FEATURE(core, shaderInt16),
    LANEWISE_FEATURE(core, shaderResourceResidency),
    LANEWISE_FEATURE(core, shaderResourceMinLod),
    LANEWISE_FEATURE(core, sparseBinding),
    LANEWISE_FEATURE(core, sparseResidencyBuffer),
    LANEWISE_FEATURE(core, sparseResidencyImage2D),
    LANEWISE_FEATURE(core, sparseResidencyImage3D),
    LANEWISE_FEATURE(core, sparseResidency2Samples),
    LANEWISE_FEATURE(core, sparseResidency4Samples),
    LANEWISE_FEATURE(core, sparseResidency8Samples),
    LANEWISE_FEATURE(core, sparseResidency16Samples),
    LANEWISE_FEATURE(core, sparseResidencyAliased),
    LANEWISE_FEATURE(core, variableMultisampleRate),
    LANEWISE_FEATURE(core, inheritedQueries),
    LANEWISE_FEATURE(vulkan11, storageBuffer16BitAccess),
    LANEWISE_FEATURE(vulkan11, uniformAndStorageBuffer16BitAccess),
    LANEWISE_FEATURE(vulkan11, storagePushConstant16),
    LANEWISE_FEATURE(vulkan11, storageInputOutput16),
    LANEWISE_FEATURE(vulkan11, variablePointersStorageBuffer),
    LANEWISE_FEATURE(vulkan11, variablePointers),
    LANEWISE_FEATURE(vulkan12, storageBuffer8BitAccess),
    LANEWISE_FEATURE(vulkan12, uniformAndStorageBuffer8BitAccess),
    LANEWISE_FEATURE(vulkan12, storagePushConstant8),
    LANEWISE_FEATURE(vulkan12, shaderFloat16),
    LANEWISE_FEATURE(vulkan12, shaderInt8),
    LANEWISE_FEATURE(vulkan12, vulkanMemoryModel),
    LANEWISE_FEATURE(vulkan12, vulkanMemoryModelDeviceScope),
    LANEWISE_FEATURE(vulkan12, vulkanMemoryModelAvailabilityVisibilityChains),
    LANEWISE_FEATURE(vulkan12, bufferDeviceAddress),
    LANEWISE_FEATURE(vulkan12, shaderBufferInt64Atomics),
    LANEWISE_FEATURE(vulkan12, shaderSharedInt64Atomics),
    LANEWISE_FEATURE(vulkan12, shaderUniformTexelBufferArrayDynamicIndexing),
    LANEWISE_FEATURE(vulkan12, shaderStorageTexelBufferArrayDynamicIndexing),
    LANEWISE_FEATURE(vulkan12, shaderUniformBufferArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, shaderSampledImageArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, shaderStorageBufferArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, shaderStorageImageArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, shaderUniformTexelBufferArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, shaderStorageTexelBufferArrayNonUniformIndexing),
    LANEWISE_FEATURE(vulkan12, descriptorBindingPartiallyBound),
    LANEWISE_FEATURE(vulkan12, descriptorBindingVariableDescriptorCount),
    LANEWISE_FEATURE(vulkan12, runtimeDescriptorArray),
    LANEWISE_FEATURE(vulkan12, scalarBlockLayout),
    LANEWISE_FEATURE(vulkan12, shaderSubgroupExtendedTypes),
    LANEWISE_FEATURE(vulkan13, shaderZeroInitializeWorkgroupMemory),
    LANEWISE_FEATURE(vulkan13, subgroupSizeControl),
    LANEWISE_FEATURE(vulkan13, computeFullSubgroups),
    LANEWISE_FEATURE(vulkan13, inlineUniformBlock),
    LANEWISE_FEATURE(derivatives, computeDerivativeGroupQuads),
    LANEWISE_FEATURE(derivatives, computeDerivativeGroupLinear),
    LANEWISE_FEATURE(reconvergence, shaderMaximalReconvergence),
};
#undef LANEWISE_FEATURE

}  // namespace

void appendFeatureNames(const Features& enabled, std::vector<std::string>& names) {
  for (const FeatureRow& row : kRows)
    if (row.has(enabled)) names.emplace_back(row.name);
}

}  // namespace lanewise
