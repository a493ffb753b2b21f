// The texels that sixteen lanes take together when they sample: where they lie, and their bytes (sample_group.h).
#pragma once

#include "model/memory/sample.h"
#include "model/operations/near_texels.h"
#include "model/scalar/sampling.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Converts one component of a footprint, and mixes it.
struct Footprint;
using Mixer = void (*)(const ComponentDecoder<false>&, const Footprint&, std::uint32_t*);

using TexelValues = std::uint32_t[4][kGroup];  // by component, or of one component by tap

// Mixes the components as they lie in memory, where all lanes have the weights of the first one.
struct Runs;
using RunsMixer = void (*)(const Runs&, const Footprint&, TexelValues&);

// The samples of a group of lanes.
struct GroupSample {
  const ImageView& view;
  const SamplerState& sampler;
  const Profile& profile;
  const float* at[2] = {nullptr, nullptr};  // s and t of each lane
  const float* layer = nullptr;             // of arrays
  std::int32_t offset[2] = {0, 0};
  RunsMixer runsMixer = nullptr;  // of formats with four floats, or four halves
  std::uint32_t prepared = 0;     // components that have what follows
  ComponentDecoder<false> decoder[4] = {};
  Mixer mixer[4] = {};  // nullptr: the taps are decoded, and then reduced
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

inline AddressMode modeOf(const GroupSample& s, std::size_t axis) {
  return axis == 0 ? s.sampler.u : s.sampler.v;
}
inline float scaleOf(const GroupSample& s, std::uint32_t size) {
  return s.sampler.unnormalized ? 1.0f : static_cast<float>(size);
}
inline bool hasBorder(const GroupSample& s) {
  return s.sampler.u == AddressMode::kClampToBorder || s.sampler.v == AddressMode::kClampToBorder;
}

// Before they are wrapped: the nearest texel, or the first of each pair and the weights.
inline void placeNearest(const GroupSample& s, std::size_t axis, std::uint32_t size, AxisTaps& taps) {
  const float* at = s.at[axis];
  const float scale = scaleOf(s, size);
  const std::int32_t offset = s.offset[axis];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) taps.at[0][k] = scalar::floorToInteger(at[k] * scale) + offset;
}
inline void placePairs(const GroupSample& s, std::size_t axis, std::uint32_t size, AxisTaps& taps) {
  const float* at = s.at[axis];
  const float scale = scaleOf(s, size);
  const std::int32_t offset = s.offset[axis];
  const std::uint32_t bits = s.profile.subTexelBits;
  const auto pairs = [&](auto cut) {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const scalar::Neighbours pair = scalar::linear(at[k] * scale, bits, cut);
      taps.at[0][k] = pair.first + offset;
      taps.weight[k] = pair.weight;
    }
  };
  s.profile.cutWeights ? pairs(std::true_type{}) : pairs(std::false_type{});
}
// Both texels of each pair.
inline void wrapPairs(const GroupSample& s, std::size_t axis, std::uint32_t size, AxisTaps& taps) {
  for (std::uint32_t k = 0; k < kGroup; ++k) taps.at[1][k] = taps.at[0][k] + 1;
  for (std::int32_t* at : taps.at) wrapTaps(modeOf(s, axis), size, at);
}

