#include "model/program/slots.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/passes.h"

namespace lanewise {
namespace {

using ir::Value;

struct Life {
  std::uint32_t start = 0xffffffffu, end = 0;
  Value sharedWith = ir::kNoValue;  // uses that phi's slot
};

struct ValueUse {
  std::uint32_t at = 0, block = 0;
};

class Allocator {
 public:
  Allocator(const ir::Function& f, std::uint32_t width, Kept kept) : f_(f), width_(width), kept_(kept), all_(kept == Kept::kAll) {}

  Slots run() {
    number();
    measure();
    listUses();
    coalesce();
    if (kept_ == Kept::kNone) coalesceMerges();
    stretch();
    allocate();
    return std::move(out_);
  }

 private:
  struct LoopSpan {
    std::uint32_t start, end;
    const ir::Loop* loop;
  };

  void number() {
    std::uint32_t at = 1;
    blockStart_.assign(f_.blocks.size(), 0);
    blockEnd_.assign(f_.blocks.size(), 0);
    position_.assign(f_.nodes.size(), 0);
    for (std::uint32_t b : f_.order) {
      blockStart_[b] = at++;
      for (Value v : f_.blocks[b].nodes) {
        const ir::Code op = f_.nodes[v].op;
        if (op == ir::kPhi)
          position_[v] = blockStart_[b];
        else if (op == ir::kResult)
          position_[v] = position_[f_.args(v)[0]];
        else
          position_[v] = at++;
      }
      blockEnd_[b] = at++;
    }
    positions_ = at;
    loops_ = ir::loops(f_);
    for (const ir::Loop& loop : loops_) {
      LoopSpan span{blockStart_[loop.header], 0, &loop};
      for (std::uint32_t b : loop.blocks) span.end = std::max(span.end, blockEnd_[b]);
      spans_.push_back(span);
    }
    findNests();
  }

  // Gives blocks that are within the same spans one number. Where spans cross, each block has its own.
  void findNests() {
    struct Open {
      std::uint32_t end, around;
    };
    std::vector<Open> open;
    std::uint32_t nest = 0, last = 0;
    bool crosses = false;
    nest_.assign(f_.blocks.size(), 0);
    auto next = spans_.begin();  // by their starts
    for (const std::uint32_t b : f_.order) {
      for (; !open.empty() && open.back().end < blockStart_[b]; open.pop_back()) nest = open.back().around;
      for (; next != spans_.end() && next->start == blockStart_[b]; ++next) {
        crosses = crosses || (!open.empty() && next->end > open.back().end);
        open.push_back({next->end, std::exchange(nest, ++last)});
      }
      nest_[b] = crosses ? ++last : nest;
    }
  }

  // Calls `visit(used, position, block)` for every use. A phi argument is used at the end of the predecessor.
  template <class Visit>
  void forEachUse(const Visit& visit) const {
    for (std::uint32_t b : f_.order) {
      for (Value v : f_.blocks[b].nodes) {
        const auto args = f_.args(v);
        if (f_.nodes[v].op == ir::kResult) continue;
        for (std::size_t i = 0; i < args.size(); ++i) {
          const std::uint32_t from = f_.nodes[v].op == ir::kPhi ? f_.blocks[b].predecessors[i] : b;
          visit(args[i], f_.nodes[v].op == ir::kPhi ? blockEnd_[from] : position_[v], from);
        }
      }
      if (const Value* condition = f_.blocks[b].condition()) visit(*condition, blockEnd_[b], b);
    }
  }

