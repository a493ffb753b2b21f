#include "model/compiled/flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/ir/operation_info.h"
#include "model/ir/tells_order.h"
#include "model/program/passes.h"

namespace lanewise::compiled {
namespace {

using ir::Value;

// Lanes wait in front of a block while others run one that is further behind.
class Waiting {
 public:
  Waiting(const ir::Function& f, Flow& flow) : f_(f), flow_(flow), sets_(f.blocks.size()) {}

  void run() {
    do {
      changed_ = false;
      for (const std::uint32_t b : f_.order) leave(b);
    } while (changed_);
    flow_.waiting.resize(f_.blocks.size());
    for (const std::uint32_t b : f_.order)
      for (const std::uint32_t at : sets_[b]) flow_.waiting[b].push_back(f_.order[at]);
  }

 private:
  using Set = std::set<std::uint32_t>;  // positions

  void leave(std::uint32_t b) {
    const ir::Block& block = f_.blocks[b];
    const Value* condition = block.condition();
    if (condition && f_.nodes[*condition].varying) {
      Set all = sets_[b];
      std::uint32_t last = 0;
      for (const std::uint32_t s : block.successors()) all.insert(flow_.position[s]), last = std::max(last, flow_.position[s]);
      return enterFirst(all, static_cast<std::size_t>(std::distance(all.begin(), all.find(last))) + 1);
    }
    if (block.successorCount() == 0) return enterFirst(sets_[b], sets_[b].size());
    for (const std::uint32_t s : block.successors()) {
      Set all = sets_[b];
      all.insert(flow_.position[s]);
      enterFirst(all, static_cast<std::size_t>(std::distance(all.begin(), all.find(flow_.position[s]))) + 1);
    }
  }

  // One of the first `count` of these runs, those behind it may wait.
  void enterFirst(const Set& all, std::size_t count) {
    for (auto at = all.begin(); count-- > 0; ++at) {
      Set& to = sets_[f_.order[*at]];
      const std::size_t before = to.size();
      to.insert(std::next(at), all.end());
      changed_ = changed_ || to.size() != before;
    }
  }

  const ir::Function& f_;
  Flow& flow_;
  std::vector<Set> sets_;
  bool changed_ = false;
};

// --- Where batches wait for each other ----------------------------------------------------------------------------------------------

// What has been accessed since all batches were at one place, by what is accessed.
using Memory = std::map<std::uint32_t, std::set<Value>>;

// kPassed: stops that batches may have passed by, and be ahead of those that stopped.
constexpr std::uint32_t kWorkgroupPlace = 0xffffffffu, kAnyBuffer = 0xfffffffeu, kPassed = 0xfffffffdu;

bool isBarrier(const ir::Node& n) {
  return n.op == ir::kControlBarrier && n.as<kind::Barrier>().execution != spv::Scope::Subgroup;
}

// How far apart the values of lanes are that are executed together, at least and at most; at least 0: not known.
struct Spread {
  std::uint64_t least = 0, most = 0;
};

class Spreads {
 public:
  explicit Spreads(const LaidProgram& p) : p_(p), f_(p.laid.function) {}

  Spread of(Value v, int depth = 0) const {
    constexpr int kDeep = 12;
    const ir::Node& n = f_.nodes[v];
    const auto args = f_.args(v);
    if (depth > kDeep) return {};
    if (n.op == ir::kInput) {
      const kind::InputRow row = n.as<kind::Input>().row;
      const bool line = p_.localSize[1] == 1 && p_.localSize[2] == 1;
      const bool counts = row == kind::InputRow::kLocalIndex || (row == kind::InputRow::kLocalIdX && line);
      return counts ? Spread{1, p_.invocations - 1} : Spread{};
    }
    if (n.op == ir::core(spv::Op::OpIAdd) || n.op == ir::core(spv::Op::OpISub)) {
      if (!f_.nodes[args[1]].varying) return of(args[0], depth + 1);
      return f_.nodes[args[0]].varying ? Spread{} : of(args[1], depth + 1);
    }
    if (n.op == ir::kAddress && f_.isConstant(args[1]) && !f_.nodes[args[2]].varying) return scaled(args[0], f_.bitsOf(args[1]), depth);
    if (n.op == ir::core(spv::Op::OpIMul) && f_.isConstant(args[1])) return scaled(args[0], f_.bitsOf(args[1]), depth);
    if (n.op == ir::core(spv::Op::OpShiftLeftLogical) && f_.isConstant(args[1]))
      return scaled(args[0], std::uint64_t{1} << (f_.bitsOf(args[1]) & 31), depth);
    return {};
  }