// Linear: the pair of texels; otherwise the nearest one.
template <bool Linear>
inline void placeTaps(const GroupSample& s, std::size_t axis, std::uint32_t size, AxisTaps& taps) {
  if constexpr (Linear) {
    placePairs(s, axis, size, taps);
    wrapPairs(s, axis, size, taps);
  } else {
    placeNearest(s, axis, size, taps);
    wrapTaps(modeOf(s, axis), size, taps.at[0]);
  }
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

// A texel of the layer that a lane names.
inline const std::byte* texelAt(const GroupSample& s, const ImageLevel& level, std::uint32_t lane, std::uint32_t x, std::uint32_t row) {
  const std::uint64_t slice = s.layer ? scalar::arrayLayer(s.layer[lane], std::max(1u, s.view.layers)) : 0;
  return level.data + slice * level.sliceBytes + row * level.rowBytes + std::size_t{x} * s.view.format->texelBytes;
}

// Where the eight lanes of each half take texels of one row, the next lane `step` texels further (1: a picture keeps its size, 2: it is
// halved), none of them wrapped along x or on the border: the first one of each half, for each row of the footprint. Most samples are so.
struct Runs {
  const std::byte* half[2][2] = {};  // by row of the footprint
  std::uint32_t step = 0;            // 0: it is not so
};

// Into `runs`, which is empty. `x`, `y`: the first texel of each lane's footprint before it is wrapped. The footprint is `taps` texels wide
// and high.
inline void findRuns(const GroupSample& s, const ImageLevel& level, const std::int32_t* x, const std::int32_t* y, std::uint32_t taps,
                     Runs& runs) {
  const auto isTwo = [](const auto* at, std::uint32_t step) { return isTwoRows(reinterpret_cast<const std::uint32_t*>(at), step); };
  const std::uint32_t step = static_cast<std::uint32_t>(x[1]) - static_cast<std::uint32_t>(x[0]),
                      width = step * (kHalf - 1) + (step == 1 ? taps : 2);
  if ((step != 1 && step != 2) || !isTwo(x, step) || !isTwo(y, 0) || (s.layer && !isTwo(s.layer, 0)) || level.extent.x < width) return;
  for (std::uint32_t h = 0; h < 2; ++h) {
    const std::uint32_t lane = h * kHalf, first = static_cast<std::uint32_t>(x[lane]);
    if (first > level.extent.x - width) return;  // a negative one, too
    for (std::uint32_t j = 0; j < taps; ++j) {
      std::int32_t row = y[lane] + static_cast<std::int32_t>(j);
      if (static_cast<std::uint32_t>(row) >= level.extent.y)
        row = scalar::wrap(s.sampler.v, row, static_cast<std::int32_t>(level.extent.y));
      if (row < 0) return;
      runs.half[j][h] = texelAt(s, level, lane, first, static_cast<std::uint32_t>(row));
    }
  }
  runs.step = step;
}

// Takes pairs of texels apart.
template <std::uint32_t Bytes>
inline void takeApart(const TexelGroup& both, TexelGroup& a, TexelGroup& b) {
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    if constexpr (Bytes < 4) {
      a.word[0][k] = both.word[0][k] & ((1u << 8 * Bytes) - 1);
      b.word[0][k] = both.word[0][k] >> 8 * Bytes;
    }
    for (std::uint32_t w = 0; w < Bytes / 4; ++w) {
      a.word[w][k] = both.word[w][k];
      b.word[w][k] = both.word[Bytes / 4 + w][k];
    }
  }
}

// One row of the footprint, one or two texels of each lane. False where sixteen pairs would be too many bytes.
template <std::uint32_t Bytes>
inline bool loadRuns(const Runs& runs, std::uint32_t row, std::uint32_t taps, ReadTexels* t) {
  const std::byte *low = runs.half[row][0], *high = runs.half[row][1];
  if constexpr (Bytes > 8)
    if (runs.step == 2) return false;
  for (std::uint32_t n = 0; n < taps; ++n) {
    std::fill(t[n].inside, t[n].inside + kGroup, 0xffffffffu);
    if (runs.step == 1) loadRuns<Bytes>(low + std::size_t{n} * Bytes, high + std::size_t{n} * Bytes, t[n].texels);
  }
  if constexpr (Bytes <= 8)
    if (runs.step == 2) {
      TexelGroup both, unused;
      loadRuns<2 * Bytes>(low, high, both);
      takeApart<Bytes>(both, t[0].texels, taps == 2 ? t[1].texels : unused);
    }
  return true;
}

template <std::uint32_t Bytes>
inline void loadTaps(const std::uint64_t* row, const std::int32_t* x, ReadTexels& t) {
  alignas(16) static constexpr std::byte kNothing[16] = {};
  const auto nothing = reinterpret_cast<std::uintptr_t>(kNothing);
  alignas(64) std::uint64_t at[kGroup];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const bool inside = (row[k] != 0) & (x[k] >= 0);
    at[k] = inside ? row[k] + std::uint64_t{static_cast<std::uint32_t>(x[k])} * Bytes : nothing;
    t.inside[k] = inside ? 0xffffffffu : 0u;
  }
  alignas(64) std::byte texels[Bytes * kGroup];
  for (std::uint32_t k = 0; k < kGroup; ++k) std::memcpy(texels + k * Bytes, reinterpret_cast<const std::byte*>(at[k]), Bytes);
  loadRun<Bytes>(texels, t.texels);
}

