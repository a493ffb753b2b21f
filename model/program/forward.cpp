// Arrays in lane memory, because some index is known to a lane only: what a block stores into such an array by constant indices, and loads
// again, needs no memory. The lanes that execute a block are the same at all its instructions.
#include <algorithm>
#include <unordered_map>

#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

class Forwarding {
 public:
  explicit Forwarding(Function& f) : f_(f), by_(f.nodes.size()), gone_(f.nodes.size()) {}

  bool run() {
    for (std::uint32_t b : f_.order) {
      known_.clear();
      for (Value v : f_.blocks[b].nodes) visit(v);
    }
    if (any_) rewrite();
    return any_;
  }

 private:
  // What is known of a leaf within a block.
  struct Leaf {
    Value value = kNoValue;
    Value store = kNoValue;  // that put it there, and nobody has read it
  };
  using Leaves = std::unordered_map<std::uint64_t, Leaf>;

  void visit(Value v) {
    const Node& n = f_.nodes[v];
    if (n.op != kLocalLoad && n.op != kLocalStore && n.op != kLocalFill) return;
    const std::uint32_t local = n.as<kind::Local>().local;
    Leaves& leaves = known_[local];
    if (n.op == kLocalFill) return leaves.clear();
    const Value index = f_.args(v)[0];
    if (!f_.isConstant(index)) {
      if (n.op == kLocalStore) leaves.clear();
      for (auto& [at, leaf] : leaves) leaf.store = kNoValue;  // it may be read
      return;
    }
    const std::uint64_t at = f_.bitsOf(index);
    if (at >= f_.locals[local].leaves.size()) return;
    Leaf& leaf = leaves[at];
    if (n.op == kLocalStore) {
      if (leaf.store != kNoValue) any_ = gone_[leaf.store] = true;
      leaf = {resolve(f_.args(v)[1]), v};
    } else if (leaf.value != kNoValue && f_.nodes[leaf.value].type == n.type) {
      by_[v] = leaf.value;
      any_ = gone_[v] = true;
    } else {
      leaf = {v, kNoValue};
    }
  }

  Value resolve(Value v) const {
    while (by_[v] != kNoValue) v = by_[v];
    return v;
  }

  void rewrite() {
    for (std::uint32_t b : f_.order) {
      std::erase_if(f_.blocks[b].nodes, [this](Value v) { return gone_[v]; });
      for (Value v : f_.blocks[b].nodes)
        for (Value& a : f_.args(v)) a = resolve(a);
      if (Value* condition = f_.blocks[b].condition()) *condition = resolve(*condition);
    }
  }

  Function& f_;
  std::vector<Value> by_;  // by load: what it gives
  std::vector<bool> gone_;
  std::unordered_map<std::uint32_t, Leaves> known_;  // by local, then by leaf
  bool any_ = false;
};

}  // namespace

bool forwardLocals(Function& f) {
  return f.laneWords != 0 && Forwarding(f).run();
}

void removeFirstFills(Function& f) {
  if (f.laneWords == 0) return;
  std::vector<bool> isRepeated(f.blocks.size());
  for (const Loop& loop : loops(f))
    for (const std::uint32_t b : loop.blocks) isRepeated[b] = true;
  for (const std::uint32_t b : f.order)
    if (!isRepeated[b]) std::erase_if(f.blocks[b].nodes, [&f](Value v) { return f.nodes[v].op == kLocalFill; });
}

}  // namespace lanewise::ir
