// Joins operations of a block that come together into one (joined.h), which reads and writes fewer registers of lanes.
//
// What is joined is used by nothing else, stands in the same block and varies where the result does: so nothing is computed twice, more
// often than before, or for each lane where once is enough.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "model/ir/operation_info.h"
#include "model/ir/rows/joined.h"
#include "model/program/passes.h"
#include "model/scalar/joined.h"

namespace lanewise::ir {
namespace {

using enum spv::Op;
using scalar::kAround, scalar::kAway, scalar::kDown, scalar::kUp;

// An operation whose argument is another one: inner(x, y) with z. The joined one takes x, y and z.
struct Pair {
  Code outer, inner;
  Code joined;
};
constexpr Pair kPairs[] = {
    {core(OpIAdd), core(OpShiftLeftLogical), kLeftAdd},
    {core(OpIAdd), core(OpShiftRightLogical), kRightAdd},
    {core(OpIAdd), core(OpIMul), kMultiplyAdd},
    {core(OpIAdd), core(OpBitwiseAnd), kAndAdd},
    {core(OpIAdd), core(OpIAdd), kAddThree},
    {core(OpFAdd), core(OpFMul), kFMultiplyAdd},
    {core(OpFAdd), core(OpFAdd), kFAddThree},
    {core(OpBitwiseOr), core(OpShiftLeftLogical), kLeftOr},
    {core(OpBitwiseAnd), core(OpShiftRightLogical), kRightAnd},
    {core(OpBitwiseXor), core(OpShiftLeftLogical), kLeftXor},
    {core(OpBitwiseXor), core(OpShiftRightLogical), kRightXor},
    {core(OpBitwiseXor), kRotateLeft, kRotateXor},
    {kRotateLeft, core(OpBitwiseXor), kXorRotate},  // `other` is the amount
};

// A selection by a comparison.
struct Choice {
  spv::Op comparison;
  Code joined;
  bool swaps;    // the compared
  bool negates;  // swaps the selected
};
constexpr Choice kChoices[] = {
    {OpIEqual, kSelectEqual, false, false},
    {OpINotEqual, kSelectEqual, false, true},
    {OpULessThan, kSelectLess, false, false},
    {OpUGreaterThan, kSelectLess, true, false},
    {OpULessThanEqual, kSelectLess, true, true},
    {OpUGreaterThanEqual, kSelectLess, false, true},
    {OpSLessThan, kSelectSignedLess, false, false},
    {OpSGreaterThan, kSelectSignedLess, true, false},
    {OpSLessThanEqual, kSelectSignedLess, true, true},
    {OpSGreaterThanEqual, kSelectSignedLess, false, true},
};

bool isWord(Scalar type) {
  return type == Scalar::kI32 || type == Scalar::kI64 || type == Scalar::kF32 || type == Scalar::kF64;
}
bool isShift(Code op) {
  return op == core(OpShiftLeftLogical) || op == core(OpShiftRightLogical);
}
bool isByBits(Code op) {
  return op == core(OpBitwiseAnd) || op == core(OpBitwiseOr) || op == core(OpBitwiseXor) || op == core(OpNot);
}

class Joining {
 public:
  explicit Joining(Function& f) : f_(f) {}

  // Each step sees what the one before has left.
  bool run() {
    std::vector<Value> all;  // what may take others in, the last of each block first
    for (const std::uint32_t b : f_.order)
      std::ranges::copy_if(f_.blocks[b].nodes.rbegin(), f_.blocks[b].nodes.rend(), std::back_inserter(all),
                           [this](Value v) { return isWord(f_.nodes[v].type) && (isJoinable(v) || f_.nodes[v].op == core(OpSelect)); });
    bool any = false, isCounted = false;
    const auto each = [&](auto join) {
      if (!isCounted) countUses();
      isCounted = true;
      for (const Value v : all)
        if (uses_[v] != 0 && join(v)) any = true, isCounted = false;
    };
    each([this](Value v) { return rotation(v); });
    each([this](Value v) { return turns(v); });
    each([this](Value v) { return lowProduct(v); });
    each([this](Value v) { return choice(v); });
    each([this](Value v) { return pair(v); });
    each([this](Value v) { return bits(v); });
    if (!isCounted) countUses();
    for (const std::uint32_t b : f_.order) conditionLast(b);
    return any;
  }