// Loads pairs of texels that are adjacent in the image. False if some are not.
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
  alignas(64) std::byte pairs[2 * Bytes * kGroup];
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const auto* at = reinterpret_cast<const std::byte*>(row[k]) + std::uint64_t{static_cast<std::uint32_t>(x.at[0][k])} * Bytes;
    std::memcpy(pairs + k * 2 * Bytes, at, 2 * Bytes);
  }
  TexelGroup both;
  loadRun<2 * Bytes>(pairs, both);
  takeApart<Bytes>(both, a.texels, b.texels);
  return true;
}

// The four texels of linear filtering: of the first row, then of the second.
struct Footprint {
  ReadTexels taps[4];
  AxisTaps x, y;
  bool inside = false;                  // no texel is on the border
  std::uint32_t columns = 2, rows = 2;  // that have a weight
};
// As findNear, for both rows of a footprint that is wrapped, or for the one of a nearest texel. False on the border.
struct NearRows {
  Near columns;
  const std::byte* half[2][2];  // the first texel of each half, by row
};
inline bool findNearRows(const GroupSample& s, const ImageLevel& level, const AxisTaps& x, const AxisTaps& y, std::uint32_t taps,
                         NearRows& near) {
  const auto isOneByHalf = [](const auto* at) { return isTwoRows(reinterpret_cast<const std::uint32_t*>(at), 0); };
  if (!isOneByHalf(y.at[0]) || !isOneByHalf(y.at[taps - 1]) || (s.layer && !isOneByHalf(s.layer))) return false;
  if (!findNear(reinterpret_cast<const std::uint32_t*>(x.at[0]), taps, level.extent.x, near.columns)) return false;
  for (std::uint32_t h = 0; h < 2; ++h)
    for (std::uint32_t j = 0; j < taps; ++j) {
      const std::uint32_t lane = h * kHalf;
      if (y.at[j][lane] < 0) return false;
      near.half[j][h] = texelAt(s, level, lane, near.columns.first[h], static_cast<std::uint32_t>(y.at[j][lane]));
    }
  return true;
}

inline void placeFootprint(const GroupSample& s, const ImageLevel& level, Footprint& f, Runs& runs) {
  placePairs(s, 0, level.extent.x, f.x);
  placePairs(s, 1, level.extent.y, f.y);
  findRuns(s, level, f.x.at[0], f.y.at[0], 2, runs);
}
inline void loadFootprint(const GroupSample& s, const ImageLevel& level, const Runs& runs, Footprint& f) {
  const auto each = [&](auto bytes) {
    if (runs.step != 0 && loadRuns<bytes>(runs, 0, 2, f.taps) && loadRuns<bytes>(runs, 1, 2, f.taps + 2)) {
      f.inside = true;
      return;
    }
    wrapPairs(s, 0, level.extent.x, f.x);
    wrapPairs(s, 1, level.extent.y, f.y);
    if (NearRows near; findNearRows(s, level, f.x, f.y, 2, near)) {
      f.inside = true;
      for (std::size_t j = 0; j < 2; ++j) loadNear<bytes>(near.half[j][0], near.half[j][1], near.columns, 2, f.taps + 2 * j);
      return;
    }
    f.inside = !hasBorder(s);
    for (std::size_t j = 0; j < 2; ++j) {
      alignas(64) std::uint64_t row[kGroup];
      placeRows(s, level, f.y.at[j], row);
      ReadTexels &a = f.taps[2 * j], &b = f.taps[2 * j + 1];
      if constexpr (bytes <= 8)
        if (loadPairs<bytes>(row, f.x, a, b)) continue;
      loadTaps<bytes>(row, f.x.at[0], a);
      loadTaps<bytes>(row, f.x.at[1], b);
    }
  };
  withTexelBytes(s.view.format->texelBytes, each);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
