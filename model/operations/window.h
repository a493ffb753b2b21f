// The memory that an access may touch, and the location of a lane's access in it. Missing memory is a window of no bytes.
#pragma once

#include <bit>

#include "model/operations/elementwise.h"
#include "model/state/control.h"
#include "model/state/observers.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

struct Window {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t resource = 0;
  std::uint64_t offset = 0;   // of data in the resource
  std::uint32_t element = 0;  // of the array of descriptors
};

// Whether each lane may have another window. In workgroup memory lanes of one group of 16 have the same one.
template <ir::Space S>
constexpr bool byElement() {
  return S == ir::Space::kBuffer || S == ir::Space::kVariable;
}

// The element of the array of descriptors in an access's operand, which in a pointer value stands below the resource.
template <ir::Space S>
constexpr std::uint32_t elementIn(std::uint32_t operand) {
  return S == ir::Space::kVariable ? operand & ((1u << ir::kElementBits) - 1) : operand;
}

template <ir::Space S>
inline Window window(const Batch& s, const ir::Access& access, std::uint32_t element) {
  const Environment& e = *s.env;
  if constexpr (S == ir::Space::kWorkgroup) {
    const std::uint32_t bytes = e.program->workgroupBytes;
    return {e.workgroupMemory + std::size_t{element} * bytes, bytes, 0};
  }
  if constexpr (S == ir::Space::kPush) return {const_cast<std::byte*>(e.push), e.pushBytes, 0};
  std::uint32_t resource = access.resource;
  if constexpr (S == ir::Space::kVariable) {
    resource = (element >> ir::kElementBits) - 1;
    element = elementIn<S>(element);
    if (resource >= e.program->resources.size()) return {};
  }
  const DescriptorRange range = e.descriptors[resource];
  if (element >= range.count) return {};
  const BufferView& view = e.buffers[range.first + element];
  return {view.data, view.size, view.resource, view.offset, element};
}

struct Spot {
  Window window;
  std::uint64_t at = 0;
  bool inside(std::uint64_t bytes) const { return at <= window.size && bytes <= window.size - at; }
};

template <ir::Space S>
inline Spot spotOf(const Batch& s, const ir::Access& access, const Operand* o, std::uint32_t lane) {
  const std::uint32_t g = lane / kGroup, k = lane % kGroup;
  if constexpr (S == ir::Space::kPhysical) {
    const Environment& e = *s.env;
    const std::uint64_t address = s.slot<std::uint64_t>(o[0].offset + g * o[0].step)[k] + access.offset;
    const std::uint64_t resource = (address >> kAddressShift) - 1;
    Spot spot{{}, address & ((std::uint64_t{1} << kAddressShift) - 1)};
    if (resource < e.addressableCount) {
      const BufferView& view = e.addressable[resource];
      spot.window = {view.data, view.size, view.resource, view.offset};
    }
    return spot;
  } else {
    const std::uint32_t element = s.slot<std::uint32_t>(o[1].offset + g * o[1].step)[k];
    return {window<S>(s, access, element), std::uint64_t{s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]} + access.offset};
  }
}

constexpr Place placeOf(ir::Space space) {
  switch (space) {
    case ir::Space::kWorkgroup:
      return Place::kWorkgroup;
    case ir::Space::kPush:
      return Place::kPush;
    case ir::Space::kPhysical:
      return Place::kPhysical;
    default:
      return Place::kBuffer;
  }
}

// Logs one lane's access.
template <ir::Space S>
inline void logLane(Batch& s, const ir::Access& access, const Operand* o, std::uint32_t lane, std::uint32_t size) {
  const Spot spot = spotOf<S>(s, access, o, lane);
  const Window& w = spot.window;
  const LaneRun run{lane, 1, w.resource, size, 0, w.offset + spot.at, nullptr, w.element};
  if (spot.inside(size)) return s.env->observers->log.add(run, {w.data + spot.at});
  Outside outside{lane, w.data || S == ir::Space::kPhysical ? Miss::kOutside : Miss::kDescriptor, w.resource, size, run.offset};
  if constexpr (byElement<S>())
    outside.element = elementIn<S>(s.slot<std::uint32_t>(o[1].offset + lane / kGroup * o[1].step)[lane % kGroup]);
  outside.variable = access.variable;
  s.env->observers->log.add(outside);
}

// Logs a whole group as one run if its addresses are equally far apart inside of the window. False otherwise.
inline bool logGroup(Batch& s, const ir::Access& access, const Window& w, const std::uint32_t* address, std::uint32_t first,
                     std::uint32_t size) {
  const std::uint32_t stride = address[1] - address[0];
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) apart |= address[k] ^ (address[0] + k * stride);
  const std::uint64_t at = std::uint64_t{address[0]} + access.offset, last = at + std::uint64_t{kGroup - 1} * stride;
  if (apart != 0 || last != std::uint64_t{address[kGroup - 1]} + access.offset || last + size > w.size) return false;
  s.env->observers->log.add(LaneRun{first, kGroup, w.resource, size, stride, w.offset + at, nullptr, w.element}, {w.data + at, stride});
  return true;
}

