// What a module asks of whoever runs it, for people: entry points, bindings with the layouts of their types, push and specialization
// constants. Types and array lengths are those after specialization.
//
// Source: SPIR-V 1.6; Vulkan 1.3, "Shader Interfaces" (which variables an entry point uses: those its functions name, directly or by
// calls). The module should have been validated; on any other the answer may be incomplete, but reading it does no harm.
// Gap: specialization of OpSpecConstantOp covers the integer, logical and selection operations.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/ir/types.h"
#include "model/spirv/module.h"

namespace lanewise {

enum class ResourceKind : std::uint8_t {
  kUniformBuffer,
  kStorageBuffer,
  kStorageImage,
  kSampledImage,
  kSampler,
  kCombinedImageSampler,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
  kAccelerationStructure
};
const char* resourceKindName(ResourceKind kind);  // "storage buffer"

struct InterfaceBinding {
  std::uint32_t set = 0, binding = 0;
  ResourceKind kind = ResourceKind::kUniformBuffer;
  std::uint32_t count = 1;  // descriptors; 0: a runtime array
  bool array = false;
  std::string name;            // as in the source, or empty
  const Type* type = nullptr;  // the block, image or sampler, without the array of descriptors; of a combined one the image
  bool nonWritable = false, nonReadable = false;

  bool isTexelBuffer() const { return kind == ResourceKind::kUniformTexelBuffer || kind == ResourceKind::kStorageTexelBuffer; }
  bool isBuffer() const { return kind == ResourceKind::kUniformBuffer || kind == ResourceKind::kStorageBuffer || isTexelBuffer(); }
  bool isImage() const;
  bool hasSampler() const { return kind == ResourceKind::kSampler || kind == ResourceKind::kCombinedImageSampler; }
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

struct InterfaceEntry {
  std::string name;
  std::uint32_t function = 0;  // its id
  std::uint32_t localSize[3] = {1, 1, 1};
  std::vector<InterfaceBinding> bindings;  // used ones, by (set, binding)
  std::vector<std::string> conflicts;      // "0:1 is a storage image (a) and a storage buffer (b)": no descriptor is both
  const Type* push = nullptr;              // the block; null without one
  std::uint32_t pushBytes = 0;
};

struct Interface {
  spirv::Module module;
  std::vector<std::unique_ptr<Type>> types;  // owns what the rest points to
  std::vector<InterfaceEntry> entries;       // compute ones
  std::vector<InterfaceSpec> spec;           // by id
  std::vector<std::string> extensions;

  const InterfaceEntry* entry(const std::string& name) const;
};

// Errors: bad input (words that are no SPIR-V).
Expected<Interface> readInterface(const ShaderModule& module, std::span<const SpecConstant> spec = {});

// Bytes of one element of the runtime array that a block ends in; 0 without one.
std::uint32_t runtimeStride(const Type& block);
// Bytes of a block up to its last member, its runtime array without elements.
std::uint64_t blockBytes(const Type& block);
// As GLSL writes it: "float", "uvec3", "mat3x4", "Particle", "uint[4]", "uint[]".
std::string typeText(const Type& type);
// The scalar that stands at a byte of a block, and its path for people ("data[4].x"). Empty where there is padding, or no layout.
struct LeafAt {
  Scalar scalar = Scalar::kI32;
  bool isSigned = false;
  std::uint64_t offset = 0;  // where it begins
  std::string path;
  bool pointer = false;  // a device address
};
std::optional<LeafAt> leafAt(const Type& block, std::uint64_t offset);

}  // namespace lanewise