  void measure() {
    life_.assign(f_.nodes.size(), {});
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes) {
        Life& life = life_[v];
        life.start = life.end = position_[v];
        if (f_.nodes[v].op != ir::kPhi) continue;
        for (std::uint32_t p : f_.blocks[b].predecessors) {
          life.start = std::min(life.start, blockEnd_[p]);
          life.end = std::max(life.end, blockEnd_[p]);
        }
      }
    used_.assign(f_.nodes.size(), 0);
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes)
        used_[v] = all_ || f_.nodes[v].op == ir::kLoad || f_.nodes[v].op == ir::kSubgroup;  // these may remain without a use
    forEachUse([this](Value v, std::uint32_t at, std::uint32_t) {
      used_[v] = 1;
      life_[v].end = std::max(life_[v].end, at);
    });
  }

  // The uses of all values, those of one behind those of another.
  void listUses() {
    firstUse_.assign(f_.nodes.size() + 1, 0);
    forEachUse([this](Value v, std::uint32_t, std::uint32_t) { ++firstUse_[v]; });
    std::partial_sum(firstUse_.begin(), firstUse_.end(), firstUse_.begin());  // the end of each, from which they are filled
    uses_.resize(firstUse_.back());
    forEachUse([this](Value v, std::uint32_t at, std::uint32_t block) { uses_[--firstUse_[v]] = {at, block}; });
  }

  std::span<const ValueUse> usesOf(Value v) const { return std::span(uses_).subspan(firstUse_[v], firstUse_[v + 1] - firstUse_[v]); }

  // A value for the next iteration of a loop phi is computed in the phi's own slot if the phi's old value is no longer needed.
  void coalesce() {
    if (loops_.empty()) return;
    const std::vector<std::uint32_t> idom = ir::dominators(f_);
    const std::vector<std::uint32_t> position = ir::positions(f_);
    for (const ir::Loop& loop : loops_) {
      std::vector<std::uint32_t> latches;
      std::uint32_t lastExit = 0;
      for (std::uint32_t b : loop.blocks)
        for (std::uint32_t s : f_.blocks[b].successors()) {
          if (s == loop.header) latches.push_back(b);
          if (!loop.contains[s]) lastExit = std::max(lastExit, blockEnd_[b]);
        }
      if (latches.size() != 1 || f_.divergentLoop[loop.header]) continue;
      for (Value p : f_.blocks[loop.header].nodes) {
        if (f_.nodes[p].op != ir::kPhi) break;
        const auto& predecessors = f_.blocks[loop.header].predecessors;
        const auto at = std::find(predecessors.begin(), predecessors.end(), latches[0]);
        const Value v = f_.args(p)[static_cast<std::size_t>(at - predecessors.begin())];
        const ir::Node& n = f_.nodes[v];
        const bool sum = n.op == ir::kResult && f_.nodes[f_.args(v)[0]].op == ir::kImageReadAdd;
        if ((!ir::computes(n.op) && !sum) || n.varying != f_.nodes[p].varying || isWide(n.type) != isWide(f_.nodes[p].type)) continue;
        if (!loop.contains[n.block] || life_[v].sharedWith != ir::kNoValue || position_[v] < lastExit) continue;
        std::uint32_t d = latches[0];
        while (position[d] > position[n.block]) d = idom[d];
        if (d != n.block || !mayShare(p, v, loop) || (sum && !isSumOf(p, v))) continue;
        life_[v].sharedWith = p;
      }
    }
  }

  // Whether `p` is the sum of the read's component v and is not otherwise used by the read. A read that adds writes one component before it
  // takes the sum of the next.
  bool isSumOf(Value p, Value v) const {
    const auto args = f_.args(f_.args(v)[0]);
    return args[args.size() - 4 + f_.nodes[v].as<kind::Result>().index] == p && std::count(args.begin(), args.end(), p) == 1;
  }

  bool mayShare(Value p, Value v, const ir::Loop& loop) const {
    const bool staysIn = std::ranges::all_of(usesOf(v), [&](const ValueUse& use) { return loop.contains[use.block] != 0; });
    return staysIn && std::ranges::none_of(usesOf(p), [&](const ValueUse& use) {
             if (loop.contains[use.block]) return use.at > position_[v];
             return std::ranges::any_of(loops_, [&](const ir::Loop& outer) {
               return outer.contains[loop.header] && !outer.contains[use.block] && f_.divergentLoop[outer.header];
             });
           });
  }

