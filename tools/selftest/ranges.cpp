#include "tools/selftest/ranges.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "model/program/passes.h"
#include "spirv/unified1/GLSL.std.450.h"

namespace lanewise {
namespace {

using ir::core;
using ir::Value;
using spv::Op;

constexpr Range kEmpty{1, 0}, kUnknown{};
constexpr std::int64_t kLargestUnsigned = 0xffffffff;
constexpr int kWidenFrom = 4, kRounds = 64, kDepth = 8;

Range join(const Range& a, const Range& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range meet(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// A result beyond 32 bits wraps around, so it is unknown.
Range fitting(std::int64_t low, std::int64_t high) {
  return low < Range::kLeast || high > Range::kMost ? kUnknown : Range{low, high};
}

// The greatest number with as many bits as the greater one.
std::int64_t ones(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(a, b)) + 1)) - 1;
}

Range product(const Range& a, const Range& b) {
  const std::int64_t ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return fitting(*std::ranges::min_element(ends), *std::ranges::max_element(ends));
}

// The upper bound as an unsigned number.
std::int64_t mostUnsigned(const Range& a) {
  return a.neverNegative() ? a.high : kLargestUnsigned;
}

Range quotient(const Range& a, const Range& b, bool isSigned) {
  if (!b.neverNegative() || (isSigned && !a.neverNegative())) return kUnknown;
  const std::int64_t by = std::max<std::int64_t>(b.low, 1);
  if (b.low == 0) return kUnknown;  // a division by 0 may give anything
  return fitting(a.neverNegative() ? a.low / std::max<std::int64_t>(b.high, 1) : 0, mostUnsigned(a) / by);
}

Range remainder(const Range& a, const Range& b, bool isSigned) {
  if (b.low <= 0 || (isSigned && !a.neverNegative())) return kUnknown;
  return {0, std::min(mostUnsigned(a), b.high - 1)};
}

Range shifted(Op op, const Range& a, const Range& by) {
  if (by.low < 0 || by.high > 31) return kUnknown;
  if (op == Op::OpShiftLeftLogical) return product(a, {std::int64_t{1} << by.low, std::int64_t{1} << by.high});
  if (op == Op::OpShiftRightArithmetic && !a.neverNegative())
    return {std::min(a.low >> by.low, a.low >> by.high), std::max(a.high >> by.low, a.high >> by.high)};
  if (!a.neverNegative() && by.low == 0) return kUnknown;
  return {a.neverNegative() ? a.low >> by.high : 0, mostUnsigned(a) >> by.low};
}

// Bitwise operations on numbers that are never negative.
Range bits(Op op, const Range& a, const Range& b) {
  if (op == Op::OpBitwiseAnd && (a.neverNegative() || b.neverNegative()))
    return {0, std::min(a.neverNegative() ? a.high : Range::kMost, b.neverNegative() ? b.high : Range::kMost)};
  if (op == Op::OpBitwiseAnd || !a.neverNegative() || !b.neverNegative()) return kUnknown;
  return {op == Op::OpBitwiseOr ? std::max(a.low, b.low) : 0, ones(a.high, b.high)};
}

// Whether a < b; empty if that depends on the values. Unsigned numbers that may be 2^31 or more are not compared.
std::optional<bool> less(const Range& a, const Range& b, bool orEqual) {
  if (orEqual ? a.high <= b.low : a.high < b.low) return true;
  if (orEqual ? a.low > b.high : a.low >= b.high) return false;
  return {};
}

Range truth(std::optional<bool> known) {
  return known ? Range{*known, *known} : Range{0, 1};
}

// A comparison as "left < right" or "left <= right".
struct Comparison {
  bool orEqual, swapped, isSigned;
};
std::optional<Comparison> comparisonOf(ir::Code op) {
  switch (static_cast<Op>(op)) {
    case Op::OpSLessThan:
      return Comparison{false, false, true};
    case Op::OpSLessThanEqual:
      return Comparison{true, false, true};
    case Op::OpSGreaterThan:
      return Comparison{false, true, true};
    case Op::OpSGreaterThanEqual:
      return Comparison{true, true, true};
    case Op::OpULessThan:
      return Comparison{false, false, false};
    case Op::OpULessThanEqual:
      return Comparison{true, false, false};
    case Op::OpUGreaterThan:
      return Comparison{false, true, false};
    case Op::OpUGreaterThanEqual:
      return Comparison{true, true, false};
    default:
      return {};
  }
}

Range compared(const Comparison& c, Range a, Range b) {
  if (c.swapped) std::swap(a, b);
  if (!c.isSigned && (!a.neverNegative() || !b.neverNegative())) return truth({});
  return truth(less(a, b, c.orEqual));
}

Range all(Scalar type) {
  return type == Scalar::kBool ? Range{0, 1} : kUnknown;
}

// Of logic, and of what chooses among its operands.
Range chosen(ir::Code op, std::span<const Range> a) {
  switch (op) {
    case core(Op::OpSelect):
      return a[0].isOne() ? a[a[0].low == 1 ? 1 : 2] : join(a[1], a[2]);
    case core(Op::OpLogicalAnd):
      return {std::min(a[0].low, a[1].low), std::min(a[0].high, a[1].high)};
    case core(Op::OpLogicalOr):
      return {std::max(a[0].low, a[1].low), std::max(a[0].high, a[1].high)};
    case core(Op::OpLogicalNot):
      return {1 - a[0].high, 1 - a[0].low};
    case core(Op::OpIEqual):
      return a[0].isOne() && a[0] == a[1] ? Range{1, 1} : meet(a[0], a[1]).empty() ? Range{0, 0} : Range{0, 1};
    case core(Op::OpINotEqual):
      return a[0].isOne() && a[0] == a[1] ? Range{0, 0} : meet(a[0], a[1]).empty() ? Range{1, 1} : Range{0, 1};
    case ir::kGlsl + GLSLstd450SMin:
      return {std::min(a[0].low, a[1].low), std::min(a[0].high, a[1].high)};
    case ir::kGlsl + GLSLstd450SMax:
      return {std::max(a[0].low, a[1].low), std::max(a[0].high, a[1].high)};
    case ir::kGlsl + GLSLstd450SClamp:
      return {std::min(std::max(a[0].low, a[1].low), a[2].low), std::min(std::max(a[0].high, a[1].high), a[2].high)};
    case ir::kGlsl + GLSLstd450UMin:
      if (!a[0].neverNegative() && !a[1].neverNegative()) return kUnknown;
      return {a[0].neverNegative() && a[1].neverNegative() ? std::min(a[0].low, a[1].low) : 0,
              std::min(mostUnsigned(a[0]), mostUnsigned(a[1]))};
    case ir::kGlsl + GLSLstd450UMax:
      if (!a[0].neverNegative() || !a[1].neverNegative()) return kUnknown;
      return {std::max(a[0].low, a[1].low), std::max(a[0].high, a[1].high)};
    case ir::kGlsl + GLSLstd450FindUMsb:
    case ir::kGlsl + GLSLstd450FindILsb:
      return {-1, 31};
    case ir::kGlsl + GLSLstd450SAbs:
      return a[0].neverNegative() ? a[0] : a[0].low == Range::kLeast ? kUnknown : Range{0, std::max(-a[0].low, a[0].high)};
    default:
      return kUnknown;
  }
}

// The range of operations on 32 bits and booleans.
Range computed(ir::Code op, std::span<const Range> a) {
  if (const auto comparison = comparisonOf(op)) return compared(*comparison, a[0], a[1]);
  switch (op) {
    case core(Op::OpIAdd):
      return fitting(a[0].low + a[1].low, a[0].high + a[1].high);
    case core(Op::OpISub):
      return fitting(a[0].low - a[1].high, a[0].high - a[1].low);
    case core(Op::OpIMul):
      return product(a[0], a[1]);
    case core(Op::OpSNegate):
      return fitting(-a[0].high, -a[0].low);
    case core(Op::OpUDiv):
    case core(Op::OpSDiv):
      return quotient(a[0], a[1], op == core(Op::OpSDiv));
    case core(Op::OpUMod):
    case core(Op::OpSRem):
    case core(Op::OpSMod):
      return remainder(a[0], a[1], op != core(Op::OpUMod));
    case core(Op::OpUMulExtended):
      return a[0].neverNegative() || a[1].neverNegative() ? Range{0, mostUnsigned(a[0]) * mostUnsigned(a[1]) >> 32} : kUnknown;
    case core(Op::OpShiftLeftLogical):
    case core(Op::OpShiftRightLogical):
    case core(Op::OpShiftRightArithmetic):
      return shifted(static_cast<Op>(op), a[0], a[1]);
    case core(Op::OpBitwiseAnd):
    case core(Op::OpBitwiseOr):
    case core(Op::OpBitwiseXor):
      return bits(static_cast<Op>(op), a[0], a[1]);
    case core(Op::OpBitCount):
      return {0, 32};
    case core(Op::OpBitcast):
    case core(Op::OpCopyObject):
      return a[0];
    default:
      return chosen(op, a);
  }
}

// The bits of a component in an image of unsigned integers; 32 if the module does not say.
std::uint32_t texelBits(spv::ImageFormat format) {
  using F = spv::ImageFormat;
  switch (format) {
    case F::Rgba8ui:
    case F::Rg8ui:
    case F::R8ui:
      return 8;
    case F::Rgba16ui:
    case F::Rg16ui:
    case F::R16ui:
      return 16;
    default:
      return 32;
  }
}

}  // namespace

