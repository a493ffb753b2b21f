// Reads, writes, atomics and queries of storage images and texel buffers, and texel fetches (SPIR-V 1.6, 3.42.10).
//
// Promise: a texel outside the image reads 0 in every component and is never written (Vulkan, "Texel Input Validation"); the observed form
// reports the access after it. Sixteen lanes are done together where they have one view; those of a row are one vector load or store.
#include "model/operations/atomic_ops.h"
#include "model/operations/image_rgba8.h"
#include "model/operations/ops.h"
#include "model/operations/texel_group.h"
#include "model/operations/two_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

// Where the texels of a group of lanes lie: nullptr outside the image.
struct GroupPlaces {
  std::byte* at[kGroup];
  bool run;  // sixteen neighbours in a row, from at[0] on; the others are not filled in
};

// True where every lane of the group has the same in an operand.
inline bool isSame(const Batch& s, const Operand& o, std::uint32_t g) {
  const auto* lanes = s.slot<std::uint32_t>(o.offset + g * o.step);
  std::uint32_t apart = 0;
  for (std::uint32_t k = 1; k < kGroup; ++k) apart |= lanes[k] ^ lanes[0];
  return apart == 0;
}

// Rows and slices of one level, as locateTexel has them, for the whole group. False where it is another case.
inline bool fillPlane(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o, std::uint32_t g,
                      GroupPlaces& p) {
  if (access.coordinates < 2 || view.dimensions < 2 || access.hasLod || access.hasSample || view.samples > 1) return false;
  const auto row = [&](std::uint32_t c) { return s.slot<std::uint32_t>(o[1 + c].offset + g * o[1 + c].step); };
  alignas(64) static constexpr std::uint32_t kZeros[kGroup] = {};
  const std::uint32_t *x = row(0), *y = row(1), *z = access.coordinates > 2 ? row(2) : kZeros;
  const Extent3 extent = view.extent;
  const std::uint64_t texelBytes = view.format->texelBytes, rowBytes = view.rowBytes, sliceBytes = view.sliceBytes;
  const auto base = reinterpret_cast<std::uintptr_t>(view.data);
  alignas(64) std::uint64_t at[kGroup];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const bool inside = (x[k] < extent.x) & (y[k] < extent.y) & (z[k] < extent.z);
    at[k] = inside ? base + z[k] * sliceBytes + y[k] * rowBytes + x[k] * texelBytes : 0;
  }
  std::memcpy(p.at, at, sizeof at);
  return true;
}

inline GroupPlaces placesOf(const Batch& s, const ir::ImageAccess& access, const ImageView& view, const Operand* o, std::uint32_t g) {
  GroupPlaces p;
  const std::uint32_t operands = access.coordinates + (access.hasLod ? 1u : 0u) + (access.hasSample ? 1u : 0u);
  const auto* x = s.slot<std::uint32_t>(o[1].offset + g * o[1].step);
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) apart |= x[k] ^ (x[0] + k);
  p.run = apart == 0;
  for (std::uint32_t i = 1; p.run && i < operands; ++i) p.run = isSame(s, o[1 + i], g);
  if (p.run) {
    const Texel first = locate(s, access, view, o, g, 0);
    p.at[0] = first.data;
    p.run = first.data && first.level->extent.x - first.x >= kGroup;
    if (p.run) return p;
  }
  if (!fillPlane(s, access, view, o, g, p))
    for (std::uint32_t k = 0; k < kGroup; ++k) p.at[k] = locate(s, access, view, o, g, k).data;
  return p;
}

template <class Word>
inline Rows<Word> rowsOf(const Batch& s, const Operand& o) {
  return {s.slot<Word>(o.offset), o.step / sizeof(Word)};
}

inline bool isNarrow(Scalar type) {
  return type == Scalar::kI32 || type == Scalar::kF32;
}

// True where groups of lanes can go together: one view, and words of 32 bits on both sides.
inline bool inGroups(const ImageView& view, const ir::ImageAccess& access, const Operand* o) {
  return view.data && o[0].step == 0 && isNarrow(access.component) && goesByGroups(*view.format);
}