 private:
  // Where a product could wrap, nothing is known.
  Spread scaled(Value v, std::uint64_t by, int depth) const {
    const Spread s = of(v, depth + 1);
    if (s.least == 0 || by == 0 || by > 0xffffffffu || s.most * by >= std::uint64_t{1} << 31) return {};
    return {s.least * by, s.most * by};
  }

  const LaidProgram& p_;
  const ir::Function& f_;
};

class Stops {
 public:
  Stops(const LaidProgram& p, Flow& flow) : p_(p), f_(p.laid.function), flow_(flow), spreads_(p), before_(f_.blocks.size()) {
    for (const ir::Access& a : p.accesses) pointers_ = pointers_ || a.space == ir::Space::kPhysical || a.space == ir::Space::kVariable;
    alone_ = p.batches == 1;
    ordered_ = !alone_ && p.together > p.width;
    inLoop_.assign(f_.blocks.size(), 0);
    for (const ir::Loop& loop : ir::loops(f_))
      for (const std::uint32_t b : loop.blocks) inLoop_[b] = 1;
    flow.tellsOrder = tellsOrder(p);
    const auto tellsInLoop = [&](std::uint32_t b) {
      return inLoop_[b] && std::ranges::any_of(f_.blocks[b].nodes, [&](Value v) { return isTeller(v); });
    };
    const bool any = std::ranges::find(flow.tellsOrder, true) != flow.tellsOrder.end();
    if (!any || std::ranges::any_of(f_.order, tellsInLoop)) flow.tellsOrder.clear();  // whoever waits in a loop gains little
  }

  void run() {
    do {
      changed_ = false;
      for (const std::uint32_t b : f_.order) walk(b, false);
    } while (changed_);
    if (ordered_) findLatches();
    for (const std::uint32_t b : f_.order) walk(b, true);
  }

 private:
  // kSums: by an atomic whose result nobody uses, and which commutes with others of its kind.
  enum class Kind : std::uint8_t { kLoads, kStores, kSums };

  // What an instruction accesses.
  std::optional<std::uint32_t> placeOf(Value v) const {
    const ir::Node& n = f_.nodes[v];
    if (const auto* image = std::get_if<kind::Image>(&n.what)) {
      if (n.op == ir::kImageQuery) return {};
      const ir::ImageAccess& access = p_.imageAccesses[image->access];
      return pointers_ && access.type->dim == spv::Dim::Buffer ? kAnyBuffer : access.resource;
    }
    const ir::Access* access = accessOf(v);
    if (!access || access->space == ir::Space::kPush) return {};
    return access->space == ir::Space::kWorkgroup ? kWorkgroupPlace : pointers_ ? kAnyBuffer : access->resource;
  }
  const ir::Access* accessOf(Value v) const {
    const ir::Node& n = f_.nodes[v];
    if (const auto* memory = std::get_if<kind::Memory>(&n.what)) return &p_.accesses[memory->access];
    if (const auto* atomic = std::get_if<kind::Atomic>(&n.what)) return &p_.accesses[atomic->access];
    return nullptr;
  }
  Kind kindOf(Value v) const {
    const ir::Node& n = f_.nodes[v];
    if (n.op == ir::kLoad || n.op == ir::kImageRead || n.op == ir::kImageReadAdd || n.op == ir::kImageSample) return Kind::kLoads;
    const auto* atomic = std::get_if<kind::Atomic>(&n.what);
    const bool sums = atomic && p_.laid.slots[v].offset == 0 && sumOf(v) != spv::Op::OpNop;
    return sums ? Kind::kSums : Kind::kStores;
  }
  spv::Op sumOf(Value v) const { return ir::sumOf(ir::core(f_.nodes[v].as<kind::Atomic>().op)); }