Ranges::Ranges(const ir::Function& f, const KnownInputs& known)
    : f_(f),
      known_(known),
      idom_(ir::dominators(f)),
      position_(ir::positions(f)),
      ranges_(f.nodes.size(), kEmpty),
      reached_(f.blocks.size()) {
  for (Value v = 1; v < f.nodes.size(); ++v) {
    const ir::Node& n = f.nodes[v];
    if (n.op == ir::kConstant && (n.type == Scalar::kI32 || n.type == Scalar::kBool)) {
      const std::int64_t value = n.type == Scalar::kBool ? (f.bitsOf(v) != 0) : static_cast<std::int32_t>(f.bitsOf(v));
      ranges_[v] = {value, value};
    } else if (n.op == ir::kConstant || n.op == ir::kUndef) {
      ranges_[v] = all(n.type);
    }
  }
  reached_[f.order[0]] = 1;
  int rounds = 0;
  while (round(rounds >= kWidenFrom) && ++rounds < kRounds) {
  }
  if (rounds == kRounds) {  // did not converge: nothing is known
    for (Value v = 1; v < f.nodes.size(); ++v) ranges_[v] = all(f.nodes[v].type);
    std::ranges::fill(reached_, 1);
    return;
  }
  for (int i = 0; i < 3; ++i)
    for (std::uint32_t b : f_.order)
      if (reached_[b])
        for (Value v : f_.blocks[b].nodes) ranges_[v] = meet(ranges_[v], next(v, b));
}

