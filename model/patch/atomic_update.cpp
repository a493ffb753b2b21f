#include "model/patch/atomic_update.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "model/ir/operation_info.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;

struct UpdateRow {
  Op op;  // OpExtInst: `extended`
  std::uint32_t extended;
  Op atomic;
  const char* name;   // in GLSL
  bool swaps = true;  // the loaded value may be either operand
};
constexpr UpdateRow kUpdates[] = {
    {Op::OpIAdd, 0, Op::OpAtomicIAdd, "atomicAdd()"},
    {Op::OpISub, 0, Op::OpAtomicISub, "atomicAdd() of the negative", false},
    {Op::OpBitwiseOr, 0, Op::OpAtomicOr, "atomicOr()"},
    {Op::OpBitwiseAnd, 0, Op::OpAtomicAnd, "atomicAnd()"},
    {Op::OpBitwiseXor, 0, Op::OpAtomicXor, "atomicXor()"},
    {Op::OpExtInst, GLSLstd450UMin, Op::OpAtomicUMin, "atomicMin()"},
    {Op::OpExtInst, GLSLstd450SMin, Op::OpAtomicSMin, "atomicMin()"},
    {Op::OpExtInst, GLSLstd450UMax, Op::OpAtomicUMax, "atomicMax()"},
    {Op::OpExtInst, GLSLstd450SMax, Op::OpAtomicSMax, "atomicMax()"},
};

const UpdateRow* rowOf(const Module& m, const Instruction& inst) {
  const bool isExtended = inst.op == Op::OpExtInst;
  if (isExtended && m.setOf(inst) != spirv::InstructionSet::kGlsl) return nullptr;
  const auto row =
      std::ranges::find_if(kUpdates, [&](const UpdateRow& r) { return r.op == inst.op && (!isExtended || r.extended == inst.operand(1)); });
  return row == std::end(kUpdates) ? nullptr : row;
}

bool isPure(Op op) {
  return op == Op::OpLoad || op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain || op == Op::OpCompositeExtract ||
         ir::computes(ir::codeOf(op));
}

// Whether two values are computed in the same way.
bool isSame(const Module& m, std::uint32_t a, std::uint32_t b, int depth = 0) {
  if (a == b) return true;
  const Instruction *x = m.definition(a), *y = m.definition(b);
  if (!x || !y || x->op != y->op || x->type != y->type || x->operands.size() != y->operands.size() || !isPure(x->op) || depth > 8)
    return false;
  for (std::size_t i = 0; i < x->operands.size(); ++i)
    if (!isSame(m, x->operand(i), y->operand(i), depth + 1)) return false;
  return true;
}

std::size_t indexOf(const Module& m, const Instruction* inst) {
  return static_cast<std::size_t>(inst - m.instructions.data());
}

// The first of the loads that a pointer is computed from; the number of all instructions: there is none.
std::size_t firstLoad(const Module& m, std::uint32_t id, int depth = 0) {
  const Instruction* inst = m.definition(id);
  std::size_t first = m.instructions.size();
  if (!inst || !isPure(inst->op) || depth > 8) return first;
  if (inst->op == Op::OpLoad) first = indexOf(m, inst);
  for (std::size_t i = 0; i < inst->operands.size(); ++i) first = std::min(first, firstLoad(m, inst->operand(i), depth + 1));
  return first;
}

// Whether two loads of one place, one before and one after it, may give different values.
bool mayStore(Op op) {
  return op == Op::OpStore || op == Op::OpCopyMemory || op == Op::OpCopyMemorySized || op == Op::OpFunctionCall ||
         op == Op::OpControlBarrier || ir::isAtomic(op);
}

bool usesAny(const Module& m, const Instruction& inst, std::initializer_list<std::uint32_t> ids) {
  return std::ranges::any_of(m.namedBy(inst), [&](std::uint32_t id) { return std::ranges::count(ids, id) != 0; });
}

std::optional<AtomicUpdate> updateOf(const Module& m, std::size_t store) {
  const Instruction& stores = m.instructions[store];
  const Instruction* operation = m.definition(stores.operand(1));
  if (stores.op != Op::OpStore || !operation) return {};
  const UpdateRow* row = rowOf(m, *operation);
  const Instruction* type = m.definition(operation->type);
  if (!row || !type || type->op != Op::OpTypeInt || type->operand(0) != 32) return {};
  const std::size_t first = operation->op == Op::OpExtInst ? 2 : 0;
  for (std::size_t side = 0; side < (row->swaps ? 2u : 1u); ++side) {
    const Instruction* load = m.definition(operation->operand(first + side));
    if (!load || load->op != Op::OpLoad || load->type != operation->type || !isSame(m, load->operand(0), stores.operand(0))) continue;
    const AtomicUpdate update{indexOf(m, load), indexOf(m, operation), store, row->atomic, operation->operand(first + 1 - side)};
    if (update.load >= store) continue;
    bool isAlone = true;
    if (load->operand(0) != stores.operand(0))
      for (std::size_t i = std::min(firstLoad(m, load->operand(0)), firstLoad(m, stores.operand(0))); i < store; ++i)
        isAlone = isAlone && !mayStore(m.instructions[i].op);
    for (std::size_t i = update.load + 1; i < store; ++i)
      isAlone = isAlone && m.instructions[i].op != Op::OpLabel &&
                (i == update.operation || !usesAny(m, m.instructions[i], {load->result, operation->result}));
    if (isAlone) return update;
  }
  return {};
}

}  // namespace

std::optional<AtomicUpdate> atomicUpdateAt(const Module& module, std::size_t instruction) {
  if (module.instructions[instruction].op == Op::OpStore) return updateOf(module, instruction);
  for (std::size_t i = instruction; i < module.instructions.size() && module.instructions[i].op != Op::OpLabel; ++i)
    if (const auto update = updateOf(module, i); update && update->load == instruction) return update;
  return {};
}

const char* atomicName(Op op) {
  const auto row = std::ranges::find(kUpdates, op, &UpdateRow::atomic);
  return row == std::end(kUpdates) ? "an atomic" : row->name;
}

}  // namespace lanewise
