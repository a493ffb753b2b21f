#include "model/patch/order_edit.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "model/ir/operation_info.h"
#include "model/patch/additions.h"
#include "model/patch/atomic_update.h"
#include "model/patch/local_names.h"
#include "model/patch/word_parts.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

using spv::Op;
using MemoryMask = spv::MemorySemanticsMask;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t semanticsBit(MemoryMask mask) {
  return static_cast<std::uint32_t>(mask);
}

// An access of memory or a texel that makes nothing available and nothing visible. Scopes stand behind a texel's other operands.
Words unordered(const spirv::Module& m, const spirv::Instruction& inst) {
  using Memory = spv::MemoryAccessMask;
  using Texel = spv::ImageOperandsMask;
  const std::span<const std::uint32_t> own = spirv::wordsOf(m, inst);
  Words out(own.begin(), own.end());
  const ir::Facts& facts = ir::factsOf(inst.op);
  const std::size_t first = own.size() - inst.operands.size();
  const auto takeOff = [&](std::size_t mask, auto bit, std::size_t scope) {
    if ((out[mask] & static_cast<std::uint32_t>(bit)) == 0) return;
    out[mask] &= ~static_cast<std::uint32_t>(bit);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(scope));
  };
  if (facts.imageOperands != 0 && facts.imageOperands < inst.operands.size())
    for (const Texel bit : {Texel::MakeTexelAvailable, Texel::MakeTexelVisible}) takeOff(first + facts.imageOperands, bit, out.size() - 1);
  if (facts.memoryOperands != 0)
    for (std::size_t mask = first + facts.memoryOperands; mask < out.size();) {  // a copy may have two
      const std::size_t next = mask + ((out[mask] & static_cast<std::uint32_t>(Memory::Aligned)) != 0 ? 2 : 1);
      for (const Memory bit : {Memory::MakePointerAvailable, Memory::MakePointerVisible}) takeOff(mask, bit, next);
      mask = next;
    }
  out[0] = static_cast<std::uint32_t>(out.size()) << 16 | (out[0] & 0xffffu);
  return out;
}

// What an access of memory goes through: a variable's id, or the type of the block that a pointer leads to.
std::uint32_t rootOf(const spirv::Module& m, std::uint32_t pointer) {
  const spirv::Instruction* from = m.definition(variableOf(m, pointer));
  const spirv::Instruction* type = from ? m.definition(from->type) : nullptr;
  if (!from || from->op == Op::OpVariable || !type || type->op != Op::OpTypePointer) return from ? from->result : 0;
  return type->operand(1);
}

// A load or a store of memory or a texel that other invocations see: non-private, made available or visible to `scope`.
Words ordered(const spirv::Module& m, const spirv::Instruction& inst, std::uint32_t scope) {
  using Memory = spv::MemoryAccessMask;
  using Texel = spv::ImageOperandsMask;
  const std::span<const std::uint32_t> own = spirv::wordsOf(m, inst);
  Words out(own.begin(), own.end());
  const ir::Facts& facts = ir::factsOf(inst.op);
  const std::size_t position = facts.imageOperands != 0 ? facts.imageOperands : facts.memoryOperands;
  const std::size_t mask = own.size() - inst.operands.size() + position;
  if (mask == out.size()) out.push_back(0);
  const auto put = [&](auto isShared, auto handsOn) {  // its scope stands behind all other operands
    if ((out[mask] & static_cast<std::uint32_t>(handsOn)) != 0)
      out.back() = scope;
    else
      out.push_back(scope);
    out[mask] |= static_cast<std::uint32_t>(isShared) | static_cast<std::uint32_t>(handsOn);
  };
  const bool stores = inst.result == 0;
  if (facts.imageOperands != 0)
    put(Texel::NonPrivateTexel, stores ? Texel::MakeTexelAvailable : Texel::MakeTexelVisible);
  else
    put(Memory::NonPrivatePointer, stores ? Memory::MakePointerAvailable : Memory::MakePointerVisible);
  out[0] = static_cast<std::uint32_t>(out.size()) << 16 | (out[0] & 0xffffu);
  return out;
}

class OrderEditor {
 public:
  explicit OrderEditor(const spirv::Module& m) : m_(m), added_(m) {
    vulkan_ = std::ranges::count(m.capabilities, spv::Capability::VulkanMemoryModel) != 0;
  }

