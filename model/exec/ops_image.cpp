// Reads, writes, atomics and queries of storage images, and texel fetches (SPIR-V 1.6, 3.42.10).
//
// Promise: a texel outside the image reads 0 in every component and is never written (Vulkan, "Texel Input Validation"); the observed form
// reports each lane's access first.
#include "model/exec/atomic_ops.h"
#include "model/exec/elementwise.h"
#include "model/exec/observer.h"
#include "model/exec/ops.h"
#include "model/memory/texel_access.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

const ImageView kNoImage{};

inline const ImageView& viewOf(const Batch& s, const ir::ImageAccess& access, std::uint32_t element) {
  const Environment& e = *s.env;
  const ir::ResourceDeclaration& declared = e.program->resources[access.resource];
  if (declared.count != 0 && element >= declared.count) return kNoImage;
  return e.images[e.program->firstDescriptor[access.resource] + element];
}

// The texel a lane means: coordinates, level, and where its bytes are; nullptr outside the image.
struct Texel {
  std::byte* data = nullptr;
  std::int32_t at[4] = {0, 0, 0, 0};
};

inline Texel locate(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o, std::uint32_t g,
                    std::uint32_t k) {
  Texel t;
  for (std::uint32_t c = 0; c < access.coordinates; ++c) t.at[c] = s.slot<std::int32_t>(o[1 + c].offset + g * o[1 + c].step)[k];
  if (access.hasLod) {
    const Operand& lod = o[1 + access.coordinates];
    t.at[3] = s.slot<std::int32_t>(lod.offset + g * lod.step)[k];
  }
  t.data = texelAddress(view, t.at, access.coordinates);
  return t;
}

void report(Batch& s, const Instr* ip, const ir::ImageAccess& access, const Operand* o, AccessKind kind) {
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
    const Texel t = locate(s, access, view, o, g, k);
    MemoryEvent event;
    event.place = Place::kImage;
    event.kind = kind;
    event.lane = lane;
    event.resource = view.resource;
    event.inRange = t.data != nullptr;
    event.offset = t.data && view.image ? static_cast<std::uint64_t>(t.data - view.image->bytes.data()) : 0;
    event.size = view.format ? view.format->texelBytes : 0;
    std::copy(t.at, t.at + 4, event.texel);
    event.variable = access.variable;
    s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
  }
}

// Two-dimensional, one level, four 8-bit components: what most image kernels read. One group of lanes.
inline void read8x4(const ImageView& view, const std::int32_t* x, const std::int32_t* y, std::uint32_t* const out[4]) {
  alignas(64) std::uint32_t texel[kGroup];
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k)
    apart |= static_cast<std::uint32_t>(y[k] ^ y[0]) | (static_cast<std::uint32_t>(x[k]) ^ (static_cast<std::uint32_t>(x[0]) + k));
  const std::uint32_t width = view.extent.x, height = view.extent.y;
  const auto x0 = static_cast<std::uint32_t>(x[0]), y0 = static_cast<std::uint32_t>(y[0]);
  if (apart == 0 && x0 < width && width - x0 >= kGroup && y0 < height) {  // sixteen neighbours in a row
    std::memcpy(texel, view.data + y0 * view.rowBytes + std::size_t{x0} * 4, sizeof texel);
  } else if (view.rowBytes * height <= 0x7fffffffu) {
    const auto* base = reinterpret_cast<const std::uint32_t*>(view.data);
    const auto row = static_cast<std::uint32_t>(view.rowBytes / 4);
    alignas(64) std::uint32_t index[kGroup], inside[kGroup];
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
      inside[k] = (ux < width) & (uy < height) ? 0xffffffffu : 0u;
      index[k] = (uy * row + ux) & inside[k];
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) texel[k] = base[index[k]] & inside[k];
  } else {
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
      texel[k] = 0;
      if (ux < width && uy < height) std::memcpy(&texel[k], view.data + uy * view.rowBytes + std::size_t{ux} * 4, 4);
    }
  }
  for (std::uint32_t c = 0; c < 4; ++c)
    for (std::uint32_t k = 0; k < kGroup; ++k) out[c][k] = (texel[k] >> (8 * c)) & 0xff;
}

// The same way back: one group of lanes stores its texels. Of two lanes with one texel the later one wins.
inline void write8x4(const ImageView& view, const std::int32_t* x, const std::int32_t* y, const std::uint32_t* const in[4],
                     const std::int32_t* lanes, bool full) {
  alignas(64) std::uint32_t texel[kGroup];
  const auto component = [&](std::uint32_t c, std::uint32_t k) { return in[c][k] < 0xffu ? in[c][k] : 0xffu; };
  for (std::uint32_t k = 0; k < kGroup; ++k)
    texel[k] = component(0, k) | component(1, k) << 8 | component(2, k) << 16 | component(3, k) << 24;
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k)
    apart |= static_cast<std::uint32_t>(y[k] ^ y[0]) | (static_cast<std::uint32_t>(x[k]) ^ (static_cast<std::uint32_t>(x[0]) + k));
  const std::uint32_t width = view.extent.x, height = view.extent.y;
  const auto x0 = static_cast<std::uint32_t>(x[0]), y0 = static_cast<std::uint32_t>(y[0]);
  if (full && apart == 0 && x0 < width && width - x0 >= kGroup && y0 < height) {
    std::memcpy(view.data + y0 * view.rowBytes + std::size_t{x0} * 4, texel, sizeof texel);
    return;
  }
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
    if (lanes[k] && ux < width && uy < height) std::memcpy(view.data + uy * view.rowBytes + std::size_t{ux} * 4, &texel[k], 4);
  }
}

