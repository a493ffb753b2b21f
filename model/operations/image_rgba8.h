// Two-dimensional images of four 8-bit integers, which most image kernels read and write: a texel is one word of a lane.
#pragma once

#include "model/operations/image_lanes.h"
#include "model/operations/near_texels.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

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
  if (static_cast<std::uint32_t>(x[kGroup - 1]) != x0 + (kGroup - 1)) return false;
  for (std::uint32_t k = 0; k < kGroup; ++k)
    apart |= (static_cast<std::uint32_t>(y[k]) ^ y0) | (static_cast<std::uint32_t>(x[k]) ^ (x0 + k));
  return apart == 0 && x0 < view.extent.x && view.extent.x - x0 >= kGroup && y0 < view.extent.y;
}

// True where the lanes of each half name texels among eight neighbours of a row of the image, which nearTexels() has.
inline bool isNear(const ImageView& view, const std::int32_t* x, const std::int32_t* y, Near& near) {
  const auto *column = reinterpret_cast<const std::uint32_t*>(x), *row = reinterpret_cast<const std::uint32_t*>(y);
  return row[0] < view.extent.y && row[kHalf] < view.extent.y && isTwoRows(row, 0) && findNear(column, 1, view.extent.x, near);
}
inline const std::byte* nearTexels(const ImageView& view, const std::int32_t* y, const Near& near, std::uint32_t half) {
  return view.data + static_cast<std::uint32_t>(y[half * kHalf]) * view.rowBytes + std::size_t{near.first[half]} * view.format->texelBytes;
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
  if (Near near; isNear(view, x, y, near)) {
    alignas(64) std::uint32_t neighbours[kGroup], texels[kGroup];
    loadTwoRuns(neighbours, nearTexels(view, y, near, 0), nearTexels(view, y, near, 1));
    pickWords(neighbours, near.at[0], texels);
    unpack8x4<Add>(out, sum, [&](std::uint32_t k) { return texels[k]; });
    return;
  }
  alignas(64) std::int32_t index[kGroup];  // signed: what a gather instruction takes
  alignas(64) std::uint32_t inside[kGroup];
  if (row * height <= 0x7fffffffu) {
    const auto shortRow = static_cast<std::uint32_t>(row);
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
      inside[k] = ((ux < width) & (uy < height)) != 0 ? 0xffffffffu : 0u;
      index[k] = static_cast<std::int32_t>((uy * shortRow + ux) & inside[k]);
    }
    if (isTwoRows(reinterpret_cast<const std::uint32_t*>(index), 2)) {  // a picture is halved
      alignas(64) std::uint32_t texels[kGroup];
      loadEverySecond(texels, reinterpret_cast<const std::byte*>(base + index[0]), reinterpret_cast<const std::byte*>(base + index[kHalf]));
      unpack8x4<Add>(out, sum, [&](std::uint32_t k) { return texels[k] & inside[k]; });
      return;
    }
    unpack8x4<Add>(out, sum, [&](std::uint32_t k) { return base[index[k]] & inside[k]; });
    return;
  }
  unpack8x4<Add>(out, sum, [&](std::uint32_t k) {
    const auto ux = static_cast<std::uint32_t>(x[k]), uy = static_cast<std::uint32_t>(y[k]);
    return ux < width && uy < height ? base[uy * row + ux] : 0u;
  });
}

// Where the lanes of every group name sixteen neighbours in a row: one test for the batch, and the first texel of each group. False where
// some group does not. What the loops need is copied to locals first, because the compiler must assume that a store to a register changes
// an operand's description.
inline bool findRuns(const ImageView& view, const Batch& s, const Operand* at, std::uint32_t groups, const std::byte** first) {
  if (view.extent.x < kGroup) return false;
  const std::uint32_t lastX = view.extent.x - kGroup, lastY = view.extent.y - 1;
  const std::byte *x = s.regs + at[0].offset, *y = s.regs + at[1].offset, *base = view.data;
  const std::size_t stepX = at[0].step, stepY = at[1].step;
  const std::uint64_t row = view.rowBytes, texel = view.format->texelBytes;
  const auto ends = [x](std::size_t k) { return reinterpret_cast<const std::uint32_t*>(x)[k]; };
  if (ends(kGroup - 1) - ends(0) != kGroup - 1) return false;
  alignas(64) std::uint32_t wrong[kGroup] = {};
  for (std::uint32_t g = 0; g < groups; ++g, x += stepX, y += stepY) {
    const auto *lx = reinterpret_cast<const std::uint32_t*>(x), *ly = reinterpret_cast<const std::uint32_t*>(y);
    const std::uint32_t x0 = lx[0], y0 = ly[0], outside = x0 > lastX || y0 > lastY ? 1u : 0u;
    first[g] = base + y0 * row + x0 * texel;
    for (std::uint32_t k = 0; k < kGroup; ++k) wrong[k] |= (lx[k] ^ (x0 + k)) | (ly[k] ^ y0) | outside;
  }
  std::uint32_t any = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) any |= wrong[k];
  return any == 0;
}

// All groups at once where each names a run.
template <bool Add>
inline bool readRuns(const ImageView& view, const Instr* ip, Batch& s, const Operand* at, const Operand* sums, const Operand* results) {
  const std::uint32_t groups = groupsOf(ip, s);
  const std::byte* first[kMaxLanes / kGroup];
  if (!findRuns(view, s, at, groups, first)) return false;
  alignas(64) std::uint32_t unused[kMaxLanes];  // for components that are not needed
  std::byte* out[4];
  const std::byte* sum[4];
  std::size_t stepSum[4];
  for (std::uint32_t c = 0; c < 4; ++c) {
    out[c] = ip->known<kind::Image>().used >> c & 1 ? s.regs + results[c].offset : reinterpret_cast<std::byte*>(unused);
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
    const auto* texels = reinterpret_cast<const std::uint32_t*>(first[g]);
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

}  // namespace LANEWISE_ISA
}  // namespace lanewise
