// Where accesses are, as sums of terms (ir/own_place.h).
//
// A loop's counter, and what a branch in front of the access has compared, are bounded by what they were compared with. What is not known
// to be bounded is taken to be any multiple of its scale.
#include <bit>
#include <optional>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/program/guards.h"
#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

constexpr std::uint64_t kUnknownMost = std::uint64_t{1} << 32;

class PlaceFinder {
 public:
  PlaceFinder(const Function& f, const LaneShape& shape, std::vector<Known>& known) : f_(f), shape_(shape), guards_(f), known_(known) {}

  // `offset`: what is added to `v`, in front of which the access in `block` stands.
  Place of(Value v, std::uint32_t block, std::uint32_t offset) {
    block_ = block;
    left_ = kMostLooks;
    place_ = {};
    if (offset != 0) putFixed({constant(1)}, offset);
    add(v, {constant(1)}, 0);
    return std::move(place_);
  }

 private:
  static constexpr int kDeep = 24, kMostLooks = 2000;

  // --- Numbers that all share

  std::uint32_t note(const Known& number) {
    const auto at = std::find(known_.begin() + 1, known_.end(), number);
    if (at != known_.end()) return static_cast<std::uint32_t>(at - known_.begin());
    known_.push_back(number);
    return static_cast<std::uint32_t>(known_.size() - 1);
  }
  std::uint32_t constant(std::uint64_t number) { return note({kConstant, static_cast<std::uint32_t>(number), 0}); }
  bool isOne(std::uint32_t number) const { return known_[number].op == kConstant && known_[number].a == 1; }
  std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    if (isOne(a)) return b;
    if (isOne(b)) return a;
    if (known_[a].op == kConstant && known_[b].op == kConstant) return constant(std::uint64_t{known_[a].a} * known_[b].a);
    return note({core(spv::Op::OpIMul), a, b});
  }

  // 0: it is none.
  std::uint32_t number(Value v, int depth = 0) {
    const Node& n = f_.nodes[v];
    if (n.type != Scalar::kI32 || depth > kDeep || --left_ < 0) return 0;
    if (f_.isConstant(v)) return constant(f_.bitsOf(v));
    const std::span<const Value> a = f_.args(v);
    using spv::Op;
    if (n.op == kInput) {
      const InputRow row = n.as<kind::Input>().row;
      const bool counts = row >= InputRow::kGroupsX && row <= InputRow::kGroupsZ;
      return counts ? note({kInput, static_cast<std::uint32_t>(row), 0}) : 0;
    }
    if (n.op == kLoad) {
      const Access& access = f_.accesses[n.as<kind::Memory>().access];
      const bool isPush = access.space == Space::kPush, isFixed = f_.isConstant(a[0]) && f_.isConstant(a[1]) && f_.bitsOf(a[1]) == 0;
      if (!isFixed || (!isPush && access.space != Space::kBuffer) || access.type != Scalar::kI32 || f_.bitsOf(a[0]) >= kUnknownMost / 2)
        return 0;
      return note({kLoad, isPush ? 0 : access.resource + 1, static_cast<std::uint32_t>(f_.bitsOf(a[0])) + access.offset});
    }
    if (n.op == core(Op::OpBitcast)) return number(a[0], depth + 1);
    for (const Op op :
         {Op::OpIAdd, Op::OpISub, Op::OpIMul, Op::OpUDiv, Op::OpSDiv, Op::OpShiftRightLogical, Op::OpShiftLeftLogical, Op::OpBitwiseAnd})
      if (n.op == core(op)) {
        const std::uint32_t first = number(a[0], depth + 1), second = first != 0 ? number(a[1], depth + 1) : 0;
        return second != 0 ? note({n.op, first, second}) : 0;
      }
    return 0;
  }

  // --- Bounds

  // `v` is below this number; 0: that is not known. By signed comparison a sum could still be below 0.
  std::uint32_t limitOf(Value v) {
    for (const Guard& g : guards_.of(block_)) {
      if (g.small != v || (g.isSigned && f_.nodes[v].op == kPhi && !countsUp(v, g))) continue;
      if (const std::uint32_t large = number(g.large)) return g.strict ? large : note({kAddress, large, constant(1)});
    }
    return 0;
  }
  // From 0 or more, by one while the guard holds: so it never wraps.
  bool countsUp(Value v, const Guard& guard) {
    const auto isStart = [&](Value a) { return f_.isConstant(a) && f_.bitsOf(a) < kUnknownMost / 2; };
    const auto isOneMore = [&](Value a, Value b) { return a == v && f_.isConstant(b) && f_.bitsOf(b) == 1; };
    const auto isNext = [&](Value a) {
      const Node& n = f_.nodes[a];
      if (n.op != core(spv::Op::OpIAdd)) return false;
      const auto s = f_.args(a);
      const std::vector<Guard>& there = guards_.of(n.block);
      return (isOneMore(s[0], s[1]) || isOneMore(s[1], s[0])) && std::ranges::find(there, guard) != there.end();
    };
    return std::ranges::all_of(f_.args(v), [&](Value a) { return isStart(a) || isNext(a); });
  }

  // There were fewer rounds before this one, of the loop that `phi` goes round by its argument `next`, by a counter that `block_` has
  // compared, and that no round sets to a start again. 0: not known.
  std::uint32_t roundsOf(Value phi, std::size_t next) {
    for (const Guard& g : guards_.of(block_)) {
      const Node& counter = f_.nodes[g.small];
      if (counter.op != kPhi || counter.block != f_.nodes[phi].block || !countsUp(g.small, g)) continue;
      if (f_.isConstant(f_.args(g.small)[next])) continue;
      if (const std::uint32_t large = number(g.large)) return g.strict ? large : note({kAddress, large, constant(1)});
    }
    return 0;
  }

  // No value of `v` is larger; kUnknownMost where that is not known.
  std::uint64_t mostOf(Value v, int depth) {
    const Node& n = f_.nodes[v];
    if (n.type != Scalar::kI32 || depth > kDeep || --left_ < 0) return kUnknownMost;
    if (f_.isConstant(v)) return f_.bitsOf(v);
    const std::uint64_t found = mostOfOperation(n, f_.args(v), depth);
    std::uint64_t least = found;
    for (const Guard& g : guards_.of(block_)) {
      if (g.small != v || !f_.isConstant(g.large) || f_.bitsOf(g.large) == 0) continue;
      const std::uint64_t most = f_.bitsOf(g.large) - (g.strict ? 1 : 0);
      const bool isPositive = found < kUnknownMost / 2 || (n.op == kPhi && countsUp(v, g));
      // A signed counter that may be the greatest number wraps behind it.
      if (most < least && (!g.isSigned || (most < kUnknownMost / 2 - 1 && isPositive))) least = most;
    }
    return least;
  }

  std::uint64_t mostOfOperation(const Node& n, std::span<const Value> a, int depth) {
    using spv::Op;
    const auto most = [&](std::size_t i) { return mostOf(a[i], depth + 1); };
    const auto bounded = [](std::uint64_t x) { return std::min(x, kUnknownMost); };
    const auto isConstant = [&](std::size_t i) { return f_.isConstant(a[i]); };
    const auto onesOf = [&](std::uint64_t x) { return x >= kUnknownMost ? kUnknownMost : std::bit_ceil(x + 1) - 1; };
    if (n.op == core(Op::OpIAdd)) return bounded(most(0) + most(1));
    if (n.op == core(Op::OpIMul)) {
      const std::uint64_t x = most(0), y = x < kUnknownMost ? most(1) : kUnknownMost;
      return x == kUnknownMost || y == kUnknownMost ? kUnknownMost : bounded(x * y);
    }
    if (n.op == core(Op::OpBitwiseAnd)) return std::min(most(0), most(1));
    if (n.op == core(Op::OpBitwiseOr) || n.op == core(Op::OpBitwiseXor)) return onesOf(std::max(most(0), most(1)));
    if (n.op == core(Op::OpUMod)) return isConstant(1) && f_.bitsOf(a[1]) != 0 ? std::min(most(0), f_.bitsOf(a[1]) - 1) : kUnknownMost;
    if (n.op == core(Op::OpUDiv))
      return isConstant(1) && f_.bitsOf(a[1]) != 0 && most(0) < kUnknownMost ? most(0) / f_.bitsOf(a[1]) : kUnknownMost;
    if (n.op == core(Op::OpShiftRightLogical) && isConstant(1) && f_.bitsOf(a[1]) < 32)
      return bounded(std::min(most(0), kUnknownMost - 1) >> f_.bitsOf(a[1]));
    if (n.op == core(Op::OpShiftLeftLogical) && isConstant(1) && f_.bitsOf(a[1]) < 32)
      return most(0) < kUnknownMost ? bounded(most(0) << f_.bitsOf(a[1])) : kUnknownMost;
    if (n.op == core(Op::OpBitFieldUExtract) && isConstant(2) && f_.bitsOf(a[2]) < 32) return (std::uint64_t{1} << f_.bitsOf(a[2])) - 1;
    if (n.op == core(Op::OpSelect)) return std::max(most(1), most(2));
    if (n.op == codeOf(GLSLstd450UMin)) return std::min(most(0), most(1));
    if (n.op == core(Op::OpBitcast)) return most(0);
    return n.op == kInput ? mostOfInput(n.as<kind::Input>().row) : kUnknownMost;
  }

  std::uint64_t mostOfInput(InputRow row) const {
    const std::uint64_t invocations = std::uint64_t{shape_.localSize[0]} * shape_.localSize[1] * shape_.localSize[2];
    switch (row) {
      case InputRow::kLocalIdX:
      case InputRow::kLocalIdY:
      case InputRow::kLocalIdZ:
        return shape_.localSize[static_cast<int>(row) - static_cast<int>(InputRow::kLocalIdX)] - 1;
      case InputRow::kLocalIndex:
        return invocations - 1;
      case InputRow::kSubgroupLane:
        return shape_.subgroupSize - 1;
      case InputRow::kSubgroupId:  // in another order some of a subgroup's lanes may be nobody's
        return (shape_.linear ? (invocations + shape_.subgroupSize - 1) / shape_.subgroupSize : invocations) - 1;
      default:
        return kUnknownMost;
    }
  }

  // --- Terms

  // What a value is multiplied by: in the place, and in the sum that is capped.
  struct Scale {
    std::uint32_t all = 0, cap = 0, inCap = 0;
  };
  Scale times(const Scale& s, std::uint32_t by) { return {product(s.all, by), s.cap, s.cap != 0 ? product(s.inCap, by) : 0}; }

  void put(const Scale& s, std::int64_t least, std::int64_t most, std::uint32_t below = 0) {
    place_.terms.push_back({s.all, 0, true, least, most, below, s.cap, s.inCap});
  }
  void putAny(const Scale& s) {
    uncap(s);
    place_.terms.push_back({s.all, 0, false});
  }
  void putAxis(const Scale& s, std::uint8_t axis, std::uint64_t most) {
    place_.terms.push_back({s.all, axis, true, 0, static_cast<std::int64_t>(most), 0, s.cap, s.inCap});
  }
  void putFixed(const Scale& s, std::int64_t number) {
    if (number < 0) uncap(s);
    place_.terms.push_back({s.all, 0, true, number, number, 0, s.cap, s.inCap});
  }
  // Something in the sum may be negative, or wrap.
  void uncap(const Scale& s) {
    if (s.cap != 0) place_.caps[s.cap - 1].below = 0;
  }

  void add(Value v, Scale scale, int depth) {
    const Node& n = f_.nodes[v];
    if (n.type != Scalar::kI32 || depth > kDeep || --left_ < 0) return putAny(scale);
    if (f_.isConstant(v)) return putFixed(scale, static_cast<std::int32_t>(f_.bitsOf(v)));
    if (const std::uint32_t same = number(v)) {
      uncap(scale);
      return putFixed({product(scale.all, same)}, 1);
    }
    if (const std::uint32_t below = scale.cap == 0 ? limitOf(v) : 0) {
      if (n.op == kPhi) return put(scale, 0, 0, below);
      place_.caps.push_back({scale.all, below});
      scale = {scale.all, static_cast<std::uint32_t>(place_.caps.size()), constant(1)};
    }
    if (n.op == kInput && axisOf(n) != 0) return putAxis(scale, axisOf(n), 0);
    if (addSum(n, f_.args(v), scale, depth)) return;
    const std::uint64_t most = mostOf(v, 0);
    if (n.op == kInput && most != 0 && addLocal(n, most, scale)) return;
    if (most < kUnknownMost) return put(scale, 0, static_cast<std::int64_t>(most));
    if (n.op == kPhi) return addLoop(v, scale, depth);
    addQuotient(n, f_.args(v), scale, depth);
  }

  bool addSum(const Node& n, std::span<const Value> a, const Scale& scale, int depth) {
    using spv::Op;
    if (n.op == core(Op::OpBitcast)) {
      add(a[0], scale, depth + 1);
    } else if (n.op == core(Op::OpIAdd)) {
      for (const Value part : a) add(part, scale, depth + 1);
    } else if (n.op == core(Op::OpISub)) {
      add(a[0], scale, depth + 1);
      subtract(a[1], scale);
    } else if (n.op == core(Op::OpIMul) && (number(a[0]) != 0 || number(a[1]) != 0)) {
      const std::size_t by = number(a[1]) != 0 ? 1 : 0;
      add(a[1 - by], times(scale, number(a[by])), depth + 1);
    } else if (n.op == core(Op::OpShiftLeftLogical) && f_.isConstant(a[1]) && f_.bitsOf(a[1]) < 32) {
      add(a[0], times(scale, constant(std::uint64_t{1} << f_.bitsOf(a[1]))), depth + 1);
    } else if (n.op == kAddress && number(a[1]) != 0) {
      add(a[0], times(scale, number(a[1])), depth + 1);
      add(a[2], scale, depth + 1);
    } else {
      return false;
    }
    return true;
  }

  static std::uint8_t axisOf(const Node& n) {
    const InputRow row = n.as<kind::Input>().row;
    if (row < InputRow::kWorkgroupIdX || row > InputRow::kWorkgroupIdZ) return 0;
    return static_cast<std::uint8_t>(1 + static_cast<int>(row) - static_cast<int>(InputRow::kWorkgroupIdX));
  }

  // LocalInvocationId, or LocalInvocationIndex, which is a sum of its axes. `most`: perhaps of some of the invocations.
  bool addLocal(const Node& n, std::uint64_t most, const Scale& scale) {
    const InputRow row = n.as<kind::Input>().row;
    if (row >= InputRow::kLocalIdX && row <= InputRow::kLocalIdZ) {
      putAxis(scale, static_cast<std::uint8_t>(kLocalAxes + 1 + static_cast<int>(row) - static_cast<int>(InputRow::kLocalIdX)), most);
      return true;
    }
    if (row != InputRow::kLocalIndex || most != mostOfInput(row)) return false;
    std::uint64_t before = 1;
    for (std::uint8_t i = 0; i < 3; before *= shape_.localSize[i++])
      if (shape_.localSize[i] > 1) putAxis(times(scale, constant(before)), kLocalAxes + 1 + i, shape_.localSize[i] - 1);
    return true;
  }

  void subtract(Value b, const Scale& scale) {
    uncap(scale);
    const Scale alone{scale.all};
    const std::uint64_t most = mostOf(b, 0);
    if (most < kUnknownMost)
      put(alone, -static_cast<std::int64_t>(most), 0);
    else if (const std::uint32_t same = number(b))
      putFixed({product(scale.all, same)}, -1);
    else
      putAny(alone);
  }

  // A value that goes round a loop: its start, and a number of steps that all share.
  void addLoop(Value v, const Scale& scale, int depth) {
    const std::span<const Value> a = f_.args(v);
    const auto stepOf = [&](Value next) -> std::uint32_t {
      const std::span<const Value> s = f_.args(next);
      if (f_.nodes[next].op != core(spv::Op::OpIAdd)) return 0;
      return s[0] == v ? number(s[1]) : s[1] == v ? number(s[0]) : 0;
    };
    uncap(scale);
    const Scale alone{scale.all};
    for (const std::size_t i : {0u, 1u})
      if (const std::uint32_t step = a.size() == 2 ? stepOf(a[i]) : 0) {
        add(a[1 - i], alone, depth + 1);
        const std::uint32_t rounds = roundsOf(v, i);
        return rounds != 0 ? put(times(alone, step), 0, 0, rounds) : putAny(times(alone, step));
      }
    putAny(alone);
  }

  // v / by, where one axis of v is a multiple of `by`, all else is small, and nothing has wrapped.
  void addQuotient(const Node& n, std::span<const Value> a, const Scale& scale, int depth) {
    const bool shifts = n.op == core(spv::Op::OpShiftRightLogical);
    if ((!shifts && n.op != core(spv::Op::OpUDiv)) || !f_.isConstant(a[1])) return putAny(scale);
    const std::uint64_t number = f_.bitsOf(a[1]), by = !shifts ? number : number < 32 ? std::uint64_t{1} << number : 0;
    uncap(scale);
    const Scale alone{scale.all};
    Place whole = std::exchange(place_, {});
    add(a[0], {constant(1)}, depth + 1);
    const Place part = std::exchange(place_, std::move(whole));
    std::uint64_t rest = 0, ofAxis = 0;
    std::uint8_t axis = 0;
    for (const PlaceTerm& t : part.terms) {
      const Known& times = known_[t.scale];
      const bool isKnown = times.op == kConstant && times.a != 0 && t.bounded && t.below == 0 && t.least >= 0;
      const bool fits =
          t.isOfWorkgroup() ? axis == 0 && by != 0 && times.a % by == 0 : static_cast<std::uint64_t>(t.most) < kUnknownMost / 4 / times.a;
      if (!isKnown || !fits) return putAny(alone);
      if (t.isOfWorkgroup())
        axis = t.axis, ofAxis = times.a;
      else
        rest += times.a * static_cast<std::uint64_t>(t.most);
    }
    if (axis == 0 || rest >= kUnknownMost / 4 || !part.limits.empty()) return putAny(alone);
    place_.limits.push_back({axis, ofAxis, rest});
    place_.terms.push_back({product(scale.all, constant(ofAxis / by)), axis});
    put(alone, 0, static_cast<std::int64_t>(rest / by));
  }

  const Function& f_;
  const LaneShape& shape_;
  Guards guards_;
  std::vector<Known>& known_;
  std::uint32_t block_ = 0;
  int left_ = 0;
  Place place_;
};

}  // namespace

