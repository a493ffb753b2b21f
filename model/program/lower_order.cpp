// What the module says about an access besides its address: its order (ir/order.h has the rules) and its path (ir/path.h).
//
// Source: SPIR-V 1.6, 3.26 "Memory Operands", 3.14 "Image Operands", 3.25 "Memory Semantics", 3.42.8 "Memory Instructions".
#include <numeric>

#include "model/ir/operation_info.h"
#include "model/program/lower_memory.h"

namespace lanewise {
namespace {

using ir::Order;
using ir::PathStep;
using spv::Decoration;

constexpr std::uint32_t bit(auto mask) {
  return static_cast<std::uint32_t>(mask);
}

}  // namespace

MemoryLowering::MemoryLowering(const spirv::Module& module, const LowerOptions& options)
    : ValueTable(module, options), qualified_(module.bound), unwritten_(module.instructions.size()) {
  for (const auto& [id, decorations] : module.decorations)
    for (const spirv::Decoration& d : decorations)
      if (id < module.bound && (d.kind == Decoration::Coherent || d.kind == Decoration::Volatile || d.kind == Decoration::NonUniform))
        qualified_[id] = true;
}

std::uint32_t MemoryLowering::orderIndex(const Order& order) {
  if (order == Order{}) return 0;
  const auto [it, fresh] = orderIndex_.try_emplace(order, static_cast<std::uint32_t>(f_.orders.size()));
  if (fresh) f_.orders.push_back(order);
  return it->second;
}

// A mask of memory operands and the operands that follow it, in the order of its bits.
std::uint32_t MemoryLowering::memoryOperands(std::span<const std::uint32_t> w) {
  using Mask = spv::MemoryAccessMask;
  if (w.empty()) return 0;
  Order o;
  std::size_t at = 1;
  const auto next = [&] { return at < w.size() ? w[at++] : 0; };
  const auto scope = [&] { return static_cast<std::uint32_t>(constantOf(next()).value_or(Order::kNoScope)); };
  const auto has = [&](Mask mask) { return (w[0] & bit(mask)) != 0; };
  if (has(Mask::Volatile)) o.flags |= Order::kVolatile;
  if (has(Mask::Aligned)) o.alignment = next();
  if (has(Mask::MakePointerAvailable)) {
    o.flags |= Order::kMakeAvailable;
    o.available = scope();
  }
  if (has(Mask::MakePointerVisible)) {
    o.flags |= Order::kMakeVisible;
    o.visible = scope();
  }
  if (has(Mask::NonPrivatePointer)) o.flags |= Order::kNonPrivate;
  return orderIndex(o);
}

// The same for a texel: the mask of image operands, and the operands after those that give the texel's position.
std::uint32_t MemoryLowering::imageOrder(std::uint32_t mask, std::span<const std::uint32_t> scopes) {
  using Mask = spv::ImageOperandsMask;
  Order o;
  const auto has = [&](Mask m) { return (mask & bit(m)) != 0; };
  std::size_t at = 0;
  const auto scope = [&] {
    return at < scopes.size() ? static_cast<std::uint32_t>(constantOf(scopes[at++]).value_or(Order::kNoScope)) : Order::kNoScope;
  };
  if (has(Mask::MakeTexelAvailable)) {
    o.flags |= Order::kMakeAvailable;
    o.available = scope();
  }
  if (has(Mask::MakeTexelVisible)) {
    o.flags |= Order::kMakeVisible;
    o.visible = scope();
  }
  if (has(Mask::NonPrivateTexel)) o.flags |= Order::kNonPrivate;
  if (has(Mask::VolatileTexel)) o.flags |= Order::kVolatile;
  return orderIndex(o);
}

// The memory operands of an access to what `p` points to.
void MemoryLowering::say(Pointer& p, std::uint32_t operands) {
  if (p.root != Pointer::Root::kMemory) return;
  p.operands = operands;
  p.alignedAt = p.offset;
}

// What the operands and the decorations of an access say about one of its scalars. If the whole is aligned, a scalar inside of it may have
// a smaller alignment.
std::uint32_t MemoryLowering::accessOrder(const Pointer& p, bool write) {
  const bool workgroup = p.root == Pointer::Root::kMemory && p.space == ir::Space::kWorkgroup;
  Order o = f_.orders[p.operands];
  if (o.alignment != 0) o.alignment = std::gcd(o.alignment, p.offset - p.alignedAt);
  if (p.nonUniform) o.flags |= Order::kNonUniform;
  if (decoratedOrder_ && p.isVolatile) o.flags |= Order::kVolatile;
  if (decoratedOrder_ && (p.coherent || workgroup)) {
    o.flags |= Order::kNonPrivate | (write ? Order::kMakeAvailable : Order::kMakeVisible);
    (write ? o.available : o.visible) = bit(workgroup ? spv::Scope::Workgroup : spv::Scope::QueueFamily);
  }
  return orderIndex(o);
}

// Operands: pointer, scope, semantics, [unequal semantics].
std::uint32_t MemoryLowering::atomicOrder(const Inst& inst, const Pointer& p) {
  const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(constantOf(inst.operand(i)).value_or(0)); };
  const ir::Facts& facts = ir::factsOf(inst.op);
  const bool reads = facts.atomic != ir::AtomicUse::kStores, writes = facts.atomic != ir::AtomicUse::kLoads;
  Order o;
  o.flags = Order::kAtomic | Order::kNonPrivate;
  if (p.nonUniform) o.flags |= Order::kNonUniform;
  o.scope = number(facts.order->scope);
  o.semantics = number(facts.order->semantics);
  if (facts.atomic == ir::AtomicUse::kCompares) o.unequal = number(facts.order->semantics + 1);
  if (writes) {
    o.flags |= Order::kMakeAvailable;
    o.available = o.scope;
  }
  if (reads) {
    o.flags |= Order::kMakeVisible;
    o.visible = o.scope;
  }
  if ((o.semantics & bit(spv::MemorySemanticsMask::Volatile)) != 0 || (decoratedOrder_ && p.isVolatile)) o.flags |= Order::kVolatile;
  return orderIndex(o);
}

