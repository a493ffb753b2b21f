// Pointers: how they are advanced, and how they become values that can be selected, stored and compared.
//
// Source: SPIR-V 1.6, 3.42.8 "Memory Instructions" and 2.16.1 "Universal Validation Rules" (variable pointers); the extension
// SPV_KHR_physical_storage_buffer. During lowering a pointer is a root and an offset (lower_values.h). As a value it is a device address in
// physical storage. Elsewhere it is two words: the byte offset, and its base (a buffer's descriptor; 1 for workgroup memory; 0 for null).
#include <spirv/unified1/GLSL.std.450.h>

#include <fmt/format.h>

#include "model/program/lower_memory.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kLastElement = (1u << ir::kElementBits) - 1;
constexpr std::uint32_t kLastOffset = 0xbfffffffu;  // of an object: greater offsets mean offsets below 0

bool isPhysical(const Pointer& p) {
  return p.root == Pointer::Root::kMemory && p.space == ir::Space::kPhysical;
}

// Whether a pointee has the layout of a matrix, or is a column of one.
bool isPartOfMatrix(const Type* type) {
  while (type->kind == Type::Kind::kArray || type->kind == Type::Kind::kRuntimeArray) type = type->element;
  return type->kind == Type::Kind::kMatrix || type->kind == Type::Kind::kVector;
}

}  // namespace

Pointer MemoryLowering::addBytes(Pointer p, std::uint32_t bytes) {
  if (p.wraps) {
    p.dynamic = make(ir::kOffset, Scalar::kI32, {constantU32(bytes), constantU32(1), p.dynamic});
  } else {
    const std::uint64_t sum = std::uint64_t{p.offset} + bytes;
    p.offset = sum > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(sum);
  }
  return p;
}

// An index in the pointer's width: 64 bits, signed, for addresses; 32 bits elsewhere.
Value MemoryLowering::pointerIndex(const Pointer& p, const Val& index) {
  const Value v = leaf(index, 0);
  const Scalar type = f_.nodes[v].type;
  if (isPhysical(p)) {
    const bool isUnsigned = scalarBytes(type) < 4 && !index.type->isSigned;
    return type == Scalar::kI64 ? v : make(ir::core(isUnsigned ? spv::Op::OpUConvert : spv::Op::OpSConvert), Scalar::kI64, {v});
  }
  if (!p.wraps || type != Scalar::kI64) return toIndex(index);
  const Value low = f_.constant(Scalar::kI64, ~std::uint64_t{0x7fffffff}), high = f_.constant(Scalar::kI64, 0x7fffffff);
  return make(ir::core(spv::Op::OpUConvert), Scalar::kI32, {make(ir::kGlsl + GLSLstd450SClamp, Scalar::kI64, {v, low, high})});
}

Pointer MemoryLowering::advance(Pointer p, Value index, std::uint32_t stride) {
  const bool constant = f_.isConstant(index);
  if (isPhysical(p)) {
    const std::int64_t sum =
        constant ? static_cast<std::int64_t>(p.offset) + f_.constantValue(index) * static_cast<std::int64_t>(stride) : 0;
    if (constant && sum >= 0 && sum < 0x7fffffff) {
      p.offset = static_cast<std::uint32_t>(sum);
      return p;
    }
    const Value wide = f_.nodes[index].type == Scalar::kI64 ? index : make(ir::core(spv::Op::OpSConvert), Scalar::kI64, {index});
    const Value bytes = make(ir::core(spv::Op::OpIMul), Scalar::kI64, {wide, f_.constant(Scalar::kI64, stride)});
    p.dynamic = make(ir::core(spv::Op::OpIAdd), Scalar::kI64, {p.dynamic, bytes});
  } else if (p.wraps) {
    p.dynamic = make(ir::kOffset, Scalar::kI32, {index, constantU32(stride), p.dynamic});
  } else if (constant) {
    const std::uint64_t sum = p.offset + static_cast<std::uint64_t>(f_.constantValue(index, false)) * stride;
    p.offset = sum > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(sum);
  } else {
    const Value base = p.dynamic == ir::kNoValue ? constantU32(0) : p.dynamic;
    p.dynamic = make(ir::kAddress, Scalar::kI32, {index, constantU32(stride), base});
  }
  return p;
}

