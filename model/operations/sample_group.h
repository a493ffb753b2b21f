// Samples and gathers of sixteen lanes at once: two-dimensional images and arrays of them, where the image, the sampler and the level of
// detail are the same for all lanes. In other cases each lane is sampled by itself.
//
// The formulas are those of model/scalar/sampling.h and model/memory/sample.cpp; only the order of the loops differs.
#pragma once

#include "model/memory/sample.h"
#include "model/operations/texel_group.h"
#include "model/scalar/sampling.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// The samples of a group of lanes.
struct GroupSample {
  const ImageView& view;
  const SamplerState& sampler;
  const Profile& profile;
  const float* at[2] = {nullptr, nullptr};  // s and t of each lane
  const float* layer = nullptr;             // of arrays
  std::int32_t offset[2] = {0, 0};
};

// One axis of the footprints in a level: the nearest texel, or the two texels around the position, -1 for the border; and the weight of the
// second.
struct AxisTaps {
  alignas(64) std::int32_t at[2][kGroup];
  alignas(64) float weight[kGroup];
};

inline void wrapTaps(AddressMode mode, std::uint32_t size, std::int32_t* at) {
  const auto by = [&](auto constant) {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) at[k] = scalar::wrap(constant, at[k], static_cast<std::int32_t>(size));
  };
  using enum AddressMode;
  switch (mode) {
    case kRepeat:
      return by(std::integral_constant<AddressMode, kRepeat>{});
    case kMirroredRepeat:
      return by(std::integral_constant<AddressMode, kMirroredRepeat>{});
    case kClampToBorder:
      return by(std::integral_constant<AddressMode, kClampToBorder>{});
    case kMirrorClampToEdge:
      return by(std::integral_constant<AddressMode, kMirrorClampToEdge>{});
    default:
      return by(std::integral_constant<AddressMode, kClampToEdge>{});
  }
}

// Linear: the pair of texels; otherwise the nearest one.
template <bool Linear>
inline void placeTaps(const GroupSample& s, std::size_t axis, std::uint32_t size, AxisTaps& taps) {
  const AddressMode mode = axis == 0 ? s.sampler.u : s.sampler.v;
  const float scale = s.sampler.unnormalized ? 1.0f : static_cast<float>(size);
  const float* at = s.at[axis];
  const std::int32_t offset = s.offset[axis];
  if constexpr (Linear) {
    const std::uint32_t bits = s.profile.subTexelBits;
    const auto pairs = [&](auto cut) {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const scalar::Neighbours pair = scalar::linear(at[k] * scale, bits, cut);
        taps.at[0][k] = pair.first + offset;
        taps.at[1][k] = pair.first + offset + 1;
        taps.weight[k] = pair.weight;
      }
    };
    s.profile.cutWeights ? pairs(std::true_type{}) : pairs(std::false_type{});
    wrapTaps(mode, size, taps.at[1]);
  } else {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) taps.at[0][k] = scalar::floorToInteger(at[k] * scale) + offset;
  }
  wrapTaps(mode, size, taps.at[0]);
}

// The start of each lane's row; 0 on the border.
inline void placeRows(const GroupSample& s, const ImageLevel& level, const std::int32_t* y, std::uint64_t* row) {
  const auto base = reinterpret_cast<std::uintptr_t>(level.data);
  const std::uint64_t rowBytes = level.rowBytes, sliceBytes = level.sliceBytes;
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) row[k] = y[k] < 0 ? 0 : base + static_cast<std::uint32_t>(y[k]) * rowBytes;
  if (!s.layer) return;
  const std::uint32_t layers = std::max(1u, s.view.layers);
  for (std::uint32_t k = 0; k < kGroup; ++k) row[k] += row[k] != 0 ? scalar::arrayLayer(s.layer[k], layers) * sliceBytes : 0;
}

// The distance in texels between neighbouring lanes, if it is the same for all, above 0, and no texel is missing; otherwise 0.
inline std::uint32_t stepOf(const std::uint64_t* row, const std::int32_t* x) {
  const auto first = static_cast<std::uint32_t>(x[0]), step = static_cast<std::uint32_t>(x[1]) - first;
  std::uint32_t apart = 0;
  std::uint64_t rows = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    apart |= static_cast<std::uint32_t>(x[k]) ^ (first + k * step);
    rows |= row[k] ^ row[0];
  }
  return apart == 0 && rows == 0 && row[0] != 0 && x[0] >= 0 && x[1] > x[0] ? step : 0;
}

