// Samples and gathers of sixteen lanes at once: two-dimensional images and arrays of them, where the image, the sampler and the level of
// detail are the same for all lanes. In other cases each lane is sampled by itself.
//
// The formulas are those of model/scalar/sampling.h and model/memory/sample.cpp; only the order of the loops differs.
#pragma once

#include "model/operations/footprint.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

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
      wrapTaps(s.sampler.u, level.extent.x, x.at[0]);
      wrapTaps(s.sampler.v, level.extent.y, y.at[0]);
      if (NearRows near; findNearRows(s, level, x, y, 1, near))
        return loadNear<bytes>(near.half[0][0], near.half[0][1], near.columns, 1, &taps);
      alignas(64) std::uint64_t row[kGroup];
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
