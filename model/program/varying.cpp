// Which values differ between lanes that execute together, and which lanes keep when they leave a loop before others.
//
// A value varies if an operand does, if it is read from something a lane owns, or if it is a phi where lanes with different histories
// meet. They meet where two disjoint paths from a divergent branch join, and behind a loop that lanes leave at different times. Method: the
// propagation of branch labels of Karrenberg and Hack, "Improving Performance of OpenCL on CPUs" (CC 2012).
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/passes.h"

namespace lanewise::ir {

std::vector<std::uint32_t> positions(const Function& f) {
  std::vector<std::uint32_t> at(f.blocks.size(), 0xffffffffu);
  for (std::uint32_t i = 0; i < f.order.size(); ++i) at[f.order[i]] = i;
  return at;
}

// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".
std::vector<std::uint32_t> dominators(const Function& f) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  const std::vector<std::uint32_t> position = positions(f);
  std::vector<std::uint32_t> idom(f.blocks.size(), kNone);
  idom[f.order[0]] = f.order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < f.order.size(); ++i) {
      const std::uint32_t b = f.order[i];
      std::uint32_t now = kNone;
      for (std::uint32_t p : f.blocks[b].predecessors) {
        if (idom[p] == kNone) continue;
        if (now == kNone) {
          now = p;
          continue;
        }
        std::uint32_t x = p;
        while (x != now) {
          while (position[x] > position[now]) x = idom[x];
          while (position[now] > position[x]) now = idom[now];
        }
      }
      if (now != kNone && idom[b] != now) {
        idom[b] = now;
        changed = true;
      }
    }
  }
  return idom;
}

std::vector<Loop> loops(const Function& f) {
  const std::vector<std::uint32_t> position = positions(f);
  std::vector<Loop> found;
  std::vector<std::uint32_t> work;
  for (std::uint32_t header : f.order) {
    for (std::uint32_t p : f.blocks[header].predecessors)
      if (position[p] >= position[header]) work.push_back(p);
    if (work.empty()) continue;
    Loop loop;
    loop.header = header;
    loop.contains.assign(f.blocks.size(), 0);
    loop.contains[header] = 1;
    loop.blocks.push_back(header);
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      if (std::exchange(loop.contains[b], std::uint8_t{1}) != 0) continue;
      loop.blocks.push_back(b);
      for (std::uint32_t p : f.blocks[b].predecessors)
        if (!loop.contains[p]) work.push_back(p);
    }
    found.push_back(std::move(loop));
  }
  return found;
}

namespace {

class Uniformity {
 public:
  Uniformity(Function& f, const LaneShape& shape) : f_(f), shape_(shape) {}

  void run() {
    do {
      position_ = positions(f_);
      loops_ = loops(f_);
      for (Loop& loop : loops_) addExits(loop);
      divergentExit_.assign(loops_.size(), 0);
      join_.assign(f_.blocks.size(), 0);
      branchDone_.assign(f_.blocks.size(), 0);
      while (propagate()) {
      }
    } while (insertSticky());
    f_.divergentLoop.assign(f_.blocks.size(), 0);
    for (std::size_t l = 0; l < loops_.size(); ++l) f_.divergentLoop[loops_[l].header] = divergentExit_[l];
  }

 private:
  // Blocks from which nobody goes round, but which come before others do: lanes that leave execute them in the round that they leave.
  void addExits(Loop& loop) const {
    std::uint32_t last = 0;
    for (const std::uint32_t b : loop.blocks) last = std::max(last, position_[b]);
    for (std::uint32_t i = position_[loop.header]; i < last; ++i)
      if (const std::uint32_t b = f_.order[i]; !std::exchange(loop.contains[b], 1)) loop.blocks.push_back(b);
  }

