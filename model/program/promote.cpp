// SSA construction for local variables. Method: on demand, per variable, after Braun et al., "Simple and Efficient Construction of Static
// Single Assignment Form" (CC 2013), without recursion so that a hostile module cannot exhaust the host's stack.
#include <algorithm>
#include <unordered_map>

#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

class Promotion {
 public:
  explicit Promotion(Function& f) : f_(f), replaced_(f.nodes.size()) {}

  void run() {
    placeLocals();
    for (std::uint32_t b : f_.order) rename(b);
    while (!open_.empty()) fillNextPhi();
    removeTrivialPhis();
    rewrite();
  }

 private:
  struct OpenPhi {
    Value phi;
    std::uint32_t variable;
  };

  // Which locals stay in lane memory, and a dense number for every leaf of the others.
  void placeLocals() {
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes) {
        const Node& n = f_.nodes[v];
        if ((n.op == kLocalLoad || n.op == kLocalStore) && !f_.isConstant(f_.args(v)[0])) f_.locals[n.imm].inLaneMemory = true;
      }
    for (LocalVariable& local : f_.locals) {
      firstLeaf_.push_back(static_cast<std::uint32_t>(leafTypes_.size()));
      if (local.inLaneMemory) {
        local.leafWords = std::any_of(local.leaves.begin(), local.leaves.end(), isWide) ? 2 : 1;
        f_.laneWords += f_.laneWords % local.leafWords;
        local.firstWord = f_.laneWords;
        f_.laneWords += local.leafWords * static_cast<std::uint32_t>(local.leaves.size());
      } else {
        leafTypes_.insert(leafTypes_.end(), local.leaves.begin(), local.leaves.end());
      }
    }
  }

  static std::uint64_t key(std::uint32_t block, std::uint32_t variable) { return std::uint64_t{block} << 32 | variable; }

  void rename(std::uint32_t b) {
    std::vector<Value> kept;
    const std::vector<Value> nodes = f_.blocks[b].nodes;
    for (Value v : nodes) {
      const Node n = f_.nodes[v];
      if ((n.op != kLocalLoad && n.op != kLocalStore) || f_.locals[n.imm].inLaneMemory) {
        kept.push_back(v);
        continue;
      }
      const auto leaf = static_cast<std::uint32_t>(f_.constantValue(f_.args(v)[0], false));
      const bool inside = leaf < f_.locals[n.imm].leaves.size();
      if (n.op == kLocalLoad) {
        const Value now = inside ? read(b, firstLeaf_[n.imm] + leaf) : f_.constant(n.type, 0);
        grow();
        replaced_[v] = now;
      } else if (inside) {
        const Value stored = f_.args(v)[1];
        definitions_[key(b, firstLeaf_[n.imm] + leaf)] = stored;
        nameAfter(stored, f_.locals[n.imm].variable);
      }
    }
    // Phis that reading created in this block stand at its head already.
    std::vector<Value>& now = f_.blocks[b].nodes;
    now.clear();
    for (Value phi : headPhis_[b]) now.push_back(phi);
    now.insert(now.end(), kept.begin(), kept.end());
    renamed_.resize(f_.blocks.size());
    renamed_[b] = 1;
  }

  void nameAfter(Value v, std::uint32_t variable) {
    Node& n = f_.nodes[v];
    if (variable == 0 || n.op == kConstant || f_.origins[n.origin].variable != 0) return;
    Origin named = f_.origins[n.origin];
    named.variable = variable;
    f_.origins.push_back(named);
    n.origin = static_cast<std::uint32_t>(f_.origins.size() - 1);
  }

  // The value of a variable at the end of a block, as far as it is renamed.
  Value read(std::uint32_t b, std::uint32_t variable) {
    std::vector<std::uint32_t> path;
    Value value = kNoValue;
    for (std::uint32_t at = b;;) {
      if (const auto it = definitions_.find(key(at, variable)); it != definitions_.end()) {
        value = it->second;
        break;
      }
      const auto& predecessors = f_.blocks[at].predecessors;
      path.push_back(at);
      if (predecessors.empty()) {
        value = f_.constant(leafTypes_[variable], 0);  // never written
        break;
      }
      if (predecessors.size() > 1) {
        value = f_.add(kPhi, leafTypes_[variable], {}, 0);
        f_.nodes[value].block = at;
        headPhis_[at].push_back(value);
        if (at < renamed_.size() && renamed_[at]) f_.blocks[at].nodes.insert(f_.blocks[at].nodes.begin(), value);
        open_.push_back({value, variable});
        break;
      }
      at = predecessors[0];
    }
    for (std::uint32_t at : path) definitions_[key(at, variable)] = value;
    return value;
  }

  void fillNextPhi() {
    const OpenPhi phi = open_.back();
    open_.pop_back();
    std::vector<Value> args;
    for (std::uint32_t p : f_.blocks[f_.nodes[phi.phi].block].predecessors) args.push_back(read(p, phi.variable));
    f_.nodes[phi.phi].firstArgument = static_cast<std::uint32_t>(f_.argumentPool.size());
    f_.nodes[phi.phi].arguments = static_cast<std::uint32_t>(args.size());
    f_.argumentPool.insert(f_.argumentPool.end(), args.begin(), args.end());
    phis_.push_back(phi.phi);
  }

  void grow() { replaced_.resize(std::max(replaced_.size(), f_.nodes.size())); }

  Value resolve(Value v) {
    while (v < replaced_.size() && replaced_[v] != kNoValue) v = replaced_[v];
    return v;
  }

  void removeTrivialPhis() {
    grow();
    for (bool changed = true; changed;) {
      changed = false;
      for (Value phi : phis_) {
        if (replaced_[phi] != kNoValue) continue;
        Value only = kNoValue;
        bool several = false;
        for (Value a : f_.args(phi)) {
          const Value r = resolve(a);
          if (r == phi || r == only) continue;
          several = several || only != kNoValue;
          only = r;
        }
        if (several || only == kNoValue) continue;
        replaced_[phi] = only;
        changed = true;
      }
    }
  }

  void rewrite() {
    for (std::uint32_t b : f_.order) {
      std::erase_if(f_.blocks[b].nodes, [this](Value v) { return v < replaced_.size() && replaced_[v] != kNoValue; });
      for (Value v : f_.blocks[b].nodes)
        for (Value& a : f_.args(v)) a = resolve(a);
      if (f_.blocks[b].condition != kNoValue) f_.blocks[b].condition = resolve(f_.blocks[b].condition);
    }
  }

  Function& f_;
  std::vector<Value> replaced_;
  std::vector<std::uint32_t> firstLeaf_;
  std::vector<Scalar> leafTypes_;
  std::unordered_map<std::uint64_t, Value> definitions_;
  std::unordered_map<std::uint32_t, std::vector<Value>> headPhis_;
  std::vector<std::uint8_t> renamed_;
  std::vector<OpenPhi> open_;
  std::vector<Value> phis_;
};

}  // namespace

void promoteLocals(Function& f) {
  Promotion(f).run();
}

}  // namespace lanewise::ir
