#include "tools/selftest/same_in_range.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace lanewise {
namespace {

using ir::Value;
using spv::Op;

// Two operations with equal results if all operands, or the first, are not negative.
struct Twins {
  Op one, other;
  bool first = false;
};
constexpr Twins kTwins[] = {
    {Op::OpSLessThan, Op::OpULessThan},
    {Op::OpSLessThanEqual, Op::OpULessThanEqual},
    {Op::OpSGreaterThan, Op::OpUGreaterThan},
    {Op::OpSGreaterThanEqual, Op::OpUGreaterThanEqual},
    {Op::OpShiftRightLogical, Op::OpShiftRightArithmetic, true},
    {Op::OpConvertUToF, Op::OpConvertSToF},
};

class Comparer {
 public:
  Comparer(const ir::Function& a, const Ranges& ranges, const ir::Function& b) : a_(a), b_(b), ranges_(ranges), to_(a.nodes.size()) {}

  Sameness compare() {
    if (!same()) return Sameness::kDifferent;
    return readsUndefined_ ? Sameness::kInModel : Sameness::kSame;
  }

 private:
  bool same() {
    if (a_.order != b_.order || a_.blocks.size() != b_.blocks.size()) return false;
    for (std::uint32_t block : a_.order) {
      const auto& x = a_.blocks[block].nodes;
      const auto& y = b_.blocks[block].nodes;
      if (x.size() != y.size()) return false;
      for (std::size_t i = 0; i < x.size(); ++i) to_[x[i]] = y[i];
    }
    return std::ranges::all_of(a_.order, [&](std::uint32_t block) { return sameBlock(block); });
  }

  bool sameBlock(std::uint32_t block) {
    const ir::Block &x = a_.blocks[block], &y = b_.blocks[block];
    const auto parts = [](const ir::Block& b) { return std::tie(b.predecessors, b.merge, b.continueTarget); };
    return parts(x) == parts(y) && sameEnd(x, y) && std::ranges::all_of(x.nodes, [&](Value v) { return sameNode(v, to_[v], block); });
  }

  // The same targets by a condition that is the same.
  bool sameEnd(ir::Block x, const ir::Block& y) {
    if (x.condition() && y.condition() && sameValue(*x.condition(), *y.condition())) *x.condition() = *y.condition();
    return x.end == y.end;
  }

  bool sameValue(Value x, Value y) {
    if (x == ir::kNoValue || y == ir::kNoValue) return x == y;
    if (to_[x] != ir::kNoValue) return to_[x] == y;
    const ir::Node &m = a_.nodes[x], &n = b_.nodes[y];  // in no block: a constant or an undefined value
    if (m.type != n.type) return false;
    const bool unwritten = m.op == ir::kConstant && n.op == ir::kUndef && a_.bitsOf(x) == 0;
    readsUndefined_ = readsUndefined_ || unwritten;
    return unwritten || (m.op == n.op && (m.op == ir::kConstant || m.op == ir::kUndef) && m.what == n.what);
  }

  bool sameNode(Value x, Value y, std::uint32_t block) {
    const ir::Node &m = a_.nodes[x], &n = b_.nodes[y];
    if (m.type != n.type || m.what != n.what || a_.orders[m.order] != b_.orders[n.order]) return false;
    if (!std::ranges::equal(a_.args(x), b_.args(y), [&](Value v, Value w) { return sameValue(v, w); })) return false;
    return m.op == n.op ? sameAccess(m) : twins(x, n.op, block);
  }

  bool twins(Value x, ir::Code op, std::uint32_t block) const {
    for (const Twins& t : kTwins) {
      const ir::Code one = ir::core(t.one), other = ir::core(t.other);
      if (!(a_.nodes[x].op == one && op == other) && !(a_.nodes[x].op == other && op == one)) continue;
      const auto args = a_.args(x).first(t.first ? 1 : a_.args(x).size());
      return std::ranges::all_of(args, [&](Value v) { return a_.nodes[v].type == Scalar::kI32 && ranges_.at(v, block).neverNegative(); });
    }
    return false;
  }

  // The place in memory or in an image, for operations that have one.
  bool sameAccess(const ir::Node& m) const {
    std::optional<kind::Index> memory, image;
    if (const auto* k = std::get_if<kind::Memory>(&m.what)) memory = k->access;
    if (const auto* k = std::get_if<kind::Atomic>(&m.what)) memory = k->access;
    if (const auto* k = std::get_if<kind::ArrayLength>(&m.what)) memory = k->access;
    if (const auto* k = std::get_if<kind::Image>(&m.what)) image = k->access;
    if (memory) {
      const ir::Access &x = a_.accesses[*memory], &y = b_.accesses[*memory];
      return std::tie(x.space, x.resource, x.offset, x.type) == std::tie(y.space, y.resource, y.offset, y.type);
    }
    if (image) {
      const ir::ImageAccess &x = a_.imageAccesses[*image], &y = b_.imageAccesses[*image];
      return std::tie(x.resource, x.component, x.components, x.coordinates, x.hasLod, x.hasSample, x.op) ==
                 std::tie(y.resource, y.component, y.components, y.coordinates, y.hasLod, y.hasSample, y.op) &&
             x.sampling == y.sampling;
    }
    if (const auto* k = std::get_if<kind::Local>(&m.what)) {
      const ir::LocalVariable &x = a_.locals[k->local], &y = b_.locals[k->local];
      return x.firstWord == y.firstWord && x.leafWords == y.leafWords;
    }
    return true;
  }

  const ir::Function &a_, &b_;
  const Ranges& ranges_;
  std::vector<Value> to_;  // for values in blocks
  bool readsUndefined_ = false;
};

}  // namespace

Sameness sameInRange(const ir::Function& a, const Ranges& ranges, const ir::Function& b) {
  return Comparer(a, ranges, b).compare();
}

}  // namespace lanewise
