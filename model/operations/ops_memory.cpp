// Loads and stores of buffers, workgroup memory and push constants (SPIR-V 1.6, 3.42.8).
//
// Promise: no access leaves its object. A load out of range gives 0 and a store out of range is dropped (Vulkan, "Robust Buffer Access");
// the observed form reports the access after it. Lanes store in order, so that of two lanes with one address the later one wins.
#include <algorithm>

#include "model/operations/memory_lanes.h"
#include "model/operations/ops.h"
#include "model/operations/two_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

// How the addresses of a group lie in a window. Most are equally far apart in each half of the group.
struct Halves {
  std::byte *low = nullptr, *high = nullptr;  // the first of each
  std::uint32_t stride = 0;
  bool regular = false;  // and inside of the window: then the others are valid
};
[[gnu::always_inline]] inline Halves halvesOf(const std::uint32_t* address, const Window& w, std::uint32_t offset, std::uint32_t bytes) {
  const std::uint32_t stride = address[1] - address[0], low = address[0], high = address[kHalf];
  const std::uint64_t last = std::uint64_t{low < high ? high : low} + offset + std::uint64_t{kHalf - 1} * stride;
  if (!isTwoRows(address, stride) || last + bytes > w.size) return {};
  return {w.data + low + offset, w.data + high + offset, stride, true};
}

// `alone`: no other thread may store meanwhile to what lies between.
template <class T>
[[gnu::always_inline]] inline void loadHalves(const Halves& from, LaneOf<T>* d, bool alone) {
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    if (from.stride == sizeof(T)) {
      loadTwoRuns(d, from.low, from.high);
    } else if (from.stride == 0) {
      loadTwoWords(d, from.low, from.high);
    } else if (from.stride == 2 * sizeof(T) && alone) {
      loadEverySecond(d, from.low, from.high);
    } else {
      loadWords(d, [&](std::uint32_t k) { return (k < kHalf ? from.low : from.high) + std::size_t{k % kHalf} * from.stride; });
    }
    return;
  }
  for (const std::byte* half : {from.low, from.high}) {
    if (from.stride == sizeof(T)) {
      for (std::uint32_t k = 0; k < kHalf; ++k) d[k] = readAt<T>(half + k * sizeof(T));
    } else if (from.stride == 0) {
      const LaneOf<T> value = readAt<T>(half);
      for (std::uint32_t k = 0; k < kHalf; ++k) d[k] = value;
    } else {
      for (std::uint32_t k = 0; k < kHalf; ++k) d[k] = readAt<T>(half + std::size_t{k} * from.stride);
    }
    d += kHalf;
  }
}

template <class T>
[[gnu::always_inline]] inline void loadEach(const std::byte* from, const std::uint32_t* address, LaneOf<T>* d) {
  if constexpr (sizeof(T) == sizeof(std::uint32_t))
    loadWords(d, [&](std::uint32_t k) { return from + address[k]; });
  else
    for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = readAt<T>(from + address[k]);
}

// In the order of the lanes: halves may overlap.
template <class T>
inline void storeHalves(const Halves& to, const LaneOf<T>* value) {
  for (std::byte* half : {to.low, to.high}) {
    T narrow[kHalf];
    for (std::uint32_t k = 0; k < kHalf; ++k) narrow[k] = static_cast<T>(value[k]);
    if (to.stride == sizeof(T)) {
      std::memcpy(half, narrow, sizeof(narrow));
    } else {
      for (std::uint32_t k = 0; k < kHalf; ++k) std::memcpy(half + std::size_t{k} * to.stride, &narrow[k], sizeof(T));
    }
    value += kHalf;
  }
}

// Loads the first groups that are neighbours inside of the window, or one of its places for all lanes. Returns how many.
template <class T>
[[gnu::always_inline]] inline std::uint32_t loadRows(const std::uint32_t* address, std::uint32_t groups, const Window& w,
                                                     std::uint32_t offset, LaneOf<T>* d) {
  constexpr std::uint64_t kRow = kGroup * sizeof(T);
  if (w.size < offset + kRow) return 0;
  const std::uint64_t last = w.size - offset - kRow;
  const std::byte* const from = w.data + offset;
  std::uint32_t g = 0;
  for (; g + kRunGroups <= groups && address[0] + (kRunGroups - 1) * kRow <= last && isLongRun(address, sizeof(T)); g += kRunGroups) {
    std::memcpy(d, from + address[0], kRunGroups * kRow);
    d += kRun, address += kRun;
    forget(d, address);
  }
  for (; g < groups && address[0] <= last; ++g, d += kGroup, address += kGroup) {
    if (isOneRow(address, sizeof(T))) {
      std::memcpy(d, from + address[0], kRow);
    } else if (isOneRow(address, 0)) {
      loadTwoWords(d, from + address[0], from + address[0]);
    } else {
      break;
    }
    forget(d, address);
  }
  return g;
}

