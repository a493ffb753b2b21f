// Loads, stores and atomics of each lane at its own address, with each rule for accesses out of range.
#pragma once

#include "model/contract/profile.h"
#include "model/operations/atomic_ops.h"
#include "model/operations/table.h"
#include "model/operations/window.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

template <class T>
inline LaneOf<T> readAt(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

// The target of an access of sizeof(T) bytes; nullptr: none.
template <class T, OutsideBuffer R>
inline std::byte* placeOf(const Spot& spot) {
  const Window& w = spot.window;
  if (spot.inside(sizeof(T))) return w.data + spot.at;
  return R == OutsideBuffer::kWithin && w.size >= sizeof(T) ? w.data + (w.size / sizeof(T) - 1) * sizeof(T) : nullptr;
}

// T is the unsigned integer of the access's size.
template <class T, ir::Space S, OutsideBuffer R, bool Observed>
const Instr* loadByLane(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->known<kind::Memory>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if (Observed && !logAccess<S>(s, ip, access, o, sizeof(T), AccessKind::kRead)) return refuse(s, ip);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const bool uniform = o[0].step == 0 && o[1].step == 0;
  for (std::uint32_t lane = 0; lane < groupsOf(ip, s) * kGroup; ++lane) {
    if (Observed && !uniform && !s.lanes[lane]) continue;
    const std::byte* place = placeOf<T, R>(spotOf<S>(s, access, o, lane));
    d[lane] = place ? readAt<T>(place) : LaneOf<T>{0};
  }
  return Observed ? tellAccess(s, ip) : ip + 1;
}

template <class T, ir::Space S, OutsideBuffer R, bool Observed>
const Instr* storeByLane(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->known<kind::Memory>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if (Observed && !logAccess<S>(s, ip, access, o, sizeof(T), AccessKind::kWrite)) return refuse(s, ip);
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const T value = static_cast<T>(s.slot<LaneOf<T>>(ip->c + lane / kGroup * ip->stepC * 64)[lane % kGroup]);
    if (std::byte* place = placeOf<T, R>(spotOf<S>(s, access, o, lane))) std::memcpy(place, &value, sizeof(T));
  }
  return Observed ? tellAccess(s, ip) : ip + 1;
}

// At an address that is not a multiple of its size an atomic does nothing.
template <class T, ir::Space S, OutsideBuffer R, bool Observed>
const Instr* atomicByLane(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->known<kind::Atomic>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const spv::Op op = ip->known<kind::Atomic>().op;
  const std::uint32_t values = ip->known<kind::Atomic>().values;
  const bool watched = Observed && watchesAccess(s);
  if (watched) beginAccess(s, ip, access, placeOf(S), atomicKind(op), watchesValues(s) || compares(op));
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    if (watched) logLane<S>(s, access, o, lane, sizeof(T));
    const Spot spot = spotOf<S>(s, access, o, lane);
    LaneOf<T> old = 0;
    std::byte* place = placeOf<T, R>(spot);
    if (place && (place - spot.window.data) % sizeof(T) == 0) {
      T value{}, comparator{};
      if (values > 0) value = fromLane<T>(s.slot<LaneOf<T>>(o[2].offset + g * o[2].step)[k]);
      if (values > 1) comparator = fromLane<T>(s.slot<LaneOf<T>>(o[3].offset + g * o[3].step)[k]);
      old = toLane<T>(atomicUpdate<T>(s.env->program->choices, place, op, value, comparator));
    }
    if (watched && spot.inside(sizeof(T))) s.env->observers->log.left(spot.window.data + spot.at, sizeof(T));
    if (ip->dst != 0) s.slot<LaneOf<T>>(ip->dst)[lane] = old;
  }
  return Observed ? tellAccess(s, ip) : ip + 1;
}

// Every type in memory, with the unsigned integer of the same size.
template <class Use>
void forEachMemoryType(const Use& use) {
  use(std::uint8_t{}, Scalar::kI8);
  use(std::uint16_t{}, Scalar::kI16);
  use(std::uint16_t{}, Scalar::kF16);
  use(std::uint32_t{}, Scalar::kBool);
  use(std::uint32_t{}, Scalar::kI32);
  use(std::uint32_t{}, Scalar::kF32);
  use(std::uint64_t{}, Scalar::kI64);
  use(std::uint64_t{}, Scalar::kF64);
}

// Every type of an atomic, with its result; OpAtomicStore has none.
template <class Use>
void forEachAtomicType(const Use& use) {
  const auto both = [&]<class T>(T) {
    use(T{}, scalarOf<T>());
    use(T{}, Scalar::kNone);
  };
  both(std::uint32_t{}), both(std::uint64_t{}), both(float{}), both(double{}), both(scalar::Half{});
}

template <class T, ir::Space S, OutsideBuffer R>
void addAccessByLane(OpTable& t, Scalar type) {
  t.add({ir::kLoad, type, Scalar::kNone, S}, {&loadByLane<T, S, R, false>, &loadByLane<T, S, R, true>});
  t.add({ir::kStore, type, Scalar::kNone, S}, {&storeByLane<T, S, R, false>, &storeByLane<T, S, R, true>});
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