void MemoryLowering::barrier(const Inst& inst) {
  const auto number = [&](std::size_t i, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(constantOf(inst.operand(i)).value_or(otherwise));
  };
  const ir::OrderOperands at = *ir::factsOf(inst.op).order;
  const bool control = at.executes;
  Order o;
  if (control) o.execution = number(0, bit(spv::Scope::Workgroup));
  o.scope = number(at.scope, 0);
  o.semantics = number(at.semantics, 0);
  const Value v = effect(control ? ir::kControlBarrier : ir::kMemoryBarrier, Scalar::kNone, {},
                         control ? ir::NodeKind(kind::Barrier{spv::Scope{o.execution}}) : ir::NodeKind());
  f_.nodes[v].order = orderIndex(o);
}

// A second set of memory operands is for the source. A single one is for both, but only a write makes available, and only a read makes
// visible.
void MemoryLowering::copyMemory(const Inst& inst) {
  std::optional<Pointer> to = pointerOf(inst.operand(0)), from = pointerOf(inst.operand(1));
  if (!to || !from) return unsupported("a copy through this pointer");
  const std::span<const std::uint32_t> w = inst.operands.subspan(ir::factsOf(inst.op).memoryOperands);
  using Mask = spv::MemoryAccessMask;
  const auto follows = [&](Mask mask) { return std::size_t{!w.empty() && (w[0] & bit(mask)) != 0}; };
  const std::size_t first = 1 + follows(Mask::Aligned) + follows(Mask::MakePointerAvailable) + follows(Mask::MakePointerVisible);
  Order target = f_.orders[memoryOperands(w)], source = f_.orders[memoryOperands(w.size() > first ? w.subspan(first) : w)];
  target.flags &= ~std::uint32_t{Order::kMakeVisible};
  target.visible = Order::kNoScope;
  source.flags &= ~std::uint32_t{Order::kMakeAvailable};
  source.available = Order::kNoScope;
  say(*to, orderIndex(target));
  say(*from, orderIndex(source));
  store(*to, load(*from));
}

Value MemoryLowering::accessEffect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what, const Pointer& p, bool write) {
  const Value v = effect(op, type, args, what);
  f_.nodes[v].path = p.path;
  if (p.root != Pointer::Root::kLocal) f_.nodes[v].order = accessOrder(p, write);
  return v;
}

void MemoryLowering::qualify(Pointer& p, std::uint32_t id) {
  if (id >= qualified_.size() || !qualified_[id]) return;
  p.coherent = p.coherent || m_.decoration(id, Decoration::Coherent) != nullptr;
  p.isVolatile = p.isVolatile || m_.decoration(id, Decoration::Volatile) != nullptr;
  p.nonUniform = p.nonUniform || m_.decoration(id, Decoration::NonUniform) != nullptr;
}

void MemoryLowering::qualifyMember(Pointer& p, std::uint32_t member) {
  if (!decoratedOrder_ || p.root == Pointer::Root::kLocal) return;
  const Type& type = *p.pointee;
  p.coherent = p.coherent || m_.memberDecoration(type.id, member, Decoration::Coherent) != nullptr;
  p.isVolatile = p.isVolatile || m_.memberDecoration(type.id, member, Decoration::Volatile) != nullptr;
}

void MemoryLowering::beginPath(Pointer& p, PathStep::Kind kind, std::uint32_t id, PathStep::Layout layout) {
  PathStep root;
  root.kind = kind;
  root.layout = layout;
  root.id = id;
  root.start = p.root == Pointer::Root::kMemory ? p.offset : 0;
  root.type = p.pointee;
  root.matrix = p.matrix;
  p.path = static_cast<std::uint32_t>(f_.paths.size());
  f_.paths.push_back(root);
}

// The first index of OpPtrAccessChain, which does not change the type.
void MemoryLowering::addElement(Pointer& p, std::uint32_t stride, std::uint32_t indexId) {
  PathStep step;
  step.kind = PathStep::Kind::kElement;
  step.before = p.path;
  step.stride = stride;
  step.type = p.pointee;
  step.matrix = p.matrix;
  const std::optional<std::uint64_t> constant = constantOf(indexId);
  step.isDynamic = !constant;
  step.id = indexId;
  step.number = static_cast<std::uint32_t>(constant.value_or(0));
  p.path = static_cast<std::uint32_t>(f_.paths.size());
  f_.paths.push_back(step);
}

// One index of an access chain, into `type`, the elements of which are so far apart, to the position of `p`.
void MemoryLowering::addStep(Pointer& p, const Type& type, bool isDescriptor, std::uint32_t stride, std::uint32_t indexId) {
  if (error_ || p.path == 0) return;
  const bool member = !isDescriptor && type.kind == Type::Kind::kStruct;
  addElement(p, member || isDescriptor ? 0 : stride, indexId);
  PathStep& step = f_.paths.back();
  step.kind = isDescriptor ? PathStep::Kind::kDescriptor : member ? PathStep::Kind::kMember : PathStep::Kind::kElement;
  step.count = member ? 0 : type.count;
}

}  // namespace lanewise
