// Where a sampled coordinate falls: texel coordinates and weights, wrapping, cube faces, levels of detail, comparison.
//
// Promise: every function is total; what is no number counts as 0. Texel coordinates are exact where the specification's formula is
// exact in real numbers: offsets are added as integers. Choices that Vulkan leaves: sub-texel bits (linear()), the direction of rounding
// halfway between two levels (nearestLevel()), and one formula of interpolation: a + (b - a) * t in binary32, along x, then y, then z,
// then between levels, where fusedFilter says how often it rounds.
// Source: Vulkan 1.3, "Texel Coordinate Systems", "Wrapping Operation", "Texel Filtering", "Cube Map Face Selection", "Cube Map Edge
// Handling", "Level-of-Detail Operation", "Image Level(s) Selection", "Depth Compare Operation".
#pragma once

#include <cstdint>

#include "model/contract/sampler.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/transcendental.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

namespace detail {

// Of an infinity or of no number: anything, for the callers take no fraction of those. One instruction where the host has it.
constexpr float wholeBelow(float x) noexcept {
#if defined(__SSE4_1__)
  return __builtin_floorf(x);
#else
  return floor(x);
#endif
}
constexpr float wholeNearest(float x) noexcept {
#if defined(__SSE4_1__)
  return __builtin_rintf(x);
#else
  return nearestInteger(x);
#endif
}

// A whole number, held inside +-2^30, so that sums with offsets and sizes stay integers of 32 bits.
constexpr std::int32_t heldInteger(float x) noexcept {
  constexpr float limit = 0x1p30f;
  const float raised = x > -limit ? x : -limit, held = raised < limit ? raised : limit;
  return x == x ? static_cast<std::int32_t>(held) : 0;
}

}  // namespace detail

constexpr std::int32_t floorToInteger(float x) noexcept {
  return detail::heldInteger(detail::wholeBelow(x));
}

// An array layer: the nearest integer, ties to even, inside the array ("(u,v,w,a) to (i,j,k,l,n) Transformation").
constexpr std::uint32_t arrayLayer(float a, std::uint32_t layers) noexcept {
  const float nearest = detail::nearestInteger(a);
  if (!(nearest > 0.0f)) return 0;
  return nearest < static_cast<float>(layers) ? static_cast<std::uint32_t>(nearest) : layers - 1;
}

// The two texels of one axis that linear filtering takes: `first` and the next, and the weight of the second.
struct Neighbours {
  std::int32_t first = 0;
  float weight = 0;
};
// `bits`: how many bits of the position between two texels count (subTexelPrecisionBits): it is rounded to the nearest, ties to even, or
// cut; 0: all that a float has.
constexpr Neighbours linear(float u, std::uint32_t bits, bool cut) noexcept {
  float x = u - 0.5f;
  const float scale = fromBits<float>((127 + bits) << 23), part = fromBits<float>((127 - bits) << 23);
  if (bits != 0) x = (cut ? detail::wholeBelow(x * scale) : detail::wholeNearest(x * scale)) * part;
  const float below = detail::wholeBelow(x), weight = x - below;
  return {detail::heldInteger(below), weight < 1.0f ? weight : 0.0f};  // a weight that is no number is 0
}

constexpr float lerp(float a, float b, float t, bool fused) noexcept {
  if (fused) return fmaFused(b - a, t, a);
  const float product = (b - a) * t;
  return canonical(a + product);
}

// Two texels become one. Where the lesser or the greater is taken, a second one of no weight does not count.
constexpr float reduce(Reduction reduction, float a, float b, float t, bool fused) noexcept {
  if (reduction == Reduction::kWeightedAverage) return lerp(a, b, t, fused);
  const bool second = t > 0.0f && (reduction == Reduction::kMin ? b < a : b > a);
  return second ? b : a;
}

// The texel of an axis with `size` texels that coordinate i means; -1: the border.
constexpr std::int32_t wrap(AddressMode mode, std::int32_t i, std::int32_t size) noexcept {
  // A quotient of two integers of 32 bits, cut, is exact through binary64, and vector code.
  const auto remainder = [](std::int32_t a, std::int32_t b) {
    const std::int32_t rest = a - static_cast<std::int32_t>(static_cast<double>(a) / b) * b;
    return rest < 0 ? rest + b : rest;
  };
  const auto mirror = [](std::int32_t n) { return n >= 0 ? n : -1 - n; };
  const auto clamp = [&](std::int32_t n) { return n < 0 ? 0 : n < size ? n : size - 1; };
  switch (mode) {
    case AddressMode::kRepeat:
      return remainder(i, size);
    case AddressMode::kMirroredRepeat:
      return size - 1 - mirror(remainder(i, 2 * size) - size);
    case AddressMode::kClampToBorder:
      return i >= 0 && i < size ? i : -1;
    case AddressMode::kMirrorClampToEdge:
      return clamp(mirror(i));
    default:
      return clamp(i);
  }
}

