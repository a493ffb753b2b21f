// Subgroup operations (SPIR-V 1.6, 3.42.24), one subgroup of the batch after the other, among the lanes that are active together.
//
// A batch holds whole subgroups: lane l belongs to subgroup l / size of the batch. Choices where the specification leaves the value
// undefined: a lane that is inactive or outside the subgroup reads as 0. Float reductions and scans go from the lowest lane up.
#include "model/ir/operation_info.h"
#include "model/operations/fold.h"
#include "model/operations/lane_bits.h"
#include "model/operations/ops.h"
#include "model/operations/two_rows.h"
#include "model/scalar/integer.h"
#include "model/scalar/shuffle.h"
#include "model/state/control.h"
#include "model/state/lane_masks.h"
#include "model/state/observers.h"
#include "model/state/subgroup_results.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

// What `By` makes of no values.
template <class T, ir::Code By>
constexpr T ofNone() {
  constexpr ir::Identity identity = RowOf<By>::kIdentity;
  if constexpr (std::is_same_v<T, bool>) {
    return identity == ir::Identity::kAllBits;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(ir::identityOf(identity, sizeof(T) * 8));
  } else {
    constexpr auto kLeast = static_cast<scalar::BitsOf<T>>(scalar::kInfinity<T> | scalar::kSignBit<T>);
    return identity == ir::Identity::kOne        ? scalar::constant<T>(1.0)
           : identity == ir::Identity::kGreatest ? scalar::fromBits<T>(scalar::kInfinity<T>)
           : identity == ir::Identity::kLeast    ? scalar::fromBits<T>(kLeast)
                                                 : T{};
  }
}

// What every handler here needs: operands, and one lane's value of each.
struct Arguments {
  Batch& s;
  const Instr* ip;
  const Operand* o;
  std::uint32_t size;
  Arguments(Batch& batch, const Instr* instr)
      : s(batch), ip(instr), o(batch.env->program->operands.data() + instr->operands), size(batch.env->subgroupSize) {}
  template <class T>
  T get(std::uint32_t i, std::uint32_t lane) const {
    return fromLane<T>(s.slot<LaneOf<T>>(o[i].offset + lane / kGroup * o[i].step)[lane % kGroup]);
  }
  bool active(std::uint32_t lane) const { return s.lanes[lane] != 0; }
  std::uint32_t word(std::uint32_t i, std::uint32_t lane) const { return get<std::uint32_t>(i, lane); }
};

// As many as may have a lane of the mask.
inline std::uint32_t lanesOf(const Batch& s) {
  return std::min(s.width, s.groups * kGroup);
}

// For each lane of a group the lane of its subgroup whose value it reads; size or more is none.
inline void sourceLanes(const Arguments& a, ir::Source by, std::uint32_t g, std::uint32_t* from) {
  const auto* operand = a.s.slot<std::uint32_t>(a.o[1].offset + g * a.o[1].step);
  const std::uint32_t size = a.size, first = g * kGroup;
  scalar::withSource(by, size, a.ip->known<kind::Subgroup>().arguments > 2 ? a.word(2, 0) : size, [&](auto source) {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) from[k] = source((first + k) & (size - 1), operand[k]);
  });
}

// Goes on, and says for which lanes there is no result: for those of `none`, and by the rule of the operation's row.
const Instr* told(const Instr* ip, Batch& s, LaneMask none = {}) {
  if (!watched(*s.env, watch::kOperands)) return ip + 1;
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  none = none | lanesWithoutResult(s, pc, s.mask);
  if (!none.any()) return ip + 1;
  s.env->observers->moment(OperandsUndefined{s, pc, none});
  return goOn(s, ip + 1);
}

// An index that all lanes share: each subgroup reads one lane.
template <class T>
const Instr* moveOne(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const std::uint32_t from = a.word(1, 0), size = a.size;
  for (std::uint32_t base = 0; base < lanesOf(s); base += size) {
    const LaneOf<T> value = from < size && a.active(base + from) ? toLane<T>(a.get<T>(0, base + from)) : LaneOf<T>{0};
    for (std::uint32_t in = 0; in < size; ++in) d[base + in] = value;
  }
  return ip + 1;
}