// Whether the addresses of all lanes, or of those that are active, are inside.
inline bool allInside(const std::uint32_t* address, const Window& w, std::uint32_t offset, std::uint32_t bytes,
                      const std::int32_t* active = nullptr) {
  std::uint32_t most = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const std::uint32_t one = active ? address[k] & static_cast<std::uint32_t>(active[k]) : address[k];
    most = most < one ? one : most;
  }
  return std::uint64_t{most} + offset + bytes <= w.size;
}

// The same of all groups, which have one window.
inline bool allInside(const Batch& s, const Operand& address, const Window& w, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    if (!allInside(addresses(s, address, g), w, offset, bytes, s.full ? nullptr : s.lanes + g * kGroup)) return false;
    if (address.step == 0) break;
  }
  return true;
}

// For a lane that runs alone. Its whole group gets the value: whoever loads the row next would wait for a store of one word.
template <class T, ir::Space S>
const Instr* loadAlone(const Instr* ip, Batch& s, const ir::Access& access) {
  const std::uint32_t g = s.lane / kGroup, k = s.lane % kGroup;
  const Window w = window<S>(s, access, s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64)[k]);
  const std::uint64_t at = std::uint64_t{s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64)[k]} + access.offset;
  const LaneOf<T> value = at + sizeof(T) <= w.size ? readAt<T>(w.data + at) : LaneOf<T>{0};
  auto* d = s.slot<LaneOf<T>>(ip->dst) + std::size_t{g} * kGroup;
  for (std::uint32_t i = 0; i < kGroup; ++i) d[i] = value;
  return ip + 1;
}

template <class T, ir::Space S>
const Instr* storeAlone(const Instr* ip, Batch& s, const ir::Access& access) {
  const std::uint32_t g = s.lane / kGroup, k = s.lane % kGroup;
  const Window w = window<S>(s, access, s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64)[k]);
  const std::uint64_t at = std::uint64_t{s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64)[k]} + access.offset;
  const T value = static_cast<T>(s.slot<LaneOf<T>>(ip->c)[std::size_t{g} * ip->stepC * (64 / sizeof(LaneOf<T>)) + k]);
  if (at + sizeof(T) <= w.size) std::memcpy(w.data + at, &value, sizeof(T));
  return ip + 1;
}

// Lanes whose place is not inside of the window, or that are not read, get 0.
template <class T, bool Observed, class IsRead>
[[gnu::always_inline]] inline void loadWithin(const std::uint32_t* address, const Window& w, std::uint32_t offset, const IsRead& isRead,
                                              LaneOf<T>* d) {
  if (w.size < sizeof(T)) {
    for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = 0;
    return;
  }
  const std::uint64_t last = w.size - sizeof(T);
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const std::uint64_t at = std::uint64_t{address[k]} + offset;
    if constexpr (Observed) {
      d[k] = isRead(k) && at <= last ? readAt<T>(w.data + at) : LaneOf<T>{0};
    } else {
      const LaneOf<T> value = readAt<T>(w.data + (at <= last ? at : 0));
      d[k] = at <= last ? value : LaneOf<T>{0};
    }
  }
}

