// Every choice that Vulkan leaves to an implementation, as one value: profile.inc lists them. The model makes none of these choices itself
// but reads these fields. For a Vulkan device they are filled with what it reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

// The types of the choices, and how many values each has, counted from 0, the strict one.
#define VALUES(type) enum class type : std::uint8_t {
#define VALUE(enumerator, name) enumerator,
#define END \
  }         \
  ;
#include "model/contract/profile.inc"
template <class T>
inline constexpr std::uint32_t kValueCount = 0;
template <>
inline constexpr std::uint32_t kValueCount<bool> = 2;
#define VALUES(type) \
  template <>        \
  inline constexpr std::uint32_t kValueCount<type> = 0
#define VALUE(enumerator, name) +1
#define END ;
#include "model/contract/profile.inc"

// How texels are converted to shader values and back.
struct TexelRules {
#define TEXEL(type, field, ...) type field{};
#define TEXEL_FLAG(strict, field, ...) bool field = strict;
#include "model/contract/profile.inc"
  friend bool operator==(const TexelRules&, const TexelRules&) = default;
};

// The float-control execution modes that a device supports for one width (VkPhysicalDeviceFloatControlsProperties).
struct FloatControls {
  bool signedZeroInfNanPreserve = true;
  bool denormPreserve = true;
  bool denormFlushToZero = true;
  bool roundingModeRTE = true;
  bool roundingModeRTZ = true;
};

// For a float-control choice: which widths of float may choose differently (VkShaderFloatControlsIndependence). k32Only: 32 bits may, but
// 16 and 64 bits choose the same; kNone: all choose the same. In the order of how much they require.
enum class Independence : std::uint8_t { kAll, k32Only, kNone };
// Whether two widths of float must choose the same.
constexpr bool makeOneChoice(Independence independence, std::uint32_t width, std::uint32_t other) {
  return width == other || independence == Independence::kNone || (independence == Independence::k32Only && width != 32 && other != 32);
}

struct Profile {
  std::string name = "strict";  // "strict", or the device's name as `--devices` takes it
  std::string description;      // the device's own name, driver and version; empty for the model
  std::string apiVersion;       // e.g. "1.3.230"; empty for the model

  // Execution.
  std::uint32_t subgroupSize = 32;    // subgroupSize of VkPhysicalDeviceSubgroupProperties; a power of two from 1 to 128
  std::uint32_t minSubgroupSize = 1;  // VkPhysicalDeviceSubgroupSizeControlProperties
  std::uint32_t maxSubgroupSize = 128;
  std::uint32_t maxWorkgroupInvocations = 1024;  // maxComputeWorkGroupInvocations
  std::uint32_t maxWorkgroupSize[3] = {1024, 1024, 64};
  std::uint32_t maxWorkgroupCount[3] = {0xffffffffu, 0xffffffffu, 0xffffffffu};
  std::uint32_t maxSharedMemory = 65536;  // maxComputeSharedMemorySize, bytes
  std::uint32_t maxPushConstants = 256;   // maxPushConstantsSize, bytes

  // What it chooses.
#define CHOICE(type, field, ...) type field{};
#define FLAG(strict, field, ...) bool field = strict;
#include "model/contract/profile.inc"
  TexelRules texel;
  std::uint32_t subTexelBits = 8;  // subTexelPrecisionBits of linear filtering's weights; 0: the whole float fraction

  // What a module may ask for.
  FloatControls float16, float32, float64;
  Independence denormIndependence = Independence::kAll;    // denormBehaviorIndependence
  Independence roundingIndependence = Independence::kAll;  // roundingModeIndependence
  // By name: SPIR-V capabilities that a device takes, "samplerFilterMinmax" and "vkCmdBlitImage" if it has them, enabled features and its
  // extensions as Vulkan names them (gpu/feature_names.h). Empty for the model, which answers per instruction.
  std::vector<std::string> capabilities;
};

}  // namespace lanewise