  ShaderModule make(std::span<const OrderEdit> edits) {
    for (const OrderEdit& e : edits) add(e);
    return added_.with([this](const spirv::Instruction& inst, Words& out) {
      if (const auto at = before_.find(inst.offset); at != before_.end()) out.insert(out.end(), at->second.begin(), at->second.end());
      if (dropped_.contains(inst.offset)) return;
      const std::size_t start = out.size();
      const std::span<const std::uint32_t> words = spirv::wordsOf(m_, inst);
      const Words own = unordered_.contains(inst.offset) ? unordered(m_, inst)
                        : ordered_.contains(inst.offset) ? ordered(m_, inst, constant(device()))
                                                         : Words(words.begin(), words.end());
      out.insert(out.end(), own.begin(), own.end());
      if (const auto at = operands_.find(inst.offset); at != operands_.end())
        for (const auto& [operand, id] : at->second) out[start + own.size() - inst.operands.size() + operand] = id;
    });
  }

 private:
  void add(const OrderEdit& e) {
    const std::uint32_t others = e.classes & ~semanticsBit(MemoryMask::WorkgroupMemory);
    switch (e.kind) {
      case OrderEdit::Kind::kBarrier:
        if (others != 0) fence(before_[e.word], others);
        spirv::appendInstruction(before_[e.word], Op::OpControlBarrier,
                                 {constant(bit32(spv::Scope::Workgroup)), constant(bit32(spv::Scope::Workgroup)),
                                  semantics(semanticsBit(MemoryMask::WorkgroupMemory))});
        if (others != 0) fence(before_[e.word], others);
        return;
      case OrderEdit::Kind::kSubgroupBarrier:
        return spirv::appendInstruction(
            before_[e.word], Op::OpControlBarrier,
            {constant(bit32(spv::Scope::Subgroup)), constant(bit32(spv::Scope::Subgroup)), semantics(e.classes)});
      case OrderEdit::Kind::kFence:
        return fence(before_[e.word], e.classes, e.semantics);
      case OrderEdit::Kind::kScope:
      case OrderEdit::Kind::kClasses: {
        const spirv::Instruction& inst = *std::ranges::find(m_.instructions, e.word, &spirv::Instruction::offset);
        const ir::OrderOperands at = *ir::factsOf(inst.op).order;
        if (e.kind == OrderEdit::Kind::kScope) {
          operands_[e.word].emplace_back(at.scope, constant(device()));
          return;
        }
        constexpr std::uint32_t kOrders = semanticsBit(MemoryMask::Acquire) | semanticsBit(MemoryMask::Release) |
                                          semanticsBit(MemoryMask::AcquireRelease) | semanticsBit(MemoryMask::SequentiallyConsistent);
        const std::uint32_t own = e.semantics & ~kOrders;
        operands_[e.word].emplace_back(at.semantics, semantics(own | e.classes, inst.op));
        return;
      }
      case OrderEdit::Kind::kCoherent:
        return makeCoherent(e.word);
      case OrderEdit::Kind::kAtomic:
        return makeAtomic(e.word);
      case OrderEdit::Kind::kAtomicAccess:
        return makeAccess(*std::ranges::find(m_.instructions, e.word, &spirv::Instruction::offset));
      case OrderEdit::Kind::kWords:
        return makeWords(m_, e.word, added_, before_, dropped_);
      case OrderEdit::Kind::kRelaxed:
        return relax(*std::ranges::find(m_.instructions, e.word, &spirv::Instruction::offset));
    }
  }

  void makeCoherent(std::uint32_t id) {
    if (vulkan_) return makeAccessesCoherent(id);
    const spirv::Instruction* block = m_.definition(id);
    if (!block || block->op != Op::OpTypeStruct) return added_.decorate(id, spv::Decoration::Coherent);
    for (std::uint32_t member = 0; member < block->operands.size(); ++member) added_.decorateMember(id, member, spv::Decoration::Coherent);
  }

  void makeAccessesCoherent(std::uint32_t id) {
    for (const spirv::Instruction& inst : m_.instructions) {
      const bool isTexel = inst.op == Op::OpImageRead || inst.op == Op::OpImageWrite;
      if (!isTexel && inst.op != Op::OpLoad && inst.op != Op::OpStore) continue;
      const spirv::Instruction* image = isTexel ? m_.definition(inst.operand(0)) : nullptr;
      if (isTexel && (!image || image->op != Op::OpLoad)) continue;
      if (rootOf(m_, isTexel ? image->operand(0) : inst.operand(0)) == id && !isDescriptor(inst)) ordered_.insert(inst.offset);
    }
  }
  // A load of an image, and of no texel.
  bool isDescriptor(const spirv::Instruction& inst) const {
    const spirv::Instruction* type = inst.op == Op::OpLoad ? m_.definition(inst.type) : nullptr;
    return type && type->op == Op::OpTypeImage;
  }

