// Loops that go round a few times, known beforehand, become their rounds one behind the other. What they count is constant then, and what
// that indexes may be registers.
//
// Every round counts its steps. But nobody looks between rounds whether a lane has reached the limit: Function::countsMore.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

constexpr std::size_t kRounds = 16;
constexpr std::size_t kNodesOfLoop = 640, kNodesInAll = 1024;  // of all rounds of a loop; of a program
constexpr int kStepsBack = 8;                                  // how far back a condition is looked at

class Unroller {
 public:
  Unroller(Function& f, const OpRows& rows, bool watched) : f_(f), rows_(rows), watched_(watched) {}

  // The inner loops first.
  bool run() {
    bool any = false;
    for (; innermost(); any = true) simplify(f_, rows_, watched_);
    return any;
  }

 private:
  using Map = std::vector<std::pair<Value, Value>>;
  using Copies = std::vector<Value>;  // by value, 0 for none

  // False if there were none.
  bool innermost() {
    std::vector<std::uint32_t> headers;
    std::vector<Loop> left = loops(f_);
    for (const Loop& loop : left) {
      const auto isWithin = [&](const Loop& other) { return &other != &loop && loop.contains[other.header]; };
      if (std::ranges::none_of(left, isWithin)) headers.push_back(loop.header);
    }
    bool any = false, isChanged = false;
    for (const std::uint32_t header : headers) {
      if (std::exchange(isChanged, false)) left = loops(f_);
      const auto loop = std::ranges::find(left, header, &Loop::header);
      if (loop == left.end() || !unroll(*loop)) continue;
      orderBlocks(f_);
      any = isChanged = true;
    }
    return any;
  }

  // Its only way out is from the first block, or from the one that goes back.
  struct LoopShape {
    std::uint32_t before = 0, latch = 0, from = 0, inside = 0, outside = 0;
  };
  std::optional<LoopShape> shapeOf(const Loop& loop) const {
    LoopShape s;
    const Block& header = f_.blocks[loop.header];
    if (header.predecessors.size() != 2) return {};
    const bool first = loop.contains[header.predecessors[0]] != 0;
    s.before = header.predecessors[first ? 1 : 0];
    s.latch = header.predecessors[first ? 0 : 1];
    if (loop.contains[s.before] || !loop.contains[s.latch]) return {};
    std::size_t exits = 0;
    for (const std::uint32_t b : loop.blocks)
      for (const std::uint32_t next : f_.blocks[b].successors())
        if (!loop.contains[next]) ++exits, s.from = b, s.outside = next;
    const auto* branch = exits == 1 ? std::get_if<Branch>(&f_.blocks[s.from].end) : nullptr;
    if (!branch || (s.from != loop.header && s.from != s.latch)) return {};
    s.inside = branch->whereTrue == s.outside ? branch->whereFalse : branch->whereTrue;
    return s;
  }

  std::size_t indexOf(std::uint32_t b, std::uint32_t predecessor) const {
    const std::vector<std::uint32_t>& list = f_.blocks[b].predecessors;
    return static_cast<std::size_t>(std::ranges::find(list, predecessor) - list.begin());
  }

  // The constant that a value is where the header's phis are `phis`; kNoValue: it is none.
  Value known(Value v, const Map& phis, int depth) {
    if (f_.isConstant(v)) return v;
    if (const auto at = std::ranges::find(phis, v, &Map::value_type::first); at != phis.end()) return at->second;
    const Node n = f_.nodes[v];
    if (depth == 0 || n.arguments == 0 || n.arguments > 4 || !computes(n.op)) return kNoValue;
    std::array<Value, 4> args{};
    for (std::size_t i = 0; i < n.arguments; ++i)
      if (args[i] = known(f_.args(v)[i], phis, depth - 1); args[i] == kNoValue) return kNoValue;
    const auto bits = fold(f_, rows_, n.op, n.type, std::span(args).first(n.arguments));
    return bits ? f_.constant(n.type, *bits) : kNoValue;
  }

  // How often it goes back before it is left.
  std::optional<std::size_t> roundsOf(const Loop& loop, const LoopShape& s) {
    const Branch branch = std::get<Branch>(f_.blocks[s.from].end);
    std::uint32_t from = s.before;
    Map phis;
    for (std::size_t round = 0; round <= kRounds; ++round, from = s.latch) {
      Map next;
      for (const Value v : f_.blocks[loop.header].nodes)
        if (f_.nodes[v].op == kPhi) next.emplace_back(v, known(f_.args(v)[indexOf(loop.header, from)], phis, kStepsBack));
      phis = std::move(next);
      const Value condition = known(branch.condition, phis, kStepsBack);
      if (condition == kNoValue) return {};
      if ((f_.bitsOf(condition) != 0 ? branch.whereTrue : branch.whereFalse) == s.outside) return round;
    }
    return {};
  }

