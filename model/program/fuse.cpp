// A texel read into four sums becomes a read that adds.
#include <algorithm>

#include "model/program/passes.h"

namespace lanewise::ir {

std::vector<UsedBy> usesOf(const Function& f) {
  std::vector<UsedBy> uses(f.nodes.size());
  for (std::uint32_t b : f.order) {
    for (Value v : f.blocks[b].nodes)
      for (Value a : f.args(v)) {
        uses[a].user = v;
        ++uses[a].count;
      }
    if (const Value* condition = f.blocks[b].condition()) ++uses[*condition].count;
  }
  return uses;
}

namespace {

// The four additions that use the components of `read`, if each component is used by one 32-bit addition of this block whose other operand
// is known before the read.
bool additionsOf(const Function& f, const std::vector<UsedBy>& uses, std::uint32_t b, std::size_t at, Value additions[4], Value sums[4]) {
  const std::vector<Value>& nodes = f.blocks[b].nodes;
  std::uint32_t found = 0;
  for (std::size_t i = at + 1; i < nodes.size() && f.nodes[nodes[i]].op == kResult; ++i) {
    const Value r = nodes[i];
    if (f.args(r)[0] != nodes[at]) return false;
    const UsedBy use = uses[r];
    if (use.count != 1 || f.nodes[use.user].op != core(spv::Op::OpIAdd) || f.nodes[use.user].type != Scalar::kI32 ||
        f.nodes[use.user].block != b)
      return false;
    const auto args = f.args(use.user);
    const Value other = args[0] == r ? args[1] : args[0];
    const auto defined = std::find(nodes.begin(), nodes.end(), other);
    if (other == r || (f.nodes[other].block == b && defined != nodes.end() && defined - nodes.begin() >= static_cast<std::ptrdiff_t>(at)))
      return false;
    const std::uint32_t component = f.nodes[r].as<kind::Result>().index;
    additions[component] = use.user;
    sums[component] = other;
    ++found;
  }
  return found == 4;
}

}  // namespace

void fuseReads(Function& f) {
  if (std::ranges::none_of(f.nodes, [](const Node& n) { return n.op == kImageRead; })) return;
  const std::vector<UsedBy> uses = usesOf(f);
  for (std::uint32_t b : f.order) {
    std::vector<Value>& nodes = f.blocks[b].nodes;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      const Value read = nodes[at];
      Value additions[4] = {}, sums[4] = {};
      if (f.nodes[read].op != kImageRead || !additionsOf(f, uses, b, at, additions, sums)) continue;
      std::vector<Value> args(f.args(read).begin(), f.args(read).end());
      args.insert(args.end(), sums, sums + 4);
      const auto assign = [&f](Value v, std::span<const Value> list) {
        f.nodes[v].firstArgument = static_cast<std::uint32_t>(f.argumentPool.size());
        f.nodes[v].arguments = static_cast<std::uint32_t>(list.size());
        f.argumentPool.insert(f.argumentPool.end(), list.begin(), list.end());
      };
      f.nodes[read].op = kImageReadAdd;
      assign(read, args);
      // The additions become the results, and are put directly after the read.
      for (std::uint32_t c = 0; c < 4; ++c) {
        f.nodes[additions[c]].op = kResult;
        f.nodes[additions[c]].what = kind::Result{c};
        assign(additions[c], std::span(&read, 1));
      }
      std::erase_if(nodes, [&](Value v) { return std::find(additions, additions + 4, v) != additions + 4; });
      std::copy(additions, additions + 4, nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1);  // over the four components
    }
  }
}

}  // namespace lanewise::ir