  // A phi where paths meet takes the slot of one of its values, which then needs no move. That value is computed before any lane has the
  // phi's, and whoever has gone on behind the meeting does not need it any more.
  void coalesceMerges() {
    for (std::uint32_t b : f_.order) {
      const auto& predecessors = f_.blocks[b].predecessors;
      std::uint32_t first = 0xffffffffu, last = 0;
      for (const std::uint32_t p : predecessors) first = std::min(first, blockEnd_[p]), last = std::max(last, blockEnd_[p]);
      if (last > blockStart_[b] || std::ranges::any_of(predecessors, [&](std::uint32_t p) { return nest_[p] != nest_[b]; })) continue;
      for (const Value p : f_.blocks[b].nodes) {
        if (f_.nodes[p].op != ir::kPhi) break;
        const auto isHere = [&](const ValueUse& use) { return nest_[use.block] == nest_[b]; };
        if (!used_[p] || !std::ranges::all_of(usesOf(p), isHere)) continue;
        const auto args = f_.args(p);
        const auto found = std::ranges::find_if(args, [&](Value v) {
          const ir::Node& n = f_.nodes[v];
          return (ir::computes(n.op) || n.op == ir::kLoad) && nest_[n.block] == nest_[b] && position_[v] < first &&
                 n.varying == f_.nodes[p].varying && isWide(n.type) == isWide(f_.nodes[p].type) && life_[v].sharedWith == ir::kNoValue &&
                 std::ranges::all_of(usesOf(v), [&](const ValueUse& use) { return isHere(use) && use.at < blockStart_[b]; });
        });
        if (found != args.end()) life_[*found].sharedWith = p;
      }
    }
  }

  void stretch() {
    const auto isElsewhere = [this](Value v, std::uint32_t b) { return nest_[b] != nest_[f_.nodes[v].block]; };
    forEachUse([&](Value v, std::uint32_t at, std::uint32_t from) {
      if (isElsewhere(v, from)) stretchFor(v, at);
    });
    for (std::uint32_t b : f_.order)
      for (Value v : f_.blocks[b].nodes) {
        if (f_.nodes[v].op == ir::kPhi)
          for (std::uint32_t p : f_.blocks[b].predecessors)
            if (isElsewhere(v, p)) stretchForMove(v, blockEnd_[p]);
        if (const Value p = life_[v].sharedWith; p != ir::kNoValue) {
          life_[p].start = std::min(life_[p].start, life_[v].start);
          life_[p].end = std::max(life_[p].end, life_[v].end);
        }
      }
  }

  void stretchFor(Value v, std::uint32_t at) {
    Life& life = life_[v];
    const std::uint32_t defined = position_[v];
    for (const LoopSpan& span : spans_) {
      if (span.start > std::max(at, defined)) break;
      const bool definedInside = defined >= span.start && defined <= span.end;
      const bool usedInside = at >= span.start && at <= span.end;
      if (usedInside && !definedInside) life.end = std::max(life.end, span.end);
      if (definedInside && !usedInside) life.start = std::min(life.start, span.start);
    }
  }

  // A phi is written at `at`, before lanes that stay in a loop around that place continue. They must not overwrite what the leaving lanes
  // wrote.
  void stretchForMove(Value v, std::uint32_t at) {
    stretchFor(v, at);
    for (const LoopSpan& span : spans_)
      if (at >= span.start && at <= span.end && (position_[v] < span.start || position_[v] > span.end))
        life_[v].start = std::min(life_[v].start, span.start);
  }

  std::uint32_t sizeOf(std::uint32_t slotClassIndex) const {
    const std::uint32_t lanes = slotClassIndex >= 2 ? width_ : kGroup;
    return lanes * (slotClassIndex % 2 ? 8 : 4);
  }