// T is the unsigned integer of the access's size.
template <class T, ir::Space S, bool Observed>
const Instr* load(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->known<kind::Memory>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if constexpr (Observed && (S == ir::Space::kBuffer || S == ir::Space::kPush))
    if (ip->stepB == 0 && isUnheard(s, ip) &&
        allInside(s, o[0], window<S>(s, access, *s.slot<std::uint32_t>(ip->b)), access.offset, sizeof(T)))
      return load<T, S, false>(ip, s);
  if (Observed && !logAccess<S>(s, ip, access, o, sizeof(T), AccessKind::kRead)) return refuse(s, ip);
  if (!Observed && s.lane != kNoLane && ip->groups > 1) return loadAlone<T, S>(ip, s, access);
  auto* d = s.slot<LaneOf<T>>(ip->dst);
  const bool oneWindow = !byElement<S>() || ip->stepB == 0;
  Window w = window<S>(s, access, *s.slot<std::uint32_t>(ip->b));
  // What is stored could be any of these, as far as the compiler knows.
  const std::uint32_t groups = groupsOf(ip, s), stepA = ip->stepA * kGroup, stepB = ip->stepB * kGroup, offset = access.offset;
  const LaneMask mask = s.mask;
  const bool full = s.full, alone = s.env->claims == nullptr;
  const auto* address = s.slot<std::uint32_t>(ip->a);
  const auto* element = s.slot<std::uint32_t>(ip->b);
  std::uint32_t first = 0;
  if constexpr (!Observed && sizeof(T) == sizeof(std::uint32_t))
    if (stepA != 0 && stepB == 0) {
      first = loadRows<T>(address, groups, w, offset, d);
      d += first * kGroup;
      address += first * kGroup;
    }
  for (std::uint32_t g = first; g < groups; ++g, d += kGroup, address += stepA, element += stepB) {
    const std::uint32_t active = full ? 0xFFFF : mask.group(g);
    if (groups > 1 && active == 0) continue;
    if (S == ir::Space::kWorkgroup && stepB != 0) w = window<S>(s, access, *element);
    // An observed load reads what it has logged and nothing else: other threads may store to the rest.
    const auto isRead = [lanes = s.lanes + g * kGroup](std::uint32_t k) { return !Observed || lanes[k] != 0; };
    if (!oneWindow) {
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const Window own = window<S>(s, access, element[k]);
        const std::uint64_t at = std::uint64_t{address[k]} + offset;
        d[k] = isRead(k) && at + sizeof(T) <= own.size ? readAt<T>(own.data + at) : LaneOf<T>{0};
      }
      continue;
    }
    if (stepA == 0 && (groups == 1 || S == ir::Space::kWorkgroup)) {  // one address for all
      const std::uint64_t at = std::uint64_t{address[0]} + offset;
      const LaneOf<T> value = at + sizeof(T) <= w.size ? readAt<T>(w.data + at) : LaneOf<T>{0};
      for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = value;
      continue;
    }
    if (!Observed || active == 0xFFFF) {
      if (const Halves halves = halvesOf(address, w, offset, sizeof(T)); halves.regular) {
        loadHalves<T>(halves, d, alone);
        continue;
      }
    }
    if (!Observed && allInside(address, w, offset, sizeof(T))) {
      loadEach<T>(w.data + offset, address, d);
      continue;
    }
    loadWithin<T, Observed>(address, w, offset, isRead, d);
  }
  return Observed ? tellAccess(s, ip) : ip + 1;
}