// The texels at `index`, in bytes from `base` on, which is 0 for lanes outside. Rows begin at words, so that the word in which a small
// texel begins is one of the image.
template <std::uint32_t Bytes>
inline void gatherTexels(const std::byte* base, const std::int32_t* index, ReadTexels& t) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(base);
  const std::uint32_t* inside = t.inside;
  if constexpr (Bytes < 4) {
    constexpr std::uint32_t kMask = Bytes == 1 ? 0xffu : 0xffffu;
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) t.texels.word[0][k] = words[index[k] >> 2] >> (index[k] & 3) * 8 & kMask & inside[k];
  } else if (Bytes == 4 && isTwoRows(reinterpret_cast<const std::uint32_t*>(index), Bytes)) {
    loadTwoRuns(t.texels.word[0], base + index[0], base + index[kHalf]);
    for (std::uint32_t k = 0; k < kGroup; ++k) t.texels.word[0][k] &= inside[k];
  } else if (Bytes == 4 && isTwoRows(reinterpret_cast<const std::uint32_t*>(index), 2 * Bytes)) {  // a picture is halved
    loadEverySecond(t.texels.word[0], base + index[0], base + index[kHalf]);
    for (std::uint32_t k = 0; k < kGroup; ++k) t.texels.word[0][k] &= inside[k];
  } else {
    for (std::uint32_t w = 0; w < Bytes / 4; ++w)
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) t.texels.word[w][k] = words[(index[k] >> 2) + static_cast<std::int32_t>(w)] & inside[k];
  }
}

// As fillPlane, where every place is a number of 32 bits, in vector code. False where it is another case, and in a part with claims: lanes
// outside read the first texel here, and small texels are read with their neighbours.
inline bool loadPlane(const Batch& s, const ImageView& view, const ir::ImageAccess& access, const Operand* o, std::uint32_t g,
                      ReadTexels& t) {
  if (s.env->claims != nullptr) return false;
  if (access.coordinates < 2 || view.dimensions < 2 || access.hasLod || access.hasSample || view.samples > 1) return false;
  const Extent3 extent = view.extent;
  if (view.sliceBytes * extent.z > 0x7fffffffu || view.rowBytes % 4 != 0) return false;
  const auto row = [&](std::uint32_t c) { return s.slot<std::uint32_t>(o[1 + c].offset + g * o[1 + c].step); };
  const std::uint32_t *x = row(0), *y = row(1);
  const auto rowBytes = static_cast<std::uint32_t>(view.rowBytes), sliceBytes = static_cast<std::uint32_t>(view.sliceBytes);
  if (Near near;
      access.coordinates == 2 && isNear(view, reinterpret_cast<const std::int32_t*>(x), reinterpret_cast<const std::int32_t*>(y), near)) {
    const auto from = [&](std::uint32_t half) { return nearTexels(view, reinterpret_cast<const std::int32_t*>(y), near, half); };
    withTexelBytes(view.format->texelBytes, [&](auto bytes) { loadNear<bytes>(from(0), from(1), near, 1, &t); });
    return true;
  }
  alignas(64) std::int32_t index[kGroup];  // signed: what a gather instruction takes
  withTexelBytes(view.format->texelBytes, [&](auto bytes) {
    const auto place = [&](auto sliceOf, auto isThere) __attribute__((always_inline)) {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const bool inside = (x[k] < extent.x) & (y[k] < extent.y) & isThere(k);
        t.inside[k] = inside ? 0xffffffffu : 0u;
        index[k] = inside ? static_cast<std::int32_t>(sliceOf(k) + y[k] * rowBytes + x[k] * bytes) : 0;
      }
    };
    if (access.coordinates == 2)
      place([](std::uint32_t) { return 0u; }, [](std::uint32_t) { return true; });
    else
      place([&, z = row(2)](std::uint32_t k) { return z[k] * sliceBytes; }, [&, z = row(2)](std::uint32_t k) { return z[k] < extent.z; });
    gatherTexels<bytes>(view.data, index, t);
  });
  return true;
}

inline void loadGroup(Batch& s, const ImageView& view, const ir::ImageAccess& access, const Operand* o, std::uint32_t g, ReadTexels& t) {
  if (loadPlane(s, view, access, o, g, t)) return;
  const GroupPlaces p = placesOf(s, access, view, o, g);
  for (std::uint32_t k = 0; k < kGroup; ++k) t.inside[k] = p.run || p.at[k] ? 0xffffffffu : 0u;
  withTexelBytes(view.format->texelBytes, [&](auto bytes) {
    if (p.run) return loadRun<bytes>(p.at[0], t.texels);
    for (std::uint32_t k = 0; k < kGroup; ++k) loadOne<bytes>(p.at[k], t.texels, k);
  });
}

// The texels of all groups, with one test where each group names a run.
inline void loadGroups(std::uint32_t groups, Batch& s, const ImageView& view, const ir::ImageAccess& access, const Operand* o,
                       ReadTexels* t) {
  const std::byte* first[kMaxLanes / kGroup];
  const bool flat = access.coordinates == 2 && !access.hasLod && !access.hasSample && view.dimensions == 2 && view.samples == 1;
  if (!flat || !findRuns(view, s, o + 1, groups, first)) {
    for (std::uint32_t g = 0; g < groups; ++g) loadGroup(s, view, access, o, g, t[g]);
    return;
  }
  withTexelBytes(view.format->texelBytes, [&](auto bytes) {
    for (std::uint32_t g = 0; g < groups; ++g) {
      loadRun<bytes>(first[g], t[g].texels);
      std::fill(t[g].inside, t[g].inside + kGroup, 0xffffffffu);
    }
  });
}

