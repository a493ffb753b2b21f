// Local variables: those of functions and private ones. See lower_memory.h.
#include "model/program/lower_memory.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kMaxLocalLeaves = 1u << 22;

}  // namespace

std::uint32_t MemoryLowering::newLocal(const Type* type, const Inst& inst) {
  ir::LocalVariable local;
  local.variable = inst.op == spv::Op::OpVariable ? inst.result : 0;
  local.instruction = static_cast<std::uint32_t>(&inst - m_.instructions.data());
  localLeaves_ += type->leaves;
  if (localLeaves_ > kMaxLocalLeaves) {
    fail(Outcome::kUnsupported, "local variables of more than 2^22 scalars in all, after inlining, are not supported",
         "keep large arrays in a buffer or in workgroup memory");
    local.leaves.push_back(Scalar::kI32);
    known_.add(1);
    f_.locals.push_back(std::move(local));
    return static_cast<std::uint32_t>(f_.locals.size() - 1);
  }
  local.leaves.reserve(type->leaves);
  for (std::uint32_t i = 0; i < type->leaves; ++i) local.leaves.push_back(leafScalar(*type, i));
  known_.add(local.leaves.size());
  f_.locals.push_back(std::move(local));
  return static_cast<std::uint32_t>(f_.locals.size() - 1);
}

// What a held variable's pointer leads to. Beyond the variable it is undefined.
Values MemoryLowering::heldIn(const Val& v, const Inst& inst) {
  if (v.type->leaves <= v.leaves.size()) return Values(std::span(v.leaves).first(v.type->leaves));
  Values leaves = undefinedLeaves(inst, *v.type);
  std::ranges::copy(v.leaves, leaves.begin());
  return leaves;
}

Value MemoryLowering::localIndex(const Pointer& p) {
  return p.dynamic == ir::kNoValue ? constantU32(p.offset)
                                   : make(ir::kAddress, Scalar::kI32, {p.dynamic, constantU32(1), constantU32(p.offset)});
}

Value MemoryLowering::loadLocal(const Pointer& p, Scalar type) {
  const Value index = localIndex(p);
  const bool isTracked = !options_.record && f_.isConstant(index);
  const std::optional<Value> known = isTracked ? known_.load(block_, p.local, f_.bitsOf(index)) : std::nullopt;
  if (known == ir::kNoValue) return f_.undefined(type, f_.locals[p.local].instruction, f_.locals[p.local].variable);
  if (known && f_.nodes[*known].type == type) return *known;
  const Value v = accessEffect(ir::kLocalLoad, type, Values{index}, kind::Local{p.local}, p, false);
  if (isTracked) known_.store(block_, p.local, f_.bitsOf(index), v);
  if (!options_.record) known_.loadedSomewhere(p.local);
  return v;
}

void MemoryLowering::storeLocal(const Pointer& p, Value v) {
  const Value index = localIndex(p);
  accessEffect(ir::kLocalStore, Scalar::kNone, Values{index, v}, kind::Local{p.local}, p, true);
  if (options_.record) return note(p.local, index, f_.isUndefined(v) ? ir::kNotWritten : ir::kWritten);
  if (f_.isConstant(index))
    known_.store(block_, p.local, f_.bitsOf(index), v);
  else
    known_.storeSomewhere(p.local);
}

void MemoryLowering::removeUnreadStores() {
  for (ir::Block& block : f_.blocks)
    std::erase_if(block.nodes, [this](Value v) {
      const ir::Node& n = f_.nodes[v];
      return (n.op == ir::kLocalStore || n.op == ir::kLocalFill) && !known_.isLoaded(n.as<kind::Local>().local);
    });
}

void MemoryLowering::addNotes(std::uint32_t local) {
  ir::LocalVariable notes;
  notes.isRecord = true;
  notes.leaves.assign(f_.locals[local].leaves.size(), Scalar::kI32);
  f_.locals.push_back(std::move(notes));
  f_.locals[local].notes = static_cast<std::uint32_t>(f_.locals.size() - 1);
}

void MemoryLowering::forget(const Pointer& variable) {
  const ir::LocalVariable& local = f_.locals[variable.local];
  Value& unwritten = unwritten_[local.instruction];
  if (unwritten == ir::kNoValue) unwritten = f_.undefined(Scalar::kI32, local.instruction, local.variable);
  const Values none{unwritten};
  f_.nodes[accessEffect(ir::kLocalFill, Scalar::kNone, none, kind::Local{variable.local}, variable, true)].origin = caller_;
  if (!options_.record) known_.fill(block_, variable.local);
  forgetNotes(variable.local);
}

void MemoryLowering::forgetNotes(std::uint32_t local) {
  if (f_.locals[local].notes != 0)
    effect(ir::kLocalFill, Scalar::kNone, Values{constantU32(ir::kNotWritten)}, kind::Local{f_.locals[local].notes});
}

void MemoryLowering::note(std::uint32_t local, Value leaf, std::uint32_t note) {
  if (f_.locals[local].notes != 0)
    effect(ir::kLocalStore, Scalar::kNone, Values{leaf, constantU32(note)}, kind::Local{f_.locals[local].notes});
}

// A descriptor in a variable of one invocation. The whole variable has one, so no path can have another.
void MemoryLowering::storeOpaque(std::uint32_t local, Val v) {
  const auto [known, fresh] = opaqueLocals_.try_emplace(local, v);
  if (fresh || !v.pointer || !known->second.pointer) return;
  const Pointer &a = *known->second.pointer, &b = *v.pointer;
  if (a.resource != b.resource || a.elementConstant != b.elementConstant || a.element != b.element)
    unsupported("a variable that holds several images or samplers");
}

const Val* MemoryLowering::opaqueIn(std::uint32_t local) const {
  const auto known = opaqueLocals_.find(local);
  return known == opaqueLocals_.end() ? nullptr : &known->second;
}

}  // namespace lanewise
