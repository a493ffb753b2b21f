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
    const std::uint64_t slice = s.layer ? scalar::arrayLayer(s.layer[lane], std::max(1u, s.view.layers)) : 0;
    for (std::uint32_t j = 0; j < taps; ++j) {
      std::int32_t row = y[lane] + static_cast<std::int32_t>(j);
      if (static_cast<std::uint32_t>(row) >= level.extent.y)
        row = scalar::wrap(s.sampler.v, row, static_cast<std::int32_t>(level.extent.y));
      if (row < 0) return;
      runs.half[j][h] = level.data + slice * level.sliceBytes + static_cast<std::uint32_t>(row) * level.rowBytes +
                        std::size_t{first} * s.view.format->texelBytes;
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
  alignas(64) std::uint64_t at[kGroup];
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const bool inside = (row[k] != 0) & (x[k] >= 0);
    at[k] = inside ? row[k] + std::uint64_t{static_cast<std::uint32_t>(x[k])} * Bytes : 0;
    t.inside[k] = inside ? 0xffffffffu : 0u;
  }
  for (std::uint32_t k = 0; k < kGroup; ++k) loadOne<Bytes>(reinterpret_cast<const std::byte*>(at[k]), t.texels, k);
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

// Component `c` of `count` taps.
inline void decodeTaps(const GroupSample& s, const ReadTexels* t, std::uint32_t count, std::uint32_t c, std::uint32_t (*out)[kGroup]) {
  s.decoder[c](t, count, {}, {out[0], kGroup});
  if (!hasBorder(s)) return;
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

// As scalar::lerp; of a NaN that is mixed again it does not matter which it is.
inline float mixed(float a, float b, float weight) {
  const float product = (b - a) * weight;
  return a + product;
}

// As decodeTaps and reduceGroup: the weighted average of texels that are none of them on the border.
template <DecodeGroups<false> Decode>
inline void mixTaps(const ComponentDecoder<false>& d, const Footprint& f, std::uint32_t* out) {
  alignas(64) TexelValues tap;
  const auto decode = [&](std::uint32_t n, auto count) { Decode(d, f.taps + n, count, {}, {tap[n], kGroup}); };
  const auto mix = [&](auto columns, auto rows) {
    if constexpr (columns == 2) {
      decode(0, std::integral_constant<std::uint32_t, 2 * rows>{});
    } else {
      for (std::uint32_t j = 0; j < rows; ++j) decode(2 * j, std::integral_constant<std::uint32_t, 1>{});
    }
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto row = [&](std::uint32_t j) {
        const float first = scalar::fromBits<float>(tap[2 * j][k]);
        return columns == 2 ? mixed(first, scalar::fromBits<float>(tap[2 * j + 1][k]), f.x.weight[k]) : first;
      };
      out[k] = scalar::bitsOf(scalar::canonical(rows == 2 ? mixed(row(0), row(1), f.y.weight[k]) : row(0)));
    }
  };
  using One = std::integral_constant<std::uint32_t, 1>;
  using Two = std::integral_constant<std::uint32_t, 2>;
  if (f.columns == 2) return f.rows == 2 ? mix(Two{}, Two{}) : mix(Two{}, One{});
  f.rows == 2 ? mix(One{}, Two{}) : mix(One{}, One{});
}

// Four components of four texels, as floats: where they are, or `room`.
inline const float* floatsAt(const std::byte* texels, float*) {
  return reinterpret_cast<const float*>(texels);
}
inline const float* halvesAt(const std::byte* texels, float* room) {
  halvesToFloats(reinterpret_cast<const std::uint16_t*>(texels), room);
  return room;
}

template <auto At, std::uint32_t Bytes>
inline void mixRuns(const Runs& runs, const Footprint& f, TexelValues& out) {
  const float wx = f.x.weight[0], wy = f.y.weight[0];
  constexpr std::uint32_t kTexels = kGroup / 4;  // at once
  alignas(64) float all[2][4 * kHalf];
  for (std::uint32_t h = 0; h < 2; ++h)
    for (std::uint32_t t = 0; t < kHalf; t += kTexels) {
      alignas(64) float room[4][kGroup];
      const std::byte *first = runs.half[0][h] + std::size_t{t} * Bytes, *second = runs.half[1][h] + std::size_t{t} * Bytes;
      const float *a = At(first, room[0]), *b = At(first + Bytes, room[1]), *c = At(second, room[2]), *d = At(second + Bytes, room[3]);
      float* to = all[h] + 4 * t;
#pragma GCC ivdep
      for (std::uint32_t i = 0; i < kGroup; ++i) to[i] = scalar::canonical(mixed(mixed(a[i], b[i], wx), mixed(c[i], d[i], wx), wy));
    }
  loadRuns<16>(reinterpret_cast<const std::byte*>(all[0]), reinterpret_cast<const std::byte*>(all[1]), out);
}
// All lanes have one weight.
inline bool isOne(const float* weight) {
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) apart |= scalar::bitsOf(weight[k]) ^ scalar::bitsOf(weight[0]);
  return apart == 0;
}

