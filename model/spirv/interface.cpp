#include "model/spirv/interface.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spirv/parse.h"
#include "model/spirv/spec_operation.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

using spirv::Declarations;
using spirv::Instruction;
using spirv::Module;

std::string nameIn(const Module& m, std::uint32_t id) {
  const auto it = m.names.find(id);
  return it == m.names.end() ? std::string() : it->second;
}

// Every variable before the first function, with its pointee.
template <class Visit>
void eachVariable(const Module& m, const Declarations& declarations, Visit visit) {
  for (const Instruction& inst : m.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op != spv::Op::OpVariable) continue;
    const Type* pointer = declarations.type(inst.type);
    if (pointer && pointer->kind == Type::Kind::kPointer && pointer->element)
      visit(inst, *pointer->element, static_cast<spv::StorageClass>(inst.operand(0)));
  }
}

DescriptorKind imageKind(const Type& image) {
  if (image.dim == spv::Dim::Buffer) return image.sampled == 1 ? DescriptorKind::kUniformTexelBuffer : DescriptorKind::kStorageTexelBuffer;
  return image.sampled == 2 ? DescriptorKind::kStorageImage : DescriptorKind::kSampledImage;
}

DescriptorKind kindOf(const Module& m, const Type& type, spv::StorageClass storage) {
  const bool opaque = storage == spv::StorageClass::UniformConstant;
  const Instruction* made = m.definition(type.id);
  if (!opaque && type.kind == Type::Kind::kStruct)
    return storage == spv::StorageClass::StorageBuffer || m.decoration(type.id, spv::Decoration::BufferBlock)
               ? DescriptorKind::kStorageBuffer
               : DescriptorKind::kUniformBuffer;
  if (opaque && type.kind == Type::Kind::kSampler) return DescriptorKind::kSampler;
  if (opaque && type.kind == Type::Kind::kImage) return imageKind(type);
  if (opaque && type.kind == Type::Kind::kSampledImage && type.element->kind == Type::Kind::kImage)
    return type.element->dim == spv::Dim::Buffer ? DescriptorKind::kUniformTexelBuffer : DescriptorKind::kCombinedImageSampler;
  if (opaque && made && made->op == spv::Op::OpTypeAccelerationStructureKHR) return DescriptorKind::kAccelerationStructure;
  return DescriptorKind::kOther;
}

bool everyMember(const Module& m, const Type& type, spv::Decoration kind) {
  bool all = type.kind == Type::Kind::kStruct && !type.members.empty();
  for (std::uint32_t i = 0; all && i < type.members.size(); ++i) all = m.memberDecoration(type.id, i, kind) != nullptr;
  return all;
}

// Kinds that cannot share a descriptor. A sampled image and a sampler may share a combined one.
std::string conflictOf(const InterfaceBinding& a, const InterfaceBinding& b) {
  const auto sampled = [](const InterfaceBinding& one) { return one.kind == DescriptorKind::kSampledImage || one.hasSampler(); };
  const bool formats = a.kind == b.kind && (a.kind == DescriptorKind::kStorageImage || a.kind == DescriptorKind::kStorageTexelBuffer) &&
                       a.type->imageFormat != b.type->imageFormat;
  const bool shapes = a.isImage() && b.isImage() && imageShapeText(*a.type) != imageShapeText(*b.type);
  if (!formats && !shapes && (a.kind == b.kind || (sampled(a) && sampled(b)))) return {};
  const auto what = [&](const InterfaceBinding& one) {
    const FormatInfo* format = formats ? formatInfo(formatBySpirv(one.type->imageFormat)) : nullptr;
    return fmt::format("a {}{}{}{}", descriptorKindName(one.kind), shapes ? " in " + imageShapeText(*one.type) : "",
                       format ? fmt::format(" of {}", format->name) : "", one.name.empty() ? "" : fmt::format(" ({})", one.name));
  };
  return fmt::format("binding {}:{} is {} and {}", a.set, a.binding, what(a), what(b));
}

// Two variables may share a binding. Merges them: any access that either has, the longer array, and the larger of two blocks.
void addBinding(InterfaceEntry& entry, InterfaceBinding b) {
  const auto same = [&](const InterfaceBinding& other) { return other.set == b.set && other.binding == b.binding; };
  const auto found = std::ranges::find_if(entry.bindings, same);
  if (found == entry.bindings.end()) {
    entry.bindings.push_back(std::move(b));
    return;
  }
  if (std::string conflict = conflictOf(*found, b); !conflict.empty()) {
    entry.conflicts.push_back(std::move(conflict));
    return;
  }
  found->nonWritable = found->nonWritable && b.nonWritable;
  found->nonReadable = found->nonReadable && b.nonReadable;
  found->array = found->array || b.array;
  found->runtime = found->runtime || b.runtime;
  found->count = found->runtime ? 0 : std::max(found->count, b.count);
  if (b.isImage() && !found->isImage()) found->type = b.type;
  if (b.isBuffer() && laidOutSize(*b.type) > laidOutSize(*found->type)) found->type = b.type;
  if (found->kind != b.kind) found->kind = DescriptorKind::kCombinedImageSampler;
}

