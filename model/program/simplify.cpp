// Folding, sharing and removing. Arithmetic is folded by the engine's own operations on one lane, so that a folded result and an executed
// one cannot differ.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/ir/rows/definedness.h"
#include "model/operations/evaluate.h"
#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

// Replacements of values by others, applied to all arguments and conditions at once.
class Rewriter {
 public:
  explicit Rewriter(Function& f) : f_(f), to_(f.nodes.size()) {}
  void replace(Value from, Value by) {
    to_.resize(std::max(to_.size(), f_.nodes.size()));
    to_[from] = by;
    any_ = true;
  }
  Value resolve(Value v) const {
    while (v < to_.size() && to_[v] != kNoValue) v = to_[v];
    return v;
  }
  bool gone(Value v) const { return v < to_.size() && to_[v] != kNoValue; }
  bool any() const { return any_; }
  // Who replaces resolves the arguments of each operation when it comes to it, in the order of the blocks. So only those of phis may be
  // left. True if one was.
  bool apply() {
    if (!any_) return false;
    bool changed = false;
    for (std::uint32_t b : f_.order) {
      std::vector<Value>& nodes = f_.blocks[b].nodes;
      std::erase_if(nodes, [this](Value v) { return gone(v); });
      for (const Value v : nodes) {
        if (f_.nodes[v].op != kPhi) continue;
        for (Value& a : f_.args(v)) {
          const Value by = resolve(a);
          changed = changed || by != a;
          a = by;
        }
      }
      if (Value* condition = f_.blocks[b].condition()) *condition = resolve(*condition);
    }
    return changed;
  }

 private:
  Function& f_;
  std::vector<Value> to_;
  bool any_ = false;
};

// How many arguments are constants.
std::size_t constantsAmong(const Function& f, std::span<const Value> args) {
  return static_cast<std::size_t>(std::ranges::count_if(args, [&f](Value a) { return f.isConstant(a); }));
}

// Whether identity() may find something: of most operations it cannot.
bool mayBeArgument(const Node& n, std::span<const Value> args, std::size_t constants) {
  const bool same = args.size() > 1 && (args[0] == args[1] || (args.size() > 2 && args[1] == args[2]));
  return constants != 0 || same || n.op == core(spv::Op::OpBitcast);
}

// What a pass did: values are gone, and arguments of phis have changed, so that it may find more.
struct Folded {
  bool any = false, again = false;
};

Folded foldNodes(Function& f, const OpRows& rows, bool watched) {
  Rewriter rewriter(f);
  for (std::uint32_t b : f.order) {
    for (Value v : f.blocks[b].nodes) {
      if (rewriter.any())
        for (Value& a : f.args(v)) a = rewriter.resolve(a);
      const Node& now = f.nodes[v];
      if (now.op != kPhi && (now.arguments == 0 || now.op == kLocalLoad || now.op == kLocalStore)) continue;
      if (now.op == kPhi) {
        Value only = kNoValue;
        bool several = false;
        for (Value& a : f.args(v)) {
          if (a == v || a == only || a == kNoValue) continue;
          several = several || only != kNoValue;
          only = a;
        }
        if (!several) rewriter.replace(v, only == kNoValue ? f.undefined(now.type, f.origins[now.origin].instruction, 0) : only);
        continue;
      }
      const std::size_t constants = constantsAmong(f, f.args(v));
      if (!mayBeArgument(now, f.args(v), constants) || !isPure(f, v)) continue;
      const Code op = now.op;  // new constants may move the nodes
      const Scalar type = now.type;
      const bool folds = constants == now.arguments && computes(op);
      if (const auto folded = folds ? fold(f, rows, op, type, f.args(v)) : std::nullopt) {
        rewriter.replace(v, f.constant(type, *folded));
      } else if (const Value same = identity(f, op, type, f.args(v), watched); same != kNoValue) {
        rewriter.replace(v, same);
      }
    }
  }
  const bool again = rewriter.apply();
  return {rewriter.any(), again};
}

