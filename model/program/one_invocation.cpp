#include "model/program/one_invocation.h"

#include <map>
#include <utility>

namespace lanewise::ir {
namespace {

constexpr int kMostDeep = 16;
constexpr std::size_t kOfSubgroup = 4;  // indices before this one are of the workgroup
static_assert(static_cast<std::size_t>(InputRow::kSubgroupLane) == kOfSubgroup);

}  // namespace

OneInvocation::OneInvocation(const Function& f, const LaneShape& shape)
    : f_(f), shape_(shape), dominators_(dominators(f)), inLoop_(f.blocks.size()) {
  for (const Loop& loop : loops(f))
    for (const std::uint32_t b : loop.blocks) inLoop_[b] = 1;
}

bool OneInvocation::comesTo(std::uint32_t block) {
  equal_.clear();
  isElected_ = false;
  passes(block);
  return areDistinct(false) || areDistinct(true);
}

void OneInvocation::passes(std::uint32_t block) {
  for (std::uint32_t b = block; b != f_.order[0]; b = dominators_[b]) {
    const auto* branch = std::get_if<Branch>(&f_.blocks[dominators_[b]].end);
    if (branch && branch->whereTrue != branch->whereFalse && f_.blocks[b].predecessors.size() == 1)
      holds(branch->condition, branch->whereTrue == b, 0);
  }
}

void OneInvocation::holds(Value condition, bool is, int depth) {
  if (depth > kMostDeep) return;
  const Node& n = f_.nodes[condition];
  const auto args = f_.args(condition);
  if (n.op == kPhi) return phiHolds(condition, is, depth);
  if (n.op == kSubgroup) {
    isElected_ = isElected_ || (is && n.as<kind::Subgroup>().op == spv::Op::OpGroupNonUniformElect && !inLoop_[n.block]);
    return;
  }
  if (n.op == core(spv::Op::OpLogicalNot)) return holds(args[0], !is, depth + 1);
  if (n.op == core(is ? spv::Op::OpLogicalAnd : spv::Op::OpLogicalOr)) {
    for (const Value a : args) holds(a, is, depth + 1);
    return;
  }
  if (n.op == core(is ? spv::Op::OpIEqual : spv::Op::OpINotEqual)) return equal(args[0], args[1], depth);
  // What only 0 passes: it is below 1, or not above 0.
  const auto zero = [&](std::size_t i, spv::Op below, spv::Op notAbove) {
    if ((n.op == core(below) && isConstant(args[1 - i], 1)) || (n.op == core(notAbove) && isConstant(args[1 - i], 0)))
      equal(args[i], args[1 - i], depth);
  };
  using enum spv::Op;
  zero(0, is ? OpULessThan : OpUGreaterThanEqual, is ? OpULessThanEqual : OpUGreaterThan);
  zero(1, is ? OpUGreaterThan : OpULessThanEqual, is ? OpUGreaterThanEqual : OpULessThan);
}

// Which of its values it has, where only one can be so.
void OneInvocation::phiHolds(Value phi, bool is, int depth) {
  const std::vector<std::uint32_t>& from = f_.blocks[f_.nodes[phi].block].predecessors;
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Value v = f_.args(phi)[i];
    if (isConstant(v, is ? 0 : 1)) continue;
    const auto* branch = std::get_if<Branch>(&f_.blocks[from[i]].end);
    // What the branch to here goes by: `a && b` is `a`, where that is false.
    if (branch && branch->whereTrue != branch->whereFalse) {
      const auto [of, isNot] = withoutNot(branch->condition);
      const auto [own, ownNot] = withoutNot(v);
      const bool taken = branch->whereTrue == f_.nodes[phi].block;
      if (of == own && (taken != (isNot != ownNot)) != is) continue;
    }
    if (std::exchange(only, i)) return;
  }
  if (!only || inLoop_[f_.nodes[phi].block]) return;
  holds(f_.args(phi)[*only], is, depth + 1);
  passes(from[*only]);
}