  Value copyOf(Value v, std::uint32_t block, const Copies& values) {
    Node n = f_.nodes[v];
    const std::uint32_t from = std::exchange(n.firstArgument, static_cast<std::uint32_t>(f_.argumentPool.size()));
    for (std::uint32_t i = 0; i < n.arguments; ++i) {
      const Value a = valueIn(values, f_.argumentPool[from + i]);
      f_.argumentPool.push_back(a);
    }
    n.block = block;
    f_.nodes.push_back(n);
    return static_cast<Value>(f_.nodes.size() - 1);
  }
  static Value valueIn(const Copies& values, Value v) { return v < values.size() && values[v] != kNoValue ? values[v] : v; }

  bool hasBarrier(const Loop& loop) const {
    return std::ranges::any_of(loop.blocks, [this](std::uint32_t b) {
      return std::ranges::any_of(f_.blocks[b].nodes, [this](Value v) { return f_.nodes[v].op == kControlBarrier; });
    });
  }

  bool unroll(const Loop& loop) {
    if (watched_ && hasBarrier(loop)) return false;
    const std::optional<LoopShape> shape = shapeOf(loop);
    if (!shape) return false;
    std::size_t nodes = 0;
    for (const std::uint32_t b : loop.blocks) nodes += f_.blocks[b].nodes.size() + 1;
    if (nodes > kNodesOfLoop) return false;
    const std::optional<std::size_t> last = roundsOf(loop, *shape);
    if (!last || *last * nodes > std::min(kNodesOfLoop, kNodesInAll - added_)) return false;
    added_ += *last * nodes;
    f_.countsMore = true;
    copyRounds(loop, *shape, *last);
    return true;
  }

  // Its own blocks are the first round.
  void copyRounds(const Loop& loop, const LoopShape& s, std::size_t last) {
    std::vector<std::uint32_t> blocks;  // the header is the first
    for (const std::uint32_t b : f_.order)
      if (loop.contains[b]) blocks.push_back(b);
    std::vector<Block> was;
    for (const std::uint32_t b : blocks) was.push_back(f_.blocks[b]);
    const auto first = static_cast<std::uint32_t>(f_.blocks.size());
    // A block of a round. Where the way out is from the header, the last round has no others, which nothing reaches.
    const auto in = [&](std::size_t round, std::uint32_t b) {
      const auto at = static_cast<std::size_t>(std::ranges::find(blocks, b) - blocks.begin());
      return round == 0 || at == blocks.size() ? b : static_cast<std::uint32_t>(first + (round - 1) * blocks.size() + at);
    };
    f_.blocks.resize(first + last * blocks.size());
    const std::size_t nodes = f_.nodes.size();
    Copies values;
    for (std::size_t round = 0; round <= last; ++round) {
      Copies next(nodes);
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::uint32_t b = blocks[i], to = in(round, b);
        if (round != 0) copyBlock(s, was[i], b == loop.header, to, values, next, [&](std::uint32_t other) { return in(round, other); });
        Block& block = f_.blocks[to];
        if (b == loop.header) block.merge = block.continueTarget = 0;
        if (round != 0 && b == loop.header) block.predecessors = {in(round - 1, s.latch)};
        if (b == s.from)
          block.end = Jump{round == last ? s.outside : s.inside == loop.header ? in(round + 1, s.inside) : in(round, s.inside)};
        else if (b == s.latch)
          block.replaceSuccessor(in(round, loop.header), in(std::min(round + 1, last), loop.header));
      }
      if (round != 0) values = std::move(next);
    }
    leave(loop, s, in(last, s.from), values);
  }

  // `values`: those of the round before.
  template <class In>
  void copyBlock(const LoopShape& s, const Block& was, bool isHeader, std::uint32_t to, const Copies& values, Copies& next, const In& in) {
    const auto fromLatch = static_cast<std::size_t>(std::ranges::find(was.predecessors, s.latch) - was.predecessors.begin());
    Block block = was;
    block.nodes.clear();
    for (const Value v : was.nodes) {
      if (isHeader && f_.nodes[v].op == kPhi) {
        next[v] = valueIn(values, f_.args(v)[fromLatch]);
        continue;
      }
      next[v] = copyOf(v, to, next);
      block.nodes.push_back(next[v]);
    }
    if (Value* condition = block.condition()) *condition = valueIn(next, *condition);
    for (std::uint32_t& p : block.predecessors) p = in(p);
    block.merge = in(block.merge);
    block.continueTarget = in(block.continueTarget);
    for (const std::uint32_t b : was.successors()) block.replaceSuccessor(b, in(b));
    f_.blocks[to] = std::move(block);
  }

  // What follows goes on with the values of the last round.
  void leave(const Loop& loop, const LoopShape& s, std::uint32_t from, const Copies& values) {
    std::ranges::replace(f_.blocks[s.outside].predecessors, s.from, from);
    for (const std::uint32_t b : f_.order) {
      if (loop.contains[b]) continue;
      for (const Value v : f_.blocks[b].nodes)
        for (Value& a : f_.args(v)) a = valueIn(values, a);
      if (Value* condition = f_.blocks[b].condition()) *condition = valueIn(values, *condition);
    }
  }

  Function& f_;
  const OpRows& rows_;
  const bool watched_;
  std::size_t added_ = 0;
};

}  // namespace

bool unrollLoops(Function& f, const OpRows& rows, bool watched) {
  return Unroller(f, rows, watched).run();
}

}  // namespace lanewise::ir
