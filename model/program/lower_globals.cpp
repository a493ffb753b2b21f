// Variables and execution modes, as spirv/interface.h reads them: everything before the first function. Variables that the entry point does
// not use are left out.
//
// Source: SPIR-V 1.6, 3.42.7 "Constant-Creation Instructions"; Vulkan 1.3, "Shader Resource Interface".
#include <fmt/format.h>

#include "model/program/lowering.h"
#include "model/spirv/newer.h"
#include "model/spirv/uses.h"

namespace lanewise {

// Everything before the first function, in module order: constants and variables define values.
Status Lowering::globals() {
  const std::uint32_t end = m_.functions.empty() ? static_cast<std::uint32_t>(m_.instructions.size()) : m_.functions[0].first;
  for (std::uint32_t i = 0; i < end && !error_; ++i) {
    const Inst& inst = m_.instructions[i];
    from(&inst);
    switch (inst.op) {
      case spv::Op::OpMemoryModel:
        setMemoryModel(static_cast<spv::MemoryModel>(inst.operand(1)));
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
      case spv::Op::OpSpecConstantOp:
      case spv::Op::OpUndef:
        specConstant(inst);
        break;
      case spv::Op::OpVariable:
        if (used_[inst.result] || std::ranges::find(workgroup_, inst.result, &WorkgroupVariable::id) != workgroup_.end()) variable(inst);
        break;
      default:
        if (!spirv::newerName(inst.op).empty() && m_.setOf(inst) == spirv::InstructionSet::kNone) specConstant(inst);
        break;
    }
  }
  return error_;
}

void Lowering::specConstant(const Inst& inst) {
  const Type* type = typeOf(inst.type);
  Val v;
  v.type = type;
  switch (inst.op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      v.leaves = {f_.constant(type->scalar, declared_.constant(inst.result)->leaf(0))};
      break;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      for (std::uint32_t id : inst.operands)
        for (Value leafValue : val(id).leaves) v.leaves.push_back(leafValue);
      break;
    case spv::Op::OpSpecConstantOp:
      arithmetic(static_cast<spv::Op>(inst.operand(0)), inst, inst.operands.subspan(1));
      if (!vals_.find(inst.result)) unsupported("OpSpecConstantOp with " + spirv::opName(static_cast<spv::Op>(inst.operand(0))));
      return;
    case spv::Op::OpUndef:
      v.leaves = undefinedLeaves(inst, *type);
      break;
    default:  // OpConstantNull, and OpConstantCompositeReplicateEXT and its like
      if (!spirv::newerName(inst.op).empty()) {
        v.leaves = repeated(val(inst.operand(0)), *type);
        break;
      }
      for (std::uint32_t i = 0; i < type->leaves; ++i) v.leaves.push_back(f_.constant(leafScalar(*type, i), 0));
      break;
  }
  define(inst, std::move(v));
}

// The initializer of a workgroup variable is OpConstantNull. Bytes between its scalars are not written.
void Lowering::startAsZero(const Pointer& variable) {
  forEachLeaf(variable, [this](const Pointer& at, Scalar type) {
    auto& ranges = f_.workgroupZero;
    if (!ranges.empty() && ranges.back().first + ranges.back().second == at.offset)
      ranges.back().second += scalarBytes(type);
    else
      ranges.emplace_back(at.offset, scalarBytes(type));
  });
}

void Lowering::variable(const Inst& inst) {
  const Type* pointer = typeOf(inst.type);
  const Type* pointee = typeOf(pointer->element->id);
  const auto storage = static_cast<spv::StorageClass>(inst.operand(0));
  Pointer p;
  p.pointee = pointee;
  p.variable = inst.result;
  qualify(p, inst.result);
  switch (storage) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private: {
      p.root = Pointer::Root::kLocal;
      p.local = newLocal(pointee, inst);
      beginPath(p, ir::PathStep::Kind::kVariable, inst.result, ir::PathStep::Layout::kScalars);
      definePointer(inst, p);
      if (options_.record) addNotes(p.local);
      keepVariable(inst.result, p);
      if (inst.operand(1) != 0)
        store(p, leavesOf(val(inst.operand(1))));
      else if (caller_ != 0)
        forget(p);
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
      resourceVariable(inst);
      return;
    default:
      unsupported(fmt::format("a variable in storage class {}", inst.operand(0)));
      return;
  }
  keepVariable(inst.result, p);
  definePointer(inst, p);
}

void Lowering::workgroupVariable(const Inst& inst, Pointer& p) {
  p.root = Pointer::Root::kMemory;
  p.space = ir::Space::kWorkgroup;
  const WorkgroupVariable& place = *std::ranges::find(workgroup_, inst.result, &WorkgroupVariable::id);
  p.natural = !place.block;
  p.offset = place.offset;
  explicitWorkgroup_ = explicitWorkgroup_ || place.block;
  if (place.end > options_.profile.maxSharedMemory)
    return fail(Outcome::kBadInput,
                fmt::format("workgroup memory of {} bytes is above the limit of {}", place.end, options_.profile.maxSharedMemory));
  f_.workgroupBytes = std::max(f_.workgroupBytes, static_cast<std::uint32_t>(place.end));
  using Layout = ir::PathStep::Layout;
  beginPath(p, ir::PathStep::Kind::kVariable, inst.result, p.natural ? Layout::kNatural : Layout::kExplicit);
  if (inst.operand(1) != 0) startAsZero(p);
}

void Lowering::resourceVariable(const Inst& inst) {
  using Kind = ir::ResourceDeclaration::Kind;
  const InterfaceBinding b = spirv::bindingOf(m_, declared_, inst);
  ir::ResourceDeclaration r;
  r.set = b.set;
  r.binding = b.binding;
  r.variable = inst.result;
  r.count = b.count;
  r.nonReadable = b.nonReadable;
  r.nonWritable = b.nonWritable || b.kind == DescriptorKind::kUniformBuffer;
  Pointer p;
  p.pointee = typeOf(inst.type)->element;
  p.variable = inst.result;
  qualify(p, inst.result);
  beginPath(p, ir::PathStep::Kind::kVariable, inst.result, ir::PathStep::Layout::kExplicit);
  p.elementPending = b.array;
  r.type = b.array ? p.pointee->element : p.pointee;
  p.root = Pointer::Root::kOpaque;
  switch (b.kind) {
    case DescriptorKind::kUniformBuffer:
    case DescriptorKind::kStorageBuffer:
      p.root = Pointer::Root::kMemory;
      p.space = ir::Space::kBuffer;
      p.readOnly = r.nonWritable;
      r.kind = b.kind == DescriptorKind::kStorageBuffer ? Kind::kStorageBuffer : Kind::kUniformBuffer;
      break;
    case DescriptorKind::kStorageImage:
    case DescriptorKind::kStorageTexelBuffer:
      r.kind = Kind::kStorageImage;
      break;
    case DescriptorKind::kSampledImage:
    case DescriptorKind::kUniformTexelBuffer:
      r.kind = Kind::kSampledImage;
      break;
    case DescriptorKind::kSampler:
      r.kind = Kind::kSampler;
      break;
    case DescriptorKind::kCombinedImageSampler:
      r.kind = Kind::kCombined;
      break;
    default:
      return unsupported(std::string("a ") + descriptorKindName(b.kind));
  }
  p.resource = static_cast<std::uint32_t>(f_.resources.size());
  f_.resources.push_back(r);
  keepVariable(inst.result, p);
  definePointer(inst, p);
}

bool Lowering::executionModes(const spirv::EntryPoint& entry) {
  for (const spirv::ExecutionMode& mode : m_.executionModes)
    if (mode.function == entry.function && mode.mode == spv::ExecutionMode::DerivativeGroupQuadsNV) out_.quads = true;
  const Expected<spirv::LocalSize> size = spirv::localSizeOf(m_, declared_, entry.function);
  if (!size) error_ = size.error();
  if (!size) return false;
  std::copy(size->axes, size->axes + 3, out_.localSize);
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
