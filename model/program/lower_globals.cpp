// Constants, variables and execution modes: what stands before the first function. Variables that the entry point does not use are left
// out.
//
// Source: SPIR-V 1.6, 3.42.7 "Constant-Creation Instructions"; Vulkan 1.3, "Shader Resource Interface".
#include <fmt/format.h>

#include "model/program/lowering.h"
#include "model/spirv/newer.h"

namespace lanewise {

// Everything before the first function, in module order: constants and variables define values.
Status Lowering::globals() {
  const std::uint32_t end = m_.functions.empty() ? static_cast<std::uint32_t>(m_.instructions.size()) : m_.functions[0].first;
  for (std::uint32_t i = 0; i < end && !error_; ++i) {
    const Inst& inst = m_.instructions[i];
    inst_ = &inst;
    originCache_ = 0;
    switch (inst.op) {
      case spv::Op::OpMemoryModel:
        decoratedOrder_ = static_cast<spv::MemoryModel>(inst.operand(1)) != spv::MemoryModel::VulkanKHR;
        break;
      case spv::Op::OpExtInstImport:
        importSet(inst.result, spirv::literalString(inst.operands));
        break;
      case spv::Op::OpConstantTrue:
      case spv::Op::OpConstantFalse:
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse:
      case spv::Op::OpConstant:
      case spv::Op::OpSpecConstant:
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite:
      case spv::Op::OpConstantNull:
      case spv::Op::OpUndef:
      case spv::Op::OpSpecConstantOp:
        specConstant(inst);
        break;
      case spv::Op::OpVariable:
        if (used_[inst.result] || isInitialisedBlock(inst)) variable(inst);
        break;
      default:
        if (spirv::isNewer(static_cast<std::uint32_t>(inst.op))) specConstant(inst);
        break;
    }
  }
  return error_;
}

void Lowering::importSet(std::uint32_t id, const std::string& name) {
  if (name == "GLSL.std.450") glslSet_ = id;
  if (name == "NonSemantic.DebugPrintf")
    printfSet_ = id;
  else if (name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "DebugInfo")
    silentSets_.insert(id);
}

std::optional<std::uint64_t> Lowering::specValue(std::uint32_t id) const {
  const spirv::Decoration* d = m_.decoration(id, spv::Decoration::SpecId);
  if (!d || d->operands.empty()) return {};
  for (const SpecConstant& s : options_.spec)
    if (s.id == d->operands[0]) return s.value;
  return {};
}

// What an instruction leaves undefined.
Values Lowering::undefinedLeaves(const Inst& inst, const Type& type) {
  Values leaves;
  const auto instruction = static_cast<std::uint32_t>(&inst - m_.instructions.data());
  for (std::uint32_t i = 0; i < type.leaves; ++i) leaves.push_back(f_.undefined(leafScalar(type, i), instruction, 0));
  return leaves;
}

void Lowering::specConstant(const Inst& inst) {
  const Type* type = typeOf(inst.type);
  Val v;
  v.type = type;
  switch (inst.op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      v.leaves = {f_.constant(Scalar::kBool, specValue(inst.result).value_or(1))};
      break;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
      v.leaves = {f_.constant(Scalar::kBool, specValue(inst.result).value_or(0))};
      break;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant: {
      const std::uint64_t literal = inst.operand(0) | std::uint64_t{inst.operand(1)} << 32;
      v.leaves = {f_.constant(type->scalar, specValue(inst.result).value_or(literal))};
      break;
    }
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      for (std::uint32_t id : inst.operands)
        for (Value leafValue : val(id).leaves) v.leaves.push_back(leafValue);
      break;
    case spv::Op::OpSpecConstantOp:
      arithmetic(static_cast<spv::Op>(inst.operand(0)), inst, inst.operands.subspan(1));
      if (!vals_.contains(inst.result)) unsupported("OpSpecConstantOp with " + spirv::opName(static_cast<spv::Op>(inst.operand(0))));
      return;
    case spv::Op::OpUndef:
      v.leaves = undefinedLeaves(inst, *type);
      break;
    default:  // OpConstantNull, and OpConstantCompositeReplicateEXT and its like
      if (spirv::isNewer(static_cast<std::uint32_t>(inst.op))) {
        v.leaves = repeated(val(inst.operand(0)), *type);
        break;
      }
      for (std::uint32_t i = 0; i < type->leaves; ++i) v.leaves.push_back(f_.constant(leafScalar(*type, i), 0));
      break;
  }
  vals_[inst.result] = std::move(v);
}

// Whether a workgroup variable is a block of SPV_KHR_workgroup_memory_explicit_layout. Without that, the decorations of its type say
// nothing.
bool Lowering::isWorkgroupBlock(const Type& pointee) const {
  return pointee.kind == Type::Kind::kStruct && m_.decoration(pointee.id, spv::Decoration::Block) &&
         std::ranges::find(m_.capabilities, spv::Capability::WorkgroupMemoryExplicitLayoutKHR) != m_.capabilities.end();
}

// A block of the entry point's interface that starts as 0: the blocks share their memory, so that an alias shows it though nobody names it.
bool Lowering::isInitialisedBlock(const Inst& inst) {
  if (static_cast<spv::StorageClass>(inst.operand(0)) != spv::StorageClass::Workgroup || inst.operand(1) == 0) return false;
  return std::ranges::find(entry_->interface, inst.result) != entry_->interface.end() && isWorkgroupBlock(*typeOf(inst.type)->element);
}

// The initializer of a workgroup variable is OpConstantNull. What is between its scalars is not written.
void Lowering::startAsZero(const Pointer& variable) {
  forEachLeaf(variable, [this](const Pointer& at, Scalar type) {
    auto& ranges = f_.workgroupZero;
    if (!ranges.empty() && ranges.back().first + ranges.back().second == at.offset)
      ranges.back().second += scalarBytes(type);
    else
      ranges.emplace_back(at.offset, scalarBytes(type));
  });
}

void Lowering::workgroupVariable(const Inst& inst, Pointer& p) {
  p.root = Pointer::Root::kMemory;
  p.space = ir::Space::kWorkgroup;
  const Type& type = *p.pointee;
  if (isWorkgroupBlock(type)) {  // all blocks alias from offset 0
    f_.workgroupBytes = std::max(f_.workgroupBytes, static_cast<std::uint32_t>(laidOutSize(type) + 7) & ~7u);
    explicitWorkgroup_ = true;
  } else {
    p.natural = true;
    p.offset = (f_.workgroupBytes + type.naturalAlign - 1) / type.naturalAlign * type.naturalAlign;
    f_.workgroupBytes = p.offset + type.naturalSize;
  }
  if (f_.workgroupBytes > options_.profile.maxSharedMemory)
    return fail(Outcome::kBadInput,
                fmt::format("workgroup memory of {} bytes is above the limit of {}", f_.workgroupBytes, options_.profile.maxSharedMemory));
  using Layout = ir::PathStep::Layout;
  beginPath(p, ir::PathStep::Kind::kVariable, inst.result, p.natural ? Layout::kNatural : Layout::kExplicit);
  if (inst.operand(1) != 0) startAsZero(p);
}

void Lowering::variable(const Inst& inst) {
  const Type* pointer = typeOf(inst.type);
  const Type* pointee = pointer->element;
  const auto storage = static_cast<spv::StorageClass>(inst.operand(0));
  Pointer p;
  p.pointee = pointee;
  p.variable = inst.result;
  qualify(p, inst.result);
  switch (storage) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private: {
      p.root = Pointer::Root::kLocal;
      p.local = newLocal(pointee, inst.result);
      beginPath(p, ir::PathStep::Kind::kVariable, inst.result, ir::PathStep::Layout::kScalars);
      vals_[inst.result] = {pointer, {}, p, {}};
      if (inst.operand(1) != 0) store(p, leavesOf(val(inst.operand(1))));
      return;
    }
    case spv::StorageClass::Workgroup:
      workgroupVariable(inst, p);
      break;
    case spv::StorageClass::Input:
      p.root = Pointer::Root::kInput;
      if (const spirv::Decoration* d = m_.decoration(inst.result, spv::Decoration::BuiltIn); d && !d->operands.empty())
        p.builtin = d->operands[0];
      break;
    case spv::StorageClass::PushConstant:
      p.root = Pointer::Root::kMemory;
      p.space = ir::Space::kPush;
      p.readOnly = true;
      beginPath(p, ir::PathStep::Kind::kVariable, inst.result, ir::PathStep::Layout::kExplicit);
      out_.pushBytes = std::max(out_.pushBytes, static_cast<std::uint32_t>(laidOutSize(*pointee)));
      break;
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::UniformConstant:
      resourceVariable(inst, pointee, storage);
      return;
    default:
      unsupported(fmt::format("a variable in storage class {}", inst.operand(0)));
      return;
  }
  vals_[inst.result] = {pointer, {}, p, {}};
}