 private:
  // Of what is used itself: an operation that is joined, or that nobody uses, no longer counts.
  void countUses() {
    const std::vector<UsedBy> all = usesOf(f_);
    uses_.resize(all.size());
    std::ranges::transform(all, uses_.begin(), &UsedBy::count);
    for (auto block = f_.order.rbegin(); block != f_.order.rend(); ++block) {
      const std::vector<Value>& nodes = f_.blocks[*block].nodes;
      for (std::size_t i = nodes.size(); i-- > 0;)
        if (uses_[nodes[i]] == 0 && isJoinable(nodes[i]))
          for (const Value a : f_.args(nodes[i])) --uses_[a];
    }
  }
  // Whether it may disappear: one that this file takes in.
  bool isJoinable(Value v) const {
    const Code op = f_.nodes[v].op;
    return isByBits(op) || isShift(op) || op == kRotateLeft || op == core(OpIMul) || op == core(OpIAdd) || op == core(OpFMul) ||
           op == core(OpFAdd) || std::ranges::any_of(kChoices, [op](const Choice& c) { return core(c.comparison) == op; });
  }

  // `inner` may become a part of `outer`, which alone uses it.
  bool joins(Value inner, Value outer) const {
    const Node &i = f_.nodes[inner], &o = f_.nodes[outer];
    return uses_[inner] == 1 && i.block == o.block && i.varying == o.varying && i.arguments != 0;
  }
  bool isConstantBelow(Value v, std::uint64_t end) const { return f_.isConstant(v) && f_.bitsOf(v) < end; }

  void become(Value v, Code op, std::span<const Value> arguments) {
    Node& n = f_.nodes[v];
    n.op = op;
    n.firstArgument = static_cast<std::uint32_t>(f_.argumentPool.size());
    n.arguments = static_cast<std::uint32_t>(arguments.size());
    f_.argumentPool.insert(f_.argumentPool.end(), arguments.begin(), arguments.end());
  }

  // x << n with x >> (32 - n). The shifts stay for others that use them.
  bool rotation(Value v) {
    const Node& n = f_.nodes[v];
    if ((n.op != core(OpBitwiseOr) && n.op != core(OpBitwiseXor) && n.op != core(OpIAdd)) || n.type != Scalar::kI32) return false;
    for (const auto& [left, right] : {std::pair{0, 1}, std::pair{1, 0}}) {
      const Value up = f_.args(v)[static_cast<std::size_t>(left)], down = f_.args(v)[static_cast<std::size_t>(right)];
      if (f_.nodes[up].op != core(OpShiftLeftLogical) || f_.nodes[down].op != core(OpShiftRightLogical)) continue;
      const Value x = f_.args(up)[0], by = f_.args(up)[1], rest = f_.args(down)[1];
      if (x != f_.args(down)[0] || f_.nodes[by].type != Scalar::kI32 || !isConstantBelow(by, 32) || !f_.isConstant(rest)) continue;
      if (f_.bitsOf(by) == 0 || f_.bitsOf(by) + f_.bitsOf(rest) != 32) continue;
      become(v, kRotateLeft, std::array{x, by});
      return true;
    }
    return false;
  }

  // How `v` is `of` turned by a constant; nothing where it is not.
  std::optional<std::uint32_t> turnOf(Value v, Value of) const {
    const Node& n = f_.nodes[v];
    if (v == of) return kAround;
    if ((n.op != kRotateLeft && !isShift(n.op)) || f_.args(v)[0] != of || !isConstantBelow(f_.args(v)[1], 32)) return {};
    const auto amount = static_cast<std::uint32_t>(f_.bitsOf(f_.args(v)[1]));
    return amount | (n.op == kRotateLeft ? kAround : n.op == core(OpShiftLeftLogical) ? kUp : kDown);
  }
  // The xor of one value turned in two ways, or in three.
  bool turns(Value v) {
    if (f_.nodes[v].op != core(OpBitwiseXor) || f_.nodes[v].type != Scalar::kI32) return false;
    std::vector<Value> terms(f_.args(v).begin(), f_.args(v).end());
    for (const std::size_t i : {0, 1})
      if (const Value inner = f_.args(v)[i]; terms.size() == 2 && f_.nodes[inner].op == core(OpBitwiseXor) && joins(inner, v))
        terms = {f_.args(inner)[0], f_.args(inner)[1], f_.args(v)[1 - i]};
    const auto turned = std::ranges::find_if(terms, [&](Value t) { return f_.nodes[t].op == kRotateLeft; });
    if (turned == terms.end()) return false;
    const Value of = f_.args(*turned)[0];
    std::array<std::uint32_t, 3> how{kAway, kAway, kAway};
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto turn = turnOf(terms[i], of);
      const bool isItself = terms[i] == of;
      if (!turn || (isItself ? terms.size() == 2 : !joins(terms[i], v))) return false;  // kRotateXor does two, one of which is the value
      how[i] = *turn;
    }
    become(v, kTurnsXor,
           std::array{of, f_.constant(Scalar::kI32, how[0]), f_.constant(Scalar::kI32, how[1]), f_.constant(Scalar::kI32, how[2])});
    uses_.resize(f_.nodes.size());
    for (const Value t : terms) uses_[t] -= t != of;
    return true;
  }

