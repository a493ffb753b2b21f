// What of a function is lowered (lowering.h): blocks that may be reached, without what only says something about the module, and without
// variables that only hold a value.
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/lowering.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kMostHeld = 16;  // scalars of a variable that is the value that it holds

// Of scalars, and without pointers.
bool isOfScalars(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kScalar:
      return type.scalar != Scalar::kNone;
    case Type::Kind::kVector:
    case Type::Kind::kMatrix:
    case Type::Kind::kArray:
      return isOfScalars(*type.element);
    case Type::Kind::kStruct:
      return std::ranges::all_of(type.members, [](const Type::Member& m) { return isOfScalars(*m.type); });
    default:
      return false;
  }
}

}  // namespace

// The target of a branch whose condition is a constant: of the specialized module, or where it is lowered (`here`).
std::optional<std::uint32_t> Lowering::decidedBranch(const Inst& inst, bool here) {
  const Inst* condition = m_.definition(inst.operand(0));
  if (!condition || m_.functions.empty()) return {};
  if (!here && condition >= m_.instructions.data() + m_.functions.front().first) return {};
  const std::optional<std::uint64_t> bits = constantOf(inst.operand(0));
  if (!bits) return {};
  return inst.operand(*bits ? 1 : 2);
}

// Code that specialization constants disable is not lowered.
const Lowering::Flow& Lowering::flowOf(const spirv::FunctionRange& range) {
  const auto [entry, isNew] = flows_.try_emplace(range.id);
  Flow& flow = entry->second;
  if (!isNew) return flow;
  struct Part {
    std::uint32_t label;
    std::vector<std::uint32_t> to;
  };
  std::vector<Part> parts;
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const Inst& inst = m_.instructions[i];
    if (inst.op == spv::Op::OpLabel) {
      labelOf(inst.result).part = static_cast<std::uint32_t>(parts.size());
      parts.push_back({inst.result, {}});
    } else if (inst.op == spv::Op::OpLoopMerge) {
      labelOf(parts.back().label).isHeader = true;
    } else if (!ir::endsBlock(inst.op)) {
      continue;
    } else if (const auto taken = inst.op == spv::Op::OpBranchConditional ? decidedBranch(inst, false) : std::nullopt) {
      parts.back().to = {*taken};
    } else if (std::vector<std::uint32_t> targets = spirv::targetsOf(m_, inst); !targets.empty()) {
      parts.back().to = std::move(targets);
    } else {
      ++flow.ends;
      flow.lastReturn = ir::sectionOf(inst.op) == ir::Section::kReturn ? parts.back().label : 0;
    }
  }
  if (parts.empty()) return flow;
  std::vector<std::uint32_t> todo{parts.front().label};
  while (!todo.empty()) {
    Label& next = labelOf(todo.back());
    todo.pop_back();
    if (std::exchange(next.isLive, true)) continue;
    for (const std::uint32_t to : parts[next.part].to) {
      todo.push_back(to);
      Label& target = labelOf(to);
      if (target.part > next.part) continue;
      ++target.fromLater;
      target.lastFrom = std::max(target.lastFrom, next.part);
    }
  }
  flow.continues = flow.ends == 1 && flow.lastReturn == parts.back().label && labelOf(flow.lastReturn).isLive;
  collect(flow, range);
  return flow;
}

// What only says something about the module is told to a debugger's records, and nobody else.
void Lowering::collect(Flow& flow, const spirv::FunctionRange& range) {
  flow.code.reserve(range.last - range.first);
  bool skipped = false;
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const Inst& inst = m_.instructions[i];
    if (inst.op == spv::Op::OpLabel) skipped = !labelOf(inst.result).isLive;
    if (skipped) continue;
    const bool step = isStep(inst), isSilent = inst.op == spv::Op::OpLine || (inst.op == spv::Op::OpExtInst && !step);
    if (!isSilent || options_.record) flow.code.push_back({i, step, ir::operationInfo(ir::core(inst.op)) != nullptr});
    flow.steps += step;
    if (inst.op != spv::Op::OpFunctionCall) continue;
    flow.calls.push_back(inst.operand(0));
    if (const spirv::FunctionRange* callee = m_.function(inst.operand(0)); callee && folds_) flowOf(*callee);
  }
  if (!folds_) return;
  held_.read(flow.code);
  std::uint32_t steps = 0;
  std::erase_if(flow.code, [&](Lowerable& lowered) {
    steps += lowered.steps;
    if (isSameValue(m_.instructions[lowered.instruction])) return true;
    lowered.steps = std::exchange(steps, 0);
    return false;
  });
}

bool Lowering::isHeldVariable(const Inst* inst) const {
  if (!inst || inst->op != spv::Op::OpVariable || !held_.holds(*inst)) return false;
  const Type* const pointer = declared_.type(inst->type);
  const Type* const type = pointer ? pointer->element : nullptr;
  return type && type->leaves != 0 && type->leaves <= kMostHeld && isOfScalars(*type);
}

// Of a variable that only holds a value, or what loads all of it: it is that value, and nothing is lowered.
bool Lowering::isSameValue(const Inst& inst) {
  if (inst.op == spv::Op::OpVariable) return isHeldVariable(&inst);
  if ((inst.op != spv::Op::OpStore && inst.op != spv::Op::OpLoad) || !isHeldVariable(m_.definition(inst.operand(0)))) return false;
  const bool isStore = inst.op == spv::Op::OpStore;
  vals_.same(isStore ? inst.operand(0) : inst.result, inst.operand(isStore ? 1 : 0));
  return true;
}

}  // namespace lanewise
