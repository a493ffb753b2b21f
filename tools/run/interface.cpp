#include "tools/run/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/spirv/parse.h"
#include "tools/run/type_reader.h"

namespace lanewise {
namespace {

std::uint32_t decorated(const spirv::Module& m, std::uint32_t id, spv::Decoration kind, std::uint32_t otherwise = 0) {
  const spirv::Decoration* d = m.decoration(id, kind);
  return d && !d->operands.empty() ? d->operands[0] : otherwise;
}

// Ids of module-scope variables that the entry point's functions name, and those its interface lists.
std::set<std::uint32_t> usedVariables(const spirv::Module& m, const spirv::EntryPoint& entry) {
  std::set<std::uint32_t> functions, ids;
  std::vector<std::uint32_t> open = {entry.function};
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    const spirv::FunctionRange* range = m.function(id);
    if (!range || !functions.insert(id).second) continue;
    for (std::uint32_t i = range->first; i < range->last; ++i) {
      const spirv::Instruction& inst = m.instructions[i];
      if (inst.op == spv::Op::OpFunctionCall) open.push_back(inst.operand(0));
      if (inst.op == spv::Op::OpExtInst && inst.operands.size() > 1 && isNonSemantic(m, inst)) continue;
      ids.insert(inst.operands.begin(), inst.operands.end());
    }
  }
  std::set<std::uint32_t> variables;
  for (const spirv::Instruction& inst : m.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op == spv::Op::OpVariable && ids.contains(inst.result)) variables.insert(inst.result);
  }
  return variables;
}

ResourceKind kindOf(const spirv::Module& m, const Type& type, spv::StorageClass storage) {
  switch (type.kind) {
    case Type::Kind::kStruct:
      return storage == spv::StorageClass::StorageBuffer || m.decoration(type.id, spv::Decoration::BufferBlock)
                 ? ResourceKind::kStorageBuffer
                 : ResourceKind::kUniformBuffer;
    case Type::Kind::kSampler:
      return ResourceKind::kSampler;
    case Type::Kind::kSampledImage:
      return type.element && type.element->dim == spv::Dim::Buffer ? ResourceKind::kUniformTexelBuffer
                                                                   : ResourceKind::kCombinedImageSampler;
    case Type::Kind::kImage:
      if (type.dim == spv::Dim::Buffer) return type.sampled == 1 ? ResourceKind::kUniformTexelBuffer : ResourceKind::kStorageTexelBuffer;
      return type.sampled == 2 ? ResourceKind::kStorageImage : ResourceKind::kSampledImage;
    default:
      return ResourceKind::kAccelerationStructure;
  }
}

bool everyMember(const spirv::Module& m, const Type& type, spv::Decoration kind) {
  bool all = type.kind == Type::Kind::kStruct && !type.members.empty();
  for (std::uint32_t i = 0; all && i < type.members.size(); ++i) all = m.memberDecoration(type.id, i, kind) != nullptr;
  return all;
}

InterfaceBinding bindingOf(const spirv::Module& m, const spirv::Instruction& variable, const Type* type, spv::StorageClass storage) {
  InterfaceBinding b;
  b.set = decorated(m, variable.result, spv::Decoration::DescriptorSet);
  b.binding = decorated(m, variable.result, spv::Decoration::Binding);
  if (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kRuntimeArray) {
    b.array = true;
    b.count = type->kind == Type::Kind::kArray ? type->count : 0;
    type = type->element;
  }
  b.kind = kindOf(m, *type, storage);
  b.type = type->kind == Type::Kind::kSampledImage && type->element ? type->element : type;
  const auto named = [&](std::uint32_t id) {
    const auto it = m.names.find(id);
    return it == m.names.end() ? std::string() : it->second;
  };
  b.name = named(variable.result);
  if (b.name.empty()) b.name = named(b.type->id);
  b.nonWritable = m.decoration(variable.result, spv::Decoration::NonWritable) || everyMember(m, *b.type, spv::Decoration::NonWritable);
  b.nonReadable = m.decoration(variable.result, spv::Decoration::NonReadable) || everyMember(m, *b.type, spv::Decoration::NonReadable);
  return b;
}

// What one descriptor cannot be both.
std::string conflictOf(const InterfaceBinding& a, const InterfaceBinding& b) {
  const auto sampled = [](const InterfaceBinding& one) {
    return one.kind == ResourceKind::kSampledImage || one.kind == ResourceKind::kSampler || one.kind == ResourceKind::kCombinedImageSampler;
  };
  const bool formats = a.kind == b.kind && (a.kind == ResourceKind::kStorageImage || a.kind == ResourceKind::kStorageTexelBuffer) &&
                       a.type->imageFormat != b.type->imageFormat;
  if (!formats && (a.kind == b.kind || (sampled(a) && sampled(b)))) return {};
  const auto what = [&](const InterfaceBinding& one) {
    const FormatInfo* format = formats ? formatInfo(formatBySpirv(one.type->imageFormat)) : nullptr;
    return fmt::format("a {}{}{}", resourceKindName(one.kind), format ? fmt::format(" of {}", format->name) : "",
                       one.name.empty() ? "" : fmt::format(" ({})", one.name));
  };
  return fmt::format("binding {}:{} is {} and {}", a.set, a.binding, what(a), what(b));
}