// Visits every reached block once; true if a range grew.
bool Ranges::round(bool widen) {
  bool grew = false;
  for (std::uint32_t b : f_.order) {
    if (!reached_[b] && !reached(b)) continue;
    grew = grew || !reached_[b];
    reached_[b] = 1;
    for (Value v : f_.blocks[b].nodes) {
      Range now = join(ranges_[v], next(v, b));
      if (now == ranges_[v]) continue;
      if (widen && f_.nodes[v].op == ir::kPhi && f_.nodes[v].type == Scalar::kI32 && !ranges_[v].empty()) {
        if (now.low < ranges_[v].low) now.low = Range::kLeast;
        if (now.high > ranges_[v].high) now.high = Range::kMost;
      }
      ranges_[v] = now;
      grew = true;
    }
  }
  return grew;
}

bool Ranges::reached(std::uint32_t block) const {
  return std::ranges::any_of(f_.blocks[block].predecessors, [&](std::uint32_t p) { return takes(p, block); });
}

// Whether a run may go from one block to the other.
bool Ranges::takes(std::uint32_t from, std::uint32_t to) const {
  if (!reached_[from]) return false;
  const auto* branch = std::get_if<ir::Branch>(&f_.blocks[from].end);
  if (!branch) return true;
  const Range condition = at(branch->condition, from);
  return (branch->whereTrue == to && condition.high >= 1) || (branch->whereFalse == to && condition.low <= 0);
}