// Two-dimensional rgba8ui with one view for all lanes: the shape that read8x4 and write8x4 know.
inline bool isPlain8x4(const ImageView& view, const ir::ImageAccess& access, const Operand* o) {
  return view.format && view.format->format == Format::R8G8B8A8_UINT && o[0].step == 0 && access.coordinates == 2 &&
         access.components == 4 && !access.hasLod && !access.hasSample && view.dimensions == 2 && view.data;
}

template <bool Observed>
const Instr* imageRead(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* results = o + ip->target;  // after the arguments
  if constexpr (Observed) report(s, ip, access, o, AccessKind::kRead);
  const ImageView& first = viewOf(s, access, *s.slot<std::uint32_t>(o[0].offset));
  const bool plain = ip->otherwise == 0xf && isPlain8x4(first, access, o);
  for (std::uint32_t g = 0; g < ip->groups; ++g) {
    if (plain) {
      std::uint32_t* out[4];
      for (std::uint32_t c = 0; c < 4; ++c) out[c] = s.slot<std::uint32_t>(results[c].offset + g * results[c].step);
      read8x4(first, s.slot<std::int32_t>(o[1].offset + g * o[1].step), s.slot<std::int32_t>(o[2].offset + g * o[2].step), out);
      continue;
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
      const Texel t = locate(s, access, view, o, g, k);
      std::uint64_t component[4] = {0, 0, 0, 0};
      if (t.data) decodeTexel(*view.format, s.env->profile->texel, t.data, component);
      for (std::uint32_t c = 0; c < access.components; ++c) {
        if (!(ip->otherwise >> c & 1)) continue;
        if (isWide(access.component))
          s.slot<std::uint64_t>(results[c].offset + g * results[c].step)[k] = component[c];
        else
          s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = narrowComponent(access.component, component[c]);
      }
    }
  }
  return ip + 1;
}

template <bool Observed>
const Instr* imageWrite(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* values = o + ip->target;
  if constexpr (Observed) report(s, ip, access, o, AccessKind::kWrite);
  if (const ImageView& first = viewOf(s, access, *s.slot<std::uint32_t>(o[0].offset)); isPlain8x4(first, access, o)) {
    for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
      const std::uint32_t* in[4];
      for (std::uint32_t c = 0; c < 4; ++c) in[c] = s.slot<std::uint32_t>(values[c].offset + g * values[c].step);
      write8x4(first, s.slot<std::int32_t>(o[1].offset + g * o[1].step), s.slot<std::int32_t>(o[2].offset + g * o[2].step), in,
               s.lanes + g * kGroup, s.full);
    }
    return ip + 1;
  }
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
    const Texel t = locate(s, access, view, o, g, k);
    if (!t.data) continue;
    std::uint64_t component[4] = {0, 0, 0, 0};
    for (std::uint32_t c = 0; c < access.components; ++c)
      component[c] = isWide(access.component)
                         ? s.slot<std::uint64_t>(values[c].offset + g * values[c].step)[k]
                         : widenComponent(access.component, s.slot<std::uint32_t>(values[c].offset + g * values[c].step)[k]);
    encodeTexel(*view.format, s.env->profile->texel, component, t.data);
  }
  return ip + 1;
}

template <class T, bool Observed>
const Instr* imageAtomic(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* values = o + ip->target;
  if constexpr (Observed) report(s, ip, access, o, AccessKind::kAtomic);
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
    const Texel t = locate(s, access, view, o, g, k);
    LaneOf<T> old = 0;
    if (t.data && view.format->texelBytes == sizeof(T)) {
      T value{}, comparator{};
      if (ip->otherwise > 0) value = fromLane<T>(s.slot<LaneOf<T>>(values[0].offset + g * values[0].step)[k]);
      if (ip->otherwise > 1) comparator = fromLane<T>(s.slot<LaneOf<T>>(values[1].offset + g * values[1].step)[k]);
      old = toLane<T>(atomicUpdate<T>(t.data, static_cast<spv::Op>(access.atomic), value, comparator));
    }
    if (ip->dst != 0) s.slot<LaneOf<T>>(ip->dst)[lane] = old;
  }
  return ip + 1;
}

const Instr* imageQuery(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* results = o + ip->target;
  for (std::uint32_t g = 0; g < ip->groups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
      const std::uint32_t lod = s.slot<std::uint32_t>(o[1].offset + g * o[1].step)[k];
      std::uint32_t answer[4] = {0, 0, 0, 0};
      queryImage(view, static_cast<spv::Op>(access.atomic), *access.type, lod, answer);
      for (std::uint32_t c = 0; c < access.components; ++c)
        if (ip->otherwise >> c & 1) s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = answer[c];
    }
  return ip + 1;
}

}  // namespace

void addImageRows(OpTable& t) {
  t.add({ir::kImageRead, Scalar::kNone, Scalar::kNone}, {&imageRead<false>, &imageRead<true>});
  t.add({ir::kImageWrite, Scalar::kNone, Scalar::kNone}, {&imageWrite<false>, &imageWrite<true>});
  t.add({ir::kImageQuery, Scalar::kNone, Scalar::kNone}, &imageQuery);
  const auto atomics = [&t]<class T>(T) {
    for (Scalar result : {scalarOf<T>(), Scalar::kNone})
      t.add({ir::kImageAtomic, result, scalarOf<T>()}, {&imageAtomic<T, false>, &imageAtomic<T, true>});
  };
  atomics(std::uint32_t{});
  atomics(std::uint64_t{});
  atomics(float{});
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
