// Every choice that Vulkan leaves to an implementation, as one value. The model has no opinion of its own: it reads these fields; a
// Vulkan device fills in what it reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

// Rounding direction of FAdd, FSub, FMul and conversions (spirvenv, "Precision of Core SPIR-V Instructions": correctly rounded, direction
// implementation-defined unless RoundingModeRTE or RTZ is declared).
enum class Rounding : std::uint8_t { kToNearestEven, kTowardZero };
// Denormal operands and results (spirvenv: "any denormalized value ... may be flushed to 0" unless DenormPreserve is declared).
enum class Denormals : std::uint8_t { kPreserve, kFlush };

struct Profile {
  std::string name = "strict";    // "strict", or the device's name as `--devices` takes it
  std::string description;        // the device's own name, driver and version; empty for the model
  std::string apiVersion;         // e.g. "1.3.230"; empty for the model

  // Execution.
  std::uint32_t subgroupSize = 32;             // subgroupSize of VkPhysicalDeviceSubgroupProperties; a power of two from 1 to 128
  std::uint32_t minSubgroupSize = 1;           // VkPhysicalDeviceSubgroupSizeControlProperties
  std::uint32_t maxSubgroupSize = 128;
  std::uint32_t maxWorkgroupInvocations = 1024;  // maxComputeWorkGroupInvocations
  std::uint32_t maxWorkgroupSize[3] = {1024, 1024, 64};
  std::uint32_t maxWorkgroupCount[3] = {0xffffffffu, 0xffffffffu, 0xffffffffu};
  std::uint32_t maxSharedMemory = 65536;       // maxComputeSharedMemorySize, bytes
  std::uint32_t maxPushConstants = 256;        // maxPushConstantsSize, bytes

  // Floating point.
  Rounding rounding = Rounding::kToNearestEven;
  Denormals denormals = Denormals::kPreserve;
  bool fusedMultiplyAdd = false;               // GLSL.std.450 Fma: one rounding (true) or FMul then FAdd
};

}  // namespace lanewise
