// What a SPIR-V module asks of a Vulkan device, read from its words: bindings, push and specialization constants, capabilities, the
// workgroup's size. Bindings are never typed twice: descriptor layouts come from here.
//
// Source: SPIR-V 1.6, 2.3 "Physical Layout", 3.20 "Decoration"; Vulkan 1.3, "Shader Resource Interface".
// Promise: any words give a ModuleInterface or an Error with a word offset, never a crash. Gaps: the module is not validated (SPIRV-Tools
// does that elsewhere); a binding counts as used when a function that the entry point may call names its variable (and, from SPIR-V
// 1.4 on, the entry point lists it); array lengths and sizes given by OpSpecConstantOp are not computed (they count as 0).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/contract/device.h"

namespace lanewise {

enum class DescriptorKind : std::uint8_t {
  kUniformBuffer,
  kStorageBuffer,
  kStorageImage,
  kSampledImage,
  kSampler,
  kCombinedImageSampler,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
};
const char* descriptorKindName(DescriptorKind kind);  // "storage buffer", ...

enum class ImageDim : std::uint8_t { k1D, k2D, k3D, kCube, kBuffer, kOther };

struct BindingSlot {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  DescriptorKind kind = DescriptorKind::kStorageBuffer;
  std::uint32_t count = 1;  // array elements; 0 for a runtime array, until a dispatch says how many there are
  bool runtime = false;     // a runtime array: not every element need be bound
  std::string name;         // as in the source, may be empty
  // Images only.
  ImageDim dim = ImageDim::k2D;
  bool arrayed = false;
  bool multisampled = false;
  std::uint32_t spirvFormat = 0;  // SPIR-V Image Format; 0 is Unknown
};

struct SpecSlot {
  std::uint32_t id = 0;     // the SpecId
  std::uint32_t bytes = 4;  // size of the constant; a boolean has 4, as VkBool32
};

// A float-control execution mode of the entry point: DenormPreserve, DenormFlushToZero, SignedZeroInfNanPreserve, RoundingModeRTE or
// RoundingModeRTZ, and the width it holds for.
struct FloatMode {
  std::uint32_t mode = 0;  // SPIR-V Execution Mode
  std::uint32_t width = 0;
};

struct ModuleInterface {
  std::uint32_t version = 0;  // as in the header: 0x00010600 for 1.6
  std::vector<std::uint32_t> capabilities;
  std::vector<std::string> extensions;
  std::vector<FloatMode> floatModes;
  std::vector<BindingSlot> bindings;  // used ones, by (set, binding)
  std::vector<SpecSlot> spec;         // by SpecId
  std::uint32_t pushBytes = 0;        // end of the push constant block's last member
  Extent3 localSize;                  // with the specialization given
  std::uint32_t sharedBytes = 0;      // of Workgroup variables, tightly packed: a lower bound of what a device needs
};

// The interface of one GLCompute entry point. `module.name` stands in messages. Errors: bad input (malformed words, no such entry point),
// unsupported (a binding of a kind that is not known). Pure; safe from any thread.
Expected<ModuleInterface> reflectModule(const ShaderModule& module, const std::string& entryPoint, std::span<const SpecConstant> spec);

}  // namespace lanewise