  bool propagate() {
    bool changed = false;
    for (std::uint32_t b : f_.order) {
      for (Value v : f_.blocks[b].nodes) {
        if (f_.nodes[v].varying || !varies(v, b)) continue;
        f_.nodes[v].varying = true;
        changed = true;
      }
      const Value* condition = f_.blocks[b].condition();
      if (condition && f_.nodes[*condition].varying && !branchDone_[b]) {
        branchDone_[b] = 1;
        diverge(b);
        changed = true;
      }
    }
    return changed;
  }

  bool varies(Value v, std::uint32_t b) const {
    const Node& n = f_.nodes[v];
    if (n.op == kConstant || n.op == kUndef) return false;
    if (shape_.separateLanes) return true;
    const auto args = f_.args(v);
    const bool varyingArgument = std::any_of(args.begin(), args.end(), [this](Value a) { return f_.nodes[a].varying; });
    switch (n.op) {
      case kInput:
        return inputVaries(n.as<kind::Input>().row);
      case kPhi:
        return join_[b] || varyingArgument;
      case kSticky:
        return true;
      case kResult:
        return factsOf(f_.nodes[args[0]].op).perLane || varyingArgument;
      default:
        return factsOf(n.op).perLane || varyingArgument;
    }
  }

  bool inputVaries(InputRow row) const {
    const std::uint32_t x = shape_.localSize[0], y = shape_.localSize[1], w = shape_.width;
    switch (row) {
      case InputRow::kLocalIdX:
        return x > 1;
      case InputRow::kLocalIdY:
        return y > 1 && !(shape_.linear && x % w == 0);
      case InputRow::kLocalIdZ:
        return shape_.localSize[2] > 1 && !(shape_.linear && x * y % w == 0);
      case InputRow::kSubgroupId:
        return w != shape_.subgroupSize;
      case InputRow::kLocalIndex:
      case InputRow::kSubgroupLane:
        return true;
      case InputRow::kWorkgroupIdX:
        return shape_.workgroups > 1;
      default:
        return false;
    }
  }

  void diverge(std::uint32_t x) {
    std::vector<std::uint32_t> region = spread(x, f_.blocks[x].successors());
    region.push_back(x);
    markExits(x, region);
  }

  // Labels every block that lanes which part at `from`, each to one of `starts`, reach before they meet again. Gives these blocks.
  template <class Blocks>
  std::vector<std::uint32_t> spread(std::uint32_t from, const Blocks& starts) {
    label_.resize(f_.blocks.size());
    std::vector<std::uint32_t>& label = label_;
    std::set<std::uint32_t> frontier;  // positions
    std::vector<std::uint32_t> region, labelled;
    const auto reach = [&](std::uint32_t at, std::uint32_t to, std::uint32_t with) {
      if (position_[to] <= position_[at]) return;  // a back edge: lanes go round together
      if (label[to] == 0) {
        label[to] = with;
        labelled.push_back(to);
        frontier.insert(position_[to]);
      } else if (label[to] != with) {
        label[to] = 1 + to;
        join_[to] = 1;
      }
    };
    for (std::uint32_t s : starts) reach(from, s, 1 + s);
    while (frontier.size() > 1) {  // one block left: lanes that did not leave a loop or return are together again
      const std::uint32_t b = f_.order[*frontier.begin()];
      frontier.erase(frontier.begin());
      region.push_back(b);
      for (std::uint32_t s : f_.blocks[b].successors()) reach(b, s, label[b]);
    }
    for (const std::uint32_t b : labelled) label[b] = 0;
    return region;
  }

