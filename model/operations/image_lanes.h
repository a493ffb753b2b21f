// What every image operation needs first: the view that a lane accesses, and the position of its texel.
#pragma once

#include <bit>

#include "model/memory/texel_access.h"
#include "model/operations/elementwise.h"
#include "model/state/control.h"
#include "model/state/observers.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

inline const ImageView kNoImage{};

inline const ImageView& viewOf(const Batch& s, std::uint32_t resource, std::uint32_t element) {
  const Environment& e = *s.env;
  const DescriptorRange range = e.descriptors[resource];
  return element < range.count ? e.images[range.first + element] : kNoImage;
}

// The value of an operand in lane k of group g.
template <class T>
inline T laneOf(const Batch& s, const Operand& o, std::uint32_t g, std::uint32_t k) {
  return s.slot<T>(o.offset + g * o.step)[k];
}

// `at`: x, y, z or layer, level; `coordinates` of them before the level are given.
inline TexelPlace locateTexel(const ImageView& view, const std::int32_t at[4], std::uint32_t coordinates, std::uint32_t sample) {
  TexelPlace p;
  if (!view.data || sample >= view.samples) return p;
  const auto second = static_cast<std::uint32_t>(coordinates > 1 ? at[1] : 0);
  // A one-dimensional array has its layers where others have slices.
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

// The texel that a lane accesses, with its coordinates and level.
struct Texel : TexelPlace {
  std::int32_t at[4] = {0, 0, 0, 0};
  std::uint32_t sample = 0;
};

inline Texel locate(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o, std::uint32_t g,
                    std::uint32_t k) {
  Texel t;
  for (std::uint32_t c = 0; c < access.coordinates; ++c) t.at[c] = laneOf<std::int32_t>(s, o[1 + c], g, k);
  const Operand* next = o + 1 + access.coordinates;
  if (access.hasLod) t.at[3] = laneOf<std::int32_t>(s, *next++, g, k);
  if (access.hasSample) t.sample = laneOf<std::uint32_t>(s, *next, g, k);
  static_cast<TexelPlace&>(t) = locateTexel(view, t.at, access.coordinates, t.sample);
  return t;
}

inline Outside outsideImage(const ImageView& view, const Texel& t, std::uint32_t lane, std::uint32_t element, std::uint32_t variable) {
  const std::uint32_t size = view.format ? view.format->texelBytes : 0;
  Outside outside{lane, Miss::kOutside, view.resource, size, 0, element, variable};
  const ImageLevel* level = view.data ? levelOf(view, static_cast<std::uint32_t>(t.at[3])) : nullptr;
  if (!view.data) outside.miss = Miss::kDescriptor;
  if (view.data && !level) outside.miss = Miss::kLevel;
  std::copy(t.at, t.at + 4, outside.texel);
  if (view.data && t.sample >= view.samples) {
    outside.miss = Miss::kSample;
    outside.texel[3] = static_cast<std::int32_t>(t.sample);
    outside.extent = {view.samples, 1, 1};
  } else if (level)
    outside.extent = {level->extent.x, level->extent.y, view.dimensions == 3 ? level->extent.z : view.layers};
  return outside;
}

inline LaneRun texelRun(const ImageView& view, const TexelPlace& p, std::uint32_t lane, std::uint32_t element) {
  return {lane, 1, view.resource, view.format->texelBytes, 0, p.tightOffset(view), nullptr, element};
}

inline void logTexel(Batch& s, const ir::ImageAccess& access, const Operand* o, std::uint32_t g, std::uint32_t k) {
  const auto element = laneOf<std::uint32_t>(s, o[0], g, k);
  const ImageView& view = viewOf(s, access.resource, element);
  const Texel t = locate(s, access, view, o, g, k);
  const std::uint32_t lane = g * kGroup + k;
  if (t.data) return s.env->observers->log.add(texelRun(view, t, lane, element), {t.data});
  s.env->observers->log.add(outsideImage(view, t, lane, element, access.variable));
}

inline bool watchesTexels(const Batch& s) {
  return (s.env->watches & watch::kAccess) != 0;
}

inline void beginTexels(Batch& s, const Instr* ip, const ir::ImageAccess& access, AccessKind kind) {
  const bool values = (s.env->watches & watch::kValues) != 0 || compares(access.op);
  s.env->observers->log.begin(s, static_cast<std::uint32_t>(ip - s.base), Place::kImage, kind, access.variable, values);
}

// The level if all lanes access one level by column, row, and slice or layer; nullptr otherwise.
inline const ImageLevel* oneLevel(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o) {
  if (o[0].step != 0 || !view.data || access.hasSample || view.samples > 1 || (access.coordinates > 1 && view.dimensions < 2))
    return nullptr;
  const Operand& lod = o[1 + access.coordinates];
  if (!access.hasLod) return &view;
  return lod.step == 0 ? levelOf(view, *s.slot<std::uint32_t>(lod.offset)) : nullptr;
}

// The texels of a group: their positions in the resource's own bytes, and after level.data in the host.
struct LevelPlaces {
  std::uint64_t at[kGroup], host[kGroup];
  std::uint32_t inside;  // a bit for each texel inside
};

inline LevelPlaces placesInLevel(const Batch& s, const ir::ImageAccess& access, const ImageLevel& level, std::uint64_t texelBytes,
                                 const Operand* o, std::uint32_t g) {
  alignas(64) static constexpr std::uint32_t kZeros[kGroup] = {};
  const auto axis = [&](std::uint32_t c) {
    return c < access.coordinates ? s.slot<std::uint32_t>(o[1 + c].offset + g * o[1 + c].step) : kZeros;
  };
  const std::uint32_t *x = axis(0), *y = axis(1), *z = axis(2);
  const Extent3 extent = level.extent;
  LevelPlaces p;
  p.inside = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    p.inside |= static_cast<std::uint32_t>((x[k] < extent.x) & (y[k] < extent.y) & (z[k] < extent.z)) << k;
    p.at[k] = level.offset + ((std::uint64_t{z[k]} * extent.y + y[k]) * extent.x + x[k]) * texelBytes;
    p.host[k] = z[k] * level.sliceBytes + y[k] * level.rowBytes + x[k] * texelBytes;
  }
  return p;
}