// to[k] = from[at[k]], of `count` words: sixteen or more.
inline void pickOf(const std::uint32_t* from, std::uint32_t count, const std::uint32_t* at, std::uint32_t* to) {
  if (count <= kGroup) return pickWords(from, at, to);
  if (count <= 2 * kGroup) return pickOfTwo(from, at, to);
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) to[k] = from[at[k]];
}

template <class T>
const Instr* move(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const ir::Source by = ir::factsOf(ip->known<kind::Subgroup>().op).source;
  if (by == ir::Source::kLane && a.o[1].step == 0 && !watched(*s.env, watch::kOperands)) return moveOne<T>(ip, s);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const auto* values = s.slot<LaneOf<T>>(a.o[0].offset);
  const std::uint32_t size = a.size;
  const std::uint32_t readable = std::max(size, kGroup);  // lanes that a group may read
  const auto* active = reinterpret_cast<const std::uint32_t*>(s.lanes);
  LaneMask none;
  for (std::uint32_t first = 0; first < lanesOf(s); first += kGroup) {
    const std::uint32_t base = first & ~(readable - 1);
    alignas(64) std::uint32_t from[kGroup], at[kGroup], valid[kGroup];
    alignas(64) LaneOf<T> taken[kGroup];
    sourceLanes(a, by, first / kGroup, from);
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) at[k] = ((first + k) & ~(size - 1) & (readable - 1)) + (from[k] & (size - 1));
    pickOf(active + base, readable, at, valid);
    if (a.o[0].step == 0) {  // a uniform value is one group
      std::memcpy(taken, values, sizeof taken);
    } else if constexpr (sizeof(LaneOf<T>) == sizeof(std::uint32_t)) {
      pickOf(values + base, readable, at, taken);
    } else {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) taken[k] = values[base + at[k]];
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) valid[k] &= from[k] < size ? 0xffffffffu : 0u;
    LaneOf<T>* to = d + first;
    forget(to);
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k)
      to[k] = toLane<T>(fromLane<T>(taken[k])) & (LaneOf<T>{0} - (valid[k] & 1u));  // a selection would become a branch
    if (!watched(*s.env, watch::kOperands)) continue;
    for (std::uint32_t k = 0; k < kGroup; ++k)
      if (active[first + k] != 0 && valid[k] == 0) none.set(first + k);
  }
  return told(ip, s, none);
}

template <class T>
const Instr* broadcastFirst(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  for (std::uint32_t base = 0; base < lanesOf(s); base += a.size) {
    std::uint32_t first = 0;
    while (first < a.size && !a.active(base + first)) ++first;
    const LaneOf<T> value = first < a.size ? toLane<T>(a.get<T>(0, base + first)) : LaneOf<T>{0};
    for (std::uint32_t in = 0; in < a.size; ++in) d[base + in] = value;
  }
  return ip + 1;
}

// Among the lanes of a partition: operands 1 to 4 are the ballot of the lanes that a lane belongs to.
template <class T, ir::Code By>
const Instr* reducePartitions(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const spv::GroupOperation group = ip->known<kind::Subgroup>().group;
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!a.active(lane)) continue;
    const std::uint32_t in = lane % a.size, base = lane - in;
    const bool whole = group == spv::GroupOperation::PartitionedReduceNV;
    const bool self = group == spv::GroupOperation::PartitionedInclusiveScanNV;
    T sum = ofNone<T, By>();
    bool any = false;
    for (std::uint32_t other = 0; other < (whole ? a.size : self ? in + 1 : in); ++other) {
      if (!a.active(base + other) || !(a.word(1 + other / 32, lane) >> (other % 32) & 1)) continue;
      const T value = a.get<T>(0, base + other);
      sum = any ? foldedBy<By>(s.env->program->choices, sum, value) : value;
      any = true;
    }
    d[lane] = toLane<T>(sum);
  }
  return ip + 1;
}