void Lowering::resourceVariable(const Inst& inst, const Type* pointee, spv::StorageClass storage) {
  using Kind = ir::ResourceDeclaration::Kind;
  const auto decorated = [&](spv::Decoration kind) {
    const spirv::Decoration* d = m_.decoration(inst.result, kind);
    return d && !d->operands.empty() ? d->operands[0] : 0;
  };
  ir::ResourceDeclaration r;
  r.set = decorated(spv::Decoration::DescriptorSet);
  r.binding = decorated(spv::Decoration::Binding);
  r.variable = inst.result;
  r.nonWritable = m_.decoration(inst.result, spv::Decoration::NonWritable) != nullptr;
  r.nonReadable = m_.decoration(inst.result, spv::Decoration::NonReadable) != nullptr;
  Pointer p;
  p.pointee = pointee;
  p.variable = inst.result;
  qualify(p, inst.result);
  beginPath(p, ir::PathStep::Kind::kVariable, inst.result, ir::PathStep::Layout::kExplicit);
  const Type* one = pointee;
  if (one->kind == Type::Kind::kArray || one->kind == Type::Kind::kRuntimeArray) {
    r.count = one->kind == Type::Kind::kArray ? one->count : 0;
    one = one->element;
    p.elementPending = true;
  }
  r.type = one;
  if (storage == spv::StorageClass::UniformConstant) {
    p.root = Pointer::Root::kOpaque;
    r.kind = one->kind == Type::Kind::kSampler        ? Kind::kSampler
             : one->kind == Type::Kind::kSampledImage ? Kind::kCombined
             : one->sampled == 1                      ? Kind::kSampledImage
                                                      : Kind::kStorageImage;
  } else {
    p.root = Pointer::Root::kMemory;
    p.space = ir::Space::kBuffer;
    const bool storageBuffer =
        storage == spv::StorageClass::StorageBuffer || m_.decoration(one->id, spv::Decoration::BufferBlock) != nullptr;
    r.kind = storageBuffer ? Kind::kStorageBuffer : Kind::kUniformBuffer;
    bool everyMember = one->kind == Type::Kind::kStruct && !one->members.empty();
    for (std::uint32_t i = 0; everyMember && i < one->members.size(); ++i)
      everyMember = m_.memberDecoration(one->id, i, spv::Decoration::NonWritable) != nullptr;
    r.nonWritable = r.nonWritable || everyMember || !storageBuffer;
    p.readOnly = r.nonWritable;
  }
  p.resource = static_cast<std::uint32_t>(f_.resources.size());
  f_.resources.push_back(r);
  vals_[inst.result] = {typeOf(inst.type), {}, p, {}};
}

