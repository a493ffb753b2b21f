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
  const DescriptorRange range = e.descriptors[access.resource];
  return element < range.count ? e.images[range.first + element] : kNoImage;
}

// The texel a lane means, with its coordinates and level.
struct Texel : TexelPlace {
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
  static_cast<TexelPlace&>(t) = locateTexel(view, t.at, access.coordinates);
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
    event.offset = t.tightOffset(view);
    event.size = view.format ? view.format->texelBytes : 0;
    std::copy(t.at, t.at + 4, event.texel);
    event.variable = access.variable;
    s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
  }
}

// The four bytes of each texel that `texel(k)` gives for lane k of a group, as registers.
template <bool Add, class Fetch>
inline void unpack8x4(std::uint32_t* const out[4], const std::uint32_t* const sum[4], const Fetch& texel) {
  std::uint32_t *r = out[0], *g = out[1], *b = out[2], *a = out[3];
  const std::uint32_t *sr = sum[0], *sg = sum[1], *sb = sum[2], *sa = sum[3];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const std::uint32_t t = texel(k);
    r[k] = (t & 0xff) + (Add ? sr[k] : 0u);
    g[k] = (t >> 8 & 0xff) + (Add ? sg[k] : 0u);
    b[k] = (t >> 16 & 0xff) + (Add ? sb[k] : 0u);
    a[k] = (t >> 24) + (Add ? sa[k] : 0u);
  }
}

// True where a group of lanes names sixteen neighbours in a row of the image.
inline bool isRun(const ImageView& view, const std::int32_t* x, const std::int32_t* y) {
  std::uint32_t apart = 0;
  const auto x0 = static_cast<std::uint32_t>(x[0]), y0 = static_cast<std::uint32_t>(y[0]);
  for (std::uint32_t k = 0; k < kGroup; ++k)
    apart |= (static_cast<std::uint32_t>(y[k]) ^ y0) | (static_cast<std::uint32_t>(x[k]) ^ (x0 + k));
  return apart == 0 && x0 < view.extent.x && view.extent.x - x0 >= kGroup && y0 < view.extent.y;
}

// Two-dimensional, one level, four 8-bit components: what most image kernels read. One group of lanes.
template <bool Add>
inline void read8x4(const ImageView& view, const std::int32_t* x, const std::int32_t* y, std::uint32_t* const out[4],
                    const std::uint32_t* const sum[4]) {
  const auto* base = reinterpret_cast<const std::uint32_t*>(view.data);
  const std::uint64_t row = view.rowBytes / 4;
  const std::uint32_t width = view.extent.x, height = view.extent.y;
  if (isRun(view, x, y)) {
    const std::uint32_t* first = base + static_cast<std::uint32_t>(y[0]) * row + static_cast<std::uint32_t>(x[0]);
    unpack8x4<Add>(out, sum, [first](std::uint32_t k) { return first[k]; });
    return;
  }
  alignas(64) std::int32_t index[kGroup];  // signed: what a gather instruction takes
  alignas(64) std::uint32_t inside[kGroup];
  if (row * height <= 0x7fffffffu) {
    const auto shortRow = static_cast<std::uint32_t>(row);
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
      inside[k] = (ux < width) & (uy < height) ? 0xffffffffu : 0u;
      index[k] = static_cast<std::int32_t>((uy * shortRow + ux) & inside[k]);
    }
    unpack8x4<Add>(out, sum, [&](std::uint32_t k) { return base[index[k]] & inside[k]; });
    return;
  }
  unpack8x4<Add>(out, sum, [&](std::uint32_t k) {
    const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
    return ux < width && uy < height ? base[uy * row + ux] : 0u;
  });
}