// Integers of clusters of whole groups, whose order does not show: the groups of each with each other, and then the lanes of one group.
template <class T, ir::Code By>
void reduceGroups(const Arguments& a, std::uint32_t cluster, LaneOf<T>* d) {
  const auto* value = a.s.slot<LaneOf<T>>(a.o[0].offset);
  const std::size_t step = a.o[0].step / sizeof(LaneOf<T>);
  const std::int32_t* active = a.s.lanes;
  const Choices& choices = a.s.env->program->choices;
  const T nothing = ofNone<T, By>();
  for (std::uint32_t base = 0; base < lanesOf(a.s); base += cluster, d += cluster) {
    alignas(64) T all[kGroup];
    std::fill_n(all, kGroup, nothing);
    for (std::uint32_t in = 0; in < cluster; in += kGroup, value += step, active += kGroup)
      for (std::uint32_t k = 0; k < kGroup; ++k) all[k] = foldedBy<By>(choices, all[k], active[k] != 0 ? fromLane<T>(value[k]) : nothing);
    for (std::uint32_t half = kHalf; half != 0; half /= 2)
      for (std::uint32_t k = 0; k < half; ++k) all[k] = foldedBy<By>(choices, all[k], all[k + half]);
    std::fill_n(d, cluster, toLane<T>(all[0]));
  }
}

// By an operation on two values.
template <class T, ir::Code By>
const Instr* reduce(const Instr* ip, Batch& s) {
  const spv::GroupOperation group = ip->known<kind::Subgroup>().group;
  if (group >= spv::GroupOperation::PartitionedReduceNV) return reducePartitions<T, By>(ip, s);
  const Arguments a(s, ip);
  const Choices& choices = s.env->program->choices;
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const bool clustered = group == spv::GroupOperation::ClusteredReduce;
  const bool scan = group == spv::GroupOperation::InclusiveScan || group == spv::GroupOperation::ExclusiveScan;
  const bool inclusive = group == spv::GroupOperation::InclusiveScan;
  const std::uint32_t cluster = clustered ? std::min(std::bit_floor(std::max(a.word(1, 0), 1u)), a.size) : a.size;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    if (!scan && cluster % kGroup == 0) {
      reduceGroups<T, By>(a, cluster, d);
      return ip + 1;
    }
  for (std::uint32_t base = 0; base < lanesOf(s); base += cluster) {
    T sum = ofNone<T, By>();
    bool any = false;
    for (std::uint32_t lane = base; lane < base + cluster; ++lane) {
      if (!a.active(lane)) continue;
      const T value = a.get<T>(0, lane);
      const T before = sum;
      sum = any ? foldedBy<By>(choices, sum, value) : value;
      if (scan) d[lane] = toLane<T>(inclusive ? sum : any ? before : ofNone<T, By>());
      any = true;
    }
    if (!scan)
      for (std::uint32_t lane = base; lane < base + cluster; ++lane) d[lane] = toLane<T>(sum);
  }
  return ip + 1;
}

template <class T>
const Instr* allEqual(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  auto* d = s.slot<std::uint32_t>(ip->dst);
  for (std::uint32_t base = 0; base < s.width; base += a.size) {
    bool equal = true, any = false;
    LaneOf<T> first{};
    for (std::uint32_t lane = base; lane < base + a.size; ++lane) {
      if (!a.active(lane)) continue;
      const T value = a.get<T>(0, lane);
      if (!any) first = toLane<T>(value);
      if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, scalar::Half>)
        equal = equal && scalar::fOrdEqual(value, fromLane<T>(first));
      else
        equal = equal && toLane<T>(value) == first;
      any = true;
    }
    for (std::uint32_t lane = base; lane < base + a.size; ++lane) d[lane] = toLane<bool>(equal);
  }
  return ip + 1;
}