// The active lanes of a group, which all have one window.
inline void logInWindow(Batch& s, const ir::Access& access, const Window& w, const std::uint32_t* address, std::uint32_t g,
                        std::uint32_t size, Outside outside) {
  const std::uint32_t active = s.mask.group(g);
  if (active == 0 || (active == 0xFFFF && logGroup(s, access, w, address, g * kGroup, size))) return;
  AccessLog& log = s.env->observers->log;
  std::uint64_t places[kGroup];
  std::uint32_t inside = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const std::uint64_t at = std::uint64_t{address[k]} + access.offset;
    places[k] = w.offset + at;
    inside |= static_cast<std::uint32_t>(at + size <= w.size) << k;
  }
  if ((active & inside) != 0) log.add(g * kGroup, active & inside, w.resource, w.element, size, places, w.data - w.offset, places);
  for (std::uint32_t left = active & ~inside; left != 0; left &= left - 1) {
    const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
    outside.lane = g * kGroup + k;
    outside.offset = places[k];
    log.add(outside);
  }
}

inline const std::uint32_t* addresses(const Batch& s, const Operand& of, std::uint32_t g) {
  return s.slot<std::uint32_t>(of.offset + g * of.step);
}

// Logs all lanes if they are where they were the last time, all moved by one distance. False otherwise.
inline bool logMoved(Batch& s, const ir::Access& access, const Window& w, const Operand& address, std::uint32_t size) {
  AccessLog& log = s.env->observers->log;
  const AccessShape* const shape = log.shape(size, s.width);
  if (!shape) return false;
  const std::uint32_t first = *addresses(s, address, 0);
  std::uint32_t differ = 0;
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const std::uint32_t* const now = addresses(s, address, g);
    for (std::uint32_t k = 0; k < kGroup; ++k) differ |= (now[k] - first) ^ shape->apart[g * kGroup + k];
  }
  const auto of = [&](std::uint32_t lane) { return addresses(s, address, lane / kGroup)[lane % kGroup]; };
  const std::uint64_t high = of(shape->high);
  if (differ != 0 || high < of(shape->low) || high + access.offset + size > w.size) return false;
  log.addMoved(w.resource, w.element, w.offset + access.offset + first);
  return true;
}

// Keeps where they are for the next time.
inline void keepShape(Batch& s, const ir::Access& access, const Window& w, const Operand& address, std::uint32_t size) {
  const std::uint32_t first = *addresses(s, address, 0);
  AccessShape* const shape = s.env->observers->log.keep(size, s.width, w.offset + access.offset + first);
  if (!shape) return;
  std::uint32_t low = ~0u, high = 0;
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    const std::uint32_t at = addresses(s, address, lane / kGroup)[lane % kGroup];
    shape->apart[lane] = at - first;
    if (at < low) shape->low = lane, low = at;
    if (at >= high) shape->high = lane, high = at;
  }
}

inline bool watchesAccess(const Batch& s) {
  return (s.env->watches & watch::kAccess) != 0;
}

// Logs the accesses that the active lanes are about to make.
template <ir::Space S>
inline void logLanes(Batch& s, const ir::Access& access, const Operand* o, std::uint32_t size) {
  const bool oneWindow = S != ir::Space::kPhysical && (!byElement<S>() || o[1].step == 0);
  if (!oneWindow) {
    for (std::uint32_t lane = 0; lane < s.width; ++lane)
      if (s.lanes[lane]) logLane<S>(s, access, o, lane, size);
    return;
  }
  if constexpr (S != ir::Space::kPhysical) {
    const std::uint32_t element = byElement<S>() ? *s.slot<std::uint32_t>(o[1].offset) : 0;
    const Window w = window<S>(s, access, element);
    if (o[0].step == 0 && s.full) {
      const std::uint64_t at = std::uint64_t{*s.slot<std::uint32_t>(o[0].offset)} + access.offset;
      if (at + size <= w.size)
        return s.env->observers->log.add(LaneRun{0, s.width, w.resource, size, 0, w.offset + at, nullptr, w.element}, {w.data + at});
    }
    const bool all = s.full && o[0].step != 0 && s.width % kGroup == 0;
    if (all && logMoved(s, access, w, o[0], size)) return;
    const Outside outside{0, w.data ? Miss::kOutside : Miss::kDescriptor, w.resource, size, 0, elementIn<S>(element), access.variable};
    for (std::uint32_t g = 0; g * kGroup < s.width; ++g) logInWindow(s, access, w, addresses(s, o[0], g), g, size, outside);
    if (all) keepShape(s, access, w, o[0], size);
  }
}

inline void beginAccess(Batch& s, const Instr* ip, const ir::Access& access, Place place, AccessKind kind, bool values) {
  s.env->observers->log.begin(s, static_cast<std::uint32_t>(ip - s.base), place, kind, access.variable, values);
}

inline bool watchesValues(const Batch& s) {
  return (s.env->watches & watch::kValues) != 0;
}

// The same for a load or store of `size` bytes. False where it must not be made.
template <ir::Space S>
[[nodiscard]] inline bool logAccess(Batch& s, const Instr* ip, const ir::Access& access, const Operand* o, std::uint32_t size,
                                    AccessKind kind) {
  if (!watchesAccess(s)) return true;
  beginAccess(s, ip, access, placeOf(S), kind, watchesValues(s));
  logLanes<S>(s, access, o, size);
  return s.env->observers->log.isGranted();
}

// After a logged access: reports it and continues.
inline const Instr* tellAccess(Batch& s, const Instr* ip) {
  if (!watchesAccess(s)) return ip + 1;
  s.env->observers->access();
  return goOn(s, ip + 1);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
