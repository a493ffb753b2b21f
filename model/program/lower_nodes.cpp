#include "model/program/lower_nodes.h"

#include <bit>

#include <fmt/format.h>

#include "model/ir/operation_info.h"
#include "model/operations/profile_rows.h"
#include "model/program/passes.h"
#include "model/spirv/newer.h"

namespace lanewise {

Value NodeMaker::make(ir::Code op, Scalar type, std::span<const Value> args) {
  const bool isConstant = std::ranges::all_of(args, [this](Value a) { return f_.isConstant(a); });
  if (const auto folded = isConstant ? fold(f_, *options_.rows, op, type, args) : std::nullopt) return f_.constant(type, *folded);
  const bool isShared = folds_ && ir::factsOf(op).effect <= ir::Effect::kAsks;
  if (const Value same = isShared ? ir::identity(f_, op, type, args, true) : ir::kNoValue; same != ir::kNoValue) return same;
  Value* const last = isShared ? &lastLike(op, type, args) : nullptr;
  for (Value found = last ? *last : ir::kNoValue; found != ir::kNoValue; found = before_[found]) {
    const ir::Node& n = f_.nodes[found];
    if (n.op == op && n.type == type && std::ranges::equal(f_.args(found), args) && ways_.dominates(n.block, block_)) return found;
  }
  const Value v = f_.add(op, type, args, origin());
  f_.append(block_, v);
  if (last) {
    before_.resize(v + 1);
    before_[v] = std::exchange(*last, v);
  }
  return v;
}

Value& NodeMaker::lastLike(ir::Code op, Scalar type, std::span<const Value> args) {
  std::uint64_t hash = op * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(type) << 40;
  for (const Value a : args) hash = (hash ^ a) * 0xff51afd7ed558ccdu;
  return last_[(hash ^ hash >> 29) & (last_.size() - 1)];
}

Value NodeMaker::effect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what) {
  const Value v = f_.add(op, type, args, origin());
  f_.nodes[v].what = what;
  f_.append(block_, v);
  return v;
}

Value NodeMaker::results(Value parent, Scalar type, std::uint32_t index) {
  const Value v = effect(ir::kResult, type, std::span(&parent, 1), kind::Result{index});
  f_.nodes[v].origin = origin(static_cast<std::uint8_t>(index));
  return v;
}

std::uint32_t NodeMaker::newBlock() {
  f_.blocks.emplace_back();
  return static_cast<std::uint32_t>(f_.blocks.size() - 1);
}

void NodeMaker::expect(std::size_t steps) {
  steps = std::min<std::size_t>(steps, 1u << 16);
  f_.nodes.reserve(f_.nodes.size() + 2 * steps);
  f_.argumentPool.reserve(f_.argumentPool.size() + 3 * steps);
  f_.origins.reserve(f_.origins.size() + 2 * steps);
  f_.blocks.reserve(f_.blocks.size() + steps / 12);
  stepBlocks_.reserve(steps);
  if (folds_) last_.resize(std::bit_ceil(steps / 2 + 64));  // most steps make no operation
}

std::uint32_t NodeMaker::origin(std::uint8_t component) {
  if (origin_ != 0 && component == 0) return origin_;
  ir::Origin o;
  o.instruction = inst_ ? static_cast<std::uint32_t>(inst_ - m_.instructions.data()) : 0;
  o.caller = caller_;
  o.component = component;
  o.step = static_cast<std::uint32_t>(stepBlocks_.size());
  f_.origins.push_back(o);
  const auto index = static_cast<std::uint32_t>(f_.origins.size() - 1);
  if (component == 0) origin_ = index;
  return index;
}

bool NodeMaker::isStep(const Inst& inst) const {
  switch (inst.op) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpNop:
    case spv::Op::OpUndef:
    case spv::Op::OpVariable:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge:
    case spv::Op::OpFunctionCall:
      return false;
    default:
      const bool extended = inst.op == spv::Op::OpExtInst || inst.op == spirv::newer::OpExtInstWithForwardRefsKHR;
      return !extended || !spirv::isNonSemantic(m_.setOf(inst));
  }
}

void NodeMaker::numberSteps() {
  std::vector<std::uint32_t> first(f_.blocks.size()), count(f_.blocks.size()), numbers(f_.blocks.size());
  for (std::uint32_t i = 0; i < stepBlocks_.size(); ++i)
    if (count[stepBlocks_[i]]++ == 0) first[stepBlocks_[i]] = i;
  std::uint32_t next = 1;
  for (const std::uint32_t b : f_.order) {
    f_.blocks[b].steps = {{next, count[b]}};
    numbers[b] = next;
    next += count[b];
  }
  for (ir::Origin& o : f_.origins)
    if (o.step != 0) {
      const std::uint32_t block = stepBlocks_[o.step - 1];
      o.step = numbers[block] + o.step - 1 - first[block];
    }
}

void NodeMaker::fail(Outcome outcome, std::string what, std::string hint) {
  if (error_) return;
  Error e{outcome, std::move(what), m_.name, std::move(hint)};
  if (inst_) {
    e.where += fmt::format(", word {} ({})", inst_->offset, spirv::opName(inst_->op));
    if (const std::string line = m_.lineText(inst_->source); !line.empty()) e.where += ", " + line;
  }
  error_ = std::move(e);
}

}  // namespace lanewise
