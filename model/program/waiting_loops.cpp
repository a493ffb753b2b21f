// Whether a program may wait in a loop for what other invocations store. Then each subgroup has a batch of its own: together the strand
// furthest behind runs, and that is the one that waits, while the one that would end it stands behind the loop.
//
// Such a loop has no control barrier. It is left by a branch that goes by shared memory to which the program stores, or by a flag that is
// set where a branch goes by that, and by nothing that is another value in each turn, such as a counter or what an atomic has just put
// there. One that a single invocation of the workgroup comes to does not count (one_invocation.h), unless it asks for workgroup memory
// to which others of the workgroup store before they come to a barrier.
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
    loop_ = &loop;
    if (one_->comesTo(loop.header) && !othersStore()) return false;
    return std::ranges::any_of(loop.blocks, [&](std::uint32_t b) {
      const Value* condition = f_.blocks[b].condition();
      const auto leaves = [&](std::uint32_t to) { return !loop.contains[to]; };
      return condition && std::ranges::any_of(f_.blocks[b].successors(), leaves) && isWaitedFor(*condition);
    });
  }

 private:
  using Object = std::pair<Space, std::uint32_t>;
  enum class Way : std::uint8_t { kFalse, kTrue, kEither };  // of a branch
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
        if (isBarrier(v)) return false;
        any = any || isRead(v);
      }
    return any;
  }
  bool isBarrier(Value v) const {
    const auto* barrier = std::get_if<kind::Barrier>(&f_.nodes[v].what);
    return barrier && f_.nodes[v].op == kControlBarrier && barrier->execution != spv::Scope::Subgroup;
  }
  // Whether one who does not come to the loop may store to workgroup memory that it reads: where both come from, no barrier stands before
  // either.
  bool othersStore() const {
    std::set<std::uint32_t> asked;
    for (const std::uint32_t b : loop_->blocks)
      for (const Value v : f_.blocks[b].nodes)
        if (const Access* access = isRead(v) ? accessOf(v) : nullptr; access && access->space == Space::kWorkgroup)
          asked.insert(access->variable);
    if (asked.empty()) return false;
    const auto storesTo = [&](Value v) {
      const Access* access = accessOf(v);
      return access && access->space == Space::kWorkgroup && asked.contains(access->variable) && !onlyReads(v);
    };
    // Of what comes from a node of a block on, up to the next barriers.
    const auto isBetweenBarriers = [&](std::uint32_t block, std::size_t node) {
      bool comes = false, stores = false;
      std::set<std::uint32_t> seen;
      std::vector<std::pair<std::uint32_t, std::size_t>> open = {{block, node}};
      while (!open.empty()) {
        const auto [b, from] = open.back();
        open.pop_back();
        comes = comes || b == loop_->header;
        const std::vector<Value>& nodes = f_.blocks[b].nodes;
        std::size_t i = from;
        for (; i < nodes.size() && !isBarrier(nodes[i]); ++i)
          stores = stores || (storesTo(nodes[i]) && !dominates(b, loop_->header) && !dominates(loop_->header, b));
        if (i < nodes.size()) continue;
        for (const std::uint32_t next : f_.blocks[b].successors())
          if (seen.insert(next).second) open.emplace_back(next, 0);
      }
      return comes && stores;
    };
    if (isBetweenBarriers(f_.order[0], 0)) return true;
    for (const std::uint32_t b : f_.order)
      for (std::size_t i = 0; i < f_.blocks[b].nodes.size(); ++i)
        if (isBarrier(f_.blocks[b].nodes[i]) && isBetweenBarriers(b, i + 1)) return true;
    return false;
  }
  // An atomic that leaves what is there as it is.
  bool onlyReads(Value v) const {
    if (!isAtomic(v)) return f_.nodes[v].type != Scalar::kNone;
    const spv::Op op = f_.nodes[v].as<kind::Atomic>().op;
    const bool adds = op == spv::Op::OpAtomicIAdd || op == spv::Op::OpAtomicISub || op == spv::Op::OpAtomicOr || op == spv::Op::OpAtomicXor;
    return op == spv::Op::OpAtomicLoad || (adds && f_.isConstant(f_.args(v)[2]) && f_.bitsOf(f_.args(v)[2]) == 0);
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
  bool isInLoop(Value v) const { return loop_->contains[f_.nodes[v].block] != 0; }
  bool isHeaders(Value v) const { return f_.nodes[v].block == loop_->header; }
  bool isWaitedFor(Value condition) {
    seen_.clear();
    ways_.clear();
    reads_ = false;
    return staysAsItIs(condition) && reads_;
  }
  // While nobody else stores anything.
  bool staysAsItIs(Value v) {
    if (!isInLoop(v) || !seen_.insert(v).second) return true;
    if (counts(v)) return false;
    reads_ = reads_ || isRead(v);
    if (f_.nodes[v].op == kPhi && isHeaders(v)) return mayStay(v);
    if (f_.nodes[v].op == kPhi && !choiceStays(v)) return false;
    return std::ranges::all_of(f_.args(v), [&](Value a) { return staysAsItIs(a); });
  }
  // A variable that has in the next turn the value that it has in this one, or comes back to it.
  bool mayStay(Value phi) {
    const std::vector<std::uint32_t>& from = f_.blocks[loop_->header].predecessors;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!loop_->contains[from[i]]) continue;
      const auto seenBefore = seen_;
      const auto waysBefore = ways_;
      std::set<Value> seen, chosen;
      if (mayBe(f_.args(phi)[i], phi, seen)) continue;
      seen_ = seenBefore;
      ways_ = waysBefore;
      if (!isChosen(f_.args(phi)[i], chosen)) return false;
    }
    return true;
  }
  // One of some values, none of which a turn computes from that of another turn: what is read, constants, variables that stay. It may be
  // each of them in its turn, so no other variable may stay by one way of the branch.
  bool isChosen(Value v, std::set<Value>& seen) {
    if (!isInLoop(v)) return true;
    const bool isPhi = f_.nodes[v].op == kPhi;
    if (isPhi && isHeaders(v)) return staysAsItIs(v);
    if (std::set<Value> ofMemory; isOfMemory(v, ofMemory)) return true;
    if (!(isPhi || f_.nodes[v].op == core(spv::Op::OpSelect)) || !seen.insert(v).second) return false;
    const Value* condition = isPhi ? f_.blocks[dominators_[f_.nodes[v].block]].condition() : f_.args(v).data();
    if ((condition && !asksFor(*condition, Way::kEither)) || !(isPhi ? choiceStays(v) : staysAsItIs(f_.args(v)[0]))) return false;
    return std::ranges::all_of(f_.args(v).subspan(isPhi ? 0 : 1), [&](Value a) { return isChosen(a, seen); });
  }
  bool asksFor(Value condition, Way way) { return ways_.try_emplace(condition, way).first->second == way; }
  // What is read, and what is computed from that alone: it comes from no variable of the loop.
  bool isOfMemory(Value v, std::set<Value>& seen) {
    if (!isInLoop(v) || !seen.insert(v).second) return true;
    if (counts(v) || f_.nodes[v].op == kPhi) return false;
    reads_ = reads_ || isRead(v);
    return std::ranges::all_of(f_.args(v), [&](Value a) { return isOfMemory(a, seen); });
  }
  bool mayBe(Value v, Value phi, std::set<Value>& seen) {
    if (v == phi) return true;
    if (isInLoop(v) && addsNothing(v, phi)) return true;
    const bool isPhi = f_.nodes[v].op == kPhi;
    if (!(isPhi || f_.nodes[v].op == core(spv::Op::OpSelect)) || !isInLoop(v) || isHeaders(v) || !seen.insert(v).second) return false;
    const auto of = f_.args(v);
    std::vector<std::uint8_t> may;
    for (const Value a : of) may.push_back(mayBe(a, phi, seen));
    if (std::ranges::count(may, 0) == 0) return true;  // whichever way
    for (std::size_t i = 0; i < of.size(); ++i)
      if (may[i] != 0 && (isPhi ? comesFrom(v, i) : staysAsItIs(of[0]))) return true;
    return false;
  }
  // The variable and what may be 0, by what is read.
  bool addsNothing(Value v, Value phi) {
    const Code op = f_.nodes[v].op;
    if (op != core(spv::Op::OpIAdd) && op != core(spv::Op::OpBitwiseOr) && op != core(spv::Op::OpBitwiseXor)) return false;
    const auto of = f_.args(v);
    const Value by = of[0] == phi ? of[1] : of[0];
    if ((of[0] != phi && of[1] != phi) || !isInLoop(by)) return false;
    const bool reads = std::exchange(reads_, false);
    std::set<Value> seen;
    const bool may = isOfMemory(by, seen) && reads_;
    reads_ = reads_ || reads;
    return may;
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
    return asksFor(branch->condition, isTrue ? Way::kTrue : Way::kFalse);
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
  std::set<Value> seen_;
  const Loop* loop_ = nullptr;
  bool reads_ = false;
  std::map<Value, Way> ways_;  // by condition: where variables stay as they are
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

bool waitsInLoop(const Function& shared, const LaneShape& shape) {
  return anyWaits(shared, shape, false);
}

}  // namespace lanewise::ir