// The one block that a branch or switch goes to, if that is known.
std::optional<std::uint32_t> onlyTarget(const Function& f, const Block& block) {
  const Value* condition = block.condition();
  if (!condition) return {};
  const std::uint32_t first = block.successor(0);
  std::size_t same = 1;
  while (same < block.successorCount() && block.successor(same) == first) ++same;
  if (same == block.successorCount()) return first;
  if (!f.isConstant(*condition)) return {};
  const std::uint64_t bits = f.bitsOf(*condition);
  if (const auto* branch = std::get_if<Branch>(&block.end)) return bits ? branch->whereTrue : branch->whereFalse;
  return std::get<Switch>(block.end).table.targetOf(bits);
}

bool foldBranches(Function& f) {
  bool changed = false;
  for (std::uint32_t b : f.order)
    if (const auto target = onlyTarget(f, f.blocks[b])) {
      f.blocks[b].end = Jump{*target};
      changed = true;
    }
  if (changed) orderBlocks(f);
  return changed;
}

// Ranges that follow on one another are one.
void addSteps(Block& block, StepRange range) {
  if (range.count == 0) return;
  StepRange* const last = block.steps.empty() ? nullptr : &block.steps.back();
  if (last && last->first + last->count == range.first)
    last->count += range.count;
  else
    block.steps.push_back(range);
}

// The places of blocks, from a loop's first one to the last that goes round.
std::vector<std::pair<std::uint32_t, std::uint32_t>> rounds(const Function& f, const std::vector<std::uint32_t>& position) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const std::uint32_t b : f.order)
    for (const std::uint32_t s : f.blocks[b].successors())
      if (position[s] <= position[b]) out.emplace_back(position[s], position[b]);
  return out;
}

// A block that only jumps on to a block that no other reaches becomes part of it. The order still has what is left of that one. What leaves
// a loop stays apart from what is behind it: lanes that leave execute it in that round, before others go round, and meet those behind it.
bool mergeBlocks(Function& f) {
  bool changed = false;
  const std::vector<std::uint32_t> position = positions(f);
  const auto all = rounds(f, position);
  const auto leaves = [&](std::uint32_t from, std::uint32_t to) {
    return std::ranges::any_of(
        all, [&](const auto& r) { return r.first <= position[from] && position[from] < r.second && r.second < position[to]; });
  };
  std::vector<std::uint32_t> into(f.blocks.size());  // what a block has become part of; itself
  std::iota(into.begin(), into.end(), 0u);
  for (std::uint32_t b : f.order) {
    for (;;) {
      Block& block = f.blocks[b];
      const auto* jump = std::get_if<Jump>(&block.end);
      if (!jump) break;
      const std::uint32_t next = jump->target;
      if (next == b || next == 0 || f.blocks[next].predecessors.size() != 1 || leaves(b, next)) break;
      Block& tail = f.blocks[next];
      if (std::holds_alternative<std::monostate>(tail.end)) break;
      const bool isEmpty = block.merge == next && block.continueTarget == 0;  // the block's construct: it ends where it begins
      if (block.merge != 0 && !isEmpty && tail.merge != 0) break;             // both constructs shape the order of blocks
      if (std::any_of(tail.nodes.begin(), tail.nodes.end(), [&](Value v) { return f.nodes[v].op == kPhi; })) break;
      for (Value v : tail.nodes) f.nodes[v].block = b;
      block.nodes.insert(block.nodes.end(), tail.nodes.begin(), tail.nodes.end());
      for (const StepRange& range : tail.steps) addSteps(block, range);
      block.end = std::move(tail.end);
      block.origin = tail.origin;
      if (tail.merge || isEmpty) block.merge = tail.merge;
      if (tail.continueTarget) block.continueTarget = tail.continueTarget;
      for (std::uint32_t s : block.successors()) std::replace(f.blocks[s].predecessors.begin(), f.blocks[s].predecessors.end(), next, b);
      into[next] = b;
      tail = Block{};
      changed = true;
    }
  }
  if (changed) {
    // A tail that was a merge or continue target is replaced by the block that it became part of.
    for (std::uint32_t b = 0; b < f.blocks.size(); ++b) {
      Block& block = f.blocks[b];
      for (std::uint32_t* named : {&block.merge, &block.continueTarget})
        while (into[*named] != *named) *named = into[*named];
      if (block.merge == b) block.merge = 0;
      if (block.continueTarget == b) block.continueTarget = 0;
    }
  }
  return changed;
}

