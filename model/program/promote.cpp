// SSA construction for local variables, one scalar of a variable at a time. A phi is made where paths from different stores meet and the
// value is read later. Method: Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph"
// (TOPLAS 1991), with phis made on demand, and without recursion, so that a hostile module cannot exhaust the host's stack.
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

// Puts a variable into lane memory.
void place(Function& f, LocalVariable& local) {
  local.inLaneMemory = true;
  local.leafWords = std::any_of(local.leaves.begin(), local.leaves.end(), isWide) ? 2 : 1;
  f.laneWords += f.laneWords % local.leafWords;
  local.firstWord = f.laneWords;
  f.laneWords += local.leafWords * static_cast<std::uint32_t>(local.leaves.size());
}

class Promotion {
 public:
  explicit Promotion(Function& f)
      : f_(f),
        idom_(dominators(f)),
        replaced_(f.nodes.size()),
        headPhis_(f.blocks.size()),
        end_(f.blocks.size()),
        meets_(f.blocks.size()) {}

  // True if something became a value.
  bool run() {
    placeLocals();
    findFrontiers();
    gather();
    for (auto at = accesses_.begin(); at != accesses_.end();) {
      const auto next = std::find_if(at, accesses_.end(), [&](const Access& a) { return a.leaf != at->leaf; });
      promote({at, next});
      at = next;
    }
    f_.recordWords = f_.laneWords;
    return rewrite();
  }

 private:
  // A load or store of one scalar of a variable, or a fill of all.
  struct Access {
    std::uint32_t leaf;
    Value node;
  };
  // The known value in a block, for the current scalar.
  struct End {
    std::uint32_t leaf = 0xffffffffu;  // the scalar
    Value value = kNoValue;            // at the end of the block, or after its last visited access
  };

