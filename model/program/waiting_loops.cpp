// Whether a program may wait in a loop for what other invocations store. Then each subgroup has a batch of its own: together the strand
// furthest behind runs, and that is the one that waits, while the one that would end it stands behind the loop.
//
// Such a loop has no control barrier. It is left by a branch that goes by shared memory to which the program stores, and by nothing that is
// another value in each turn, such as a counter or what an atomic has just put there. One that a single invocation of the workgroup comes
// to does not count.
#include <algorithm>
#include <set>
#include <utility>

#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

class WaitSeeker {
 public:
  explicit WaitSeeker(const Function& f)
      : f_(f), dominators_(dominators(f)), inLoop_(f.nodes.size()), isHeaders_(f.nodes.size()), seen_(f.nodes.size()) {
    for (const std::uint32_t b : f.order)
      for (const Value v : f.blocks[b].nodes)
        if (const Access* access = accessOf(v); access && (isAtomic(v) || f.nodes[v].type == Scalar::kNone))
          stored_.insert(objectOf(*access));
  }
  // `asks`: it is enough that the loop reads what is stored to.
  bool waits(const Loop& loop, bool asks) {
    for (auto* set : {&inLoop_, &isHeaders_}) std::ranges::fill(*set, std::uint8_t{0});
    bool reads = false;
    for (const std::uint32_t b : loop.blocks)
      for (const Value v : f_.blocks[b].nodes) {
        const auto* barrier = std::get_if<kind::Barrier>(&f_.nodes[v].what);
        if (barrier && f_.nodes[v].op == kControlBarrier && barrier->execution != spv::Scope::Subgroup) return false;
        inLoop_[v] = 1;
        isHeaders_[v] = b == loop.header;
        reads = reads || isRead(v);
      }
    if (asks || !reads) return reads;
    if (isOfOne(loop.header)) return false;
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
  // Behind a branch that only the invocation of one index takes.
  bool isOfOne(std::uint32_t block) const {
    for (std::uint32_t b = block; b != f_.order[0]; b = dominators_[b]) {
      const auto* branch = std::get_if<Branch>(&f_.blocks[dominators_[b]].end);
      if (!branch || branch->whereTrue != b || branch->whereFalse == b || f_.blocks[b].predecessors.size() != 1) continue;
      if (f_.nodes[branch->condition].op != core(spv::Op::OpIEqual)) continue;
      const auto sides = f_.args(branch->condition);
      const auto isIndex = [&](Value v) { return f_.nodes[v].what == NodeKind(kind::Input{InputRow::kLocalIndex}); };
      for (std::size_t i = 0; i < 2; ++i)
        if (isIndex(sides[i]) && f_.isConstant(sides[1 - i])) return true;
    }
    return false;
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
    reads_ = false;
    return staysAsItIs(condition) && reads_;
  }
  // While nobody else stores anything.
  bool staysAsItIs(Value v) {
    if (!inLoop_[v] || std::exchange(seen_[v], std::uint8_t{1}) != 0) return true;
    if (counts(v)) return false;
    reads_ = reads_ || isRead(v);
    if (f_.nodes[v].op == kPhi && isHeaders_[v]) return mayStay(v);
    return std::ranges::all_of(f_.args(v), [&](Value a) { return staysAsItIs(a); });
  }
  // A variable that has in the next turn the value that it has in this one.
  bool mayStay(Value phi) const {
    const std::vector<std::uint32_t>& from = f_.blocks[loop_->header].predecessors;
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::set<Value> seen;
      if (loop_->contains[from[i]] && !mayBe(f_.args(phi)[i], phi, seen)) return false;
    }
    return true;
  }
  bool mayBe(Value v, Value phi, std::set<Value>& seen) const {
    if (v == phi) return true;
    const bool chooses = f_.nodes[v].op == kPhi || f_.nodes[v].op == core(spv::Op::OpSelect);
    return chooses && inLoop_[v] && !isHeaders_[v] && seen.insert(v).second &&
           std::ranges::any_of(f_.args(v), [&](Value a) { return mayBe(a, phi, seen); });
  }

  const Function& f_;
  const std::vector<std::uint32_t> dominators_;
  std::set<Object> stored_;
  std::vector<std::uint8_t> inLoop_, isHeaders_, seen_;  // by node
  const Loop* loop_ = nullptr;
  bool reads_ = false;
};

bool anyWaits(const Function& f, bool asks) {
  const std::vector<Loop> all = loops(f);
  if (all.empty()) return false;
  WaitSeeker seeker(f);
  return std::ranges::any_of(all, [&](const Loop& loop) { return seeker.waits(loop, asks); });
}

}  // namespace

bool readsInLoop(const Function& lowered) {
  return anyWaits(lowered, true);
}

bool mayWait(Function& lowered, const OpRows& rows) {
  if (!readsInLoop(lowered)) return false;
  simplify(lowered, rows, true);
  promoteLocals(lowered);
  simplify(lowered, rows, true);
  shareCommon(lowered);
  simplify(lowered, rows, true);
  return anyWaits(lowered, false);
}

}  // namespace lanewise::ir