std::uint64_t hashOf(const NodeKind& what) {
  return std::visit(
      []<class T>(const T& kind) {
        std::uint64_t words[2] = {0, 0};
        if constexpr (!std::is_empty_v<T>) {
          static_assert(std::has_unique_object_representations_v<T> && sizeof kind <= sizeof words);
          std::memcpy(words, &kind, sizeof kind);
        }
        return words[0] << 8 ^ words[1] << 16;
      },
      what);
}

struct NodeHash {
  const Function* f;
  std::size_t operator()(Value v) const {
    const Node& n = f->nodes[v];
    std::uint64_t h = n.op * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(n.type) << 40 ^ hashOf(n.what) ^ std::uint64_t{n.order} << 20;
    for (Value a : f->args(v)) h = (h ^ a) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(h ^ h >> 29);
  }
};

struct NodeEqual {
  const Function* f;
  bool operator()(Value a, Value b) const {
    const Node &x = f->nodes[a], &y = f->nodes[b];
    return x.op == y.op && x.type == y.type && x.what == y.what && x.order == y.order && std::ranges::equal(f->args(a), f->args(b));
  }
};

// Of defined arguments.
Value identityOf(Function& f, Code op, Scalar type, std::span<const Value> args, bool watched) {
  if (op == core(spv::Op::OpBitcast)) return args.size() == 1 && f.nodes[args[0]].type == type ? args[0] : kNoValue;
  if (args.size() < 2 || args.size() > 4) return kNoValue;
  const std::uint32_t width = 8 * scalarBytes(type);
  const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const auto is = [&](std::size_t i, std::uint64_t bits) { return f.isConstant(args[i]) && f.bitsOf(args[i]) == bits; };
  const bool same = args[0] == args[1];
  const auto without = [&](std::uint64_t bits) { return watched ? kNoValue : f.constant(type, bits); };
  switch (op) {
    case core(spv::Op::OpIAdd):
      return is(1, 0) ? args[0] : is(0, 0) ? args[1] : kNoValue;
    case core(spv::Op::OpBitwiseXor):
      return is(1, 0) ? args[0] : is(0, 0) ? args[1] : same ? without(0) : kNoValue;
    case core(spv::Op::OpISub):
      return is(1, 0) ? args[0] : same ? without(0) : kNoValue;
    case core(spv::Op::OpShiftLeftLogical):
    case core(spv::Op::OpShiftRightLogical):
    case core(spv::Op::OpShiftRightArithmetic):
      return is(1, 0) ? args[0] : kNoValue;
    case core(spv::Op::OpIMul):
      if (is(0, 0) || is(1, 0)) return without(0);
      return is(1, 1) ? args[0] : is(0, 1) ? args[1] : kNoValue;
    case core(spv::Op::OpUDiv):
      return is(1, 1) ? args[0] : kNoValue;
    case core(spv::Op::OpBitwiseAnd):
    case core(spv::Op::OpLogicalAnd):
      if (is(0, 0) || is(1, 0)) return without(0);
      return is(1, ones) || same ? args[0] : is(0, ones) ? args[1] : kNoValue;
    case core(spv::Op::OpBitwiseOr):
    case core(spv::Op::OpLogicalOr):
      if (is(0, ones) || is(1, ones)) return without(ones);
      return is(1, 0) || same ? args[0] : is(0, 0) ? args[1] : kNoValue;
    case core(spv::Op::OpSelect):
      if (f.isConstant(args[0])) return f.bitsOf(args[0]) ? args[1] : args[2];
      return args[1] == args[2] && !watched ? args[1] : kNoValue;
    case kOffset:
      return is(0, 0) ? args[2] : kNoValue;
    case kAddress:
      return is(0, 0) ? args[2] : is(1, 1) && is(2, 0) ? args[0] : kNoValue;
    default:
      return kNoValue;
  }
}

}  // namespace

