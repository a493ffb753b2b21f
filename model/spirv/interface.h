// What a module needs to run: entry points, the bindings, push constants and workgroup memory of each, and specialization constants. Sizes
// and counts are those under a specialization.
//
// Source: SPIR-V 1.6; Vulkan 1.3, "Shader Interfaces": an entry point uses what its functions name, directly or by calls (uses.h). Promise:
// the model, every device and the tools all use this. Reading any words is safe. validate.h says whether the module is valid. Gap: two
// variables of one binding are merged; if no descriptor can be both, `conflicts` says so.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/declarations.h"
#include "model/spirv/module.h"

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
  kAccelerationStructure,
  kOther  // none that Vulkan has for compute
};
const char* descriptorKindName(DescriptorKind kind);  // "storage buffer"
std::string imageShapeText(const Type& image);        // "2D", "CubeArray": of an OpTypeImage

struct InterfaceBinding {
  std::uint32_t set = 0, binding = 0;
  DescriptorKind kind = DescriptorKind::kUniformBuffer;
  std::uint32_t count = 1;  // descriptors; 0: a runtime array
  bool array = false, runtime = false;
  std::uint32_t variable = 0;  // its id; if there are several, the first one's
  std::string name;            // the variable's name in the source, or else its type's, or empty
  const Type* type = nullptr;  // the block, image or sampler, without the array of descriptors; of a combined one the image
  bool nonWritable = false, nonReadable = false;

  bool isTexelBuffer() const { return kind == DescriptorKind::kUniformTexelBuffer || kind == DescriptorKind::kStorageTexelBuffer; }
  bool isBuffer() const { return kind == DescriptorKind::kUniformBuffer || kind == DescriptorKind::kStorageBuffer || isTexelBuffer(); }
  bool isImage() const;
  bool hasSampler() const { return kind == DescriptorKind::kSampler || kind == DescriptorKind::kCombinedImageSampler; }
  bool writable() const;
  std::string text() const;  // "0:1 (sums)"
};

struct InterfaceSpec {
  std::uint32_t id = 0;  // the SpecId
  std::string name;
  Scalar scalar = Scalar::kI32;
  bool isSigned = false;
  std::uint64_t value = 0;  // the module's default
  bool several = false;     // other constants have this id too, with other defaults
};

// DenormPreserve, DenormFlushToZero, SignedZeroInfNanPreserve, RoundingModeRTE or RoundingModeRTZ, and the width to which it applies.
struct FloatMode {
  spv::ExecutionMode mode{};
  std::uint32_t width = 0;
};

// The position of a variable in workgroup memory.
struct WorkgroupVariable {
  std::uint32_t id = 0;
  std::uint32_t offset = 0;
  std::uint64_t end = 0;  // the end of its bytes
  bool block = false;     // laid out by its decorations, over all other blocks (SPV_KHR_workgroup_memory_explicit_layout)
};

struct InterfaceEntry {
  std::string name;
  std::uint32_t function = 0;  // its id
  std::uint32_t localSize[3] = {1, 1, 1};
  std::vector<FloatMode> floatModes;
  std::vector<InterfaceBinding> bindings;  // used ones, by (set, binding)
  std::vector<std::string> conflicts;      // "binding 0:1 is a storage image (a) and a storage buffer (b)": no descriptor is both
  const Type* push = nullptr;              // the block; null without one
  std::uint32_t pushBytes = 0;             // to the end of its last scalar
  std::vector<WorkgroupVariable> workgroup;
  std::uint32_t workgroupBytes = 0;  // as the model lays it out: one variable after the other, each scalar at its own alignment
};

struct Interface {
  std::uint32_t version = 0;                 // 0x00010600 for 1.6
  std::vector<std::unique_ptr<Type>> types;  // owns what the rest points to
  std::vector<InterfaceEntry> entries;       // compute ones
  std::vector<InterfaceSpec> spec;           // by id
  std::vector<spv::Capability> capabilities;
  std::vector<std::string> extensions, instructionSets;

  const InterfaceEntry* entry(const std::string& name) const;
  const Type* type(std::uint32_t id) const;  // nullptr: the id is no type
};

// Errors: those of parse() and readDeclarations().
Expected<Interface> readInterface(const spirv::Module& module, std::span<const SpecConstant> spec = {});
Expected<Interface> readInterface(const ShaderModule& module, std::span<const SpecConstant> spec = {});

namespace spirv {

// The parts of the interface, for callers that have the declarations.
// One variable in the storage class Uniform, StorageBuffer or UniformConstant.
InterfaceBinding bindingOf(const Module& module, const Declarations& declarations, const Instruction& variable);
// The variables in `used` (uses.h), and blocks in the entry point's list that start as 0: an alias reads them although no instruction names
// them.
std::vector<WorkgroupVariable> workgroupVariables(const Module& module, const Declarations& declarations, const EntryPoint& entry,
                                                  const std::vector<bool>& used);
// LocalSize, LocalSizeId, or the constant decorated WorkgroupSize, which has priority. Error: an id that is not an integer constant.
struct LocalSize {
  std::uint32_t axes[3] = {1, 1, 1};
};
Expected<LocalSize> localSizeOf(const Module& module, const Declarations& declarations, std::uint32_t function);

}  // namespace spirv
}  // namespace lanewise