  // Decides which locals stay in lane memory, and numbers the leaves of the others.
  void placeLocals() {
    f_.laneWords = 0;
    for (LocalVariable& local : f_.locals) local.inLaneMemory = false;
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes) {
        const Node& n = f_.nodes[v];
        if ((n.op == kLocalLoad || n.op == kLocalStore) && !f_.isConstant(f_.args(v)[0]))
          f_.locals[n.as<kind::Local>().local].inLaneMemory = true;
      }
    for (LocalVariable& local : f_.locals) {
      firstLeaf_.push_back(static_cast<std::uint32_t>(leafTypes_.size()));
      if (local.inLaneMemory) {
        place(f_, local);
      } else {
        leafTypes_.insert(leafTypes_.end(), local.leaves.begin(), local.leaves.end());
        leafLocals_.resize(leafTypes_.size(), static_cast<std::uint32_t>(firstLeaf_.size() - 1));
      }
    }
  }

  // The dominance frontier of each block: blocks that it does not dominate, although it dominates one of their predecessors.
  void findFrontiers() {
    frontier_.resize(f_.blocks.size());
    for (std::uint32_t b : f_.order) {
      if (f_.blocks[b].predecessors.size() < 2) continue;
      for (std::uint32_t p : f_.blocks[b].predecessors)
        for (; p != idom_[b] && (frontier_[p].empty() || frontier_[p].back() != b); p = idom_[p]) frontier_[p].push_back(b);
    }
  }

  bool isPromoted(Value v) const {
    const Node& n = f_.nodes[v];
    return (n.op == kLocalLoad || n.op == kLocalStore || n.op == kLocalFill) && !f_.locals[n.as<kind::Local>().local].inLaneMemory;
  }

  // All accesses, by scalar and then in order of execution. A load beyond its variable is undefined; a store there does nothing.
  void gather() {
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes) {
        if (!isPromoted(v)) continue;
        const Node& n = f_.nodes[v];
        if (n.op == kLocalFill) {
          for (std::uint32_t i = 0; i < f_.locals[n.as<kind::Local>().local].leaves.size(); ++i)
            accesses_.push_back({firstLeaf_[n.as<kind::Local>().local] + i, v});
          continue;
        }
        const auto leaf = static_cast<std::uint32_t>(f_.constantValue(f_.args(v)[0], false));
        const std::uint32_t index = n.as<kind::Local>().local;
        const LocalVariable& local = f_.locals[index];
        const bool inside = leaf < local.leaves.size();
        if (inside) accesses_.push_back({firstLeaf_[index] + leaf, v});
        if (!inside && n.op == kLocalLoad) replaced_[v] = f_.undefined(n.type, f_.origins[n.origin].instruction, 0);
      }
    sortByLeaf();
  }

  // By counting: a program has tens of thousands of accesses.
  void sortByLeaf() {
    std::vector<std::uint32_t> place(leafTypes_.size() + 1);
    for (const Access& a : accesses_) ++place[a.leaf + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<Access> sorted(accesses_.size());
    for (const Access& a : accesses_) sorted[place[a.leaf]++] = a;
    accesses_ = std::move(sorted);
  }

  void promote(std::span<const Access> accesses) {
    const std::uint32_t leaf = accesses[0].leaf;
    for (const Access& a : accesses)
      if (f_.nodes[a.node].op != kLocalLoad) work_.push_back(f_.nodes[a.node].block);
    while (!work_.empty()) {
      const std::uint32_t b = work_.back();
      work_.pop_back();
      for (std::uint32_t join : frontier_[b])
        if (std::exchange(meets_[join], leaf + 1) != leaf + 1) work_.push_back(join);
    }
    for (const Access& a : accesses) {
      const std::uint32_t b = f_.nodes[a.node].block;
      if (f_.nodes[a.node].op == kLocalLoad)
        replaced_[a.node] = read(b, leaf);
      else
        end_[b] = {leaf, f_.nodes[a.node].op == kLocalFill ? unwritten(leaf) : f_.args(a.node)[1]};
    }
    while (!open_.empty()) fillNextPhi(leaf);
  }

  // What nobody has written. Promoted variables are filled with nothing else.
  Value unwritten(std::uint32_t leaf) {
    const LocalVariable& local = f_.locals[leafLocals_[leaf]];
    return f_.undefined(leafTypes_[leaf], local.instruction, local.variable);
  }

  // The value at the end of a block, or after its last visited access.
  Value read(std::uint32_t b, std::uint32_t leaf) {
    std::uint32_t at = b;
    while (end_[at].leaf != leaf && meets_[at] != leaf + 1 && at != f_.order[0]) at = idom_[at];
    if (end_[at].leaf != leaf) {
      Value value = kNoValue;
      if (meets_[at] == leaf + 1) {
        value = f_.add(kPhi, leafTypes_[leaf], {}, 0);
        f_.nodes[value].block = at;
        headPhis_[at].push_back(value);
        open_.push_back(value);
      } else {
        value = unwritten(leaf);
      }
      end_[at] = {leaf, value};
    }
    const End found = end_[at];
    for (; b != at; b = idom_[b]) end_[b] = found;
    return found.value;
  }

  void fillNextPhi(std::uint32_t leaf) {
    const Value phi = open_.back();
    open_.pop_back();
    std::vector<Value> args;
    for (std::uint32_t p : f_.blocks[f_.nodes[phi].block].predecessors) args.push_back(read(p, leaf));
    f_.nodes[phi].firstArgument = static_cast<std::uint32_t>(f_.argumentPool.size());
    f_.nodes[phi].arguments = static_cast<std::uint32_t>(args.size());
    f_.argumentPool.insert(f_.argumentPool.end(), args.begin(), args.end());
  }

  Value resolve(Value v) {
    while (v < replaced_.size() && replaced_[v] != kNoValue) v = replaced_[v];
    return v;
  }

  bool rewrite() {
    std::size_t gone = 0;
    for (std::uint32_t b : f_.order) {
      std::vector<Value>& nodes = f_.blocks[b].nodes;
      gone += std::erase_if(nodes, [this](Value v) { return isPromoted(v); });
      nodes.insert(nodes.begin(), headPhis_[b].begin(), headPhis_[b].end());
      for (Value v : nodes)
        for (Value& a : f_.args(v)) a = resolve(a);
      if (Value* condition = f_.blocks[b].condition()) *condition = resolve(*condition);
    }
    return gone != 0;
  }

  Function& f_;
  std::vector<std::uint32_t> idom_;
  std::vector<std::vector<std::uint32_t>> frontier_;
  std::vector<std::uint32_t> firstLeaf_;  // by local: its first among all promoted leaves
  std::vector<Scalar> leafTypes_;
  std::vector<std::uint32_t> leafLocals_;  // by leaf: its local
  std::vector<Access> accesses_;
  std::vector<Value> replaced_;  // by load
  std::vector<std::vector<Value>> headPhis_;
  // For the current scalar.
  std::vector<End> end_;
  std::vector<std::uint32_t> meets_;  // 1 + the scalar whose stores meet in this block
  std::vector<std::uint32_t> work_;
  std::vector<Value> open_;  // phis without arguments
};

}  // namespace

void placeLocals(Function& f) {
  for (LocalVariable& local : f.locals)
    if (!local.isRecord) place(f, local);
  f.recordWords = f.laneWords;
  for (LocalVariable& local : f.locals)
    if (local.isRecord) place(f, local);
}

bool promoteLocals(Function& f) {
  const auto isOfLocal = [&f](Value v) { return std::holds_alternative<kind::Local>(f.nodes[v].what); };
  if (std::ranges::any_of(f.order, [&](std::uint32_t b) { return std::ranges::any_of(f.blocks[b].nodes, isOfLocal); }))
    return Promotion(f).run();
  for (LocalVariable& local : f.locals) local.inLaneMemory = false;
  f.laneWords = f.recordWords = 0;
  return false;
}

}  // namespace lanewise::ir
