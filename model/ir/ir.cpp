#include "model/ir/ir.h"

#include <algorithm>
#include <numeric>

namespace lanewise::ir {

Value Function::add(Code op, Scalar type, std::span<const Value> arguments, std::uint32_t origin) {
  Node& node = nodes.emplace_back();
  node.op = op;
  node.type = type;
  node.firstArgument = static_cast<std::uint32_t>(argumentPool.size());
  node.arguments = static_cast<std::uint32_t>(arguments.size());
  node.origin = origin;
  for (const Value a : arguments) argumentPool.push_back(a);  // few
  return static_cast<Value>(nodes.size() - 1);
}

void Function::append(std::uint32_t block, Value v) {
  nodes[v].block = block;
  std::vector<Value>& list = blocks[block].nodes;
  if (list.empty()) list.reserve(8);
  list.push_back(v);
}

Value Function::constant(Scalar type, std::uint64_t bits) {
  const std::uint32_t bytes = scalarBytes(type);
  if (type == Scalar::kBool)
    bits = bits != 0 ? 0xffffffffu : 0;
  else if (bytes < 8)
    bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  auto& index = constantIndex_[static_cast<std::size_t>(type)];
  const auto at = std::lower_bound(index.begin(), index.end(), std::pair{bits, Value{0}});
  if (at != index.end() && at->first == bits) return at->second;
  const Value v = add(kConstant, type, {}, 0);
  nodes[v].what = kind::Constant{bits};
  index.insert(at, {bits, v});
  return v;
}

Value Function::undefined(Scalar type, std::uint32_t instruction, std::uint32_t variable) {
  const auto [it, fresh] = undefinedIndex_.try_emplace({static_cast<std::uint32_t>(type), instruction, variable});
  if (fresh) {
    Origin origin;
    origin.instruction = instruction;
    origin.unwritten = variable;
    origins.push_back(origin);
    it->second = add(kUndef, type, {}, static_cast<std::uint32_t>(origins.size() - 1));
  }
  return it->second;
}

void Function::numberNodes() {
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.nodes.size();
  if (2 * count > nodes.size()) return;
  std::vector<Value> to(nodes.size());
  for (Block& block : blocks) {
    if (const Value* condition = block.condition()) to[*condition] = 1;
    for (const Value v : block.nodes) {
      to[v] = 1;
      for (const Value a : args(v)) to[a] = 1;
    }
  }
  to[kNoValue] = 0;
  std::vector<Node> kept{Node{}};
  std::vector<Value> pool;
  kept.reserve(2 * count);
  pool.reserve(4 * count);
  for (Value v = 1; v < nodes.size(); ++v) {
    if (to[v] == 0) continue;
    const std::span<const Value> from = args(v);
    to[v] = static_cast<Value>(kept.size());
    kept.push_back(nodes[v]);
    kept.back().firstArgument = static_cast<std::uint32_t>(pool.size());
    pool.insert(pool.end(), from.begin(), from.end());  // still by their old numbers
  }
  for (Value& a : pool) a = to[a];
  for (Block& block : blocks) {
    if (Value* condition = block.condition()) *condition = to[*condition];
    for (Value& v : block.nodes) v = to[v];
  }
  for (auto& index : constantIndex_) {
    for (auto& [bits, v] : index) v = to[v];
    std::erase_if(index, [](const auto& entry) { return entry.second == kNoValue; });
  }
  for (auto& [key, v] : undefinedIndex_) v = to[v];
  std::erase_if(undefinedIndex_, [](const auto& entry) { return entry.second == kNoValue; });
  nodes = std::move(kept);
  argumentPool = std::move(pool);
}

std::size_t Block::successorCount() const {
  if (const auto* choice = std::get_if<Switch>(&end)) return 1 + choice->table.cases.size();
  return std::holds_alternative<Branch>(end) ? 2 : std::holds_alternative<Jump>(end) ? 1 : 0;
}

std::uint32_t Block::successor(std::size_t i) const {
  if (const auto* jump = std::get_if<Jump>(&end)) return jump->target;
  if (const auto* branch = std::get_if<Branch>(&end)) return i == 0 ? branch->whereTrue : branch->whereFalse;
  const SwitchTable& table = std::get<Switch>(end).table;
  return i == 0 ? table.otherwise : table.cases[i - 1].second;
}

std::uint32_t Block::stepCount() const {
  std::uint32_t count = 0;
  for (const StepRange& range : steps) count += range.count;
  return count;
}

std::uint32_t Block::stepsUpTo(std::uint32_t step) const {
  std::uint32_t before = 0;
  for (const StepRange& range : steps) {
    if (step >= range.first && step < range.first + range.count) return before + step - range.first + 1;
    before += range.count;
  }
  return 0;
}

void Block::replaceSuccessor(std::uint32_t from, std::uint32_t by) {
  const auto change = [&](std::uint32_t& target) {
    if (target == from) target = by;
  };
  if (auto* jump = std::get_if<Jump>(&end)) change(jump->target);
  if (auto* branch = std::get_if<Branch>(&end)) change(branch->whereTrue), change(branch->whereFalse);
  if (auto* choice = std::get_if<Switch>(&end)) {
    change(choice->table.otherwise);
    for (auto& [literal, target] : choice->table.cases) change(target);
  }
}

std::int64_t Function::constantValue(Value v, bool isSigned) const {
  const std::uint64_t bits = bitsOf(v);
  const Scalar type = nodes[v].type;
  const std::uint32_t shift = 64 - 8 * scalarBytes(type);
  if (type == Scalar::kBool) return bits != 0;
  return isSigned ? static_cast<std::int64_t>(bits << shift) >> shift : static_cast<std::int64_t>(bits);
}

bool isVolatile(const Function& f, Value v) {
  return f.orders[f.nodes[v].order].has(Order::kVolatile);
}

bool isShared(const Access& access) {
  return access.space != Space::kPush && !access.readOnly;
}

bool isShared(const ImageAccess& access, std::span<const ResourceDeclaration> resources) {
  const ResourceDeclaration& image = resources[access.resource];
  return image.kind == ResourceDeclaration::Kind::kStorageImage && !image.nonWritable;
}

namespace {

// The successors of all blocks, one list after the other.
struct Edges {
  explicit Edges(const Function& f) : first(f.blocks.size() + 1) {
    to.reserve(2 * f.blocks.size());
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
      const Block& block = f.blocks[b];
      for (std::size_t i = 0, count = block.successorCount(); i < count; ++i) to.push_back(block.successor(i));
      first[b + 1] = static_cast<std::uint32_t>(to.size());
    }
  }
  std::span<const std::uint32_t> of(std::uint32_t b) const { return std::span(to).subspan(first[b], first[b + 1] - first[b]); }
  std::vector<std::uint32_t> first, to;
};

// Reverse postorder in which a header visits its merge block first and its continue target second, so that both end up after the body.
std::vector<std::uint32_t> structuredOrder(const Function& f, const Edges& edges) {
  struct Frame {
    std::uint32_t block;
    std::size_t left;  // of its successors and the two before them
  };
  std::vector<std::uint8_t> seen(f.blocks.size());
  std::vector<std::uint32_t> postorder;
  postorder.reserve(f.blocks.size());
  std::vector<Frame> stack;
  const auto enter = [&](std::uint32_t b) {
    seen[b] = 1;
    stack.push_back({b, edges.of(b).size() + 2});
  };
  for (enter(0); !stack.empty();) {
    Frame& top = stack.back();
    if (top.left == 0) {
      postorder.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const Block& block = f.blocks[top.block];
    const std::span<const std::uint32_t> successors = edges.of(top.block);
    const std::size_t i = --top.left, count = successors.size();
    const std::uint32_t next = i == count + 1 ? block.merge : i == count ? block.continueTarget : successors[i];
    if (next != 0 && !seen[next]) enter(next);
  }
  return {postorder.rbegin(), postorder.rend()};
}

std::vector<std::uint8_t> reachable(const Function& f, const Edges& edges) {
  std::vector<std::uint8_t> live(f.blocks.size());
  std::vector<std::uint32_t> work{0};
  live[0] = 1;
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (const std::uint32_t s : edges.of(b)) {
      if (live[s]) continue;
      live[s] = 1;
      work.push_back(s);
    }
  }
  return live;
}

// The phi arguments of a block, rewritten for predecessors that went away or were reordered.
void remapPhis(Function& f, std::uint32_t b, std::span<const std::uint32_t> before, std::span<const std::uint32_t> after) {
  for (Value v : f.blocks[b].nodes) {
    if (f.nodes[v].op != kPhi) continue;
    const std::vector<Value> old(f.args(v).begin(), f.args(v).end());
    std::vector<Value> now;
    for (std::uint32_t p : after) {
      const auto at = static_cast<std::size_t>(std::ranges::find(before, p) - before.begin());
      now.push_back(at == before.size() ? kNoValue : old[at]);
    }
    f.nodes[v].firstArgument = static_cast<std::uint32_t>(f.argumentPool.size());
    f.nodes[v].arguments = static_cast<std::uint32_t>(now.size());
    f.argumentPool.insert(f.argumentPool.end(), now.begin(), now.end());
  }
}

}  // namespace