  // A loop around the branch that part of the lanes may leave: behind it lanes arrive at different times, and by different exits.
  void markExits(std::uint32_t x, const std::vector<std::uint32_t>& region) {
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      if (!loops_[l].contains[x] || divergentExit_[l]) continue;
      const auto leaves = [&](std::uint32_t b) {
        const auto to = f_.blocks[b].successors();
        return loops_[l].contains[b] && (to.empty() || std::ranges::any_of(to, [&](std::uint32_t s) { return !loops_[l].contains[s]; }));
      };
      if (!std::any_of(region.begin(), region.end(), leaves)) continue;
      divergentExit_[l] = 1;
      std::vector<std::uint32_t> exits;
      for (std::uint32_t b : loops_[l].blocks)
        for (std::uint32_t s : f_.blocks[b].successors())
          if (!loops_[l].contains[s]) exits.push_back(s);
      for (std::uint32_t s : exits) join_[s] = 1;
      markExits(loops_[l].header, spread(loops_[l].header, exits));
    }
  }

  // For every value that leaves a loop with divergent exits: a copy that each lane stops updating when it leaves. Varying phis are such
  // copies already, since the moves into them are masked.
  bool insertSticky() {
    bool inserted = false;
    const std::vector<Use> uses = usesElsewhere();
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      if (!divergentExit_[l]) continue;
      const Loop& loop = loops_[l];
      std::vector<Value> escaping;
      std::unordered_map<Value, Value> copies;
      for (const Use& use : uses) {
        const Value v = valueOf(use);
        const Node& n = f_.nodes[v];
        if (n.op == kSticky || (n.op == kPhi && n.varying) || !loop.contains[n.block] || loop.contains[use.block]) continue;
        if (copies.try_emplace(v, v).second) escaping.push_back(v);
      }
      for (Value v : escaping) {
        const Value copy = f_.add(kSticky, f_.nodes[v].type, std::vector{v}, f_.nodes[v].origin);
        Node& n = f_.nodes[copy];
        n.varying = true;
        n.block = f_.nodes[v].block;
        std::vector<Value>& nodes = f_.blocks[n.block].nodes;
        auto at = std::find(nodes.begin(), nodes.end(), v) + 1;
        while (at != nodes.end() && (f_.nodes[*at].op == kPhi || f_.nodes[*at].op == kResult)) ++at;
        nodes.insert(at, copy);
        copies[v] = copy;
      }
      if (escaping.empty()) continue;
      inserted = true;
      for (const Use& use : uses)
        if (const auto copy = copies.find(valueOf(use)); copy != copies.end() && !loop.contains[use.block]) valueOf(use) = copy->second;
    }
    return inserted;
  }

  // A use of a value in another block than its own. The block counts that it is used in: for a phi the predecessor.
  struct Use {
    std::uint32_t block;
    std::uint32_t argument;  // in the pool of arguments, or kCondition of the block
  };
  static constexpr std::uint32_t kCondition = 0xffffffffu;

  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): of a block that has one
  Value& valueOf(Use use) { return use.argument == kCondition ? *f_.blocks[use.block].condition() : f_.argumentPool[use.argument]; }

  std::vector<Use> usesElsewhere() {
    std::vector<Use> uses;
    const auto note = [&](Use use) {
      const Value v = valueOf(use);
      if (v != kNoValue && f_.nodes[v].op != kConstant && f_.nodes[v].op != kUndef && f_.nodes[v].block != use.block) uses.push_back(use);
    };
    for (std::uint32_t b : f_.order) {
      for (Value v : f_.blocks[b].nodes) {
        const Node& n = f_.nodes[v];
        for (std::uint32_t i = 0; i < n.arguments; ++i) note({n.op == kPhi ? f_.blocks[b].predecessors[i] : b, n.firstArgument + i});
      }
      if (f_.blocks[b].condition()) note({b, kCondition});
    }
    return uses;
  }

  Function& f_;
  const LaneShape& shape_;
  std::vector<std::uint32_t> position_;
  std::vector<Loop> loops_;
  std::vector<std::uint8_t> divergentExit_, join_, branchDone_;
  std::vector<std::uint32_t> label_;  // of spread(), by block. 0: none; else 1 + the block the label began at
};

}  // namespace

void markVarying(Function& f, const LaneShape& shape) {
  Uniformity(f, shape).run();
}

}  // namespace lanewise::ir
