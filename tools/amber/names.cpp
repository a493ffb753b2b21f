// The names that a script may use: features, properties, and what does not belong to compute.
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "tools/amber/parser.h"

namespace lanewise::amber {
namespace {

// VkPhysicalDeviceFeatures, and those of extensions that scripts know by the name of their structure.
constexpr std::string_view kFeatures[] = {"robustBufferAccess",
                                          "fullDrawIndexUint32",
                                          "imageCubeArray",
                                          "independentBlend",
                                          "geometryShader",
                                          "tessellationShader",
                                          "sampleRateShading",
                                          "dualSrcBlend",
                                          "logicOp",
                                          "multiDrawIndirect",
                                          "drawIndirectFirstInstance",
                                          "depthClamp",
                                          "depthBiasClamp",
                                          "fillModeNonSolid",
                                          "depthBounds",
                                          "wideLines",
                                          "largePoints",
                                          "alphaToOne",
                                          "multiViewport",
                                          "samplerAnisotropy",
                                          "textureCompressionETC2",
                                          "textureCompressionASTC_LDR",
                                          "textureCompressionBC",
                                          "occlusionQueryPrecise",
                                          "pipelineStatisticsQuery",
                                          "vertexPipelineStoresAndAtomics",
                                          "fragmentStoresAndAtomics",
                                          "shaderTessellationAndGeometryPointSize",
                                          "shaderImageGatherExtended",
                                          "shaderStorageImageExtendedFormats",
                                          "shaderStorageImageMultisample",
                                          "shaderStorageImageReadWithoutFormat",
                                          "shaderStorageImageWriteWithoutFormat",
                                          "shaderUniformBufferArrayDynamicIndexing",
                                          "shaderSampledImageArrayDynamicIndexing",
                                          "shaderStorageBufferArrayDynamicIndexing",
                                          "shaderStorageImageArrayDynamicIndexing",
                                          "shaderClipDistance",
                                          "shaderCullDistance",
                                          "shaderFloat64",
                                          "shaderInt64",
                                          "shaderInt16",
                                          "shaderResourceResidency",
                                          "shaderResourceMinLod",
                                          "sparseBinding",
                                          "sparseResidencyBuffer",
                                          "sparseResidencyImage2D",
                                          "sparseResidencyImage3D",
                                          "sparseResidency2Samples",
                                          "sparseResidency4Samples",
                                          "sparseResidency8Samples",
                                          "sparseResidency16Samples",
                                          "sparseResidencyAliased",
                                          "variableMultisampleRate",
                                          "inheritedQueries",
                                          "framebuffer",
                                          "depthstencil",
                                          "VariablePointerFeatures.variablePointers",
                                          "VariablePointerFeatures.variablePointersStorageBuffer",
                                          "Float16Int8Features.shaderFloat16",
                                          "Float16Int8Features.shaderInt8",
                                          "VulkanMemoryModelFeatures.vulkanMemoryModel",
                                          "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope",
                                          "ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory",
                                          "Storage8BitFeatures.storageBuffer8BitAccess",
                                          "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess",
                                          "Storage8BitFeatures.storagePushConstant8",
                                          "Storage16BitFeatures.storageBuffer16BitAccess",
                                          "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess",
                                          "Storage16BitFeatures.storagePushConstant16",
                                          "Storage16BitFeatures.storageInputOutput16",
                                          "SubgroupSizeControl.subgroupSizeControl",
                                          "SubgroupSizeControl.computeFullSubgroups",
                                          "DepthClampZeroOneFeatures.depthClampZeroOne",
                                          "IndexTypeUint8Features.indexTypeUint8",
                                          "BufferDeviceAddressFeatures.bufferDeviceAddress",
                                          "ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes",
                                          "RayTracingPipelineFeaturesKHR.rayTracingPipeline",
                                          "AccelerationStructureFeaturesKHR.accelerationStructure"};
// Features of compute that the older form knows too, by their names alone.
constexpr std::string_view kMembers[] = {"shaderBufferInt64Atomics",
                                         "shaderSharedInt64Atomics",
                                         "computeDerivativeGroupQuads",
                                         "computeDerivativeGroupLinear",
                                         "shaderUniformTexelBufferArrayDynamicIndexing",
                                         "shaderStorageTexelBufferArrayDynamicIndexing",
                                         "shaderUniformBufferArrayNonUniformIndexing",
                                         "shaderSampledImageArrayNonUniformIndexing",
                                         "shaderStorageBufferArrayNonUniformIndexing",
                                         "shaderStorageImageArrayNonUniformIndexing",
                                         "shaderUniformTexelBufferArrayNonUniformIndexing",
                                         "shaderStorageTexelBufferArrayNonUniformIndexing",
                                         "descriptorBindingPartiallyBound",
                                         "descriptorBindingVariableDescriptorCount",
                                         "runtimeDescriptorArray",
                                         "scalarBlockLayout",
                                         "inlineUniformBlock",
                                         "vulkanMemoryModelAvailabilityVisibilityChains"};
constexpr std::string_view kOperations[] = {"basic", "vote", "arithmetic", "ballot", "shuffle", "shuffleRelative", "clustered", "quad"};
constexpr std::string_view kStages[] = {"vertex", "tessellationControl", "tessellationEvaluation", "geometry", "fragment", "compute"};
constexpr std::string_view kFloatControls[] = {"shaderSignedZeroInfNanPreserve", "shaderDenormPreserve", "shaderDenormFlushToZero",
                                               "shaderRoundingModeRTE", "shaderRoundingModeRTZ"};

struct ForeignWord {
  std::string_view word;
  const char* to;
};
constexpr ForeignWord kForeign[] = {
    // commands
    {"CLEAR", "graphics"},
    {"CLEAR_COLOR", "graphics"},
    {"CLEAR_DEPTH", "graphics"},
    {"CLEAR_STENCIL", "graphics"},
    {"ACCELERATION_STRUCTURE", "ray tracing"},
    {"DEBUG", "Amber's debugger"},
    // of RUN
    {"DRAW_RECT", "graphics"},
    {"DRAW_GRID", "graphics"},
    {"DRAW_ARRAY", "graphics"},
    {"RAYGEN", "ray tracing"},
    // of pipelines
    {"VERTEX_DATA", "graphics"},
    {"INDEX_DATA", "graphics"},
    {"BLEND", "graphics"},
    {"DEPTH", "graphics"},
    {"STENCIL", "graphics"},
    {"POLYGON_MODE", "graphics"},
    {"PATCH_CONTROL_POINTS", "graphics"},
    {"VIEWPORT", "graphics"},
    {"SHADER_GROUP", "ray tracing"},
    {"SHADER_BINDING_TABLE", "ray tracing"},
    {"MAX_RAY_PAYLOAD_SIZE", "ray tracing"},
    {"MAX_RAY_HIT_ATTRIBUTE_SIZE", "ray tracing"},
    {"MAX_RAY_RECURSION_DEPTH", "ray tracing"},
    {"USE_LIBRARY", "ray tracing"},
    {"FLAGS", "ray tracing"},
    {"KERNEL", "OpenCL C"},
    {"COMPILE_OPTIONS", "OpenCL C"},
    {"SET", "OpenCL C"},
    // of BIND
    {"color", "graphics"},
    {"depth_stencil", "graphics"},
    {"resolve", "graphics"},
    // kinds of shaders and pipelines
    {"vertex", "graphics"},
    {"fragment", "graphics"},
    {"geometry", "graphics"},
    {"tessellation_evaluation", "graphics"},
    {"tessellation_control", "graphics"},
    {"graphics", "graphics"},
    {"ray_generation", "ray tracing"},
    {"any_hit", "ray tracing"},
    {"closest_hit", "ray tracing"},
    {"miss", "ray tracing"},
    {"intersection", "ray tracing"},
    {"callable", "ray tracing"},
    {"ray_tracing", "ray tracing"},
    {"OPENCL-C", "OpenCL C"},
    // of the older form
    {"tessellation", "graphics"},
    {"draw", "graphics"},
    {"clear", "graphics"},
    {"patch", "graphics"},
    {"relative", "graphics"},
    {"indices", "graphics"}};

}  // namespace

bool isFeature(const std::string& name) {
  if (std::ranges::find(kFeatures, name) != std::end(kFeatures)) return true;
  const auto below = [&](std::string_view prefix, auto& names) {
    return name.starts_with(prefix) && std::ranges::find(names, std::string_view(name).substr(prefix.size())) != std::end(names);
  };
  return below("SubgroupSupportedOperations.", kOperations) || below("SubgroupSupportedStages.", kStages);
}

bool isFeatureOfExtension(const std::string& member) {
  if (std::ranges::find(kMembers, member) != std::end(kMembers)) return true;
  return std::ranges::any_of(kFeatures, [&](std::string_view f) {
    const std::size_t dot = f.find('.');
    return dot != std::string_view::npos && f.substr(dot + 1) == member;
  });
}

bool isProperty(const std::string& name) {
  // The second is an older name of the first.
  const std::string_view dot = std::string_view(name).substr(0, name.find('.'));
  if (dot != "FloatControlsProperties" && dot != "FloatControls") return false;
  const std::string_view rest = std::string_view(name).substr(std::min(name.size(), dot.size() + 1));
  for (const std::string_view property : kFloatControls)
    for (const std::string_view width : {"Float16", "Float32", "Float64"})
      if (rest.starts_with(property) && rest.substr(property.size()) == width) return true;
  return false;
}

bool mayBeFeature(const std::string& name) {
  const auto isWord = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
  };
  const std::size_t dot = name.find('.');
  return dot != std::string::npos && isWord(std::string_view(name).substr(0, dot)) && isWord(std::string_view(name).substr(dot + 1));
}

const char* foreignTo(const std::string& word) {
  const auto* found = std::ranges::find(kForeign, word, &ForeignWord::word);
  return found == std::end(kForeign) ? nullptr : found->to;
}

}  // namespace lanewise::amber