// The distance between neighbouring elements that a pointer may point to, for OpPtrAccessChain and OpPtrDiff.
std::uint32_t MemoryLowering::strideOf(const Pointer& p, const Type* pointer) {
  if (p.root == Pointer::Root::kLocal) return p.pointee->leaves;
  if (p.natural) return p.pointee->naturalStride();
  return pointer->stride ? pointer->stride : static_cast<std::uint32_t>(laidOutSize(*p.pointee, p.matrix));
}

// The first index of OpPtrAccessChain, which may be negative.
void MemoryLowering::elementOf(Pointer& p, const Type* pointer, const Val& element) {
  const std::uint32_t stride = strideOf(p, pointer);
  const bool isConstant = f_.isConstant(leaf(element, 0));
  const std::uint64_t constant = isConstant ? static_cast<std::uint64_t>(f_.constantValue(element.leaves[0])) : 0;
  const bool forward = isConstant && constant < 0x80000000u;
  if (p.root == Pointer::Root::kMemory && !isPhysical(p) && !p.wraps && !forward) {
    p.dynamic = byteOffset(p);
    p.offset = 0;
    p.wraps = true;
  }
  if (!isConstant || constant != 0) p = advance(p, pointerIndex(p, element), stride);
}

Value MemoryLowering::byteOffset(const Pointer& p) {
  if (p.wraps) return p.dynamic;
  Value sum = constantU32(p.offset);
  if (p.dynamic != ir::kNoValue) sum = make(ir::kAddress, Scalar::kI32, {p.dynamic, constantU32(1), sum});
  return make(ir::kGlsl + GLSLstd450UMin, Scalar::kI32, {sum, constantU32(kLastOffset)});
}

Value MemoryLowering::descriptorOf(const Pointer& p) {
  if (p.space == ir::Space::kVariable) return p.element;
  if (p.space == ir::Space::kWorkgroup) return constantU32(1);
  if (p.resource + 1 > 0xffffffffu >> ir::kElementBits) unsupported("a pointer value into so many resources");
  const Value base = constantU32((p.resource + 1) << ir::kElementBits);
  const Value element = p.element == ir::kNoValue ? constantU32(p.elementConstant) : p.element;
  const Value inside = make(ir::kGlsl + GLSLstd450UMin, Scalar::kI32, {element, constantU32(kLastElement)});
  return make(ir::core(spv::Op::OpIAdd), Scalar::kI32, {base, inside});
}

Value MemoryLowering::addressOf(const Pointer& p) {
  return p.offset == 0 ? p.dynamic : make(ir::core(spv::Op::OpIAdd), Scalar::kI64, {p.dynamic, f_.constant(Scalar::kI64, p.offset)});
}

// An array of blocks is one of descriptors.
bool MemoryLowering::isDescriptorArray(const Type& type) const {
  if (type.kind != Type::Kind::kArray && type.kind != Type::Kind::kRuntimeArray) return false;
  return m_.decoration(type.element->id, spv::Decoration::Block) || m_.decoration(type.element->id, spv::Decoration::BufferBlock);
}

// Selects a descriptor of an array.
Pointer MemoryLowering::stepDescriptor(Pointer p, Value index) {
  p.elementPending = false;
  p.pointee = p.pointee->element;
  if (p.space == ir::Space::kVariable) {  // so far the value names the array's first
    const Value inside = make(ir::kGlsl + GLSLstd450UMin, Scalar::kI32, {index, constantU32(kLastElement)});
    p.element = make(ir::core(spv::Op::OpIAdd), Scalar::kI32, {p.element, inside});
  } else if (f_.isConstant(index)) {
    p.elementConstant = static_cast<std::uint32_t>(f_.constantValue(index, false));
  } else {
    p.element = index;
  }
  return p;
}

Values MemoryLowering::leavesOf(const Val& v) {
  if (!v.pointer || !v.type || v.type->kind != Type::Kind::kPointer) return v.leaves;
  const Pointer& p = *v.pointer;
  if (isPartOfMatrix(p.pointee)) {
    const bool vector = p.pointee->kind == Type::Kind::kVector;
    const PointeeLayout layout = vector ? PointeeLayout{0, false, p.componentStride} : PointeeLayout{p.matrix.stride, p.matrix.rowMajor, 0};
    if (const auto [known, fresh] = pointerLayouts_.try_emplace(v.type->id, layout); !fresh && known->second != layout)
      unsupported("one pointer value for matrices of several layouts");
  }
  return wordsOf(p);
}

