// What every image operation asks first: which view a lane means, and where its texel lies.
#pragma once

#include "model/memory/texel_access.h"
#include "model/operations/elementwise.h"
#include "model/state/observer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

inline const ImageView kNoImage{};

inline const ImageView& viewOf(const Batch& s, std::uint32_t resource, std::uint32_t element) {
  const Environment& e = *s.env;
  const DescriptorRange range = e.descriptors[resource];
  return element < range.count ? e.images[range.first + element] : kNoImage;
}

// What lane k of group g has in an operand.
template <class T>
inline T laneOf(const Batch& s, const Operand& o, std::uint32_t g, std::uint32_t k) {
  return s.slot<T>(o.offset + g * o.step)[k];
}

// `at`: x, y, z or layer, level; `coordinates` of them before the level are given.
inline TexelPlace locateTexel(const ImageView& view, const std::int32_t at[4], std::uint32_t coordinates, std::uint32_t sample) {
  TexelPlace p;
  if (!view.data || sample >= view.samples) return p;
  const auto second = static_cast<std::uint32_t>(coordinates > 1 ? at[1] : 0);
  // A one-dimensional array keeps its layers where others keep slices.
  const bool layered1D = view.dimensions == 1 && coordinates == 2;
  p.x = static_cast<std::uint32_t>(at[0]);
  p.row = layered1D ? 0 : second;
  p.slice = layered1D ? second : static_cast<std::uint32_t>(coordinates > 2 ? at[2] : 0);
  if (view.samples > 1) {
    if (p.slice >= view.layers) return p;
    p.slice = p.slice * view.samples + sample;
  }
  const ImageLevel* level = at[3] == 0 ? &view : levelOf(view, static_cast<std::uint32_t>(at[3]));
  if (!level || p.x >= level->extent.x || p.row >= level->extent.y || p.slice >= level->extent.z) return p;
  p.level = level;
  p.data = level->data + p.slice * level->sliceBytes + p.row * level->rowBytes + std::size_t{p.x} * view.format->texelBytes;
  return p;
}

// The texel a lane means, with its coordinates and level.
struct Texel : TexelPlace {
  std::int32_t at[4] = {0, 0, 0, 0};
};

inline Texel locate(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o, std::uint32_t g,
                    std::uint32_t k) {
  Texel t;
  for (std::uint32_t c = 0; c < access.coordinates; ++c) t.at[c] = laneOf<std::int32_t>(s, o[1 + c], g, k);
  const Operand* next = o + 1 + access.coordinates;
  if (access.hasLod) t.at[3] = laneOf<std::int32_t>(s, *next++, g, k);
  const std::uint32_t sample = access.hasSample ? laneOf<std::uint32_t>(s, *next, g, k) : 0;
  static_cast<TexelPlace&>(t) = locateTexel(view, t.at, access.coordinates, sample);
  return t;
}

inline MemoryEvent imageEvent(const ImageView& view, const TexelPlace& p, AccessKind kind, std::uint32_t lane, std::uint32_t variable) {
  MemoryEvent event;
  event.place = Place::kImage;
  event.kind = kind;
  event.lane = lane;
  event.resource = view.resource;
  event.inRange = p.data != nullptr;
  event.offset = p.tightOffset(view);
  event.size = view.format ? view.format->texelBytes : 0;
  event.variable = variable;
  return event;
}

inline void reportTexels(Batch& s, const Instr* ip, const ir::ImageAccess& access, const Operand* o, AccessKind kind) {
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
    const Texel t = locate(s, access, view, o, g, k);
    MemoryEvent event = imageEvent(view, t, kind, lane, access.variable);
    event.element = laneOf<std::uint32_t>(s, o[0], g, k);
    event.miss = t.data                                                                ? Miss::kNone
                 : !view.data                                                          ? Miss::kDescriptor
                 : t.at[3] != 0 && !levelOf(view, static_cast<std::uint32_t>(t.at[3])) ? Miss::kLevel
                                                                                       : Miss::kOutside;
    std::copy(t.at, t.at + 4, event.texel);
    if (const ImageLevel* level = view.data ? levelOf(view, static_cast<std::uint32_t>(t.at[3])) : nullptr)
      event.extent = {level->extent.x, level->extent.y, view.dimensions == 3 ? level->extent.z : view.layers};
    s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
