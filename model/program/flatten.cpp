// Small branches become selections: both sides are computed, and each lane takes the result that its condition selects. A divergent branch
// costs more than a few operations.
//
// Only what is pure and cheap is moved, and reads nothing but what is the same for all lanes, so that the result is the same for every
// lane; but a lane then executes operations of a side that it does not take. Where accesses are watched, these are only such as nobody
// sees.
#include <algorithm>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

constexpr std::size_t kMostNodes = 8;  // of a side
constexpr int kDepth = 6;              // how far back a condition is looked at

class Flattener {
 public:
  Flattener(Function& f, bool watched) : f_(f), watched_(watched), named_(f.blocks.size()) {
    for (const Block& b : f_.blocks) named_[b.merge] = named_[b.continueTarget] = 1;
  }

  bool run() {
    bool changed = false;
    for (const std::uint32_t b : f_.order) changed = flatten(b) || changed;
    if (changed) orderBlocks(f_);
    return changed;
  }

 private:
  // The same for all lanes, for sure.
  bool isUniform(Value v, int depth) const {
    const Node& n = f_.nodes[v];
    if (n.op == kConstant || n.op == kUndef) return true;
    if (n.op == kInput) return n.as<kind::Input>().row >= InputRow::kWorkgroupIdX;
    if (depth == 0 || !isPure(f_, v)) return false;
    const auto args = f_.args(v);
    return std::all_of(args.begin(), args.end(), [&](Value a) { return isUniform(a, depth - 1); });
  }

  // Whether nobody sees that a lane executes it: a load would be told of, and so would operands without a result.
  bool isUnseen(Value v) const { return f_.nodes[v].op != kLoad && surelyHasResult(f_, v); }

  bool isCheap(Value v) const {
    const Node& n = f_.nodes[v];
    if (watched_ && !isUnseen(v)) return false;
    return isPure(f_, v) && (n.op != kLoad || isUniform(v, kDepth)) && factsOf(n.op).effect != Effect::kAsks && n.type != Scalar::kF64;
  }

  // A block that only computes, between `from` and `merge`.
  bool isSide(std::uint32_t side, std::uint32_t from, std::uint32_t merge) const {
    if (side == merge) return true;
    const Block& b = f_.blocks[side];
    return b.end == BlockEnd(Jump{merge}) && b.predecessors.size() == 1 && b.predecessors[0] == from && b.merge == 0 &&
           b.continueTarget == 0 && !(side < named_.size() && named_[side]) && b.nodes.size() <= kMostNodes &&
           std::all_of(b.nodes.begin(), b.nodes.end(), [this](Value v) { return isCheap(v); });
  }

  static std::size_t indexOf(const std::vector<std::uint32_t>& list, std::uint32_t block) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), block) - list.begin());
  }

  // Whether a value depends on the way. Without one nobody would use the condition, nor tell what is wrong with it.
  bool chooses(std::uint32_t merge, std::uint32_t fromYes, std::uint32_t fromNo) const {
    const Block& after = f_.blocks[merge];
    const std::size_t one = indexOf(after.predecessors, fromYes), other = indexOf(after.predecessors, fromNo);
    return std::ranges::any_of(after.nodes, [&](Value v) { return f_.nodes[v].op == kPhi && f_.args(v)[one] != f_.args(v)[other]; });
  }

  bool flatten(std::uint32_t b) {
    const Block& head = f_.blocks[b];
    const auto* branch = std::get_if<Branch>(&head.end);
    if (!branch || head.continueTarget != 0 || isUniform(branch->condition, kDepth)) return false;
    const std::uint32_t yes = branch->whereTrue, no = branch->whereFalse;
    if (yes == no || yes == b || no == b) return false;
    const auto* behind = std::get_if<Jump>(&f_.blocks[yes].end);
    std::uint32_t merge = 0;
    if (behind && isSide(yes, b, behind->target) && isSide(no, b, behind->target))
      merge = behind->target;
    else if (f_.blocks[no].end == BlockEnd(Jump{yes}) && isSide(no, b, yes))
      merge = yes;
    if (merge == 0 || merge == b || f_.blocks[merge].end == BlockEnd{}) return false;
    if (watched_ && !chooses(merge, yes == merge ? b : yes, no == merge ? b : no)) return false;
    join(b, *branch, merge);
    return true;
  }

  // All lanes count the longer side.
  void countSteps(std::uint32_t b, const Block* yes, const Block* no) {
    const std::uint32_t one = yes ? yes->stepCount() : 0, other = no ? no->stepCount() : 0;
    if (one != other) f_.countsMore = true;
    const Block* longer = one >= other ? yes : no;
    if (longer) f_.blocks[b].steps.insert(f_.blocks[b].steps.end(), longer->steps.begin(), longer->steps.end());
  }

  void join(std::uint32_t b, Branch branch, std::uint32_t merge) {
    const auto [condition, yes, no] = branch;
    countSteps(b, yes == merge ? nullptr : &f_.blocks[yes], no == merge ? nullptr : &f_.blocks[no]);
    for (const std::uint32_t side : {yes, no}) {
      if (side == merge) continue;
      for (const Value v : std::exchange(f_.blocks[side].nodes, {})) f_.append(b, v);
    }
    Block& after = f_.blocks[merge];
    const std::size_t fromYes = indexOf(after.predecessors, yes == merge ? b : yes);
    const std::size_t fromNo = indexOf(after.predecessors, no == merge ? b : no);
    // The phis may have other predecessors still; those two become one, in the place of the first.
    const std::size_t kept = no == merge ? fromNo : fromYes;
    for (const Value v : after.nodes) {
      if (f_.nodes[v].op != kPhi) continue;
      const Value one = f_.args(v)[fromYes], other = f_.args(v)[fromNo];
      Value chosen = one;
      if (one != other) {
        const Value args[] = {condition, one, other};
        chosen = f_.add(core(spv::Op::OpSelect), f_.nodes[v].type, args, f_.nodes[v].origin);
        f_.append(b, chosen);
      }
      f_.args(v)[kept] = chosen;
    }
    after.predecessors[kept] = b;
    Block& head = f_.blocks[b];
    head.end = Jump{merge};
    head.merge = 0;
  }

  Function& f_;
  const bool watched_;
  std::vector<std::uint8_t> named_;  // by block: the merge or continue block of a construct
};

}  // namespace

bool flattenBranches(Function& f, bool watched) {
  return Flattener(f, watched).run();
}

}  // namespace lanewise::ir