std::pair<Value, bool> OneInvocation::withoutNot(Value v) const {
  bool isNot = false;
  for (; f_.nodes[v].op == core(spv::Op::OpLogicalNot); v = f_.args(v)[0]) isNot = !isNot;
  return {v, isNot};
}

void OneInvocation::equal(Value a, Value b, int depth) {
  const auto x = scalesOf(a, depth), y = scalesOf(b, depth);
  if (!x || !y) return;
  Scales apart{};
  for (std::size_t i = 0; i < kIndices; ++i) apart[i] = (*x)[i] - (*y)[i];
  equal_.push_back(apart);
}

std::optional<OneInvocation::Scales> OneInvocation::scalesOf(Value v, int depth) const {
  const Node& n = f_.nodes[v];
  const auto args = f_.args(v);
  if (depth > kMostDeep) return {};
  if (f_.isConstant(v)) return Scales{};
  if (n.op == kInput) {
    const auto row = static_cast<std::size_t>(n.as<kind::Input>().row);
    Scales one{};
    if (row < kIndices) one[row] = 1;
    return one;
  }
  const auto* memory = std::get_if<kind::Memory>(&n.what);
  const bool isPush = memory && n.op == kLoad && f_.accesses[memory->access].space == Space::kPush;
  const bool sums = n.op == core(spv::Op::OpIAdd) || n.op == core(spv::Op::OpISub), multiplies = n.op == core(spv::Op::OpIMul);
  const bool shifts = n.op == core(spv::Op::OpShiftLeftLogical);
  if (n.type != Scalar::kI32 || !(isPush || sums || multiplies || shifts)) return {};
  std::array<Scales, 2> of{};
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto scales = scalesOf(args[i], depth + 1);
    if (!scales || (isPush && *scales != Scales{})) return {};
    if (i < 2) of[i] = *scales;
  }
  if (isPush) return Scales{};
  if (sums) {
    for (std::size_t i = 0; i < kIndices; ++i) of[0][i] += n.op == core(spv::Op::OpIAdd) ? of[1][i] : 0 - of[1][i];
    return of[0];
  }
  if (of[0] == Scales{} && of[1] == Scales{}) return Scales{};
  const std::size_t by = multiplies && f_.isConstant(args[0]) ? 0 : 1;
  if (!f_.isConstant(args[by])) return {};
  const auto number = static_cast<std::uint32_t>(f_.bitsOf(args[by]));
  if (shifts && number > 31) return {};
  for (std::uint32_t& scale : of[1 - by]) scale *= shifts ? 1u << number : number;
  return of[1 - by];
}

// Whether no two invocations have the same numbers: by their indices in the workgroup, or by those in the subgroup and its own. Of a
// subgroup that elects only one comes there.
bool OneInvocation::areDistinct(bool ofSubgroups) const {
  const std::uint32_t(&size)[3] = shape_.localSize;
  const std::uint32_t all = size[0] * size[1] * size[2], subgroup = shape_.subgroupSize;
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  for (std::uint32_t i = 0; i < (ofSubgroups ? (all + subgroup - 1) / subgroup * subgroup : all); ++i) {
    const std::uint32_t at[kIndices] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1], i, i % subgroup, i / subgroup};
    std::vector<std::uint32_t> numbers;
    for (const Scales& scales : equal_) {
      std::uint32_t sum = 0;
      bool isOther = false;
      for (std::size_t k = 0; k < kIndices; ++k) {
        sum += scales[k] * at[k];
        isOther = isOther || ((k >= kOfSubgroup) != ofSubgroups && scales[k] != 0);
      }
      numbers.push_back(isOther ? 0 : sum);
    }
    const auto [first, isNew] = seen.try_emplace(std::move(numbers), i / subgroup);
    if (!isNew && !(ofSubgroups && isElected_ && first->second == i / subgroup)) return false;
  }
  return true;
}

}  // namespace lanewise::ir