Expected<InterfaceEntry> readEntry(const Module& m, const Declarations& declarations, const spirv::EntryPoint& e) {
  InterfaceEntry entry;
  entry.name = e.name;
  entry.function = e.function;
  const Expected<spirv::LocalSize> size = spirv::localSizeOf(m, declarations, e.function);
  if (!size) return size.error();
  std::ranges::copy(size->axes, entry.localSize);
  for (const spirv::ExecutionMode& mode : m.executionModes)
    if (mode.function == e.function && mode.mode >= spv::ExecutionMode::DenormPreserve &&
        mode.mode <= spv::ExecutionMode::RoundingModeRTZ && !mode.operands.empty())
      entry.floatModes.push_back({mode.mode, mode.operand(0)});
  const std::vector<bool> used = spirv::usedIds(m, e.function);
  eachVariable(m, declarations, [&](const Instruction& inst, const Type& type, spv::StorageClass storage) {
    if (!used[inst.result]) return;
    if (storage == spv::StorageClass::PushConstant) {
      const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(laidOutSize(type), UINT32_MAX));
      if (!entry.push || bytes > entry.pushBytes) entry.push = &type;
      entry.pushBytes = std::max(entry.pushBytes, bytes);
    } else if (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer ||
               storage == spv::StorageClass::UniformConstant) {
      addBinding(entry, spirv::bindingOf(m, declarations, inst));
    }
  });
  std::ranges::sort(entry.bindings, [](const auto& a, const auto& b) { return std::pair(a.set, a.binding) < std::pair(b.set, b.binding); });
  entry.workgroup = spirv::workgroupVariables(m, declarations, e, used);
  for (const WorkgroupVariable& v : entry.workgroup)
    entry.workgroupBytes = std::max(entry.workgroupBytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(v.end, UINT32_MAX)));
  return entry;
}

void readSpec(const Module& m, const Declarations& declarations, const Instruction& inst, std::vector<InterfaceSpec>& out) {
  const bool boolean = inst.op == spv::Op::OpSpecConstantTrue || inst.op == spv::Op::OpSpecConstantFalse;
  const std::optional<std::uint32_t> id = m.decorationNumber(inst.result, spv::Decoration::SpecId);
  const Type* type = declarations.type(inst.type);
  if (!id || !type || type->kind != Type::Kind::kScalar || (!boolean && inst.op != spv::Op::OpSpecConstant)) return;
  const std::uint64_t literal = boolean ? inst.op == spv::Op::OpSpecConstantTrue : inst.operand(0) | std::uint64_t{inst.operand(1)} << 32;
  InterfaceSpec s{*id, nameIn(m, inst.result), type->scalar, type->isSigned, spirv::narrowed(type->scalar, literal), false};
  const auto found = std::ranges::find(out, s.id, &InterfaceSpec::id);
  if (found == out.end()) {
    out.push_back(std::move(s));
    return;
  }
  found->several = found->several || found->value != s.value;
  if (found->name.empty()) found->name = s.name;
}

bool isWorkgroupBlock(const Module& m, const Type& type) {
  return type.kind == Type::Kind::kStruct && m.decoration(type.id, spv::Decoration::Block) &&
         std::ranges::find(m.capabilities, spv::Capability::WorkgroupMemoryExplicitLayoutKHR) != m.capabilities.end();
}

}  // namespace

std::string imageShapeText(const Type& image) {
  constexpr const char* kDims[] = {"1D", "2D", "3D", "Cube", "Rect", "Buffer", "SubpassData"};
  const auto dim = static_cast<std::size_t>(image.dim);
  return fmt::format("{}{}{}", dim < std::size(kDims) ? kDims[dim] : "?", image.multisampled ? "MS" : "", image.arrayed ? "Array" : "");
}