  // Whether the upper half of a 64-bit value is 0.
  bool isLow(Value v) const {
    const Node& n = f_.nodes[v];
    constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
    if (n.op == core(OpBitwiseAnd)) return std::ranges::any_of(f_.args(v), [&](Value a) { return isConstantBelow(a, kEnd); });
    if (n.op == core(OpShiftRightLogical)) return isConstantBelow(f_.args(v)[1], 64) && f_.bitsOf(f_.args(v)[1]) >= 32;
    return isConstantBelow(v, kEnd) || (n.op == core(OpUConvert) && f_.nodes[f_.args(v)[0]].type != Scalar::kI64);
  }
  // x of x & 0xffffffff, otherwise the value itself.
  Value wholeOf(Value v) const {
    if (f_.nodes[v].op != core(OpBitwiseAnd)) return v;
    const auto args = f_.args(v);
    for (const std::size_t i : {0, 1})
      if (f_.isConstant(args[i]) && f_.bitsOf(args[i]) == 0xffffffff) return args[1 - i];
    return v;
  }
  bool lowProduct(Value v) {
    if (f_.nodes[v].op != core(OpIMul) || f_.nodes[v].type != Scalar::kI64 || !f_.nodes[v].varying) return false;
    const Value a = f_.args(v)[0], b = f_.args(v)[1];
    if (!isLow(a) || !isLow(b)) return false;
    become(v, kMultiplyLow, std::array{wholeOf(a), wholeOf(b)});
    return true;
  }

  // A comparison for a branch alone goes directly before it: joinBranches() makes them one.
  void conditionLast(std::uint32_t b) {
    const Value* condition = f_.blocks[b].condition();
    if (!condition || uses_[*condition] != 1 || f_.nodes[*condition].block != b || f_.args(*condition).size() != 2) return;
    std::vector<Value>& nodes = f_.blocks[b].nodes;
    if (const auto at = std::ranges::find(nodes, *condition); computes(f_.nodes[*condition].op) && at != nodes.end())
      std::rotate(at, at + 1, nodes.end());
  }

  bool choice(Value v) {
    if (f_.nodes[v].op != core(OpSelect)) return false;
    const Value condition = f_.args(v)[0];
    const auto* by = std::ranges::find_if(kChoices, [&](const Choice& c) { return core(c.comparison) == f_.nodes[condition].op; });
    if (by == std::end(kChoices) || !joins(condition, v)) return false;
    std::array all{f_.args(condition)[0], f_.args(condition)[1], f_.args(v)[1], f_.args(v)[2]};
    if (f_.nodes[all[0]].type != f_.nodes[v].type) return false;
    if (by->swaps) std::swap(all[0], all[1]);
    if (by->negates) std::swap(all[2], all[3]);
    become(v, by->joined, all);
    return true;
  }

  bool pair(Value v) {
    for (const Pair& p : kPairs) {
      if (f_.nodes[v].op != p.outer) continue;
      for (const std::size_t at : {0, 1}) {
        const Value inner = f_.args(v)[at], other = f_.args(v)[1 - at];
        const Node& n = f_.nodes[inner];
        if (n.op != p.inner || n.type != f_.nodes[v].type || !joins(inner, v)) continue;
        if (isShift(n.op) && !isConstantBelow(f_.args(inner)[1], 8 * scalarBytes(n.type))) continue;
        become(v, p.joined, std::array{f_.args(inner)[0], f_.args(inner)[1], other});
        uses_[inner] = 0;
        return true;
      }
    }
    return false;
  }

