// Pointers, loads, stores and atomics. An access chain becomes a constant offset plus saturating 32-bit address arithmetic.
//
// Source: SPIR-V 1.6, 3.42.8 "Memory Instructions" and 3.42.18 "Atomic Instructions"; Vulkan 1.3, "Offset and Stride Assignment". An
// address beyond 32 bits stays at the greatest value, so that an index out of range never comes back into range.
#include <fmt/format.h>

#include "model/ir/operation_info.h"
#include "model/program/lower_memory.h"

namespace lanewise {
namespace {

// A bit per lane of a subgroup, 32 lanes per word.
constexpr std::uint32_t lanesOfWord(std::uint32_t subgroupSize, std::uint32_t word) {
  const std::uint32_t before = word * 32;
  if (subgroupSize <= before) return 0;
  return subgroupSize - before >= 32 ? ~0u : (1u << (subgroupSize - before)) - 1;
}

// A variable of one invocation that has an image or a sampler, as HLSL compilers write them. What was stored in it is known.
bool isOpaqueLocal(const Pointer& p) {
  const Type::Kind kind = p.pointee->kind;
  return p.root == Pointer::Root::kLocal &&
         (kind == Type::Kind::kImage || kind == Type::Kind::kSampler || kind == Type::Kind::kSampledImage);
}

}  // namespace

Pointer MemoryLowering::stepStruct(Pointer p, std::uint32_t member) {
  if (member >= p.pointee->members.size()) {
    fail(Outcome::kBadInput, "a member index out of range");
    return p;
  }
  const Type::Member& m = p.pointee->members[member];
  if (p.root == Pointer::Root::kLocal || p.root == Pointer::Root::kInput) {
    p.offset += m.firstLeaf;
    if (const auto* d = m_.memberDecoration(p.pointee->id, member, spv::Decoration::BuiltIn); d && !d->operands.empty())
      p.builtin = d->operands[0];
  } else if (p.natural) {
    p = addBytes(p, m.naturalOffset);
  } else {
    p = addBytes(p, m.offset);
    p.matrix = {m.matrixStride, m.rowMajor};
    const bool buffer = p.space == ir::Space::kBuffer;  // other memory may be reached by addresses and pointer values
    if (buffer && m_.memberDecoration(p.pointee->id, member, spv::Decoration::NonWritable)) p.readOnly = true;
  }
  qualifyMember(p, member);
  p.pointee = m.type;
  return p;
}

// The distance between two elements that a pointer may point to: bytes, or scalars for a variable of one invocation.
std::uint32_t MemoryLowering::elementStride(const Pointer& p) {
  const Type& type = *p.pointee;
  if (!type.element) return 0;
  if (p.root == Pointer::Root::kLocal || p.root == Pointer::Root::kInput) return type.element->leaves;
  if (p.natural) return type.element->naturalStride();
  if (type.kind == Type::Kind::kMatrix) return p.matrix.rowMajor ? scalarBytes(type.element->element->scalar) : p.matrix.stride;
  if (type.kind != Type::Kind::kVector) return type.stride;
  return p.componentStride ? p.componentStride : scalarBytes(type.element->scalar);
}

// One index of an access chain.
Pointer MemoryLowering::step(Pointer p, Value index) {
  if (p.elementPending) return stepDescriptor(std::move(p), index);
  if (p.pointee->kind == Type::Kind::kStruct) {
    if (!f_.isConstant(index)) {
      fail(Outcome::kBadInput, "a structure member selected by a value that is not constant");
      return p;
    }
    return stepStruct(p, static_cast<std::uint32_t>(f_.constantValue(index, false)));
  }
  const Type* type = p.pointee;
  if (!type->element) {
    fail(Outcome::kBadInput, "an index into something that is not a composite");
    return p;
  }
  const std::uint32_t stride = elementStride(p);
  if (type->kind == Type::Kind::kMatrix && p.matrix.rowMajor && p.root == Pointer::Root::kMemory && !p.natural)
    p.componentStride = p.matrix.stride;
  p = advance(std::move(p), index, stride);
  p.pointee = type->element;
  return p;
}

// The index of the last step of a path, into so many; 0: that is not known here, or checked elsewhere.
void MemoryLowering::keepIndex(Pointer& p, std::uint32_t count, const Val& index) {
  if (!options_.checkIndices || error_) return;
  const Value value = toIndex(index);
  const bool inside = f_.isConstant(value) && static_cast<std::uint64_t>(f_.constantValue(value, false)) < count;
  const bool isDynamic = p.path != 0 && f_.paths[p.path].isDynamic;
  if (isDynamic || (count != 0 && !inside)) p.indices.push_back({value, inside ? 0 : count, p.path});
}

// The indices are constants.
void MemoryLowering::partOfHeld(const Inst& inst, const Val& of) {
  Pointer p;
  p.root = Pointer::Root::kLocal;
  p.pointee = of.type;
  for (const std::uint32_t id : inst.operands.subspan(1)) {
    const Value index = pointerIndex(p, val(id));
    p = step(std::move(p), index);
  }
  define(inst, {p.pointee, Values(std::span(of.leaves).subspan(std::min<std::size_t>(p.offset, of.leaves.size()))), {}, {}});
}

void MemoryLowering::accessChain(const Inst& inst) {
  if (const Val& of = val(inst.operand(0)); isHeld(of)) return partOfHeld(inst, of);
  std::optional<Pointer> base = pointerOf(inst.operand(0));
  if (!base) return unsupported("an access chain on this pointer");
  Pointer& p = *base;
  std::size_t at = 1;
  if (inst.op == spv::Op::OpPtrAccessChain) {
    elementOf(p, val(inst.operand(0)).type, Val(val(inst.operand(at))));
    addElement(p, strideOf(p, val(inst.operand(0)).type), inst.operand(at));
    keepIndex(p, 0, val(inst.operand(at++)));
  }
  for (; at < inst.operands.size() && !error_; ++at) {
    const Type* const type = p.pointee;
    const bool isDescriptor = p.elementPending;
    const std::uint32_t stride = elementStride(p);
    const Value index = pointerIndex(p, val(inst.operands[at]));
    p = step(std::move(p), index);
    addStep(p, *type, isDescriptor, stride, inst.operands[at]);
    if (type->kind != Type::Kind::kStruct || isDescriptor) keepIndex(p, isDescriptor ? 0 : type->count, val(inst.operands[at]));
    qualify(p, inst.operands[at]);
  }
  qualify(p, inst.result);
  definePointer(inst, p);
}

std::uint32_t MemoryLowering::access(const Pointer& p, Scalar type) {
  ir::Access a;
  a.space = p.space;
  a.resource = p.resource;
  a.offset = p.offset;
  a.type = type;
  a.readOnly = p.readOnly;
  a.variable = p.variable;
  const auto [it, fresh] = accessIndex_.try_emplace(
      {static_cast<std::uint32_t>(a.space), a.resource, a.offset, static_cast<std::uint32_t>(type), a.readOnly, a.variable},
      static_cast<std::uint32_t>(f_.accesses.size()));
  if (fresh) f_.accesses.push_back(a);
  return it->second;
}

Values MemoryLowering::addressArguments(const Pointer& p) {
  if (p.space == ir::Space::kPhysical) return {p.dynamic, constantU32(0)};
  return {p.dynamic == ir::kNoValue ? constantU32(0) : p.dynamic, p.element == ir::kNoValue ? constantU32(p.elementConstant) : p.element};
}

Value MemoryLowering::loadLeaf(const Pointer& p, Scalar type) {
  if (p.root == Pointer::Root::kLocal) return loadLocal(p, type);
  if (p.root == Pointer::Root::kMemory) return accessEffect(ir::kLoad, type, addressArguments(p), kind::Memory{access(p, type)}, p, false);
  unsupported("a load through this pointer");
  return f_.constant(type, 0);
}

void MemoryLowering::storeLeaf(const Pointer& p, Scalar type, Value v) {
  if (p.root == Pointer::Root::kLocal) {
    storeLocal(p, v);
  } else if (p.root == Pointer::Root::kMemory) {
    Values args = addressArguments(p);
    args.push_back(v);
    accessEffect(ir::kStore, Scalar::kNone, args, kind::Memory{access(p, type)}, p, true);
  } else {
    unsupported("a store through this pointer");
  }
}

void MemoryLowering::checkIndices(const Pointer& p) {
  Values before;
  for (const Pointer::Index& i : p.indices) {
    Values all{i.index};
    all.append(before);
    if (i.count != 0) checkIndex(all, i.count, p.variable, i.path);
    if (i.path != 0 && f_.paths[i.path].isDynamic) before.push_back(i.index);
  }
  if (!options_.everyIndex || before.empty()) return;
  Values all{before[before.size() - 1]};  // of any length: told whatever it is
  all.append(std::span(before).first(before.size() - 1));
  checkIndex(all, 0, p.variable, p.path);
}

void MemoryLowering::checkIndex(std::span<const Value> indices, std::uint32_t count, std::uint32_t variable, std::uint32_t path) {
  const Value v = effect(ir::kCheckIndex, Scalar::kNone, indices, kind::CheckIndex{count, variable});
  f_.nodes[v].path = path;
}

Values MemoryLowering::load(const Pointer& p) {
  checkIndices(p);
  if (p.root == Pointer::Root::kInput) return loadInput(p);
  Values leaves;
  forEachLeaf(p, [&](const Pointer& at, Scalar type) { leaves.push_back(loadLeaf(at, type)); });
  return leaves;
}

void MemoryLowering::store(const Pointer& p, std::span<const Value> leaves) {
  checkIndices(p);
  std::size_t next = 0;
  forEachLeaf(p, [&](const Pointer& at, Scalar type) {
    if (next < leaves.size()) storeLeaf(at, type, leaves[next++]);
  });
}

Value MemoryLowering::inputRow(ir::InputRow row) {
  Value& v = inputs_[row];
  if (v == ir::kNoValue) {  // in the entry block, where it dominates every use
    v = f_.add(ir::kInput, Scalar::kI32, {}, 0);
    f_.nodes[v].what = kind::Input{row};
    f_.nodes[v].block = 0;
    f_.blocks[0].nodes.insert(f_.blocks[0].nodes.begin(), v);
  }
  return v;
}

Value MemoryLowering::inputLeaf(std::uint32_t builtin, std::uint32_t c) {
  using spv::BuiltIn;
  using Row = ir::InputRow;
  const auto row = [&](Row first) { return inputRow(static_cast<Row>(static_cast<std::uint32_t>(first) + c)); };
  const std::uint32_t* size = out_.localSize;
  // Components beyond the vector; only masks of subgroups have four words.
  const bool mask = static_cast<BuiltIn>(builtin) >= BuiltIn::SubgroupEqMask && static_cast<BuiltIn>(builtin) <= BuiltIn::SubgroupLtMask;
  if (c > (mask ? 3u : 2u)) return constantU32(0);
  switch (static_cast<BuiltIn>(builtin)) {
    case BuiltIn::LocalInvocationId:
      return size[c] == 1 ? constantU32(0) : row(Row::kLocalIdX);
    case BuiltIn::WorkgroupId:
      return row(Row::kWorkgroupIdX);
    case BuiltIn::NumWorkgroups:
      return row(Row::kGroupsX);
    case BuiltIn::WorkgroupSize:
      return constantU32(size[c]);
    case BuiltIn::GlobalInvocationId: {
      const Value base = make(ir::core(spv::Op::OpIMul), Scalar::kI32, {row(Row::kWorkgroupIdX), constantU32(size[c])});
      return size[c] == 1 ? base : make(ir::core(spv::Op::OpIAdd), Scalar::kI32, {base, row(Row::kLocalIdX)});
    }
    case BuiltIn::LocalInvocationIndex:
      return inputRow(Row::kLocalIndex);
    case BuiltIn::SubgroupId:
      return inputRow(Row::kSubgroupId);
    case BuiltIn::SubgroupLocalInvocationId:
      return inputRow(Row::kSubgroupLane);
    case BuiltIn::SubgroupSize:
      return constantU32(options_.subgroupSize);
    case BuiltIn::NumSubgroups:
      return constantU32((size[0] * size[1] * size[2] + options_.subgroupSize - 1) / options_.subgroupSize);
    case BuiltIn::SubgroupEqMask:
    case BuiltIn::SubgroupGeMask:
    case BuiltIn::SubgroupGtMask:
    case BuiltIn::SubgroupLeMask:
    case BuiltIn::SubgroupLtMask:
      return make(ir::core(spv::Op::OpBitwiseAnd), Scalar::kI32,
                  {make(ir::kSubgroupMask, Scalar::kI32, {inputRow(Row::kSubgroupLane), constantU32(builtin), constantU32(c)}),
                   constantU32(lanesOfWord(options_.subgroupSize, c))});
    case BuiltIn::DeviceIndex:
    case BuiltIn::SMIDNV:  // SPV_NV_shader_sm_builtins: one multiprocessor, whose warps are the workgroup's subgroups
      return constantU32(0);
    case BuiltIn::SMCountNV:
      return constantU32(1);
    case BuiltIn::WarpsPerSMNV:
      return inputLeaf(static_cast<std::uint32_t>(BuiltIn::NumSubgroups), 0);
    case BuiltIn::WarpIDNV:
      return inputRow(Row::kSubgroupId);
    default:
      unsupported(fmt::format("the built-in {}", builtin));
      return constantU32(0);
  }
}

Values MemoryLowering::loadInput(const Pointer& p) {
  Values leaves;
  if (p.dynamic != ir::kNoValue) {  // one component of a vector, chosen at run time
    Value out = inputLeaf(p.builtin, 0);
    const bool mask = p.builtin >= static_cast<std::uint32_t>(spv::BuiltIn::SubgroupEqMask) &&
                      p.builtin <= static_cast<std::uint32_t>(spv::BuiltIn::SubgroupLtMask);
    for (std::uint32_t c = 1; c < (mask ? 4 : 3); ++c)
      out = make(ir::core(spv::Op::OpSelect), Scalar::kI32,
                 {make(ir::core(spv::Op::OpIEqual), Scalar::kBool, {p.dynamic, constantU32(c)}), inputLeaf(p.builtin, c), out});
    return {out};
  }
  for (std::uint32_t c = 0; c < p.pointee->leaves; ++c) leaves.push_back(inputLeaf(p.builtin, p.offset + c));
  return leaves;
}

// A variable of one invocation, whose accesses have no order: memory operands and decorations say nothing about them. nullptr: it is none.
const Pointer* MemoryLowering::plainLocal(std::uint32_t id) {
  const Val& v = val(id);
  return v.pointer && v.pointer->root == Pointer::Root::kLocal && !isOpaqueLocal(*v.pointer) ? &*v.pointer : nullptr;
}

// An OpLoad of a whole variable.
void MemoryLowering::noteLoad(ir::LocalVariable& local, const Inst& inst) {
  if (local.variable != inst.operand(0)) return;
  const spirv::SourceLine& own = inst.source;
  const bool isAnother = local.loadedAt.line != 0 && (local.loadedAt.file != own.file || local.loadedAt.line != own.line);
  local.loadedElsewhere = local.loadedElsewhere || own.line == 0 || isAnother;
  local.loadedAt = own;
}

void MemoryLowering::loadFrom(const Inst& inst) {
  if (const Val& from = val(inst.operand(0)); isHeld(from)) return defineLeaves(inst, heldIn(from, inst));
  if (const Pointer* local = plainLocal(inst.operand(0))) {
    noteLoad(f_.locals[local->local], inst);
    return defineLeaves(inst, load(*local));
  }
  std::optional<Pointer> p = pointerOf(inst.operand(0));
  if (!p) return unsupported("a load through this pointer");
  say(*p, memoryOperands(inst.operands.subspan(ir::factsOf(inst.op).memoryOperands)));
  if (p->root == Pointer::Root::kOpaque) return definePointer(inst, *p);  // the descriptor itself is the value
  if (const Val* stored = isOpaqueLocal(*p) ? opaqueIn(p->local) : nullptr) return define(inst, Val(*stored));
  defineLeaves(inst, load(*p));
}

void MemoryLowering::storeTo(const Inst& inst) {
  if (const Pointer* local = plainLocal(inst.operand(0))) return store(*local, leavesOf(val(inst.operand(1))));
  std::optional<Pointer> p = pointerOf(inst.operand(0));
  if (!p) return unsupported("a store through this pointer");
  say(*p, memoryOperands(inst.operands.subspan(ir::factsOf(inst.op).memoryOperands)));
  if (isOpaqueLocal(*p)) return storeOpaque(p->local, Val(val(inst.operand(1))));
  store(*p, leavesOf(val(inst.operand(1))));
}

void MemoryLowering::arrayLength(const Inst& inst) {
  const std::optional<Pointer> p = pointerOf(inst.operand(0));
  if (!p || p->pointee->kind != Type::Kind::kStruct || inst.operand(1) >= p->pointee->members.size())
    return unsupported("OpArrayLength of this pointer");
  const Type::Member& m = p->pointee->members[inst.operand(1)];
  defineLeaves(inst, {effect(ir::kArrayLength, Scalar::kI32, addressArguments(*p),
                             kind::ArrayLength{access(*p, Scalar::kI32), p->offset + m.offset, m.type->stride})});
}

bool MemoryLowering::memory(const Inst& inst) {
  switch (inst.op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
      accessChain(inst);
      return true;
    case spv::Op::OpLoad:
      loadFrom(inst);
      return true;
    case spv::Op::OpStore:
      storeTo(inst);
      return true;
    case spv::Op::OpCopyMemory:
      copyMemory(inst);
      return true;
    case spv::Op::OpArrayLength:
      arrayLength(inst);
      return true;
    default:
      return pointerOperation(inst) || atomic(inst);
  }
}

// Operands: pointer, scope, semantics, [unequal semantics], [value], [comparator].
std::vector<Val> MemoryLowering::atomicValues(const Inst& inst) {
  std::vector<Val> values;
  for (std::size_t i = inst.op == spv::Op::OpAtomicCompareExchange ? 4 : 3; i < inst.operands.size(); ++i)
    values.push_back(val(inst.operands[i]));
  return values;
}

// Of a vector of floats each component is an atomic operation of its own.
bool MemoryLowering::atomic(const Inst& inst) {
  if (!ir::isAtomic(inst.op)) return false;
  const std::optional<Pointer> pointer = pointerOf(inst.operand(0));
  if (!pointer || pointer->root != Pointer::Root::kMemory) {
    unsupported("an atomic through this pointer");
    return true;
  }
  const Pointer& p = *pointer;
  checkIndices(p);
  const bool isStore = inst.op == spv::Op::OpAtomicStore;
  const std::vector<Val> values = atomicValues(inst);
  const std::uint32_t order = atomicOrder(inst, p);
  Values leaves;
  std::uint32_t l = 0;
  forEachLeaf(p, [&](const Pointer& at, Scalar type) {
    Values args = addressArguments(at);
    for (const Val& given : values) args.push_back(leaf(given, l));
    const Value v = effect(ir::kAtomic, isStore ? Scalar::kNone : type, args,
                           kind::Atomic{access(at, type), inst.op, static_cast<std::uint32_t>(values.size())});
    f_.nodes[v].order = order;
    f_.nodes[v].path = p.path;
    leaves.push_back(v);
    ++l;
  });
  if (!isStore) defineLeaves(inst, std::move(leaves));
  return true;
}

}  // namespace lanewise