// The local size: the WorkgroupSize built-in decorates a constant that overrides LocalSize and LocalSizeId.
bool Lowering::executionModes(const spirv::EntryPoint& entry) {
  for (const Inst& inst : m_.instructions) {
    if (inst.op == spv::Op::OpExecutionMode && inst.operand(0) == entry.function &&
        static_cast<spv::ExecutionMode>(inst.operand(1)) == spv::ExecutionMode::DerivativeGroupQuadsNV)
      out_.quads = true;
    const bool mode = inst.op == spv::Op::OpExecutionMode || inst.op == spv::Op::OpExecutionModeId;
    if (!mode || inst.operand(0) != entry.function || inst.operands.size() < 5) continue;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t word = inst.operand(2 + i);
      if (static_cast<spv::ExecutionMode>(inst.operand(1)) == spv::ExecutionMode::LocalSize) out_.localSize[i] = word;
      if (static_cast<spv::ExecutionMode>(inst.operand(1)) == spv::ExecutionMode::LocalSizeId)
        out_.localSize[i] = static_cast<std::uint32_t>(constantOf(word).value_or(0));
    }
  }
  for (const auto& [id, list] : m_.decorations)
    for (const spirv::Decoration& d : list)
      if (d.kind == spv::Decoration::BuiltIn && !d.operands.empty() &&
          d.operands[0] == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize))
        if (const auto it = vals_.find(id); it != vals_.end() && it->second.leaves.size() == 3)
          for (std::uint32_t i = 0; i < 3; ++i)
            out_.localSize[i] = static_cast<std::uint32_t>(f_.constantValue(it->second.leaves[i], false));
  if (out_.quads && (out_.localSize[0] % 2 != 0 || out_.localSize[1] % 2 != 0)) {
    fail(Outcome::kBadInput, fmt::format("DerivativeGroupQuads in a workgroup of {}x{}", out_.localSize[0], out_.localSize[1]));
    return false;
  }
  const Profile& p = options_.profile;
  std::uint64_t invocations = 1;
  for (std::uint32_t i = 0; i < 3; ++i) {
    invocations *= out_.localSize[i];
    if (out_.localSize[i] == 0 || out_.localSize[i] > p.maxWorkgroupSize[i] || invocations > p.maxWorkgroupInvocations) {
      error_ = Error{Outcome::kBadInput,
                     fmt::format("a workgroup of {}x{}x{} is outside the limits", out_.localSize[0], out_.localSize[1], out_.localSize[2]),
                     m_.name,
                     fmt::format("at most {} invocations, {}x{}x{}", p.maxWorkgroupInvocations, p.maxWorkgroupSize[0],
                                 p.maxWorkgroupSize[1], p.maxWorkgroupSize[2])};
      return false;
    }
  }
  return true;
}

}  // namespace lanewise