Range Ranges::at(Value v, std::uint32_t block) const {
  Range r = ranges_[v];
  if (f_.nodes[v].type == Scalar::kI32 && f_.nodes[v].op != ir::kConstant) narrowBelow(r, v, block, kDepth);
  return r;
}

// Narrows by the branches that lead to a block.
void Ranges::narrowBelow(Range& r, Value v, std::uint32_t block, int depth) const {
  for (std::uint32_t b = block; b != f_.order[0]; b = idom_[b]) {
    const auto& from = f_.blocks[b].predecessors;
    if (from.size() == 1) narrowAlong(r, v, from[0], b, depth);
  }
}

// Narrows by the branch from one block to the other.
void Ranges::narrowAlong(Range& r, Value v, std::uint32_t from, std::uint32_t to, int depth) const {
  const auto* branch = std::get_if<ir::Branch>(&f_.blocks[from].end);
  if (branch && branch->whereTrue != branch->whereFalse) narrow(r, v, branch->condition, branch->whereTrue == to, from, depth);
}

void Ranges::narrow(Range& r, Value v, Value condition, bool holds, std::uint32_t block, int depth) const {
  if (depth == 0) return;
  const ir::Node& n = f_.nodes[condition];
  const std::span<const Value> args = f_.args(condition);
  const auto into = [&](Value part, bool partHolds) { narrow(r, v, part, partHolds, block, depth - 1); };
  if (n.op == core(Op::OpLogicalNot)) return into(args[0], !holds);
  if (n.op == (holds ? core(Op::OpLogicalAnd) : core(Op::OpLogicalOr))) return into(args[0], holds), into(args[1], holds);
  if (n.op == ir::kPhi) {
    // `a && b` is a phi of false and b. If it holds, then b holds, and so do the conditions on the way to b.
    Value left = ir::kNoValue;
    std::uint32_t from = 0;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const bool other = f_.isConstant(args[i]) && (f_.bitsOf(args[i]) != 0) != holds;
      if (other) continue;
      if (left != ir::kNoValue) return;
      left = args[i];
      from = f_.blocks[n.block].predecessors[i];
    }
    // Not from a later block: its conditions held in another iteration of a loop.
    if (left == ir::kNoValue || position_[from] >= position_[n.block]) return;
    narrowBelow(r, v, from, depth - 1);
    return narrow(r, v, left, holds, from, depth - 1);
  }
  if (args.size() != 2 || (args[0] != v && args[1] != v)) return;
  const Range a = ranges_[args[0]], b = ranges_[args[1]];
  if (n.op == (holds ? core(Op::OpIEqual) : core(Op::OpINotEqual))) {
    r = meet(r, args[0] == v ? b : a);
    return;
  }
  auto c = comparisonOf(n.op);
  if (!c || args[0] == args[1]) return;
  if (!holds) c = Comparison{!c->orEqual, !c->swapped, c->isSigned};
  const bool isLess = (args[0] == v) != c->swapped;  // v is the lesser one
  const Range& other = args[0] == v ? b : a;
  if (other.empty()) return;
  if (!c->isSigned) {
    if (!isLess && !r.neverNegative()) return;  // may be 2^31 or more
    if (isLess && !other.neverNegative()) return;
    if (isLess) r.low = std::max<std::int64_t>(r.low, 0);
    if (!isLess && !other.neverNegative()) return;
  }
  const std::int64_t strict = c->orEqual ? 0 : 1;
  if (isLess)
    r.high = std::min(r.high, other.high - strict);
  else
    r.low = std::max(r.low, other.low + strict);
}