  Operand take(std::uint32_t c) {
    Operand slot;
    if (!free_[c].empty()) {
      slot.offset = free_[c].back();
      free_[c].pop_back();
    } else {
      slot.offset = static_cast<std::uint32_t>(out_.bytes);
      out_.bytes += sizeOf(c);
    }
    slot.step = c >= 2 ? kGroup * (c % 2 ? 8 : 4) : 0;
    return slot;
  }

  // Gives out slots in the order in which lives begin. Lives that have ended are found by their ends: a large program has millions at once.
  void giveSlots(const std::vector<Value>& order) {
    constexpr std::uint32_t kNone = ~0u;
    std::vector<std::uint32_t> last(positions_, kNone), before(order.size());  // of the lives that end there, by their places in the order
    std::vector<std::uint32_t> ended;
    std::uint32_t from = 0;  // all that end before it have ended
    const auto end = [&](std::uint32_t at) {
      for (std::uint32_t i = std::exchange(last[at], kNone); i != kNone; i = before[i]) ended.push_back(i);
    };
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const Value v = order[i];
      const bool inPlace = ir::computes(f_.nodes[v].op) && life_[v].start == position_[v];
      const std::uint32_t start = life_[v].start;
      for (ended.clear(); from < start; ++from) end(from);
      if (inPlace) end(start);
      std::sort(ended.begin(), ended.end());
      for (const std::uint32_t e : ended)
        free_[slotClass(f_.nodes[order[e]].type, f_.nodes[order[e]].varying)].push_back(out_.of[order[e]].offset);
      out_.of[v] = take(slotClass(f_.nodes[v].type, f_.nodes[v].varying));
      before[i] = std::exchange(last[life_[v].end], i);
    }
  }

  void allocate() {
    out_.bytes = 128;  // offset 0 means none
    out_.of.assign(f_.nodes.size(), {});
    std::vector<Value> all;
    std::vector<std::uint32_t> place(positions_ + 1);  // by start: how many begin before it, and then where the next is put
    for (Value v = 1; v < f_.nodes.size(); ++v) {
      const ir::Node& n = f_.nodes[v];
      if (n.type == Scalar::kNone || !used_[v]) continue;
      const std::uint32_t c = slotClass(n.type, n.varying);
      if (n.op == ir::kConstant || n.op == ir::kUndef || n.op == ir::kInput)
        out_.of[v] = take(c);  // for the whole program: no slot has been freed yet
      else if (life_[v].start != 0xffffffffu && life_[v].sharedWith == ir::kNoValue)
        all.push_back(v), ++place[life_[v].start + 1];
    }
    for (std::uint32_t c = 0; c < 4; ++c) out_.scratch[c] = take(c);
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<Value> order(all.size());
    for (const Value v : all) order[place[life_[v].start]++] = v;
    giveSlots(order);
    for (Value v = 1; v < f_.nodes.size(); ++v)
      if (life_[v].sharedWith != ir::kNoValue && used_[v]) out_.of[v] = out_.of[life_[v].sharedWith];
  }

  const ir::Function& f_;
  std::uint32_t width_;
  Kept kept_;
  bool all_;
  Slots out_;
  std::vector<std::uint32_t> blockStart_, blockEnd_, position_;
  std::uint32_t positions_ = 0;
  std::vector<ir::Loop> loops_;
  std::vector<LoopSpan> spans_;
  std::vector<std::uint32_t> nest_;  // by block
  std::vector<Life> life_;
  std::vector<std::uint32_t> firstUse_;  // by value: in uses_
  std::vector<ValueUse> uses_;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint32_t> free_[4];
};

}  // namespace

Slots assignSlots(const ir::Function& f, std::uint32_t width, Kept kept) {
  return Allocator(f, width, kept).run();
}

}  // namespace lanewise