template <std::uint32_t Bytes>
inline void loadTaps(const std::uint64_t* row, const std::int32_t* x, ReadTexels& t) {
  if (stepOf(row, x) == 1) {
    std::fill(t.inside, t.inside + kGroup, 0xffffffffu);
    return loadRun<Bytes>(reinterpret_cast<const std::byte*>(row[0]) + static_cast<std::uint32_t>(x[0]) * Bytes, t.texels);
  }
  alignas(64) std::uint64_t at[kGroup];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const bool inside = (row[k] != 0) & (x[k] >= 0);
    at[k] = inside ? row[k] + std::uint64_t{static_cast<std::uint32_t>(x[k])} * Bytes : 0;
    t.inside[k] = inside ? 0xffffffffu : 0u;
  }
  for (std::uint32_t k = 0; k < kGroup; ++k) loadOne<Bytes>(reinterpret_cast<const std::byte*>(at[k]), t.texels, k);
}

// Loads pairs of texels that are adjacent in the image, in loads of all lanes. That is possible if the pairs of neighbouring lanes follow
// each other (a picture is halved) or begin one texel further (it keeps its size). False otherwise.
template <std::uint32_t Bytes>
inline bool loadPairs(const std::uint64_t* row, const AxisTaps& x, ReadTexels& a, ReadTexels& b) {
  std::uint32_t apart = 0;
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    apart |= static_cast<std::uint32_t>(x.at[0][k] + 1) ^ static_cast<std::uint32_t>(x.at[1][k]);
    apart |= static_cast<std::uint32_t>((row[k] == 0) | (x.at[0][k] < 0));
  }
  if (apart != 0) return false;
  std::fill(a.inside, a.inside + kGroup, 0xffffffffu);
  std::fill(b.inside, b.inside + kGroup, 0xffffffffu);
  const auto at = [&](std::uint32_t k) {
    return reinterpret_cast<const std::byte*>(row[k]) + std::uint64_t{static_cast<std::uint32_t>(x.at[0][k])} * Bytes;
  };
  const std::uint32_t step = stepOf(row, x.at[0]);
  if (step == 1) {  // the second texel of a lane is the first of the next
    loadRun<Bytes>(at(0), a.texels);
    loadRun<Bytes>(at(0) + Bytes, b.texels);
    return true;
  }
  alignas(64) std::byte gathered[2 * Bytes * kGroup];
  for (std::uint32_t k = 0; step != 2 && k < kGroup; ++k) std::memcpy(gathered + k * 2 * Bytes, at(k), 2 * Bytes);
  const std::byte* const pairs = step == 2 ? at(0) : gathered;
  TexelGroup both;
  loadRun<2 * Bytes>(pairs, both);
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    if constexpr (Bytes < 4) {
      a.texels.word[0][k] = both.word[0][k] & ((1u << 8 * Bytes) - 1);
      b.texels.word[0][k] = both.word[0][k] >> 8 * Bytes;
    }
    for (std::uint32_t w = 0; w < Bytes / 4; ++w) {
      a.texels.word[w][k] = both.word[w][k];
      b.texels.word[w][k] = both.word[Bytes / 4 + w][k];
    }
  }
  return true;
}

// The four texels of linear filtering: of the first row, then of the second.
struct Footprint {
  ReadTexels taps[4];
  AxisTaps x, y;
};
inline void loadFootprint(const GroupSample& s, const ImageLevel& level, Footprint& f) {
  placeTaps<true>(s, 0, level.extent.x, f.x);
  placeTaps<true>(s, 1, level.extent.y, f.y);
  for (std::size_t j = 0; j < 2; ++j) {
    alignas(64) std::uint64_t row[kGroup];
    placeRows(s, level, f.y.at[j], row);
    ReadTexels &a = f.taps[2 * j], &b = f.taps[2 * j + 1];
    withTexelBytes(s.view.format->texelBytes, [&](auto bytes) {
      if constexpr (bytes <= 8)
        if (loadPairs<bytes>(row, f.x, a, b)) return;
      loadTaps<bytes>(row, f.x.at[0], a);
      loadTaps<bytes>(row, f.x.at[1], b);
    });
  }
}