// Elect, all and any.
const Instr* askAll(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const Op op = ip->known<kind::Subgroup>().op;
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const bool elects = op == Op::OpGroupNonUniformElect;
  const LaneMask votes = elects ? s.mask : lanesWhere(s, s.slot<std::uint32_t>(a.o[0].offset), a.o[0].step);
  forSubgroups(s, [&](std::uint32_t first, const LaneMask& subgroup) {
    const LaneMask active = s.mask & subgroup, yes = votes & subgroup;
    const bool holds = op == Op::OpGroupNonUniformAll ? yes == active : !elects && yes.any();
    std::fill_n(d + first, a.size, toLane<bool>(holds));
    if (elects && active.any()) d[lowestLane(active)] = toLane<bool>(true);
  });
  return ip + 1;
}

const Instr* ballot(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const Operand* results = a.o + 1;
  const LaneMask votes = lanesWhere(s, s.slot<std::uint32_t>(a.o[0].offset), a.o[0].step);
  for (std::uint32_t base = 0; base < s.width; base += a.size) {
    std::uint32_t words[4] = {0, 0, 0, 0};
    for (std::uint32_t w = 0; w * 32 < a.size; ++w) {
      const std::uint32_t at = base + w * 32;
      words[w] = static_cast<std::uint32_t>(votes.word[at / 64] >> (at % 64)) & (a.size < 32 ? (1u << a.size) - 1 : 0xffffffffu);
    }
    for (std::uint32_t c = 0; c < 4; ++c) {
      if (!(ip->known<kind::Ballot>().used >> c & 1)) continue;
      auto* d = s.slot<std::uint32_t>(results[c].offset);
      for (std::uint32_t in = 0; in < a.size; ++in) d[base + in] = words[c];
    }
  }
  return ip + 1;
}

// The lanes that have the same value: a ballot for each lane.
template <class T>
const Instr* partition(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const Operand* results = a.o + 1;
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    const std::uint32_t base = lane - lane % a.size;
    std::uint32_t words[4] = {0, 0, 0, 0};
    for (std::uint32_t in = 0; in < a.size; ++in)
      if (a.active(base + in) && toLane<T>(a.get<T>(0, base + in)) == toLane<T>(a.get<T>(0, lane))) words[in / 32] |= 1u << (in % 32);
    for (std::uint32_t c = 0; c < 4; ++c)
      if (ip->known<kind::Ballot>().used >> c & 1) s.slot<std::uint32_t>(results[c].offset)[lane] = words[c];
  }
  return ip + 1;
}

// The bit of a lane's choice. Of subgroups that fit one word only that is looked at.
const Instr* extractBit(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  auto* d = s.slot<std::uint32_t>(ip->dst);
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    const std::uint32_t i = a.word(4, lane);
    const std::uint32_t word = a.word(a.size <= 32 ? 0 : std::min(i / 32, 3u), lane);
    d[lane] = toLane<bool>((i < a.size) & ((word >> (i % 32) & 1) != 0));
  }
  return told(ip, s);
}

// The lowest bits that a lane counts, of the word of a ballot that begins with bit `begin`.
constexpr std::uint32_t lowest(std::uint32_t bits, std::uint32_t begin) {
  const std::uint32_t left = bits < begin ? 0 : bits - begin;
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

const Instr* readBallot(const Instr* ip, Batch& s) {
  const Arguments a(s, ip);
  const auto& [op, group, arguments] = ip->known<kind::Subgroup>();
  const bool lsb = op == Op::OpGroupNonUniformBallotFindLSB, msb = op == Op::OpGroupNonUniformBallotFindMSB;
  const std::uint32_t size = a.size, words = (size + 31) / 32;
  for (std::uint32_t first = 0; first < s.width; first += kGroup) {
    std::uint32_t out[kGroup];
    for (std::uint32_t& o : out) o = lsb ? size : msb ? 0xffffffffu : 0;
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint32_t w = lsb ? words - 1 - i : i, begin = w * 32;
      const auto* word = s.slot<std::uint32_t>(a.o[w].offset + first / kGroup * a.o[w].step);
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const std::uint32_t in = (first + k) & (size - 1), bits = word[k] & lowest(size, begin);
        if (op == Op::OpGroupNonUniformInverseBallot) {
          out[k] |= in / 32 == w ? toLane<bool>((bits >> (in % 32) & 1) != 0) : 0u;
        } else if (lsb) {
          out[k] = bits != 0 ? begin + static_cast<std::uint32_t>(scalar::findILsb(bits)) : out[k];
        } else if (msb) {
          out[k] = bits != 0 ? begin + static_cast<std::uint32_t>(scalar::findUMsb(bits)) : out[k];
        } else {
          const bool reduces = group == spv::GroupOperation::Reduce, inclusive = group == spv::GroupOperation::InclusiveScan;
          out[k] += scalar::bitCount(bits & lowest(reduces ? size : inclusive ? in + 1 : in, begin));
        }
      }
    }
    std::copy(out, out + kGroup, s.slot<std::uint32_t>(ip->dst) + first);
  }
  return told(ip, s);
}