// Two variables may share a binding: what either may do, and the larger of two blocks.
void addBinding(InterfaceEntry& entry, InterfaceBinding b) {
  for (InterfaceBinding& other : entry.bindings) {
    if (other.set != b.set || other.binding != b.binding) continue;
    if (std::string conflict = conflictOf(other, b); !conflict.empty()) entry.conflicts.push_back(std::move(conflict));
    other.nonWritable = other.nonWritable && b.nonWritable;
    other.nonReadable = other.nonReadable && b.nonReadable;
    if (b.isBuffer() && other.isBuffer() && blockBytes(*b.type) > blockBytes(*other.type)) other.type = b.type;
    if (b.kind == ResourceKind::kCombinedImageSampler || (b.isImage() && other.kind == ResourceKind::kSampler)) {
      other.kind = ResourceKind::kCombinedImageSampler;
      if (b.isImage()) other.type = b.type;
    }
    return;
  }
  entry.bindings.push_back(std::move(b));
}

void readEntry(TypeReader& types, const spirv::EntryPoint& e, Interface& out) {
  const spirv::Module& m = out.module;
  InterfaceEntry entry;
  entry.name = e.name;
  entry.function = e.function;
  types.localSize(e.function, entry.localSize);
  const std::set<std::uint32_t> used = usedVariables(m, e);
  for (const spirv::Instruction& inst : m.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op != spv::Op::OpVariable || !used.contains(inst.result)) continue;
    const auto storage = static_cast<spv::StorageClass>(inst.operand(0));
    const Type* pointer = types.read(inst.type);
    if (!pointer || pointer->kind != Type::Kind::kPointer || !pointer->element) continue;
    if (storage == spv::StorageClass::PushConstant) {
      entry.push = pointer->element;
      entry.pushBytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(blockBytes(*entry.push), UINT32_MAX));
    } else if (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer ||
               storage == spv::StorageClass::UniformConstant) {
      addBinding(entry, bindingOf(m, inst, pointer->element, storage));
    }
  }
  std::sort(entry.bindings.begin(), entry.bindings.end(),
            [](const auto& a, const auto& b) { return std::pair(a.set, a.binding) < std::pair(b.set, b.binding); });
  out.entries.push_back(std::move(entry));
}

void readSpec(const spirv::Instruction& inst, TypeReader& types, Interface& out) {
  const bool boolean = inst.op == spv::Op::OpSpecConstantTrue || inst.op == spv::Op::OpSpecConstantFalse;
  if (!boolean && inst.op != spv::Op::OpSpecConstant) return;
  if (!out.module.decoration(inst.result, spv::Decoration::SpecId)) return;
  InterfaceSpec s;
  s.id = decorated(out.module, inst.result, spv::Decoration::SpecId);
  const auto it = out.module.names.find(inst.result);
  if (it != out.module.names.end()) s.name = it->second;
  if (const Type* type = types.read(inst.type)) {
    s.scalar = type->scalar;
    s.isSigned = type->isSigned;
  }
  s.value = boolean ? inst.op == spv::Op::OpSpecConstantTrue : inst.operand(0) | std::uint64_t{inst.operand(1)} << 32;
  for (InterfaceSpec& other : out.spec) {
    if (other.id != s.id) continue;
    other.several = other.several || other.value != s.value;
    if (other.name.empty()) other.name = s.name;
    return;
  }
  out.spec.push_back(std::move(s));
}

}  // namespace

const char* resourceKindName(ResourceKind kind) {
  constexpr const char* kNames[] = {
      "uniform buffer",         "storage buffer",       "storage image",        "sampled image",         "sampler",
      "combined image sampler", "uniform texel buffer", "storage texel buffer", "acceleration structure"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool InterfaceBinding::isImage() const {
  return kind == ResourceKind::kStorageImage || kind == ResourceKind::kSampledImage || kind == ResourceKind::kCombinedImageSampler;
}

bool InterfaceBinding::writable() const {
  return !nonWritable &&
         (kind == ResourceKind::kStorageBuffer || kind == ResourceKind::kStorageImage || kind == ResourceKind::kStorageTexelBuffer);
}

std::string InterfaceBinding::text() const {
  return name.empty() ? fmt::format("{}:{}", set, binding) : fmt::format("{}:{} ({})", set, binding, name);
}

const InterfaceEntry* Interface::entry(const std::string& name) const {
  for (const InterfaceEntry& e : entries)
    if (e.name == name) return &e;
  return nullptr;
}

Expected<Interface> readInterface(const ShaderModule& module, std::span<const SpecConstant> spec) {
  Expected<spirv::Module> parsed = spirv::parse(module.name, module.words);
  if (!parsed) return parsed.error();
  Interface out;
  out.module = std::move(*parsed);
  TypeReader types(out.module, spec, out.types);
  for (const spirv::Instruction& inst : out.module.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op == spv::Op::OpExtension) out.extensions.push_back(spirv::literalString(inst.operands));
    readSpec(inst, types, out);
  }
  std::sort(out.spec.begin(), out.spec.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (const spirv::EntryPoint& e : out.module.entryPoints)
    if (e.model == spv::ExecutionModel::GLCompute) readEntry(types, e, out);
  return out;
}

}  // namespace lanewise