void orderBlocks(Function& f) {
  const Edges edges(f);
  const std::vector<std::uint8_t> live = reachable(f, edges);
  f.order.clear();
  for (std::uint32_t b : structuredOrder(f, edges))
    if (live[b]) f.order.push_back(b);
  // The predecessors of all blocks, one list after the other.
  std::vector<std::uint32_t> list, first(f.blocks.size() + 1), count(f.blocks.size());
  for (std::uint32_t b : f.order)
    for (const std::uint32_t s : edges.of(b)) ++first[s + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  list.resize(first.back());
  const auto predecessors = [&](std::uint32_t b) { return std::span(list).subspan(first[b], count[b]); };
  for (std::uint32_t b : f.order)
    for (const std::uint32_t s : edges.of(b))
      if (std::ranges::find(predecessors(s), b) == predecessors(s).end()) list[first[s] + count[s]++] = b;
  for (std::uint32_t b = 0; b < f.blocks.size(); ++b) {
    Block& block = f.blocks[b];
    if (!live[b]) {
      block.end = {};
      block.nodes.clear();
      block.predecessors.clear();
    } else if (!std::ranges::equal(block.predecessors, predecessors(b))) {
      remapPhis(f, b, block.predecessors, predecessors(b));
      block.predecessors.assign(predecessors(b).begin(), predecessors(b).end());
    }
  }
}

}  // namespace lanewise::ir