// Whether all active lanes access one level, and texels inside of it.
inline bool allInside(const Batch& s, const ir::ImageAccess& access, const Operand* o) {
  const ImageView& view = viewOf(s, access.resource, *s.slot<std::uint32_t>(o[0].offset));
  const ImageLevel* const level = oneLevel(s, access, view, o);
  if (!level) return false;
  std::uint32_t most[3] = {0, 0, 0};
  for (std::uint32_t c = 0; c < access.coordinates; ++c)
    for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
      const auto* at = s.slot<std::uint32_t>(o[1 + c].offset + g * o[1 + c].step);
      const std::int32_t* const active = s.lanes + g * kGroup;
      for (std::uint32_t k = 0; k < kGroup; ++k) most[c] = std::max(most[c], at[k] & static_cast<std::uint32_t>(active[k]));
    }
  return most[0] < level->extent.x && most[1] < level->extent.y && most[2] < level->extent.z;
}

// Logs a whole group as one run if its texels are equally far apart in the level. False otherwise.
inline bool logLine(Batch& s, const ir::ImageAccess& access, const ImageView& view, const ImageLevel& level, const Operand* o,
                    std::uint32_t g) {
  alignas(64) static constexpr std::uint32_t kZeros[kGroup] = {};
  const auto axis = [&](std::uint32_t c) {
    return c < access.coordinates ? s.slot<std::uint32_t>(o[1 + c].offset + g * o[1 + c].step) : kZeros;
  };
  const std::uint32_t *x = axis(0), *y = axis(1), *z = axis(2), dx = x[1] - x[0], dy = y[1] - y[0];
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) apart |= (x[k] ^ (x[0] + k * dx)) | (y[k] ^ (y[0] + k * dy)) | (z[k] ^ z[0]);
  const Extent3 extent = level.extent;
  constexpr std::uint32_t kFar = 1u << 27;  // nothing wraps below
  if (apart != 0 || dx >= kFar || dy >= kFar || x[0] >= extent.x || y[0] >= extent.y || z[0] >= extent.z || x[kGroup - 1] >= extent.x ||
      y[kGroup - 1] >= extent.y)
    return false;
  const std::uint64_t texelBytes = view.format->texelBytes, stride = (std::uint64_t{dy} * extent.x + dx) * texelBytes;
  if (stride >> 32 != 0) return false;
  const std::uint64_t at = level.offset + ((std::uint64_t{z[0]} * extent.y + y[0]) * extent.x + x[0]) * texelBytes;
  const std::byte* host = level.data + z[0] * level.sliceBytes + y[0] * level.rowBytes + x[0] * texelBytes;
  const auto element = laneOf<std::uint32_t>(s, o[0], 0, 0);
  s.env->observers->log.add(
      LaneRun{g * kGroup, kGroup, view.resource, view.format->texelBytes, static_cast<std::uint32_t>(stride), at, nullptr, element},
      {host, dy * level.rowBytes + dx * texelBytes});
  return true;
}

// Logs the accesses that the active lanes are about to make. False where they must not be made.
[[nodiscard]] inline bool logTexels(Batch& s, const Instr* ip, const ir::ImageAccess& access, const Operand* o, AccessKind kind) {
  if (!watchesTexels(s)) return true;
  beginTexels(s, ip, access, kind);
  const std::uint32_t element = *s.slot<std::uint32_t>(o[0].offset);
  const ImageView& view = viewOf(s, access.resource, element);
  const ImageLevel* level = oneLevel(s, access, view, o);
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const std::uint32_t active = s.mask.group(g);
    if (active == 0 || (level && active == 0xFFFF && logLine(s, access, view, *level, o, g))) continue;
    std::uint32_t alone = active;
    if (level) {
      const std::uint32_t texelBytes = view.format->texelBytes;
      const LevelPlaces p = placesInLevel(s, access, *level, texelBytes, o, g);
      s.env->observers->log.add(g * kGroup, active & p.inside, view.resource, element, texelBytes, p.at, level->data, p.host);
      alone = active & ~p.inside;
    }
    for (; alone != 0; alone &= alone - 1) logTexel(s, access, o, g, static_cast<std::uint32_t>(std::countr_zero(alone)));
  }
  return s.env->observers->log.isGranted();
}

// After a logged access: reports it and continues.
inline const Instr* tellTexels(Batch& s, const Instr* ip) {
  if (!watchesTexels(s)) return ip + 1;
  s.env->observers->access();
  return goOn(s, ip + 1);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
