// The memory that an access may touch, and the place in it that a lane means. What is not there is a window of no bytes.
#pragma once

#include "model/operations/elementwise.h"
#include "model/state/observer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

struct Window {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t resource = 0;
  std::uint64_t offset = 0;  // of data in the resource
};

// Whether each lane may mean another window.
template <ir::Space S>
constexpr bool byElement() {
  return S == ir::Space::kBuffer || S == ir::Space::kVariable;
}

template <ir::Space S>
inline Window window(const Batch& s, const ir::Access& access, std::uint32_t element) {
  const Environment& e = *s.env;
  if constexpr (S == ir::Space::kWorkgroup) return {e.workgroupMemory, e.program->workgroupBytes, 0};
  if constexpr (S == ir::Space::kPush) return {const_cast<std::byte*>(e.push), e.pushBytes, 0};
  std::uint32_t resource = access.resource;
  if constexpr (S == ir::Space::kVariable) {
    resource = (element >> ir::kElementBits) - 1;
    element &= (1u << ir::kElementBits) - 1;
    if (resource >= e.program->resources.size()) return {};
  }
  const DescriptorRange range = e.descriptors[resource];
  if (element >= range.count) return {};
  const BufferView& view = e.buffers[range.first + element];
  return {view.data, view.size, view.resource, view.offset};
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

// Tells the observer of what lane `lane` is about to do.
template <ir::Space S>
inline void reportAccess(Batch& s, const Instr* ip, const ir::Access& access, const Operand* o, AccessKind kind, std::uint32_t lane,
                         std::uint32_t size) {
  const Spot spot = spotOf<S>(s, access, o, lane);
  MemoryEvent event;
  event.place = placeOf(S);
  event.kind = kind;
  event.lane = lane;
  event.resource = spot.window.resource;
  event.offset = spot.window.offset + spot.at;
  event.size = size;
  event.inRange = spot.inside(size);
  event.miss = event.inRange ? Miss::kNone : spot.window.data || S == ir::Space::kPhysical ? Miss::kOutside : Miss::kDescriptor;
  if constexpr (byElement<S>()) event.element = s.slot<std::uint32_t>(o[1].offset + lane / kGroup * o[1].step)[lane % kGroup];
  event.variable = access.variable;
  s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