  // Operations by bits over at most three others.
  struct Tree {
    std::vector<Value> inside;  // operations, the root first
    std::vector<Value> leaves;
  };
  bool isConstantBits(Value v) const {
    const std::uint64_t ones = f_.nodes[v].type == Scalar::kI64 ? ~std::uint64_t{0} : 0xffffffff;
    return f_.isConstant(v) && (f_.bitsOf(v) == 0 || f_.bitsOf(v) == ones);
  }
  std::vector<Value> leavesOf(const std::vector<Value>& inside) const {
    std::vector<Value> leaves;
    for (const Value v : inside)
      for (const Value a : f_.args(v))
        if (std::ranges::find(inside, a) == inside.end() && std::ranges::find(leaves, a) == leaves.end() && !isConstantBits(a))
          leaves.push_back(a);
    return leaves;
  }
  // Whether nothing else uses one of those inside, which then disappears.
  bool saves(const Tree& tree) const {
    return std::any_of(tree.inside.begin() + 1, tree.inside.end(), [&](Value v) {
      std::uint32_t within = 0;
      for (const Value user : tree.inside) within += static_cast<std::uint32_t>(std::ranges::count(f_.args(user), v));
      return uses_[v] == within;
    });
  }
  // The largest one of a few operations. One that others use too may be inside: it costs nothing there.
  Tree treeOf(Value root) const {
    constexpr std::size_t kMost = 8;
    Tree tree{{root}, leavesOf({root})}, best = tree;
    while (tree.inside.size() < kMost) {
      const auto next = std::ranges::find_if(tree.leaves, [&](Value v) {
        const Node &n = f_.nodes[v], &r = f_.nodes[root];
        return isByBits(n.op) && n.block == r.block && n.varying == r.varying;
      });
      if (next == tree.leaves.end()) break;
      tree.inside.push_back(*next);
      tree.leaves = leavesOf(tree.inside);
      if (tree.leaves.size() <= 3 && saves(tree)) best = tree;
    }
    return best;
  }
  // The tree's value for each combination of its leaves, the first of which counts 4.
  std::uint32_t tableOf(const Tree& tree, Value v) const {
    constexpr std::uint32_t kLeaf[] = {0xf0, 0xcc, 0xaa};
    const auto leaf = std::ranges::find(tree.leaves, v);
    if (leaf != tree.leaves.end()) return kLeaf[leaf - tree.leaves.begin()];
    if (f_.isConstant(v)) return f_.bitsOf(v) == 0 ? 0 : 0xff;
    const std::uint32_t a = tableOf(tree, f_.args(v)[0]);
    if (f_.nodes[v].op == core(OpNot)) return a ^ 0xff;
    const std::uint32_t b = tableOf(tree, f_.args(v)[1]);
    return f_.nodes[v].op == core(OpBitwiseAnd) ? a & b : f_.nodes[v].op == core(OpBitwiseOr) ? a | b : a ^ b;
  }
  // Takes back what an operation uses, and what those use that nobody needs then.
  void release(Value v) {
    for (const Value a : f_.args(v))
      if (--uses_[a] == 0 && isByBits(f_.nodes[a].op)) release(a);
  }
  bool bits(Value v) {
    if (!isByBits(f_.nodes[v].op)) return false;
    const Tree tree = treeOf(v);
    if (tree.inside.size() < 2 || tree.leaves.empty()) return false;
    const Value table = f_.constant(Scalar::kI32, tableOf(tree, v));
    uses_.resize(f_.nodes.size());
    for (const Value l : tree.leaves) ++uses_[l];
    release(v);
    const auto leaf = [&](std::size_t i) { return tree.leaves[std::min(i, tree.leaves.size() - 1)]; };
    become(v, kBits, std::array{leaf(0), leaf(1), leaf(2), table});
    return true;
  }

  Function& f_;
  std::vector<std::uint32_t> uses_;
};

}  // namespace

bool joinOperations(Function& f) {
  return Joining(f).run();
}

}  // namespace lanewise::ir