  void relax(const spirv::Instruction& inst) {
    if (inst.op == Op::OpMemoryBarrier) {
      dropped_.insert(inst.offset);
      return;
    }
    if (!ir::isAtomic(inst.op)) {
      unordered_.insert(inst.offset);
      return;
    }
    const std::size_t first = ir::factsOf(inst.op).order->semantics;
    for (std::size_t i = first; i < first + (inst.op == Op::OpAtomicCompareExchange ? 2 : 1); ++i)
      operands_[inst.offset].emplace_back(i, constant(0));
  }

  void makeAccess(const spirv::Instruction& inst) {
    Words& to = before_[inst.offset];
    const std::uint32_t scope = scopeOf(inst);
    if (inst.op == Op::OpLoad)
      spirv::appendInstruction(to, Op::OpAtomicLoad, {inst.type, inst.result, inst.operand(0), scope, constant(0)});
    else
      spirv::appendInstruction(to, Op::OpAtomicStore, {inst.operand(0), scope, constant(0), inst.operand(1)});
    dropped_.insert(inst.offset);
  }

  // The first atomic has the name of the loaded value, so those who use that have the old one.
  void makeAtomic(std::uint32_t word) {
    const auto store = std::ranges::find(m_.instructions, word, &spirv::Instruction::offset) - m_.instructions.begin();
    const std::optional<AtomicUpdate> update = atomicUpdateAt(m_, static_cast<std::size_t>(store));
    if (!update) return;
    if (const auto support = supportFor(m_, *update)) added_.require(support->capability, support->extension);
    const auto& [index, partIndex] = update->from;
    const spirv::Instruction& load = m_.instructions[index];
    const spirv::Instruction* part = partIndex != 0 ? &m_.instructions[partIndex] : nullptr;
    const bool isTexel = load.op == Op::OpImageRead;
    const std::uint32_t type = isTexel ? m_.definition(load.type)->operand(0) : load.type;
    const std::uint32_t loaded = !isTexel ? load.result : part ? part->result : added_.newId();
    std::uint32_t name = loaded;
    for (const AtomicUpdate::Atomic& atomic : update->atomics) {
      Words& to = before_[m_.instructions[atomic.before].offset];
      const std::uint32_t pointer = isTexel ? texelPointer(to, load, type) : load.operand(0);
      const std::uint32_t value = atomic.field != 0 ? bitsOf(to, atomic, type) : componentOf(to, atomic.value, type);
      spirv::appendInstruction(to, atomic.op, {type, name, pointer, scopeOf(load), constant(0), value});
      if (isTexel && !part) spirv::appendInstruction(to, Op::OpCompositeConstruct, {load.type, load.result, name, name, name, name});
      name = added_.newId();
    }
    drop(update->from);
    for (const std::size_t i : update->behind) {
      std::ranges::copy(spirv::wordsOf(m_, m_.instructions[i]),
                        std::back_inserter(before_[m_.instructions[update->atomics.front().before].offset]));
      dropped_.insert(m_.instructions[i].offset);
    }
    if (const auto& again = update->again) {
      const spirv::Instruction& value = m_.instructions[again->part != 0 ? again->part : again->load];
      spirv::appendInstruction(before_[value.offset], Op::OpCopyObject, {type, value.result, loaded});
      drop(*again);
    }
    dropped_.insert(m_.instructions[update->store].offset);
  }
  void drop(const AtomicUpdate::Loaded& what) {
    dropped_.insert(m_.instructions[what.load].offset);
    if (what.part != 0) dropped_.insert(m_.instructions[what.part].offset);
  }
  std::uint32_t texelPointer(Words& to, const spirv::Instruction& read, std::uint32_t type) {
    const std::uint32_t is = added_.type(Op::OpTypePointer, {static_cast<std::uint32_t>(spv::StorageClass::Image), type});
    const std::uint32_t image = m_.definition(read.operand(0))->operand(0);
    const std::uint32_t pointer = added_.newId();
    spirv::appendInstruction(to, Op::OpImageTexelPointer, {is, pointer, image, read.operand(1), constant(0)});
    return pointer;
  }
  // The value or its first component, as `type`. OpIAdd takes operands of either signedness, as GLSL's ++ gives them. An atomic does not.
  std::uint32_t componentOf(Words& to, std::uint32_t value, std::uint32_t type) {
    const spirv::Instruction* its = m_.definition(value);
    std::uint32_t own = its ? its->type : type;
    if (const spirv::Instruction* vector = m_.definition(own); vector && vector->op == Op::OpTypeVector) {
      own = vector->operand(0);
      const std::uint32_t first = added_.newId();
      spirv::appendInstruction(to, Op::OpCompositeExtract, {own, first, value, 0});
      value = first;
    }
    if (own == type) return value;
    const std::uint32_t cast = added_.newId();
    spirv::appendInstruction(to, Op::OpBitcast, {type, cast, value});
    return cast;
  }
  std::uint32_t scopeOf(const spirv::Instruction& access) {
    const spirv::Instruction* pointer = m_.definition(access.operand(0));
    const spirv::Instruction* type = pointer ? m_.definition(pointer->type) : nullptr;
    const bool isShared =
        type && type->op == Op::OpTypePointer && static_cast<spv::StorageClass>(type->operand(0)) == spv::StorageClass::Workgroup;
    return constant(isShared ? bit32(spv::Scope::Workgroup) : device());
  }

