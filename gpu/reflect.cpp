// See reflect.h. One pass over the words fills tables by id; the interface is then read from the tables.
#include "gpu/reflect.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

#include "gpu/reflect_types.h"

namespace lanewise {
namespace {

Error malformed(const ShaderModule& module, std::size_t word, const std::string& what) {
  return {Outcome::kBadInput, what, module.name + ", word " + std::to_string(word), ""};
}

// One instruction after the other; the caller has checked the header.
template <class Visit>
Status eachInstruction(const ShaderModule& module, Visit visit) {
  const std::span<const std::uint32_t> words = module.words;
  for (std::size_t at = 5; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return malformed(module, at, "an instruction runs past the end of the module");
    if (const char* wrong = visit(spv::Op(words[at] & 0xffff), words.subspan(at, count))) return malformed(module, at, wrong);
    at += count;
  }
  return {};
}

Expected<DescriptorKind> imageKind(const TypeRow& image) {
  if (image.imageDim == std::uint32_t(spv::Dim::Buffer)) {
    return image.imageSampled == 1 ? DescriptorKind::kUniformTexelBuffer : DescriptorKind::kStorageTexelBuffer;
  }
  return image.imageSampled == 2 ? DescriptorKind::kStorageImage : DescriptorKind::kSampledImage;
}

ImageDim imageDim(std::uint32_t dim) {
  switch (spv::Dim(dim)) {
    case spv::Dim::Dim1D:
      return ImageDim::k1D;
    case spv::Dim::Dim2D:
      return ImageDim::k2D;
    case spv::Dim::Dim3D:
      return ImageDim::k3D;
    case spv::Dim::Cube:
      return ImageDim::kCube;
    case spv::Dim::Buffer:
      return ImageDim::kBuffer;
    default:
      return ImageDim::kOther;
  }
}

// Strips arrays (only the outermost may be one in Vulkan) and reads the kind off the type and the storage class.
Expected<BindingSlot> bindingOf(const ModuleTables& tables, std::uint32_t variable, const VariableRow& row) {
  BindingSlot slot;
  slot.set = row.set;
  slot.binding = row.binding;
  slot.name = tables.name(variable);
  const TypeRow* type = tables.type(row.pointee);
  if (type && (type->op == spv::Op::OpTypeArray || type->op == spv::Op::OpTypeRuntimeArray)) {
    slot.runtime = type->op == spv::Op::OpTypeRuntimeArray;
    slot.count = type->op == spv::Op::OpTypeArray ? std::uint32_t(tables.constant(type->length)) : 0;
    type = tables.type(type->element);
  }
  const std::string where = "set " + std::to_string(slot.set) + ", binding " + std::to_string(slot.binding);
  if (!type) return Error{Outcome::kBadInput, "a binding has no type", where, ""};
  const TypeRow* image = type->op == spv::Op::OpTypeSampledImage ? tables.type(type->element) : type;
  if (image && image->op == spv::Op::OpTypeImage) {
    slot.dim = imageDim(image->imageDim);
    slot.arrayed = image->imageArrayed;
    slot.multisampled = image->imageMultisampled;
    slot.spirvFormat = image->imageFormat;
  }
  if (type->op == spv::Op::OpTypeSampledImage) {
    slot.kind = DescriptorKind::kCombinedImageSampler;
  } else if (type->op == spv::Op::OpTypeSampler) {
    slot.kind = DescriptorKind::kSampler;
  } else if (type->op == spv::Op::OpTypeImage) {
    slot.kind = *imageKind(*type);
  } else if (type->op == spv::Op::OpTypeStruct) {
    const bool storage = row.storage == std::uint32_t(spv::StorageClass::StorageBuffer) || type->bufferBlock;
    slot.kind = storage ? DescriptorKind::kStorageBuffer : DescriptorKind::kUniformBuffer;
  } else {
    return Error{Outcome::kUnsupported, "a binding of a type that the Vulkan backend does not know", where, ""};
  }
  return slot;
}

Extent3 localSizeOf(const ModuleTables& tables, const EntryRow& entry) {
  // A constant decorated BuiltIn WorkgroupSize wins over the execution mode.
  if (tables.workgroupSize) {
    if (const std::vector<std::uint32_t>* parts = tables.composite(tables.workgroupSize); parts && parts->size() == 3) {
      return {std::uint32_t(tables.constant((*parts)[0])), std::uint32_t(tables.constant((*parts)[1])),
              std::uint32_t(tables.constant((*parts)[2]))};
    }
  }
  if (!entry.localSizeIsIds) return entry.localSize;
  return {std::uint32_t(tables.constant(entry.localSize.x)), std::uint32_t(tables.constant(entry.localSize.y)),
          std::uint32_t(tables.constant(entry.localSize.z))};
}

bool isResource(std::uint32_t storage) {
  const auto s = spv::StorageClass(storage);
  return s == spv::StorageClass::UniformConstant || s == spv::StorageClass::Uniform || s == spv::StorageClass::StorageBuffer;
}

Status collectVariables(const ShaderModule& module, const ModuleTables& tables, const EntryRow& entry, ModuleInterface& out) {
  const std::set<std::uint32_t> used = tables.usedBy(entry.id);
  for (const auto& [id, row] : tables.variables) {
    const bool listed = out.version < 0x00010400 || std::ranges::find(entry.interface, id) != entry.interface.end();
    if (!used.contains(id) || !listed) continue;
    if (row.storage == std::uint32_t(spv::StorageClass::PushConstant)) {
      out.pushBytes = std::uint32_t(std::min<std::uint64_t>(tables.sizeOf(row.pointee, true), UINT32_MAX));
    } else if (row.storage == std::uint32_t(spv::StorageClass::Workgroup)) {
      const std::uint64_t bytes = out.sharedBytes + tables.sizeOf(row.pointee, false);
      out.sharedBytes = std::uint32_t(std::min<std::uint64_t>(bytes, UINT32_MAX));
    } else if (isResource(row.storage)) {
      Expected<BindingSlot> slot = bindingOf(tables, id, row);
      if (!slot) {
        slot.error().where = module.name + ", " + slot.error().where;
        return slot.error();
      }
      out.bindings.push_back(*slot);
    }
  }
  std::ranges::sort(out.bindings, [](const auto& a, const auto& b) { return std::pair(a.set, a.binding) < std::pair(b.set, b.binding); });
  return {};
}

}  // namespace

const char* descriptorKindName(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::kUniformBuffer:
      return "uniform buffer";
    case DescriptorKind::kStorageBuffer:
      return "storage buffer";
    case DescriptorKind::kStorageImage:
      return "storage image";
    case DescriptorKind::kSampledImage:
      return "sampled image";
    case DescriptorKind::kSampler:
      return "sampler";
    case DescriptorKind::kCombinedImageSampler:
      return "combined image sampler";
    case DescriptorKind::kUniformTexelBuffer:
      return "uniform texel buffer";
    case DescriptorKind::kStorageTexelBuffer:
      return "storage texel buffer";
  }
  return "?";
}