Value identity(Function& f, Code op, Scalar type, std::span<const Value> of, bool watched) {
  const Value same = identityOf(f, op, type, of, watched);
  if (same == kNoValue || f.nodes[same].type != type) return kNoValue;
  // What an undefined value goes into stays; but a selection may choose one, and a cast changes none.
  const std::size_t uses = op == core(spv::Op::OpBitcast) ? 0 : op == core(spv::Op::OpSelect) ? 1 : of.size();
  return std::ranges::any_of(of.first(uses), [&](Value a) { return f.isUndefined(a); }) ? kNoValue : same;
}

std::optional<std::uint64_t> fold(const Function& f, const OpRows& rows, Code op, Scalar type, std::span<const Value> args) {
  std::array<Scalar, 8> allTypes{};
  std::array<std::uint64_t, 8> allBits{};
  if (args.empty() || args.size() > allBits.size()) return {};
  if (!std::ranges::all_of(args, [&](Value a) { return f.isConstant(a); })) return {};
  for (std::size_t i = 0; i < args.size(); ++i) {
    allTypes[i] = f.nodes[args[i]].type;
    allBits[i] = f.bitsOf(args[i]);
  }
  const auto types = std::span(allTypes).first(args.size());
  const auto bits = std::span(allBits).first(args.size());
  if (!definedFor(op, type, types, bits)) return {};
  return evaluate(rows, op, type, types, bits);
}

namespace {

// Many blocks are gone after the first time. The others get lower numbers, in their order: every pass has tables of all blocks.
void numberBlocks(Function& f) {
  std::vector<std::uint32_t> to(f.blocks.size()), kept = f.order;
  for (const std::uint32_t b : kept) to[b] = 1;
  for (std::size_t i = 0; i < kept.size(); ++i)  // merge and continue blocks shape the order, even where nothing leads there
    for (const std::uint32_t named : {f.blocks[kept[i]].merge, f.blocks[kept[i]].continueTarget})
      if (std::exchange(to[named], 1) == 0) kept.push_back(named);
  std::ranges::sort(kept);
  for (std::uint32_t i = 0; i < kept.size(); ++i) to[kept[i]] = i;
  std::vector<Block> blocks;
  blocks.reserve(kept.size());
  for (const std::uint32_t b : kept) {
    Block& block = blocks.emplace_back(std::move(f.blocks[b]));
    for (const Value v : block.nodes) f.nodes[v].block = to[b];
    for (std::uint32_t& p : block.predecessors) p = to[p];
    block.merge = to[block.merge];
    block.continueTarget = to[block.continueTarget];
    if (auto* jump = std::get_if<Jump>(&block.end)) jump->target = to[jump->target];
    if (auto* branch = std::get_if<Branch>(&block.end)) *branch = {branch->condition, to[branch->whereTrue], to[branch->whereFalse]};
    if (auto* choice = std::get_if<Switch>(&block.end)) {
      choice->table.otherwise = to[choice->table.otherwise];
      for (auto& [literal, target] : choice->table.cases) target = to[target];
    }
  }
  f.blocks = std::move(blocks);
  for (std::uint32_t& b : f.order) b = to[b];
}

}  // namespace

bool simplify(Function& f, const OpRows& rows, bool watched) {
  bool phis = true;  // their arguments have changed since the last pass over the nodes
  bool merged = false, any = false, isDone = false;
  for (int round = 0; round < 16 && !isDone; ++round) {
    const Folded nodes = phis ? foldNodes(f, rows, watched) : Folded{};
    const bool branches = (round == 0 || nodes.any) && foldBranches(f);
    const bool blocks = mergeBlocks(f);
    merged = merged || blocks;
    any = any || nodes.any || branches || blocks;
    phis = nodes.again || branches;
    isDone = !phis && !blocks;
  }
  if (merged) orderBlocks(f);
  if (f.order.size() + f.order.size() / 4 < f.blocks.size()) numberBlocks(f);
  f.numberNodes();
  return any;
}