  // What clears a field, or sets its bits.
  std::uint32_t bitsOf(Words& to, const AtomicUpdate::Atomic& atomic, std::uint32_t type) {
    const spirv::Instruction& insert = m_.instructions[atomic.field];
    const bool clears = atomic.op == Op::OpAtomicAnd;
    const auto number = [&](std::uint32_t value) {
      const std::uint32_t own = constant(value);
      if (type == added_.type(Op::OpTypeInt, {32, 0})) return own;
      const std::uint32_t cast = added_.newId();
      spirv::appendInstruction(to, Op::OpBitcast, {type, cast, own});
      return cast;
    };
    const std::uint32_t base = number(clears ? ~0u : 0u), bits = clears ? number(0) : insert.operand(1);
    const std::uint32_t result = added_.newId();
    spirv::appendInstruction(to, Op::OpBitFieldInsert, {type, result, base, bits, insert.operand(2), insert.operand(3)});
    return result;
  }

  static constexpr std::uint32_t bit32(spv::Scope scope) { return static_cast<std::uint32_t>(scope); }
  // Device scope itself takes a capability of its own with the Vulkan memory model.
  std::uint32_t device() const { return bit32(vulkan_ ? spv::Scope::QueueFamily : spv::Scope::Device); }
  // What only loads acquires, and what only stores releases.
  std::uint32_t semantics(std::uint32_t classes, Op of = Op::OpMemoryBarrier) {
    constexpr MemoryMask kOrder[] = {MemoryMask::Acquire, MemoryMask::Release, MemoryMask::AcquireRelease};
    const ir::AtomicUse does = ir::factsOf(of).atomic;
    const bool acquires = does != ir::AtomicUse::kStores, releases = does != ir::AtomicUse::kLoads;
    const std::uint32_t available = vulkan_ && releases ? semanticsBit(MemoryMask::MakeAvailable) : 0,
                        visible = vulkan_ && acquires ? semanticsBit(MemoryMask::MakeVisible) : 0;
    return constant(classes | semanticsBit(kOrder[!releases ? 0 : !acquires ? 1 : 2]) | available | visible);
  }
  void fence(Words& to, std::uint32_t classes, std::uint32_t order = 0) {
    const Op like = order == semanticsBit(MemoryMask::Acquire)   ? Op::OpAtomicLoad
                    : order == semanticsBit(MemoryMask::Release) ? Op::OpAtomicStore
                                                                 : Op::OpMemoryBarrier;
    spirv::appendInstruction(to, Op::OpMemoryBarrier, {constant(device()), semantics(classes, like)});
  }
  std::uint32_t constant(std::uint32_t value) { return added_.constant(value); }

  const spirv::Module& m_;
  Additions added_;
  bool vulkan_ = false;
  std::set<std::uint32_t> dropped_, unordered_, ordered_;                                 // by word
  std::map<std::uint32_t, Words> before_;                                                 // by word
  std::map<std::uint32_t, std::vector<std::pair<std::size_t, std::uint32_t>>> operands_;  // by word: operand and its new id
};

}  // namespace

std::vector<OrderEdit> relaxedAll(const spirv::Module& module) {
  const auto isRelaxed = [&](const spirv::Instruction& inst) {
    const spirv::Instruction* semantics = module.definition(inst.operand(ir::factsOf(inst.op).order->semantics));
    return semantics && semantics->op == Op::OpConstant && semantics->operand(0) == 0;
  };
  const auto isOrdered = [&](const spirv::Instruction& inst) {
    return !std::ranges::equal(unordered(module, inst), spirv::wordsOf(module, inst));
  };
  std::vector<OrderEdit> out;
  for (const spirv::Instruction& inst : module.instructions)
    if (inst.op == Op::OpMemoryBarrier || (ir::isAtomic(inst.op) ? !isRelaxed(inst) : isOrdered(inst)))
      out.push_back({OrderEdit::Kind::kRelaxed, inst.offset});
  return out;
}

ShaderModule withOrder(const spirv::Module& module, std::span<const OrderEdit> edits) {
  return OrderEditor(module).make(edits);
}

}  // namespace lanewise
