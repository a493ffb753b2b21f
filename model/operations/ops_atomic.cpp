// Atomics on buffers, device addresses and workgroup memory (SPIR-V 1.6, 3.42.18): each active lane in turn, in lane order.
#include "model/operations/memory_lanes.h"
#include "model/operations/ops.h"
#include "model/state/lane_masks.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

// Where the lanes of a group mean one window. A sum is what nearly every kernel wants.
template <class T, ir::Space S>
const Instr* atomicInOne(const Instr* ip, Batch& s) {
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const kind::Atomic& known = ip->known<kind::Atomic>();
  const spv::Op op = known.op;
  const ir::Access& access = s.env->program->accesses[known.access];
  const Operand none{0, 0};
  const Operand valueOf = known.values > 0 ? o[2] : none, comparatorOf = known.values > 1 ? o[3] : none;
  const auto windowOf = [&](std::uint32_t g) { return window<S>(s, access, *s.slot<std::uint32_t>(o[1].offset + g * o[1].step)); };
  Window w = windowOf(0);
  auto* results = ip->dst != 0 ? s.slot<LaneOf<T>>(ip->dst) : nullptr;
  const auto each = [&](const auto& update) {
    const auto one = [&](std::uint32_t lane) {
      const std::uint32_t g = lane / kGroup, k = lane % kGroup;
      if (S == ir::Space::kWorkgroup && o[1].step != 0) w = windowOf(g);
      const std::uint64_t at = std::uint64_t{s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]} + access.offset;
      T old{};
      if (at <= w.size && sizeof(T) <= w.size - at && at % sizeof(T) == 0)
        old = update(w.data + at, s.slot<LaneOf<T>>(valueOf.offset + g * valueOf.step)[k],
                     s.slot<LaneOf<T>>(comparatorOf.offset + g * comparatorOf.step)[k]);
      if (results) results[lane] = toLane<T>(old);
    };
    if (!s.full) return forLanes(s.mask, one);
    for (std::uint32_t lane = 0; lane < s.width; ++lane) one(lane);
  };
  if (std::is_integral_v<T> && op == spv::Op::OpAtomicIAdd && !results && o[0].step == 0 && o[1].step == 0) {
    // All into one place, and the old values are not used: their sum at once.
    const std::uint64_t at = std::uint64_t{*s.slot<std::uint32_t>(o[0].offset)} + access.offset;
    LaneOf<T> sum = 0;
    for (std::uint32_t lane = 0; lane < s.width; ++lane)
      sum += s.slot<LaneOf<T>>(valueOf.offset + lane / kGroup * valueOf.step)[lane % kGroup] &
             static_cast<LaneOf<T>>(std::int64_t{s.lanes[lane]});
    if (at <= w.size && sizeof(T) <= w.size - at && at % sizeof(T) == 0)
      atomicUpdate<T>(s.env->program->choices, w.data + at, op, fromLane<T>(sum), T{});
  } else if (std::is_integral_v<T> && op == spv::Op::OpAtomicIAdd)
    each([&](std::byte* p, LaneOf<T> value, LaneOf<T>) {
      return atomicUpdate<T>(s.env->program->choices, p, spv::Op::OpAtomicIAdd, fromLane<T>(value), T{});
    });
  else
    each([&](std::byte* p, LaneOf<T> value, LaneOf<T> comparator) {
      return atomicUpdate<T>(s.env->program->choices, p, op, fromLane<T>(value), fromLane<T>(comparator));
    });
  return ip + 1;
}

template <class T, ir::Space S, bool Observed>
const Instr* atomic(const Instr* ip, Batch& s) {
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if constexpr (S == ir::Space::kBuffer || S == ir::Space::kWorkgroup)
    if (S == ir::Space::kWorkgroup || o[1].step == 0) {
      if (!Observed || !watchesAccess(s)) return atomicInOne<T, S>(ip, s);
      const spv::Op op = ip->known<kind::Atomic>().op;
      if (!watchesValues(s) && !compares(op)) {
        const ir::Access& access = s.env->program->accesses[ip->known<kind::Atomic>().access];
        beginAccess(s, ip, access, placeOf(S), atomicKind(op), false);
        logLanes<S>(s, access, o, sizeof(T));
        atomicInOne<T, S>(ip, s);
        return tellAccess(s, ip);
      }
    }
  return atomicByLane<T, S, OutsideBuffer::kZero, Observed>(ip, s);
}

template <class T, ir::Space S>
void addAtomicIn(OpTable& t, Scalar result) {
  t.add({ir::kAtomic, result, scalarOf<T>(), S}, {&atomic<T, S, false>, &atomic<T, S, true>});
}

template <class T>
void addAtomic(OpTable& t, Scalar result) {
  addAtomicIn<T, ir::Space::kBuffer>(t, result);
  addAtomicIn<T, ir::Space::kWorkgroup>(t, result);
  addAtomicIn<T, ir::Space::kPhysical>(t, result);
  addAtomicIn<T, ir::Space::kVariable>(t, result);
}

}  // namespace

void addAtomicRows(OpTable& t) {
  forEachAtomicType([&t]<class T>(T, Scalar result) { addAtomic<T>(t, result); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