// The observed form.
template <Handler Quiet>
const Instr* told(const Instr* ip, Batch& s) {
  const Instr* next = Quiet(ip, s);
  if (!watched(*s.env, watch::kOperation)) return next;
  s.env->observers->moment(SubgroupOperates{s, static_cast<std::uint32_t>(ip - s.base), s.mask});
  return goOn(s, next);
}
template <Handler Quiet>
constexpr OpRow both() {
  return {Quiet, &told<Quiet>};
}

constexpr OpKey key(Op op, Scalar result, Scalar argument) {
  return {ir::kSubgroup, result, argument, {}, op};
}

template <class T>
void addMoves(OpTable& t) {
  for (const ir::OperationInfo& row : ir::operationInfos())
    if (row.facts.makes == ir::Makes::kOfOne) t.add(key(static_cast<Op>(row.code), scalarOf<T>(), scalarOf<T>()), both<&move<T>>());
  t.add(key(Op::OpGroupNonUniformBroadcastFirst, scalarOf<T>(), scalarOf<T>()), both<&broadcastFirst<T>>());
  t.add(key(Op::OpGroupNonUniformAllEqual, Scalar::kBool, scalarOf<T>()), both<&allEqual<T>>());
  t.add(key(Op::OpGroupNonUniformPartitionNV, Scalar::kNone, scalarOf<T>()), both<&partition<T>>());
}

template <class T, ir::Code By>
void addFold(OpTable& t, Op op) {
  if constexpr (folds<By, T>()) t.add(key(op, scalarOf<T>(), scalarOf<T>()), both<&reduce<T, By>>());
}

// Moves, and the reductions of this type.
template <class T>
void addType(OpTable& t) {
  using namespace ir;
  using namespace row;
  addMoves<T>(t);
#define ROW(...)
#define OPERATION(code, ...) addFold<T, Facts(__VA_ARGS__).fold>(t, code);
#include "model/ir/rows/subgroups.inc"
#undef ROW
#undef OPERATION
}

}  // namespace

void addSubgroupRows(OpTable& t) {
  addType<std::uint8_t>(t);
  addType<std::uint16_t>(t);
  addType<std::uint32_t>(t);
  addType<std::uint64_t>(t);
  addType<scalar::Half>(t);
  addType<float>(t);
  addType<double>(t);
  addType<bool>(t);
  t.add(key(Op::OpGroupNonUniformElect, Scalar::kBool, Scalar::kNone), both<&askAll>());
  t.add(key(Op::OpGroupNonUniformAll, Scalar::kBool, Scalar::kBool), both<&askAll>());
  t.add(key(Op::OpGroupNonUniformAny, Scalar::kBool, Scalar::kBool), both<&askAll>());
  t.add(key(Op::OpGroupNonUniformBallot, Scalar::kNone, Scalar::kBool), both<&ballot>());
  t.add(key(Op::OpGroupNonUniformInverseBallot, Scalar::kBool, Scalar::kI32), both<&readBallot>());
  t.add(key(Op::OpGroupNonUniformBallotBitExtract, Scalar::kBool, Scalar::kI32), both<&extractBit>());
  for (Op op : {Op::OpGroupNonUniformBallotBitCount, Op::OpGroupNonUniformBallotFindLSB, Op::OpGroupNonUniformBallotFindMSB})
    t.add(key(op, Scalar::kI32, Scalar::kI32), both<&readBallot>());
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