  bool isTeller(Value v) const { return f_.nodes[v].op == ir::kAtomic && !flow_.tellsOrder.empty() && flow_.tellsOrder[p_.laid.places[v]]; }

  // Two accesses of one place could meet in different lanes.
  bool meet(Value a, Value b) const {
    const Kind x = kindOf(a), y = kindOf(b);
    if (x == Kind::kLoads && y == Kind::kLoads) return false;
    const ir::Access *first = accessOf(a), *second = accessOf(b);
    // Of one width: a carry does not go beyond it.
    if (x == Kind::kSums && y == Kind::kSums && sumOf(a) == sumOf(b) && scalarBytes(first->type) == scalarBytes(second->type)) return false;
    if (!first || !second || pointers_ || p_.outsideIsWithin) return true;
    // The bytes of different elements of an array of buffers may overlap.
    const Value address = f_.args(a)[0], element = f_.args(a)[1];
    const auto mayChange = [&](Value v) { return !f_.isConstant(v) && inLoop_[f_.nodes[v].block]; };
    if (address != f_.args(b)[0] || element != f_.args(b)[1] || mayChange(address) || mayChange(element) || f_.nodes[element].varying)
      return true;
    const std::uint64_t low = std::min(first->offset, second->offset);
    const std::uint64_t end =
        std::max(std::uint64_t{first->offset} + scalarBytes(first->type), std::uint64_t{second->offset} + scalarBytes(second->type));
    return spreads_.of(address).least < end - low;
  }

  void walk(std::uint32_t b, bool note) {
    Memory memory = before_[b];
    const std::vector<Value>& nodes = f_.blocks[b].nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const Value v = nodes[i];
      if (isBarrier(f_.nodes[v])) {
        if (!flow_.together(b)) flow_.refusal = "a barrier in control flow that differs between invocations";
        memory.clear();
        if (note && !alone_) flow_.stops.push_back({b, i, StopKind::kBarrier, {}});
        continue;
      }
      if (note && isTeller(v)) flow_.stops.push_back({b, i, StopKind::kTellsOrder, {}});
      const auto place = ordered_ ? placeOf(v) : std::nullopt;
      if (!place) continue;
      const bool outOfOrder = !memory[kPassed].empty() && meet(v, v);
      if (outOfOrder || std::ranges::any_of(memory[*place], [&](Value other) { return meet(v, other); })) {
        if (note) flow_.stops.push_back({b, i, StopKind::kMeeting, {}});
        if (flow_.together(b))
          memory.clear();
        else
          memory[kPassed].insert(v);
        hasStop_.insert(b);
      }
      memory[*place].insert(v);
    }
    if (note && latches_.contains(b)) flow_.stops.push_back({b, static_cast<std::uint32_t>(nodes.size()), StopKind::kMeeting, {}});
    for (const std::uint32_t s : f_.blocks[b].successors()) join(before_[s], memory);
    for (const std::uint32_t w : flow_.waiting[b]) join(before_[w], memory);  // its lanes go on when these have arrived
  }

  void join(Memory& to, const Memory& from) {
    for (const auto& [place, accesses] : from)
      for (const Value v : accesses) changed_ = to[place].insert(v).second || changed_;
  }

  // A batch that goes round a loop without a stop must not be ahead of one that stops there.
  void findLatches() {
    for (const ir::Loop& loop : ir::loops(f_)) {
      if (std::ranges::none_of(hasStop_, [&](std::uint32_t b) { return loop.contains[b] && !flow_.together(b); })) continue;
      for (const std::uint32_t b : loop.blocks)
        if (std::ranges::any_of(f_.blocks[b].successors(), [&](std::uint32_t s) { return s == loop.header; })) latches_.insert(b);
    }
  }

