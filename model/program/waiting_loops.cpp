// Whether a program may wait in a loop for what other invocations store. Then each subgroup has a batch of its own: together the strand
// furthest behind runs, and that is the one that waits, while the one that would end it stands behind the loop.
//
// Such a loop has no control barrier. It is left by a branch that goes by shared memory to which the program stores, or by a flag that is
// set where a branch goes by that, and by nothing that is another value in each turn, such as a counter or what an atomic has just put
// there. One that a single invocation of the workgroup comes to does not count (one_invocation.h).
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/program/one_invocation.h"

namespace lanewise::ir {
namespace {

class WaitSeeker {
 public:
  WaitSeeker(const Function& f, const LaneShape& shape) : f_(f), shape_(shape) {
    for (const std::uint32_t b : f.order)
      for (const Value v : f.blocks[b].nodes)
        if (const Access* access = accessOf(v); access && (isAtomic(v) || f.nodes[v].type == Scalar::kNone))
          stored_.insert(objectOf(*access));
  }
  // `asks`: it is enough that the loop reads what is stored to.
  bool waits(const Loop& loop, bool asks) {
    if (!reads(loop)) return false;
    if (asks) return true;
    if (!one_) one_.emplace(f_, shape_), dominators_ = dominators(f_);
    for (auto* set : {&inLoop_, &isHeaders_, &seen_}) set->assign(f_.nodes.size(), 0);
    for (const std::uint32_t b : loop.blocks)
      for (const Value v : f_.blocks[b].nodes) {
        inLoop_[v] = 1;
        isHeaders_[v] = b == loop.header;
      }
    if (one_->comesTo(loop.header)) return false;
    loop_ = &loop;
    return std::ranges::any_of(loop.blocks, [&](std::uint32_t b) {
      const Value* condition = f_.blocks[b].condition();
      const auto leaves = [&](std::uint32_t to) { return !loop.contains[to]; };
      return condition && std::ranges::any_of(f_.blocks[b].successors(), leaves) && isWaitedFor(*condition);
    });
  }