bool shareCommon(Function& f) {
  const std::vector<std::uint32_t> idom = dominators(f);
  const std::vector<std::uint32_t> position = positions(f);
  const auto dominates = [&](std::uint32_t a, std::uint32_t b) {
    while (position[b] > position[a]) b = idom[b];
    return a == b;
  };
  Rewriter rewriter(f);
  const NodeHash hash{&f};
  const NodeEqual equal{&f};
  std::vector<Value> before(f.nodes.size());  // by value: the one before it that has the same place in the table
  std::size_t count = 1;
  for (const std::uint32_t b : f.order) count += f.blocks[b].nodes.size();
  std::vector<Value> last(std::bit_ceil(count));
  for (std::uint32_t b : f.order)
    for (Value v : f.blocks[b].nodes) {
      if (rewriter.any())
        for (Value& a : f.args(v)) a = rewriter.resolve(a);
      // Of an operation that was another one, the results are that one's, too.
      if (f.nodes[v].op == kConstant || (!isPure(f, v) && f.nodes[v].op != kResult)) continue;
      Value& place = last[hash(v) & (last.size() - 1)];
      Value found = place;
      while (found != kNoValue && !(equal(found, v) && dominates(f.nodes[found].block, b))) found = before[found];
      if (found != kNoValue) {
        rewriter.replace(v, found);
      } else {
        before[v] = place;
        place = v;
      }
    }
  rewriter.apply();
  return rewriter.any();
}

namespace {

bool isMeeting(const Function& f, Value v) {
  const Node& n = f.nodes[v];
  if (factsOf(n.op).switchPoint != kAtAccess) return n.op == kSubgroup;
  if (const auto* image = std::get_if<kind::Image>(&n.what)) return isShared(f.imageAccesses[image->access], f.resources);
  return isShared(f.accesses[n.as<kind::Memory>().access]);
}

}  // namespace

void removeDead(Function& f, bool keepMeetings) {
  std::vector<std::uint8_t> live(f.nodes.size());
  std::vector<Value> work;
  const auto mark = [&](Value v) {
    if (v != kNoValue && !live[v]) {
      live[v] = 1;
      work.push_back(v);
    }
  };
  for (std::uint32_t b : f.order) {
    if (const Value* condition = f.blocks[b].condition()) mark(*condition);
    for (Value v : f.blocks[b].nodes)
      if (factsOf(f.nodes[v].op).effect == Effect::kActs || isVolatile(f, v) || (keepMeetings && isMeeting(f, v))) mark(v);
  }
  while (!work.empty()) {
    const Value v = work.back();
    work.pop_back();
    for (Value a : f.args(v)) mark(a);
  }
  for (std::uint32_t b : f.order) std::erase_if(f.blocks[b].nodes, [&](Value v) { return !live[v]; });
}

void splitEdges(Function& f, bool splitBack) {
  const std::size_t count = f.blocks.size();
  const std::vector<std::uint32_t> position = positions(f);
  for (std::uint32_t b = 0; b < count; ++b) {
    const std::size_t successors = f.blocks[b].successorCount();
    for (std::size_t i = 0; successors > 1 && i < successors; ++i) {
      const std::uint32_t s = f.blocks[b].successor(i);
      const bool phis = std::any_of(f.blocks[s].nodes.begin(), f.blocks[s].nodes.end(), [&](Value v) { return f.nodes[v].op == kPhi; });
      const bool back = splitBack && s < count && position[s] <= position[b];
      if ((!phis && !back) || s >= count) continue;
      const auto edge = static_cast<std::uint32_t>(f.blocks.size());
      f.blocks.emplace_back();
      f.blocks[edge].end = Jump{s};
      f.blocks[edge].predecessors = {b};
      f.blocks[edge].origin = f.blocks[b].origin;
      f.blocks[b].replaceSuccessor(s, edge);
      std::replace(f.blocks[s].predecessors.begin(), f.blocks[s].predecessors.end(), b, edge);
    }
  }
  if (f.blocks.size() != count) orderBlocks(f);
}

}  // namespace lanewise::ir