std::vector<AccessPlace> ownPlaces(const Function& f, const LaneShape& shape, std::vector<Known>& known) {
  std::vector<AccessPlace> out;
  PlaceFinder places(f, shape, known);
  std::vector<bool> stored(f.resources.size());  // a load matters where something is stored too
  const auto bufferOf = [&](const Node& n) -> const Access* {
    const auto* memory = std::get_if<kind::Memory>(&n.what);
    const auto* atomic = std::get_if<kind::Atomic>(&n.what);
    if (!memory && !atomic) return nullptr;
    const Access& access = f.accesses[memory ? memory->access : atomic->access];
    return access.space == Space::kBuffer ? &access : nullptr;
  };
  for (const Block& block : f.blocks)
    for (const Value v : block.nodes)
      if (const Access* access = f.nodes[v].op == kLoad ? nullptr : bufferOf(f.nodes[v])) stored[access->resource] = true;
  for (const std::uint32_t b : f.order)
    for (const Value v : f.blocks[b].nodes) {
      const Node& n = f.nodes[v];
      const bool isImage = std::holds_alternative<kind::Image>(n.what);
      const Access* const access = bufferOf(n);
      if (!isImage && !access) continue;
      AccessPlace& own = out.emplace_back();
      own.access = v;
      if (const Value element = f.args(v)[isImage ? 0 : 1]; f.isConstant(element))
        own.element = static_cast<std::uint32_t>(f.bitsOf(element)) + 1;
      if (access && stored[access->resource]) own.places[0].push_back(places.of(f.args(v)[0], b, access->offset));
      if (n.op != kImageWrite && n.op != kImageRead) continue;
      const std::uint32_t coordinates = f.imageAccesses[n.as<kind::Image>().access].coordinates;
      for (std::uint32_t c = 0; c < std::min<std::uint32_t>(2, coordinates); ++c)
        own.places[c].push_back(places.of(f.args(v)[1 + c], b, 0));
    }
  return out;
}

}  // namespace lanewise::ir