Expected<ModuleInterface> reflectModule(const ShaderModule& module, const std::string& entryPoint, std::span<const SpecConstant> spec) {
  if (module.words.size() < 5 || module.words[0] != spv::MagicNumber) return malformed(module, 0, "not a SPIR-V module");
  ModuleTables tables;
  const auto visit = [&](spv::Op op, std::span<const std::uint32_t> words) { return tables.add(op, words); };
  if (Status wrong = eachInstruction(module, visit)) return *wrong;
  tables.specialize(spec);

  const auto isEntry = [&](const EntryRow& e) { return e.name == entryPoint && e.model == std::uint32_t(spv::ExecutionModel::GLCompute); };
  const auto entry = std::ranges::find_if(tables.entries, isEntry);
  if (entry == tables.entries.end()) {
    return Error{Outcome::kBadInput, "no compute entry point '" + entryPoint + "'", module.name, ""};
  }
  ModuleInterface out;
  out.version = module.words[1];
  out.capabilities = tables.capabilities;
  out.extensions = tables.extensions;
  out.floatModes = entry->floatModes;
  out.spec = tables.specSlots();
  out.localSize = localSizeOf(tables, *entry);
  if (Status wrong = collectVariables(module, tables, *entry, out)) return *wrong;
  return out;
}

}  // namespace lanewise