template <class T, ir::Space S, bool Observed>
const Instr* store(const Instr* ip, Batch& s) {
  const ir::Access& access = s.env->program->accesses[ip->known<kind::Memory>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if (Observed && !logAccess<S>(s, ip, access, o, sizeof(T), AccessKind::kWrite)) return refuse(s, ip);
  if (!Observed && s.lane != kNoLane) return storeAlone<T, S>(ip, s, access);
  const bool oneWindow = !byElement<S>() || ip->stepB == 0;
  Window w = window<S>(s, access, *s.slot<std::uint32_t>(ip->b));
  const std::uint32_t stepA = ip->stepA * kGroup, stepB = ip->stepB * kGroup, offset = access.offset;
  const std::uint32_t stepC = ip->stepC * (64 / sizeof(LaneOf<T>)), width = s.width;
  const LaneMask mask = s.mask;
  const bool full = s.full;
  const auto* address = s.slot<std::uint32_t>(ip->a);
  const auto* element = s.slot<std::uint32_t>(ip->b);
  const auto* value = s.slot<LaneOf<T>>(ip->c);
  std::uint32_t g = 0;
  if constexpr (!Observed && sizeof(T) == sizeof(std::uint32_t))
    if (full && stepA != 0 && stepB == 0 && stepC != 0)
      for (; (g + kRunGroups) * kGroup <= width && isLongRun(address, sizeof(T)); g += kRunGroups) {
        const std::uint64_t at = std::uint64_t{address[0]} + offset;
        if (at + kRun * sizeof(T) > w.size) break;
        std::memcpy(w.data + at, value, kRun * sizeof(T));
        address += kRun, value += kRun;
        forget(address, value);
      }
  for (; g * kGroup < width; ++g, address += stepA, element += stepB, value += stepC) {
    const std::uint32_t active = full ? 0xFFFF : mask.group(g);
    if (active == 0) continue;
    if (S == ir::Space::kWorkgroup && stepB != 0) w = window<S>(s, access, *element);
    const std::int32_t* lanes = s.lanes + g * kGroup;
    if (oneWindow && active == 0xFFFF) {
      const std::uint64_t end = std::uint64_t{address[0]} + offset + kGroup * sizeof(T);
      if (sizeof(T) == sizeof(std::uint32_t) && end <= w.size && isOneRow(address, sizeof(T))) {
        std::memcpy(w.data + address[0] + offset, value, kGroup * sizeof(T));
        continue;
      }
      if (const Halves halves = halvesOf(address, w, offset, sizeof(T)); halves.regular) {
        storeHalves<T>(halves, value);
        continue;
      }
    }
    if (oneWindow && allInside(address, w, offset, sizeof(T), lanes)) {
      std::byte* const to = w.data + offset;
      for (std::uint32_t left = active; left != 0; left &= left - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
        const T narrow = static_cast<T>(value[k]);
        std::memcpy(to + address[k], &narrow, sizeof(T));
      }
      continue;
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      if (!lanes[k]) continue;
      const Window own = oneWindow ? w : window<S>(s, access, element[k]);
      const std::uint64_t at = std::uint64_t{address[k]} + offset;
      const T narrow = static_cast<T>(value[k]);
      if (at + sizeof(T) <= own.size) std::memcpy(own.data + at, &narrow, sizeof(T));
    }
  }
  return Observed ? tellAccess(s, ip) : ip + 1;
}

template <ir::Space S, class T>
void addAccess(OpTable& t, Scalar type) {
  if constexpr (S == ir::Space::kPhysical) {
    addAccessByLane<T, S, OutsideBuffer::kZero>(t, type);
  } else {
    t.add({ir::kLoad, type, Scalar::kNone, S}, {&load<T, S, false>, &load<T, S, true>});
    t.add({ir::kStore, type, Scalar::kNone, S}, {&store<T, S, false>, &store<T, S, true>});
  }
}

template <ir::Space S>
void addSpace(OpTable& t) {
  forEachMemoryType([&t]<class T>(T, Scalar type) { addAccess<S, T>(t, type); });
}

// Also of a buffer that a pointer value names; one by address has no length.
const Instr* arrayLength(const Instr* ip, Batch& s) {
  const auto& length = ip->known<kind::ArrayLength>();
  const ir::Access& access = s.env->program->accesses[length.access];
  const bool variable = access.space == ir::Space::kVariable;
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const auto lengthOf = [&](std::uint32_t element) {
    const Window w = variable ? window<ir::Space::kVariable>(s, access, element) : window<ir::Space::kBuffer>(s, access, element);
    return w.size > length.offset && length.stride ? static_cast<std::uint32_t>((w.size - length.offset) / length.stride) : 0;
  };
  if (ip->stepB == 0) {  // one buffer for all
    const std::uint32_t all = lengthOf(*s.slot<std::uint32_t>(ip->b));
    if (s.lane != kNoLane && ip->groups > 1) return std::fill_n(d + s.lane / kGroup * kGroup, kGroup, all), ip + 1;
    std::fill_n(d, ip->groups * kGroup, all);
    return ip + 1;
  }
  for (std::uint32_t lane = 0; lane < ip->groups * kGroup; ++lane)
    d[lane] = lengthOf(s.slot<std::uint32_t>(ip->b + lane / kGroup * ip->stepB * 64)[lane % kGroup]);
  return ip + 1;
}

}  // namespace

void addMemoryRows(OpTable& t) {
  addSpace<ir::Space::kBuffer>(t);
  addSpace<ir::Space::kWorkgroup>(t);
  addSpace<ir::Space::kPush>(t);
  addSpace<ir::Space::kPhysical>(t);
  addSpace<ir::Space::kVariable>(t);
  t.add({ir::kArrayLength, Scalar::kI32, Scalar::kNone}, &arrayLength);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