// Groups of lanes with one view: their texels, then component by component.
template <bool Add>
inline void readTogether(const Instr* ip, Batch& s, const ImageView& view, const ir::ImageAccess& access, const Operand* o) {
  const Operand *results = o + ip->known<kind::Image>().results, *sums = results - 4;
  const std::uint32_t groups = groupsOf(ip, s);
  ReadTexels texels[kMaxLanes / kGroup];
  loadGroups(groups, s, view, access, o, texels);
  const auto rows = [&](const Operand& operand) { return rowsOf<std::uint32_t>(s, operand); };
  for (std::uint32_t c = 0; c < access.components; ++c) {
    if (!(ip->known<kind::Image>().used >> c & 1)) continue;
    const Rows<std::uint32_t> sum = Add ? rows(sums[c]) : Rows<std::uint32_t>{};
    decoderOf<Add>(*view.format, s.env->profile->texel, c)(texels, groups, {sum.at, sum.step}, rows(results[c]));
  }
}

// A lane by itself: any view, any format, any type of register.
template <bool Add>
inline void readLane(const Instr* ip, Batch& s, const ir::ImageAccess& access, const Operand* o, std::uint32_t g, std::uint32_t k) {
  const Operand *results = o + ip->known<kind::Image>().results, *sums = results - 4;
  const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
  const Texel t = locate(s, access, view, o, g, k);
  std::uint64_t component[4] = {0, 0, 0, 0};
  if (t.data) decodeTexel(*view.format, s.env->profile->texel, t.data, component);
  for (std::uint32_t c = 0; c < access.components; ++c) {
    if (!(ip->known<kind::Image>().used >> c & 1)) continue;
    if (isWide(access.component)) {
      s.slot<std::uint64_t>(results[c].offset + g * results[c].step)[k] = component[c];
      continue;
    }
    const std::uint32_t sum = Add ? laneOf<std::uint32_t>(s, sums[c], g, k) : 0u;
    s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = narrowComponent(access.component, component[c]) + sum;
  }
}

// Add: the last four arguments are what the components are added to.
template <bool Observed, bool Add>
const Instr* imageRead(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const Operand *results = o + ip->known<kind::Image>().results, *sums = results - 4;
  if (Observed && isUnheard(s, ip) && allInside(s, access, o)) return imageRead<false, Add>(ip, s);
  if (Observed && !logTexels(s, ip, access, o, AccessKind::kRead)) return refuse(s, ip);
  const ImageView& first = viewOf(s, access.resource, *s.slot<std::uint32_t>(o[0].offset));
  // While other threads may store to other texels, none is read but those that are claimed.
  const bool claims = Observed && s.env->claims != nullptr, together = !claims || s.full;
  const bool uniform = claims && std::all_of(o, results, [](const Operand& each) { return each.step == 0; });
  const bool plain = isPlain8x4(first, access, o);
  if (plain && together && readRuns<Add>(first, ip, s, o + 1, sums, results)) return Observed ? tellTexels(s, ip) : ip + 1;
  if ((!plain || claims) && together && inGroups(first, access, o)) {
    readTogether<Add>(ip, s, first, access, o);
    return Observed ? tellTexels(s, ip) : ip + 1;
  }
  alignas(64) std::uint32_t unused[kGroup];  // for components that are not needed
  Rows<std::uint32_t> outs[4], added[4];
  for (std::uint32_t c = 0; c < 4 && plain; ++c) {
    outs[c] = ip->known<kind::Image>().used >> c & 1 ? rowsOf<std::uint32_t>(s, results[c]) : Rows<std::uint32_t>{unused, 0};
    if (Add) added[c] = rowsOf<std::uint32_t>(s, sums[c]);
  }
  const Rows<std::int32_t> xs = rowsOf<std::int32_t>(s, o[1]), ys = rowsOf<std::int32_t>(s, o[2]);
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
    if (groups > 1 && s.mask.group(g) == 0) continue;
    if (plain && !claims) {
      std::uint32_t* out[4];
      const std::uint32_t* sum[4];
      for (std::uint32_t c = 0; c < 4; ++c) {
        out[c] = outs[c].at + g * outs[c].step;
        sum[c] = added[c].at + g * added[c].step;
      }
      read8x4<Add>(first, xs.at + g * xs.step, ys.at + g * ys.step, out, sum);
    } else {
      for (std::uint32_t k = 0; k < kGroup; ++k)
        if (!claims || uniform || s.lanes[g * kGroup + k]) readLane<Add>(ip, s, access, o, g, k);
    }
  }
  return Observed ? tellTexels(s, ip) : ip + 1;
}

