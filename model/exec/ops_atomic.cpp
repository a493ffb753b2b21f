// Atomics on buffers, device addresses and workgroup memory (SPIR-V 1.6, 3.42.18): each active lane in turn, in lane order.
//
// Several workgroups may run at once on different host threads, so that buffer atomics are host atomics too where the host has them for
// the width (relaxed: order between workgroups is the schedule's business).
#include "model/exec/atomic_ops.h"
#include "model/exec/elementwise.h"
#include "model/exec/ops.h"
#include "model/exec/window.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <class T, ir::Space S, bool Observed>
const Instr* atomic(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const auto op = static_cast<spv::Op>(ip->target);
  const std::uint32_t values = ip->otherwise;  // operands after address and element
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const Spot spot = spotOf<S>(s, access, o, lane);
    if constexpr (Observed) {
      MemoryEvent event;
      event.place = placeOf(S);
      event.kind = AccessKind::kAtomic;
      event.lane = lane;
      event.resource = spot.window.resource;
      event.offset = spot.window.offset + spot.at;
      event.size = sizeof(T);
      event.inRange = spot.inside(sizeof(T));
      event.miss = event.inRange ? Miss::kNone : spot.window.data || S == ir::Space::kPhysical ? Miss::kOutside : Miss::kDescriptor;
      if constexpr (byElement<S>()) event.element = s.slot<std::uint32_t>(o[1].offset + g * o[1].step)[k];
      event.variable = access.variable;
      s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
    }
    LaneOf<T> old = 0;
    if (spot.inside(sizeof(T)) && spot.at % sizeof(T) == 0) {
      T value{}, comparator{};
      if (values > 0) value = fromLane<T>(s.slot<LaneOf<T>>(o[2].offset + g * o[2].step)[k]);
      if (values > 1) comparator = fromLane<T>(s.slot<LaneOf<T>>(o[3].offset + g * o[3].step)[k]);
      old = toLane<T>(atomicUpdate<T>(s.env->program->floats, spot.window.data + spot.at, op, value, comparator));
    }
    if (ip->dst != 0) s.slot<LaneOf<T>>(ip->dst)[lane] = old;
  }
  return ip + 1;
}

template <class T, ir::Space S>
void addAtomicIn(OpTable& t, Scalar result) {
  t.add({ir::kAtomic | static_cast<ir::Code>(S) << 24, result, scalarOf<T>()}, {&atomic<T, S, false>, &atomic<T, S, true>});
}

template <class T>
void addAtomic(OpTable& t, Scalar result) {
  addAtomicIn<T, ir::Space::kBuffer>(t, result);
  addAtomicIn<T, ir::Space::kWorkgroup>(t, result);
  addAtomicIn<T, ir::Space::kPhysical>(t, result);
  addAtomicIn<T, ir::Space::kVariable>(t, result);
}

template <class T>
void addAtomics(OpTable& t) {
  addAtomic<T>(t, scalarOf<T>());
  addAtomic<T>(t, Scalar::kNone);  // OpAtomicStore
}

}  // namespace

void addAtomicRows(OpTable& t) {
  addAtomics<std::uint32_t>(t);
  addAtomics<std::uint64_t>(t);
  addAtomics<float>(t);
  addAtomics<double>(t);
  addAtomics<scalar::Half>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