using TexelValues = std::uint32_t[4][kGroup];  // by component, or of one component by tap

// Component `c` of `count` taps.
inline void decodeTaps(const GroupSample& s, const ReadTexels* t, std::uint32_t count, std::uint32_t c, std::uint32_t (*out)[kGroup]) {
  decoderOf<false>(*s.view.format, s.profile.texel, c)(t, count, {}, {out[0], kGroup});
  if (s.sampler.u != AddressMode::kClampToBorder && s.sampler.v != AddressMode::kClampToBorder) return;
  const std::uint32_t border = borderComponent(*s.view.format, s.sampler, c);
  for (std::uint32_t n = 0; n < count; ++n)
    for (std::uint32_t k = 0; k < kGroup; ++k) out[n][k] = t[n].inside[k] != 0 ? out[n][k] : border;
}

// Mixes two values; `weight` is the second's.
inline void reduceGroup(const GroupSample& s, const std::uint32_t* a, const std::uint32_t* b, const float* weight, std::uint32_t* out) {
  const auto by = [&](auto reduction, auto fused) {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k)
      out[k] = scalar::bitsOf(scalar::reduce(reduction, scalar::fromBits<float>(a[k]), scalar::fromBits<float>(b[k]), weight[k], fused));
  };
  using enum Reduction;
  if (s.sampler.reduction == kMin) return by(std::integral_constant<Reduction, kMin>{}, std::false_type{});
  if (s.sampler.reduction == kMax) return by(std::integral_constant<Reduction, kMax>{}, std::false_type{});
  const std::integral_constant<Reduction, kWeightedAverage> average;
  s.profile.fusedFilter ? by(average, std::true_type{}) : by(average, std::false_type{});
}

// Component `c` of the texels of a footprint, in the order of a gather: counter-clockwise from the lower left.
inline void gatherGroup(const GroupSample& s, std::uint32_t c, TexelValues& out) {
  static constexpr std::uint8_t kOrder[4] = {2, 3, 1, 0};
  Footprint f;
  loadFootprint(s, s.view, f);
  for (std::uint32_t n = 0; n < 4; ++n) decodeTaps(s, &f.taps[kOrder[n]], 1, c, &out[n]);
}

// The components in `needed` of a level.
inline void sampleLevel(const GroupSample& s, const ImageLevel& level, Filter filter, std::uint32_t needed, TexelValues& out) {
  if (filter == Filter::kNearest) {
    AxisTaps x, y;
    placeTaps<false>(s, 0, level.extent.x, x);
    placeTaps<false>(s, 1, level.extent.y, y);
    alignas(64) std::uint64_t row[kGroup];
    placeRows(s, level, y.at[0], row);
    ReadTexels taps;
    withTexelBytes(s.view.format->texelBytes, [&](auto bytes) { loadTaps<bytes>(row, x.at[0], taps); });
    for (std::uint32_t c = 0; c < 4; ++c)
      if (needed >> c & 1) decodeTaps(s, &taps, 1, c, &out[c]);
    return;
  }
  Footprint f;
  loadFootprint(s, level, f);
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (!(needed >> c & 1)) continue;
    alignas(64) TexelValues tap;
    decodeTaps(s, f.taps, 4, c, tap);
    reduceGroup(s, tap[0], tap[1], f.x.weight, tap[0]);
    reduceGroup(s, tap[2], tap[3], f.x.weight, tap[2]);
    reduceGroup(s, tap[0], tap[2], f.y.weight, out[c]);
  }
}

inline void sampleGroup(const GroupSample& s, const SampledLevels& levels, std::uint32_t needed, TexelValues& out) {
  sampleLevel(s, *levelOf(s.view, levels.first), levels.filter, needed, out);
  if (!levels.both) return;
  alignas(64) TexelValues next;
  alignas(64) float weight[kGroup];
  std::fill(weight, weight + kGroup, levels.weight);
  sampleLevel(s, *levelOf(s.view, levels.first + 1), levels.filter, needed, next);
  for (std::uint32_t c = 0; c < 4; ++c)
    if (needed >> c & 1) reduceGroup(s, out[c], next[c], weight, out[c]);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