inline void writeGroup(const Instr* ip, Batch& s, const ImageView& view, const ir::ImageAccess& access, const Operand* o, std::uint32_t g) {
  const Operand* values = o + ip->known<kind::Image>().values;
  GroupPlaces p = placesOf(s, access, view, o, g);
  TexelGroup texels{};
  for (std::uint32_t c = 0; c < access.components; ++c)
    encodeComponent(*view.format, s.env->profile->texel, s.slot<std::uint32_t>(values[c].offset + g * values[c].step), c, texels);
  withTexelBytes(view.format->texelBytes, [&](auto bytes) {
    if (p.run && s.full) return storeRun<bytes>(p.at[0], texels);
    const std::int32_t* lanes = s.lanes + g * kGroup;
    if (p.run)
      for (std::uint32_t k = 1; k < kGroup; ++k) p.at[k] = p.at[0] + std::size_t{k} * bytes;
    for (std::uint32_t k = 0; k < kGroup; ++k) storeOne<bytes>(lanes[k] ? p.at[k] : nullptr, texels, k);
  });
}

inline void writeLane(const Instr* ip, Batch& s, const ir::ImageAccess& access, const Operand* o, std::uint32_t g, std::uint32_t k) {
  const Operand* values = o + ip->known<kind::Image>().values;
  const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
  const Texel t = locate(s, access, view, o, g, k);
  if (!t.data) return;
  std::uint64_t component[4] = {0, 0, 0, 0};
  for (std::uint32_t c = 0; c < access.components; ++c)
    component[c] = isWide(access.component) ? laneOf<std::uint64_t>(s, values[c], g, k)
                                            : widenComponent(access.component, laneOf<std::uint32_t>(s, values[c], g, k));
  encodeTexel(*view.format, s.env->profile->texel, component, t.data);
}

template <bool Observed>
const Instr* imageWrite(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const Operand* values = o + ip->known<kind::Image>().values;
  if (Observed && !logTexels(s, ip, access, o, AccessKind::kWrite)) return refuse(s, ip);
  const ImageView& first = viewOf(s, access.resource, *s.slot<std::uint32_t>(o[0].offset));
  const bool plain = isPlain8x4(first, access, o) && s.env->profile->texel.saturateIntegers, together = inGroups(first, access, o);
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    if (s.mask.group(g) == 0) continue;
    if (plain) {
      const std::uint32_t* in[4];
      for (std::uint32_t c = 0; c < 4; ++c) in[c] = s.slot<std::uint32_t>(values[c].offset + g * values[c].step);
      write8x4(first, s.slot<std::int32_t>(o[1].offset + g * o[1].step), s.slot<std::int32_t>(o[2].offset + g * o[2].step), in,
               s.lanes + g * kGroup, s.full);
    } else if (together) {
      writeGroup(ip, s, first, access, o, g);
    } else {
      for (std::uint32_t k = 0; k < kGroup; ++k)
        if (s.lanes[g * kGroup + k]) writeLane(ip, s, access, o, g, k);
    }
  }
  return Observed ? tellTexels(s, ip) : ip + 1;
}

template <class T, bool Observed>
const Instr* imageAtomic(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const auto [index, first, results, used] = ip->known<kind::Image>();
  const Operand* values = o + first;
  const bool watched = Observed && watchesTexels(s);
  if (watched) beginTexels(s, ip, access, atomicKind(access.op));
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.lanes[lane]) continue;
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
    const Texel t = locate(s, access, view, o, g, k);
    LaneOf<T> old = 0;
    if (watched) logTexel(s, access, o, g, k);
    if (t.data && view.format->texelBytes == sizeof(T)) {
      T value{}, comparator{};
      if (results > first) value = fromLane<T>(laneOf<LaneOf<T>>(s, values[0], g, k));
      if (results > first + 1) comparator = fromLane<T>(laneOf<LaneOf<T>>(s, values[1], g, k));
      old = toLane<T>(atomicUpdate<T>(s.env->program->choices, t.data, access.op, value, comparator));
    }
    if (watched && t.data) s.env->observers->log.left(t.data, view.format->texelBytes);
    if (ip->dst != 0) s.slot<LaneOf<T>>(ip->dst)[lane] = old;
  }
  return Observed ? tellTexels(s, ip) : ip + 1;
}

const Instr* imageQuery(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const Operand* results = o + ip->known<kind::Image>().results;
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
      const auto lod = laneOf<std::uint32_t>(s, o[1], g, k);
      std::uint32_t answer[4] = {0, 0, 0, 0};
      queryImage(view, access.op, *access.type, lod, answer);
      for (std::uint32_t c = 0; c < access.components; ++c)
        if (ip->known<kind::Image>().used >> c & 1) s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = answer[c];
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
