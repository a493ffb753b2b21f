// What the branches in front of a block have compared (own_places.cpp). Promise: it holds wherever the block is executed. Gap: of
// conditions that are nested deeper than four, and of comparisons of floats, nothing is known.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "model/ir/operation_info.h"
#include "model/program/passes.h"

namespace lanewise::ir {

// What holds in a block: of a branch that leads there alone. `strict`: small < large; otherwise it may be equal.
struct Guard {
  Value small = kNoValue, large = kNoValue;
  bool isSigned = false, strict = false;
  bool operator==(const Guard&) const = default;
};

class Guards {
 public:
  explicit Guards(const Function& f) : f_(f), dominators_(dominators(f)), of_(f.blocks.size()) {}

  const std::vector<Guard>& of(std::uint32_t block) {
    std::optional<std::vector<Guard>>& known = of_[block];
    if (known) return *known;
    known.emplace();
    for (std::uint32_t b = block; b != f_.order[0]; b = dominators_[b]) {
      const Block& before = f_.blocks[dominators_[b]];
      const auto* branch = std::get_if<Branch>(&before.end);
      if (branch && branch->whereTrue != branch->whereFalse && f_.blocks[b].predecessors.size() == 1)
        add(*known, branch->condition, branch->whereTrue == b, 0);
    }
    return *known;
  }

 private:
  void add(std::vector<Guard>& to, Value condition, bool holds, int depth) {
    constexpr int kDeep = 4;
    const Code op = f_.nodes[condition].op;
    const auto a = f_.args(condition);
    using spv::Op;
    if (depth > kDeep) return;
    if (op == core(Op::OpLogicalNot)) return add(to, a[0], !holds, depth + 1);
    if (op == core(Op::OpSelect)) return addSelection(to, a, holds, depth);
    if (op == kPhi) return addPhi(to, condition, holds, depth);
    if (op == core(holds ? Op::OpLogicalAnd : Op::OpLogicalOr)) {
      add(to, a[0], holds, depth + 1);
      return add(to, a[1], holds, depth + 1);
    }
    const auto is = [&](Op ofUnsigned, Op ofSigned) { return op == core(ofUnsigned) || op == core(ofSigned); };
    const bool less = is(Op::OpULessThan, Op::OpSLessThan), most = is(Op::OpULessThanEqual, Op::OpSLessThanEqual);
    const bool more = is(Op::OpUGreaterThan, Op::OpSGreaterThan), least = is(Op::OpUGreaterThanEqual, Op::OpSGreaterThanEqual);
    if (!less && !most && !more && !least) return;
    const bool isSigned = op == core(Op::OpSLessThan) || op == core(Op::OpSLessThanEqual) || op == core(Op::OpSGreaterThan) ||
                          op == core(Op::OpSGreaterThanEqual);
    const bool firstIsSmall = (less || most) == holds;
    to.push_back({a[firstIsSmall ? 0 : 1], a[firstIsSmall ? 1 : 0], isSigned, (less || more) == holds});
  }

  bool isConstant(Value v, bool value) const { return f_.isConstant(v) && (f_.bitsOf(v) != 0) == value; }

  // && and || without branches: one side cannot give what holds.
  void addSelection(std::vector<Guard>& to, std::span<const Value> a, bool holds, int depth) {
    const auto isNot = [&](Value v, Value of) { return f_.nodes[v].op == core(spv::Op::OpLogicalNot) && f_.args(v)[0] == of; };
    for (const std::size_t side : {1u, 2u}) {
      const bool known = side == 1;  // the condition, if that side is taken
      const bool never = isConstant(a[side], !holds) || (a[side] == a[0] && known != holds) || (isNot(a[0], a[side]) && known == holds);
      if (!never) continue;
      add(to, a[0], !known, depth + 1);
      return add(to, a[3 - side], holds, depth + 1);
    }
  }

  // && and || with branches: all but one of the ways to it give the other value. So it came by that one.
  void addPhi(std::vector<Guard>& to, Value phi, bool holds, int depth) {
    const auto a = f_.args(phi);
    const auto way = std::ranges::find_if_not(a, [&](Value v) { return isConstant(v, !holds); });
    if (way == a.end() || std::ranges::any_of(std::next(way), a.end(), [&](Value v) { return !isConstant(v, !holds); })) return;
    const std::uint32_t at = f_.nodes[phi].block, before = f_.blocks[at].predecessors[static_cast<std::size_t>(way - a.begin())];
    for (std::uint32_t b = before; b != f_.order[0]; b = dominators_[b])
      // What held in the round of a loop before says nothing of the values of this one.
      if (b == at) return;
    const std::vector<Guard> there = of(before);  // in a loop perhaps not all of them yet
    to.insert(to.end(), there.begin(), there.end());
    add(to, *way, holds, depth + 1);
  }

  const Function& f_;
  std::vector<std::uint32_t> dominators_;
  std::vector<std::optional<std::vector<Guard>>> of_;  // by block
};

}  // namespace lanewise::ir