  const LaidProgram& p_;
  const ir::Function& f_;
  Flow& flow_;
  Spreads spreads_;
  std::vector<Memory> before_;
  std::vector<std::uint8_t> inLoop_;  // by block
  std::set<std::uint32_t> hasStop_, latches_;
  bool pointers_ = false, alone_ = false, ordered_ = false, changed_ = false;
};

// --- Where lanes that run alone meet: as Program::meets ------------------------------------------------------------------------------

class Meetings {
 public:
  Meetings(const ir::Function& f, Flow& flow) : f_(f), flow_(flow) {}

  void run() {
    std::vector<std::uint32_t> before{0};  // operations that lanes execute together, before each block in order
    for (const std::uint32_t b : f_.order)
      before.push_back(before.back() + static_cast<std::uint32_t>(std::ranges::count_if(f_.blocks[b].nodes, [this](Value v) {
                         return f_.nodes[v].op == ir::kSubgroup || f_.nodes[v].op == ir::kControlBarrier;
                       })));
    for (const std::uint32_t b : f_.order) {
      const std::vector<Value>& nodes = f_.blocks[b].nodes;
      for (std::uint32_t i = 0; i < nodes.size(); ++i) meetFor(b, nodes, i);
      std::uint32_t first = f_.blocks[b].successorCount() == 0 ? 0 : ~0u;  // a return: where the program begins
      for (const std::uint32_t s : f_.blocks[b].successors()) first = std::min(first, flow_.position[s]);
      const bool returns = f_.blocks[b].successorCount() == 0;
      const std::uint32_t end = returns ? static_cast<std::uint32_t>(f_.order.size()) : flow_.position[b] + 1;
      if (first < end && before[end] != before[first])
        flow_.stops.push_back({b, static_cast<std::uint32_t>(nodes.size()), StopKind::kMeeting, {}});
    }
  }

 private:
  void meetFor(std::uint32_t b, const std::vector<Value>& nodes, std::uint32_t i) {
    const ir::Node& n = f_.nodes[nodes[i]];
    if (n.op == ir::kControlBarrier) flow_.stops.push_back({b, i, isBarrier(n) ? StopKind::kBarrier : StopKind::kMeeting, {}});
    if (n.op != ir::kSubgroup) return;
    flow_.stops.push_back({b, i, StopKind::kTogether, {}});
    flow_.stops.push_back({b, i, StopKind::kArguments, {}});
    while (++i < nodes.size() && f_.nodes[nodes[i]].op == ir::kResult) continue;
    flow_.stops.push_back({b, i, StopKind::kResults, {}});
  }

  const ir::Function& f_;
  Flow& flow_;
};

// --- What lives at a stop -------------------------------------------------------------------------------------------------------------

class Lives {
 public:
  Lives(const LaidProgram& p, Flow& flow) : f_(p.laid.function), flow_(flow), in_(f_.blocks.size()) {}

  void run() {
    findVariables();
    do {
      changed_ = false;
      for (auto b = f_.order.rbegin(); b != f_.order.rend(); ++b) {
        Set now = liveAt(*b, 0);
        changed_ = changed_ || now != in_[*b];
        in_[*b] = std::move(now);
      }
    } while (changed_);
    for (Stop& stop : flow_.stops) {
      Set live = liveAt(stop.block, stop.before);
      for (const std::uint32_t c : flow_.waiting[stop.block]) live.insert(in_[c].begin(), in_[c].end());
      stop.live.assign(live.begin(), live.end());
    }
  }

 private:
  using Set = std::set<Value>;

  // A permanent value is in its register all the time.
  bool isPermanent(Value v) const {
    const ir::Code op = f_.nodes[v].op;
    return op == ir::kConstant || op == ir::kUndef || op == ir::kInput;
  }