Range Ranges::next(Value v, std::uint32_t block) const {
  const ir::Node& n = f_.nodes[v];
  if (n.type != Scalar::kI32 && n.type != Scalar::kBool) return kUnknown;
  const std::span<const Value> args = f_.args(v);
  if (n.op == ir::kPhi) return phi(v, block);
  if (n.op == ir::kInput) return input(n);
  if (n.op == ir::kLoad) return pushed(v);
  if (n.op == ir::kResult) return texel(n);
  if (n.op == core(Op::OpUConvert)) {
    const Scalar from = f_.nodes[args[0]].type;
    return from == Scalar::kI8 ? Range{0, 255} : from == Scalar::kI16 ? Range{0, 65535} : kUnknown;
  }
  std::vector<Range> ranges;
  for (Value a : args) {
    const bool whole = f_.nodes[a].type == Scalar::kI32 || f_.nodes[a].type == Scalar::kBool;
    ranges.push_back(whole ? at(a, block) : kUnknown);
    if (ranges.back().empty()) return kEmpty;
  }
  // Conversions of other widths and reductions of vectors are not analysed.
  const bool whole =
      std::ranges::all_of(args, [&](Value a) { return f_.nodes[a].type == Scalar::kI32 || f_.nodes[a].type == Scalar::kBool; });
  return whole ? meet(computed(n.op, ranges), all(n.type)) : all(n.type);
}

Range Ranges::phi(Value v, std::uint32_t block) const {
  Range r = kEmpty;
  const std::span<const Value> args = f_.args(v);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::uint32_t from = f_.blocks[block].predecessors[i];
    if (!takes(from, block)) continue;
    Range one = at(args[i], from);
    if (f_.nodes[v].type == Scalar::kI32) narrowAlong(one, args[i], from, block, kDepth);
    r = join(r, one);
  }
  return r;
}

// Vulkan's limits for every device: 65535 workgroups per axis, subgroups of at most 128.
Range Ranges::input(const ir::Node& n) const {
  const auto& size = known_.localSize;
  const ir::InputRow row = n.as<kind::Input>().row;
  switch (row) {
    case ir::InputRow::kLocalIdX:
    case ir::InputRow::kLocalIdY:
    case ir::InputRow::kLocalIdZ:
      return {0, size[static_cast<std::size_t>(row) - static_cast<std::size_t>(ir::InputRow::kLocalIdX)] - std::int64_t{1}};
    case ir::InputRow::kLocalIndex:
    case ir::InputRow::kSubgroupId:
      return {0, std::int64_t{size[0]} * size[1] * size[2] - 1};
    case ir::InputRow::kSubgroupLane:
      return {0, 127};
    case ir::InputRow::kWorkgroupIdX:
    case ir::InputRow::kWorkgroupIdY:
    case ir::InputRow::kWorkgroupIdZ:
      return {0, 65534};
    case ir::InputRow::kGroupsX:
    case ir::InputRow::kGroupsY:
    case ir::InputRow::kGroupsZ:
      return {1, 65535};
    default:
      return kUnknown;
  }
}

// A component of a texel.
Range Ranges::texel(const ir::Node& n) const {
  const ir::Node& read = f_.nodes[f_.argumentPool[n.firstArgument]];
  if (read.op != ir::kImageRead || n.type != Scalar::kI32) return all(n.type);
  const Type* type = f_.imageAccesses[read.as<kind::Image>().access].type;
  const std::uint32_t bits = type == nullptr ? 32 : texelBits(static_cast<spv::ImageFormat>(type->imageFormat));
  return bits < 32 ? Range{0, (std::int64_t{1} << bits) - 1} : kUnknown;
}

Range Ranges::pushed(Value v) const {
  const ir::Access& access = f_.accesses[f_.nodes[v].as<kind::Memory>().access];
  const Value address = f_.args(v)[0];
  if (access.space != ir::Space::kPush || !f_.isConstant(address) || f_.nodes[v].type != Scalar::kI32) return all(f_.nodes[v].type);
  const auto found = known_.push.find(access.offset + static_cast<std::uint32_t>(f_.bitsOf(address)));
  return found == known_.push.end() ? kUnknown : found->second;
}

}  // namespace lanewise
