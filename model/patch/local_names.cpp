#include "model/patch/local_names.h"

#include <algorithm>

#include "model/ir/operation_info.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;

// Whether a variable is stored and loaded as a whole, in its function and in those that are called with it.
bool isWhole(const Module& m, std::uint32_t variable) {
  return std::ranges::all_of(m.instructions, [&](const Instruction& inst) {
    const bool isKnown = inst.op == Op::OpLoad || inst.op == Op::OpFunctionCall || inst.op == Op::OpName || inst.op == Op::OpDecorate ||
                         (inst.op == Op::OpStore && inst.operand(1) != variable);
    return isKnown || std::ranges::count(m.namedBy(inst), variable) == 0;
  });
}

spv::StorageClass storageOf(const Module& m, std::uint32_t pointer) {
  const Instruction* of = m.definition(pointer);
  const Instruction* type = of ? m.definition(of->type) : nullptr;
  return type && type->op == Op::OpTypePointer ? static_cast<spv::StorageClass>(type->operand(0)) : spv::StorageClass::Max;
}

// Whether nobody stores there.
bool isConstant(const Module& m, std::uint32_t pointer) {
  const spv::StorageClass storage = storageOf(m, pointer);
  return storage == spv::StorageClass::Input || storage == spv::StorageClass::PushConstant;
}

void addLoads(const Module& m, std::uint32_t id, Loads& to, int depth) {
  const Instruction* inst = m.definition(id);
  if (!inst || !isPure(inst->op) || depth > 8) return;
  if (inst->op == Op::OpLoad) {
    const auto at = static_cast<std::size_t>(inst - m.instructions.data());
    if (isLocal(m, inst->operand(0))) {
      auto& [first, last] = to.locals.try_emplace(variableOf(m, inst->operand(0)), at, at).first->second;
      first = std::min(first, at);
      last = std::max(last, at);
    } else if (!isConstant(m, inst->operand(0))) {
      to.first = std::min(to.first, at);
    }
    if (const std::uint32_t value = unnamed(m, id); value != id) addLoads(m, value, to, depth + 1);
  }
  for (const std::uint32_t operand : inst->operands) addLoads(m, operand, to, depth + 1);
}

}  // namespace

bool isPure(Op op) {
  return op == Op::OpLoad || op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain || op == Op::OpCompositeConstruct ||
         op == Op::OpCompositeExtract || ir::computes(ir::codeOf(op));
}

bool isSame(const Module& m, std::uint32_t a, std::uint32_t b, int depth) {
  if (a == b) return true;
  const Instruction *x = m.definition(a), *y = m.definition(b);
  const bool isAlike = x && y && x->op == y->op && x->type == y->type && x->operands.size() == y->operands.size() && isPure(x->op);
  const auto areSame = [&](std::uint32_t i, std::uint32_t k) { return isSame(m, i, k, depth + 1); };
  if (isAlike && depth <= 8 && std::ranges::equal(x->operands, y->operands, areSame)) return true;
  const std::uint32_t first = unnamed(m, a), second = unnamed(m, b);
  return (first != a || second != b) && depth <= 8 && isSame(m, first, second, depth + 1);
}

Loads loadsOf(const Module& m, std::initializer_list<std::uint32_t> values) {
  Loads out;
  for (const std::uint32_t value : values) addLoads(m, value, out, 0);
  return out;
}

bool isFunctionVariable(const Module& m, std::uint32_t id) {
  const Instruction* variable = m.definition(id);
  return variable && variable->op == Op::OpVariable && static_cast<spv::StorageClass>(variable->operand(0)) == spv::StorageClass::Function;
}

std::uint32_t unnamed(const Module& m, std::uint32_t id) {
  const Instruction* load = m.definition(id);
  if (!load || load->op != Op::OpLoad || !isFunctionVariable(m, load->operand(0)) || !isWhole(m, load->operand(0))) return id;
  for (const Instruction* inst = load - 1; inst->op != Op::OpLabel; --inst) {
    if (std::ranges::count(m.namedBy(*inst), load->operand(0)) == 0 || inst->op == Op::OpLoad) continue;
    return inst->op == Op::OpStore ? inst->operand(1) : id;
  }
  return id;
}

std::uint32_t variableOf(const Module& m, std::uint32_t pointer) {
  const Instruction* from = m.definition(pointer);
  while (from && (from->op == Op::OpAccessChain || from->op == Op::OpInBoundsAccessChain || from->op == Op::OpCopyObject))
    from = m.definition(pointer = from->operand(0));
  return pointer;
}

bool isLocal(const Module& m, std::uint32_t pointer) {
  const spv::StorageClass storage = storageOf(m, pointer);
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

bool setsLocal(const Module& m, const Instruction& inst, std::uint32_t variable) {
  const auto isOfIt = [&](std::uint32_t id) { return variableOf(m, id) == variable; };
  if (inst.op == Op::OpFunctionCall)
    return storageOf(m, variable) == spv::StorageClass::Private || std::ranges::any_of(inst.operands, isOfIt);
  return mayStore(inst.op) && !inst.operands.empty() && isOfIt(inst.operand(0));
}

bool storesLocally(const Module& m, std::uint32_t function) {
  const spirv::FunctionRange* own = m.function(function);
  return own && std::all_of(m.instructions.begin() + own->first, m.instructions.begin() + own->last, [&](const Instruction& inst) {
           if (inst.op == Op::OpStore) return isLocal(m, inst.operand(0));
           return inst.op == Op::OpFunctionCall ? storesLocally(m, inst.operand(0)) : !mayStore(inst.op) && inst.op != Op::OpMemoryBarrier;
         });
}

bool mayStore(Op op) {
  return op == Op::OpStore || op == Op::OpCopyMemory || op == Op::OpCopyMemorySized || op == Op::OpFunctionCall ||
         op == Op::OpControlBarrier || op == Op::OpImageWrite || ir::isAtomic(op);
}

}  // namespace lanewise