inline bool mixes(const GroupSample& s) {
  return s.sampler.reduction == Reduction::kWeightedAverage && !s.profile.fusedFilter;
}
inline RunsMixer runsMixerOf(const GroupSample& s) {
  const FormatInfo& format = *s.view.format;
  if (!mixes(s) || format.numeric != NumericFormat::kSfloat) return nullptr;
  if (format.texelBytes == 16 && format.layout.bits[3] == 32) return &mixRuns<&floatsAt, 16>;
  if (format.texelBytes == 8 && format.layout.bits[3] == 16) return &mixRuns<&halvesAt, 8>;
  return nullptr;
}

// What the components in `needed` take where they are not mixed in runs; once for an instruction.
inline void prepare(GroupSample& s, std::uint32_t needed) {
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (!(needed & ~s.prepared & 1u << c)) continue;
    s.decoder[c] = decoderOf<false>(*s.view.format, s.profile.texel, c);
    if (mixes(s)) withDecode<false>(*s.view.format, s.profile.texel, c, [&](auto decode) { s.mixer[c] = &mixTaps<decode>; });
  }
  s.prepared |= needed;
}

// Component `c` of the texels of a footprint, in the order of a gather: counter-clockwise from the lower left.
inline void gatherGroup(GroupSample& s, std::uint32_t c, TexelValues& out) {
  static constexpr std::uint8_t kOrder[4] = {2, 3, 1, 0};
  prepare(s, 1u << c);
  Footprint f;
  Runs runs;
  placeFootprint(s, s.view, f, runs);
  loadFootprint(s, s.view, runs, f);
  for (std::uint32_t n = 0; n < 4; ++n) decodeTaps(s, &f.taps[kOrder[n]], 1, c, &out[n]);
}

// A texel of these formats stays as it is where another is mixed in with a weight of 0: both are finite, and it is no -0. So texels of no
// weight are left out, along a row, or a column, of centres.
inline bool isNormalized(const FormatInfo& f) {
  using enum NumericFormat;
  return f.numeric == kUnorm || f.numeric == kSnorm || f.numeric == kSrgb;
}
inline bool isZero(const float* weight) {
  return scalar::bitsOf(weight[0]) == 0 && isOne(weight);
}

// The components in `needed` of a level.
inline void sampleLevel(GroupSample& s, const ImageLevel& level, Filter filter, std::uint32_t needed, TexelValues& out) {
  if (filter == Filter::kNearest) {
    prepare(s, needed);
    AxisTaps x, y;
    placeNearest(s, 0, level.extent.x, x);
    placeNearest(s, 1, level.extent.y, y);
    ReadTexels taps;
    withTexelBytes(s.view.format->texelBytes, [&](auto bytes) {
      Runs runs;
      findRuns(s, level, x.at[0], y.at[0], 1, runs);
      if (runs.step != 0 && loadRuns<bytes>(runs, 0, 1, &taps)) return;
      alignas(64) std::uint64_t row[kGroup];
      wrapTaps(s.sampler.u, level.extent.x, x.at[0]);
      wrapTaps(s.sampler.v, level.extent.y, y.at[0]);
      placeRows(s, level, y.at[0], row);
      loadTaps<bytes>(row, x.at[0], taps);
    });
    for (std::uint32_t c = 0; c < 4; ++c)
      if (needed >> c & 1) decodeTaps(s, &taps, 1, c, &out[c]);
    return;
  }
  Footprint f;
  Runs runs;
  placeFootprint(s, level, f, runs);
  if (runs.step == 1 && s.runsMixer && isOne(f.x.weight) && isOne(f.y.weight)) return s.runsMixer(runs, f, out);
  prepare(s, needed);
  loadFootprint(s, level, runs, f);
  if (f.inside && isNormalized(*s.view.format)) {
    f.columns = isZero(f.x.weight) ? 1 : 2;
    f.rows = isZero(f.y.weight) ? 1 : 2;
  }
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (!(needed >> c & 1)) continue;
    if (f.inside && s.mixer[c]) {
      s.mixer[c](s.decoder[c], f, out[c]);
      continue;
    }
    alignas(64) TexelValues tap;
    decodeTaps(s, f.taps, 4, c, tap);
    reduceGroup(s, tap[0], tap[1], f.x.weight, tap[0]);
    reduceGroup(s, tap[2], tap[3], f.x.weight, tap[2]);
    reduceGroup(s, tap[0], tap[2], f.y.weight, out[c]);
  }
}

inline void sampleGroup(GroupSample& s, const SampledLevels& levels, std::uint32_t needed, TexelValues& out) {
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