constexpr bool compares(CompareOp op, float reference, float texel) noexcept {
  switch (op) {
    case CompareOp::kLess:
      return reference < texel;
    case CompareOp::kEqual:
      return reference == texel;
    case CompareOp::kLessOrEqual:
      return reference <= texel;
    case CompareOp::kGreater:
      return reference > texel;
    case CompareOp::kNotEqual:
      return reference != texel;
    case CompareOp::kGreaterOrEqual:
      return reference >= texel;
    default:
      return op == CompareOp::kAlways;
  }
}

// A direction seen from inside a cube: the face it meets, and sc, tc, rc of the table "Cube map face and coordinate selection". Of equal
// magnitudes z comes before y before x.
struct CubeAxes {
  std::uint32_t face = 0;
  float sc = 0, tc = 0, rc = 0;
};
constexpr CubeAxes cubeAxes(std::uint32_t face, float x, float y, float z) noexcept {
  switch (face) {
    case 0:
      return {0, -z, -y, x};
    case 1:
      return {1, z, -y, x};
    case 2:
      return {2, x, z, y};
    case 3:
      return {3, x, -z, y};
    case 4:
      return {4, x, -y, z};
    default:
      return {5, -x, -y, z};
  }
}
constexpr std::uint32_t cubeFace(float x, float y, float z) noexcept {
  const float ax = fAbs(x), ay = fAbs(y), az = fAbs(z);
  if (az >= ax && az >= ay) return signOf(z) != 0 ? 5 : 4;
  if (ay >= ax) return signOf(y) != 0 ? 3 : 2;
  return signOf(x) != 0 ? 1 : 0;
}
// s or t of a face, from sc or tc.
constexpr float cubeCoordinate(float c, float rc) noexcept {
  return 0.5f * (c / fAbs(rc)) + 0.5f;
}

struct CubeTexel {
  std::uint32_t face = 0;
  std::int32_t i = 0, j = 0;
};
// The texel beyond the edge of a face, which lies on the neighbour: one coordinate is -1 or size, the other inside. Texel centres stand at
// odd multiples of 1 / size in a cube of side 2; the fold over the edge swaps the two axes that meet there.
constexpr CubeTexel cubeNeighbour(CubeTexel t, std::int32_t size) noexcept {
  const std::int32_t sc = 2 * t.i + 1 - size, tc = 2 * t.j + 1 - size;
  // The direction with sc, tc and rc = size, by inverting cubeAxes; whole numbers below 2^24, exact in a float.
  std::int32_t x = 0, y = 0, z = 0;
  switch (t.face) {
    case 0:
      x = size, y = -tc, z = -sc;
      break;
    case 1:
      x = -size, y = -tc, z = sc;
      break;
    case 2:
      x = sc, y = size, z = tc;
      break;
    case 3:
      x = sc, y = -size, z = -tc;
      break;
    case 4:
      x = sc, y = -tc, z = size;
      break;
    default:
      x = -sc, y = -tc, z = -size;
  }
  // What stands beyond the edge (size + 1) becomes the face's distance, what was the distance the outermost row of the neighbour.
  const auto fold = [&](std::int32_t v) {
    const std::int32_t a = v < 0 ? -v : v, s = v < 0 ? -1 : 1;
    return a > size ? s * size : a == size ? s * (size - 1) : v;
  };
  const auto fx = static_cast<float>(fold(x)), fy = static_cast<float>(fold(y)), fz = static_cast<float>(fold(z));
  const CubeAxes axes = cubeAxes(cubeFace(fx, fy, fz), fx, fy, fz);
  return {axes.face, (static_cast<std::int32_t>(axes.sc) + size - 1) / 2, (static_cast<std::int32_t>(axes.tc) + size - 1) / 2};
}

constexpr float clampNumber(float x, float low, float high) noexcept {
  const float raised = x > low ? x : low;
  return raised < high ? raised : high;
}

// log2 of the longer of two gradients in texels of the base level ("Scale Factor Operation", no anisotropy). A gradient of 0 gives minus
// infinity.
constexpr float gradientLod(const float dx[3], const float dy[3], const float size[3]) noexcept {
  const auto squared = [&](const float d[3]) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += static_cast<double>(d[c]) * size[c] * (static_cast<double>(d[c]) * size[c]);
    return sum;
  };
  const double x = squared(dx), y = squared(dy);
  return static_cast<float>(0.5 * precise::log2(x > y ? x : y));
}

// The level whose index is nearest to d in [0, last], ties down: ceil(d + 0.5) - 1.
constexpr std::uint32_t nearestLevel(float d) noexcept {
  if (!(d > 0.0f)) return 0;
  const float below = floor(d);
  return static_cast<std::uint32_t>(below) + (d - below > 0.5f ? 1 : 0);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