const char* descriptorKindName(DescriptorKind kind) {
  constexpr const char* kNames[] = {
      "uniform buffer",         "storage buffer",       "storage image",        "sampled image",          "sampler",
      "combined image sampler", "uniform texel buffer", "storage texel buffer", "acceleration structure", "resource of another kind"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool InterfaceBinding::isImage() const {
  return kind == DescriptorKind::kStorageImage || kind == DescriptorKind::kSampledImage || kind == DescriptorKind::kCombinedImageSampler;
}

bool InterfaceBinding::writable() const {
  return !nonWritable &&
         (kind == DescriptorKind::kStorageBuffer || kind == DescriptorKind::kStorageImage || kind == DescriptorKind::kStorageTexelBuffer);
}

std::string InterfaceBinding::text() const {
  return name.empty() ? fmt::format("{}:{}", set, binding) : fmt::format("{}:{} ({})", set, binding, name);
}

const InterfaceEntry* Interface::entry(const std::string& name) const {
  const auto found = std::ranges::find(entries, name, &InterfaceEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

const Type* Interface::type(std::uint32_t id) const {
  const auto found = std::ranges::find(types, id, [](const std::unique_ptr<Type>& t) { return t->id; });
  return found == types.end() ? nullptr : found->get();
}

namespace spirv {

InterfaceBinding bindingOf(const Module& m, const Declarations& declarations, const Instruction& variable) {
  InterfaceBinding b;
  b.set = m.decorationNumber(variable.result, spv::Decoration::DescriptorSet).value_or(0);
  b.binding = m.decorationNumber(variable.result, spv::Decoration::Binding).value_or(0);
  b.variable = variable.result;
  const Type* type = declarations.type(variable.type)->element;
  if (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kRuntimeArray) {
    b.array = true;
    b.runtime = type->kind == Type::Kind::kRuntimeArray;
    b.count = type->count;
    type = type->element;
  }
  b.kind = kindOf(m, *type, static_cast<spv::StorageClass>(variable.operand(0)));
  b.type = type->kind == Type::Kind::kSampledImage ? type->element : type;
  b.name = nameIn(m, variable.result);
  if (b.name.empty()) b.name = nameIn(m, b.type->id);
  b.nonWritable = m.decoration(variable.result, spv::Decoration::NonWritable) || everyMember(m, *b.type, spv::Decoration::NonWritable);
  b.nonReadable = m.decoration(variable.result, spv::Decoration::NonReadable) || everyMember(m, *b.type, spv::Decoration::NonReadable);
  return b;
}

std::vector<WorkgroupVariable> workgroupVariables(const Module& m, const Declarations& declarations, const EntryPoint& entry,
                                                  const std::vector<bool>& used) {
  std::vector<WorkgroupVariable> out;
  std::uint64_t bytes = 0;
  eachVariable(m, declarations, [&](const Instruction& inst, const Type& type, spv::StorageClass storage) {
    if (storage != spv::StorageClass::Workgroup) return;
    WorkgroupVariable v{inst.result, 0, 0, isWorkgroupBlock(m, type)};
    const bool aliasShows = v.block && inst.operand(1) != 0 && std::ranges::find(entry.interface, inst.result) != entry.interface.end();
    if (!used[inst.result] && !aliasShows) return;
    const std::uint64_t at = v.block ? 0 : (bytes + type.naturalAlign - 1) / type.naturalAlign * type.naturalAlign;
    v.offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(at, UINT32_MAX));
    v.end = v.block ? (laidOutSize(type) + 7) & ~std::uint64_t{7} : at + type.naturalSize;
    bytes = std::max(bytes, v.end);
    out.push_back(v);
  });
  return out;
}

Expected<LocalSize> localSizeOf(const Module& m, const Declarations& declarations, std::uint32_t function) {
  LocalSize out;
  const Error unknown{Outcome::kBadInput, "the size of the workgroup is not a constant integer", m.name, ""};
  for (const ExecutionMode& mode : m.executionModes) {
    const bool literal = mode.mode == spv::ExecutionMode::LocalSize, ids = mode.mode == spv::ExecutionMode::LocalSizeId;
    if (mode.function != function || !(literal || ids)) continue;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::optional<std::uint64_t> size = literal ? mode.operand(i) : declarations.number(mode.operand(i));
      if (!size) return unknown;
      out.axes[i] = static_cast<std::uint32_t>(*size);
    }
  }
  std::uint32_t decorated = 0;  // the first one, if there are several
  for (const auto& [id, list] : m.decorations)
    for (const Decoration& d : list)
      if (d.kind == spv::Decoration::BuiltIn && !d.operands.empty() &&
          d.operands[0] == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize) && (decorated == 0 || id < decorated))
        decorated = id;
  if (decorated == 0) return out;
  const Constant* size = declarations.constant(decorated);
  if (!size || size->type->leaves != 3) return unknown;
  for (std::uint32_t i = 0; i < 3; ++i) out.axes[i] = static_cast<std::uint32_t>(size->leaf(i));
  return out;
}

}  // namespace spirv

Expected<Interface> readInterface(const Module& module, std::span<const SpecConstant> spec) {
  Expected<Declarations> declarations = spirv::readDeclarations(module, spec);
  if (!declarations) return declarations.error();
  Interface out;
  out.version = module.version;
  out.capabilities = module.capabilities;
  for (const Instruction& inst : module.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op == spv::Op::OpExtension) out.extensions.push_back(spirv::literalString(inst.operands));
    if (inst.op == spv::Op::OpExtInstImport) out.instructionSets.push_back(spirv::literalString(inst.operands));
    readSpec(module, *declarations, inst, out.spec);
  }
  std::ranges::sort(out.spec, {}, &InterfaceSpec::id);
  for (const spirv::EntryPoint& e : module.entryPoints) {
    if (e.model != spv::ExecutionModel::GLCompute) continue;
    Expected<InterfaceEntry> entry = readEntry(module, *declarations, e);
    if (!entry) return entry.error();
    out.entries.push_back(std::move(*entry));
  }
  out.types = std::move(declarations->ownedTypes);
  return out;
}

Expected<Interface> readInterface(const ShaderModule& module, std::span<const SpecConstant> spec) {
  const Expected<Module> parsed = spirv::parse(module.name, module.words);
  if (!parsed) return parsed.error();
  return readInterface(*parsed, spec);
}

}  // namespace lanewise