// The scalars of a pointer: its position, without the layout of the pointee.
Values MemoryLowering::wordsOf(const Pointer& p) {
  if (isPhysical(p)) return {addressOf(p)};
  if (p.root != Pointer::Root::kMemory || p.space == ir::Space::kPush) {
    unsupported("a pointer of this kind as a value");
    return {constantU32(0), constantU32(0)};
  }
  return {byteOffset(p), descriptorOf(p)};
}

std::optional<Pointer> MemoryLowering::pointerOf(std::uint32_t id) {
  const Val& v = val(id);
  if (v.pointer) {
    std::optional<Pointer> known = *v.pointer;
    qualify(*known, id);  // a parameter may be decorated
    return known;
  }
  if (!v.type || v.type->kind != Type::Kind::kPointer || v.leaves.size() != v.type->leaves) return {};
  Pointer p;
  p.root = Pointer::Root::kMemory;
  p.pointee = v.type->element;
  p.dynamic = v.leaves[0];
  qualify(p, id);
  beginPath(p, ir::PathStep::Kind::kPointer, id, ir::PathStep::Layout::kExplicit);
  if (const Inst* made = m_.definition(id); made && made->op == spv::Op::OpLoad)
    if (const Val* from = vals_.find(made->operand(0)); from && from->pointer) f_.paths.back().from = from->pointer->path;
  if (const auto it = pointerLayouts_.find(v.type->id); it != pointerLayouts_.end()) {
    p.matrix = {it->second.matrixStride, it->second.rowMajor};
    p.componentStride = it->second.componentStride;
  }
  switch (v.type->storage) {
    case spv::StorageClass::PhysicalStorageBuffer:
      p.space = ir::Space::kPhysical;
      return p;
    case spv::StorageClass::Workgroup:
      p.space = ir::Space::kWorkgroup;
      p.natural = !explicitWorkgroup_;
      p.wraps = true;
      return p;
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Uniform:
      p.space = ir::Space::kVariable;
      p.element = v.leaves[1];
      p.wraps = true;
      p.elementPending = isDescriptorArray(*p.pointee);
      return p;
    default:
      return {};
  }
}

bool MemoryLowering::pointerOperation(const Inst& inst) {
  using spv::Op;
  switch (inst.op) {
    case Op::OpPtrEqual:
    case Op::OpPtrNotEqual: {
      const auto words = [&](const Val& v) { return v.pointer ? wordsOf(*v.pointer) : v.leaves; };
      const Values a = words(Val(val(inst.operand(0)))), b = words(Val(val(inst.operand(1))));
      Value same = f_.constant(Scalar::kBool, 1);
      for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        same = make(ir::core(Op::OpLogicalAnd), Scalar::kBool, {same, make(ir::core(Op::OpIEqual), Scalar::kBool, {a[i], b[i]})});
      defineLeaves(inst, {inst.op == Op::OpPtrEqual ? same : make(ir::core(Op::OpLogicalNot), Scalar::kBool, {same})});
      return true;
    }
    case Op::OpPtrDiff: {
      const std::optional<Pointer> p = pointerOf(inst.operand(0));
      const Values a = leavesOf(val(inst.operand(0))), b = leavesOf(val(inst.operand(1)));
      if (!p || a.empty() || b.empty()) return false;
      const Scalar type = f_.nodes[a[0]].type;
      const Value bytes = make(ir::core(Op::OpISub), type, {a[0], b[0]});
      const Value count = make(ir::core(Op::OpSDiv), type, {bytes, f_.constant(type, strideOf(*p, val(inst.operand(0)).type))});
      const Scalar out = leafScalar(*typeOf(inst.type), 0);
      defineLeaves(inst, {out == type ? count : make(ir::core(Op::OpSConvert), out, {count})});
      return true;
    }
    case Op::OpConvertPtrToU:
    case Op::OpConvertUToPtr: {
      const Values from = leavesOf(val(inst.operand(0)));
      const Scalar out = leafScalar(*typeOf(inst.type), 0);
      if (from.size() != 1) return false;
      defineLeaves(inst, {f_.nodes[from[0]].type == out ? from[0] : make(ir::core(Op::OpUConvert), out, from)});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace lanewise