 private:
  using Object = std::pair<Space, std::uint32_t>;
  static Object objectOf(const Access& a) { return {a.space, a.space == Space::kBuffer ? a.resource : 0}; }
  bool isAtomic(Value v) const { return std::holds_alternative<kind::Atomic>(f_.nodes[v].what); }
  const Access* accessOf(Value v) const {
    if (const auto* memory = std::get_if<kind::Memory>(&f_.nodes[v].what)) return &f_.accesses[memory->access];
    const auto* atomic = std::get_if<kind::Atomic>(&f_.nodes[v].what);
    return atomic ? &f_.accesses[atomic->access] : nullptr;
  }
  // What is stored to; and it has no control barrier.
  bool reads(const Loop& loop) const {
    bool any = false;
    for (const std::uint32_t b : loop.blocks)
      for (const Value v : f_.blocks[b].nodes) {
        const auto* barrier = std::get_if<kind::Barrier>(&f_.nodes[v].what);
        if (barrier && f_.nodes[v].op == kControlBarrier && barrier->execution != spv::Scope::Subgroup) return false;
        any = any || isRead(v);
      }
    return any;
  }
  bool isRead(Value v) const {
    if (f_.nodes[v].type == Scalar::kNone) return false;
    if (f_.nodes[v].op == kImageAtomic) return true;
    const Access* access = accessOf(v);
    return access && isShared(*access) && stored_.contains(objectOf(*access));
  }
  // Each turn it puts another value there.
  bool counts(Value v) const {
    if (!isAtomic(v)) return false;
    switch (const kind::Atomic& atomic = f_.nodes[v].as<kind::Atomic>(); atomic.op) {
      case spv::Op::OpAtomicIIncrement:
      case spv::Op::OpAtomicIDecrement:
        return true;
      case spv::Op::OpAtomicIAdd:
      case spv::Op::OpAtomicISub: {
        const Value by = f_.args(v)[2];
        return f_.isConstant(by) && f_.bitsOf(by) != 0;
      }
      default:
        return false;
    }
  }
  bool isWaitedFor(Value condition) {
    std::ranges::fill(seen_, std::uint8_t{0});
    ways_.clear();
    reads_ = false;
    return staysAsItIs(condition) && reads_;
  }
  // While nobody else stores anything.
  bool staysAsItIs(Value v) {
    if (!inLoop_[v] || std::exchange(seen_[v], std::uint8_t{1}) != 0) return true;
    if (counts(v)) return false;
    reads_ = reads_ || isRead(v);
    if (f_.nodes[v].op == kPhi && isHeaders_[v]) return mayStay(v);
    if (f_.nodes[v].op == kPhi && !choiceStays(v)) return false;
    return std::ranges::all_of(f_.args(v), [&](Value a) { return staysAsItIs(a); });
  }
  // A variable that has in the next turn the value that it has in this one.
  bool mayStay(Value phi) {
    const std::vector<std::uint32_t>& from = f_.blocks[loop_->header].predecessors;
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::set<Value> seen;
      if (loop_->contains[from[i]] && !mayBe(f_.args(phi)[i], phi, seen)) return false;
    }
    return true;
  }
  bool mayBe(Value v, Value phi, std::set<Value>& seen) {
    if (v == phi) return true;
    const bool isPhi = f_.nodes[v].op == kPhi;
    if (!(isPhi || f_.nodes[v].op == core(spv::Op::OpSelect)) || !inLoop_[v] || isHeaders_[v] || !seen.insert(v).second) return false;
    const auto of = f_.args(v);
    std::vector<std::uint8_t> may;
    for (const Value a : of) may.push_back(mayBe(a, phi, seen));
    if (std::ranges::count(may, 0) == 0) return true;  // whichever way
    for (std::size_t i = 0; i < of.size(); ++i)
      if (may[i] != 0 && (isPhi ? comesFrom(v, i) : staysAsItIs(of[0]))) return true;
    return false;
  }
  // The branch in front of a phi goes the way that gives its i-th value, and not the other way for another variable's sake.
  bool comesFrom(Value phi, std::size_t i) {
    const std::uint32_t block = f_.nodes[phi].block, parts = dominators_[block], from = f_.blocks[block].predecessors[i];
    const auto* branch = std::get_if<Branch>(&f_.blocks[parts].end);
    if (!choiceStays(phi)) return false;
    if (!branch || branch->whereTrue == branch->whereFalse) return true;
    const auto by = [&](std::uint32_t to) { return from == parts ? to == block : to != block && dominates(to, from); };
    const bool isTrue = by(branch->whereTrue);
    if (isTrue == by(branch->whereFalse)) return true;
    return ways_.try_emplace(branch->condition, isTrue).first->second == isTrue;
  }
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    while (b != a && b != f_.order[0]) b = dominators_[b];
    return b == a;
  }
  // Which of its values a variable has where branches meet in the loop.
  bool choiceStays(Value phi) {
    const std::uint32_t parts = dominators_[f_.nodes[phi].block];
    const Value* condition = loop_->contains[parts] ? f_.blocks[parts].condition() : nullptr;
    return !condition || staysAsItIs(*condition);
  }

  const Function& f_;
  const LaneShape& shape_;
  std::vector<std::uint32_t> dominators_;  // with one_
  std::optional<OneInvocation> one_;       // once it is asked for
  std::set<Object> stored_;
  std::vector<std::uint8_t> inLoop_, isHeaders_, seen_;  // by node
  const Loop* loop_ = nullptr;
  bool reads_ = false;
  std::map<Value, bool> ways_;  // of branches: where variables stay as they are
};

bool anyWaits(const Function& f, const LaneShape& shape, bool asks) {
  const std::vector<Loop> all = loops(f);
  if (all.empty()) return false;
  WaitSeeker seeker(f, shape);
  return std::ranges::any_of(all, [&](const Loop& loop) { return seeker.waits(loop, asks); });
}

}  // namespace

bool readsInLoop(const Function& lowered, const LaneShape& shape) {
  return anyWaits(lowered, shape, true);
}

bool mayWait(Function& lowered, const LaneShape& shape, const OpRows& rows) {
  if (!readsInLoop(lowered, shape)) return false;
  simplify(lowered, rows, true);
  promoteLocals(lowered);
  simplify(lowered, rows, true);
  shareCommon(lowered);
  simplify(lowered, rows, true);
  return anyWaits(lowered, shape, false);
}

}  // namespace lanewise::ir