  void findVariables() {
    flow_.variable.assign(f_.nodes.size(), 0);
    std::vector<std::uint32_t> segment(f_.nodes.size(), 0);
    std::uint32_t number = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> begins;
    for (const Stop& stop : flow_.stops) begins[{stop.block, stop.before}] = true;
    std::vector<std::uint32_t> lastSegment(f_.blocks.size(), 0);
    const auto forEach = [&](const auto& use) {
      number = 0;
      for (const std::uint32_t b : f_.order) {
        ++number;
        const std::vector<Value>& nodes = f_.blocks[b].nodes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
          if (begins.contains({b, i})) ++number;
          use(b, nodes[i]);
        }
        if (begins.contains({b, static_cast<std::uint32_t>(nodes.size())})) ++number;
        lastSegment[b] = number;
      }
    };
    forEach([&](std::uint32_t, Value v) { segment[v] = number; });
    const auto usedAt = [&](Value v, std::uint32_t where) {
      if (!isPermanent(v) && segment[v] != where) flow_.variable[v] = 1;
    };
    forEach([&](std::uint32_t b, Value v) {
      const ir::Node& n = f_.nodes[v];
      if (n.op == ir::kPhi || n.op == ir::kSticky) flow_.variable[v] = 1;
      if (n.op == ir::kResult) return;
      const auto args = f_.args(v);
      for (std::size_t i = 0; i < args.size(); ++i) usedAt(args[i], n.op == ir::kPhi ? lastSegment[f_.blocks[b].predecessors[i]] : number);
    });
    for (const std::uint32_t b : f_.order)
      if (const Value* condition = f_.blocks[b].condition()) usedAt(*condition, lastSegment[b]);
  }

  void use(Set& live, Value v) const {
    if (flow_.variable[v]) live.insert(v);
  }

  // In front of the node at `from`.
  Set liveAt(std::uint32_t b, std::uint32_t from) {
    const ir::Block& block = f_.blocks[b];
    Set live;
    for (const std::uint32_t s : block.successors()) live.insert(in_[s].begin(), in_[s].end());
    if (block.successorCount() == 1) {
      const std::uint32_t next = block.successor(0);
      const auto& predecessors = f_.blocks[next].predecessors;
      const auto index = static_cast<std::size_t>(std::ranges::find(predecessors, b) - predecessors.begin());
      if (flow_.together(b))
        for (const Value v : f_.blocks[next].nodes)
          if (f_.nodes[v].op == ir::kPhi) live.erase(v);
      for (const Value v : f_.blocks[next].nodes)
        if (f_.nodes[v].op == ir::kPhi) use(live, f_.args(v)[index]);
    }
    if (const Value* condition = block.condition()) use(live, *condition);
    for (std::size_t i = block.nodes.size(); i-- > from;) {
      const Value v = block.nodes[i];
      const ir::Node& n = f_.nodes[v];
      if (n.op == ir::kPhi) continue;
      if (n.op != ir::kSticky) live.erase(v);
      if (n.op != ir::kResult)
        for (const Value a : f_.args(v)) use(live, a);
    }
    // A phi is written in front of its block.
    for (std::size_t i = from; i < block.nodes.size(); ++i)
      if (f_.nodes[block.nodes[i]].op == ir::kPhi) live.insert(block.nodes[i]);
    return live;
  }

  const ir::Function& f_;
  Flow& flow_;
  std::vector<Set> in_;
  bool changed_ = false;
};

std::string refusalOf(const LaidProgram& p) {
  for (const ir::Node& n : p.laid.function.nodes) {
    if (n.op == ir::kPrint) return "DebugPrintf";
    if (n.op == ir::kReadClock) return "OpReadClockKHR";
    if (n.op == ir::kCheckIndex) return "checked indices";
  }
  return {};
}

}  // namespace

Flow flowOf(const LaidProgram& program) {
  const ir::Function& f = program.laid.function;
  Flow flow;
  flow.refusal = refusalOf(program);
  flow.position = ir::positions(f);
  Waiting(f, flow).run();
  if (program.separateLanes)
    Meetings(f, flow).run();
  else
    Stops(program, flow).run();
  Lives(program, flow).run();
  return flow;
}

}  // namespace lanewise::compiled