// All groups at once where each names a run: one test for the batch. False where some group does not. What the loops need is copied to
// locals first, because the compiler must assume that a store to a register changes an operand's description.
template <bool Add>
inline bool readRuns(const ImageView& view, const Instr* ip, Batch& s, const Operand* at, const Operand* sums, const Operand* results) {
  if (view.extent.x < kGroup) return false;
  const std::uint32_t lastX = view.extent.x - kGroup, lastY = view.extent.y - 1, groups = ip->groups;
  const std::byte *x = s.regs + at[0].offset, *y = s.regs + at[1].offset;
  const std::size_t stepX = at[0].step, stepY = at[1].step;
  const auto* base = reinterpret_cast<const std::uint32_t*>(view.data);
  const std::uint64_t row = view.rowBytes / 4;
  const std::uint32_t* first[kMaxLanes / kGroup];
  alignas(64) std::uint32_t wrong[kGroup] = {};
  for (std::uint32_t g = 0; g < groups; ++g, x += stepX, y += stepY) {
    const auto *lx = reinterpret_cast<const std::uint32_t*>(x), *ly = reinterpret_cast<const std::uint32_t*>(y);
    const std::uint32_t x0 = lx[0], y0 = ly[0], outside = x0 > lastX || y0 > lastY ? 1u : 0u;
    first[g] = base + y0 * row + x0;
    for (std::uint32_t k = 0; k < kGroup; ++k) wrong[k] |= (lx[k] ^ (x0 + k)) | (ly[k] ^ y0) | outside;
  }
  std::uint32_t any = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) any |= wrong[k];
  if (any != 0) return false;
  std::byte* out[4];
  const std::byte* sum[4];
  std::size_t stepSum[4];
  for (std::uint32_t c = 0; c < 4; ++c) {
    out[c] = s.regs + results[c].offset;
    sum[c] = s.regs + (Add ? sums[c].offset : 0);
    stepSum[c] = Add ? sums[c].step : 0;
  }
  for (std::uint32_t g = 0; g < groups; ++g) {
    std::uint32_t* to[4];
    const std::uint32_t* from[4];
    for (std::uint32_t c = 0; c < 4; ++c) {
      to[c] = reinterpret_cast<std::uint32_t*>(out[c]) + std::size_t{g} * kGroup;
      from[c] = reinterpret_cast<const std::uint32_t*>(sum[c] + g * stepSum[c]);
    }
    const std::uint32_t* texels = first[g];
    unpack8x4<Add>(to, from, [texels](std::uint32_t k) { return texels[k]; });
  }
  return true;
}

// The same way back: one group of lanes stores its texels. Of two lanes with one texel the later one wins.
inline void write8x4(const ImageView& view, const std::int32_t* x, const std::int32_t* y, const std::uint32_t* const in[4],
                     const std::int32_t* lanes, bool full) {
  alignas(64) std::uint32_t texel[kGroup];
  const auto component = [&](std::uint32_t c, std::uint32_t k) { return in[c][k] < 0xffu ? in[c][k] : 0xffu; };
  for (std::uint32_t k = 0; k < kGroup; ++k)
    texel[k] = component(0, k) | component(1, k) << 8 | component(2, k) << 16 | component(3, k) << 24;
  const std::uint32_t width = view.extent.x, height = view.extent.y;
  if (full && isRun(view, x, y)) {
    std::memcpy(view.data + static_cast<std::uint32_t>(y[0]) * view.rowBytes + static_cast<std::size_t>(x[0]) * 4, texel, sizeof texel);
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

// Add: the last four arguments are what the components are added to.
template <bool Observed, bool Add>
const Instr* imageRead(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* results = o + ip->target;  // after the arguments
  const Operand* sums = results - 4;
  if constexpr (Observed) report(s, ip, access, o, AccessKind::kRead);
  const ImageView& first = viewOf(s, access, *s.slot<std::uint32_t>(o[0].offset));
  const bool plain = ip->otherwise == 0xf && isPlain8x4(first, access, o);
  if (plain && readRuns<Add>(first, ip, s, o + 1, sums, results)) return ip + 1;
  for (std::uint32_t g = 0; g < ip->groups; ++g) {
    if (plain) {
      std::uint32_t* out[4];
      const std::uint32_t* sum[4];
      for (std::uint32_t c = 0; c < 4; ++c) {
        out[c] = s.slot<std::uint32_t>(results[c].offset + g * results[c].step);
        sum[c] = s.slot<std::uint32_t>(Add ? sums[c].offset + g * sums[c].step : 0);
      }
      read8x4<Add>(first, s.slot<std::int32_t>(o[1].offset + g * o[1].step), s.slot<std::int32_t>(o[2].offset + g * o[2].step), out, sum);
      continue;
    }
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const ImageView& view = viewOf(s, access, s.slot<std::uint32_t>(o[0].offset + g * o[0].step)[k]);
      const Texel t = locate(s, access, view, o, g, k);
      std::uint64_t component[4] = {0, 0, 0, 0};
      if (t.data) decodeTexel(*view.format, s.env->profile->texel, t.data, component);
      for (std::uint32_t c = 0; c < access.components; ++c) {
        if (!(ip->otherwise >> c & 1)) continue;
        if (isWide(access.component)) {
          s.slot<std::uint64_t>(results[c].offset + g * results[c].step)[k] = component[c];
          continue;
        }
        const std::uint32_t sum = Add ? s.slot<std::uint32_t>(sums[c].offset + g * sums[c].step)[k] : 0u;
        s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = narrowComponent(access.component, component[c]) + sum;
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
  t.add({ir::kImageRead, Scalar::kNone, Scalar::kNone}, {&imageRead<false, false>, &imageRead<true, false>});
  t.add({ir::kImageReadAdd, Scalar::kNone, Scalar::kNone}, {&imageRead<false, true>, &imageRead<true, true>});
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
