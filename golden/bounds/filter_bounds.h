// What a device's linear filter may err: the part of the bounds of those forms that read through a sampler.
//
// Vulkan ("Texel Filtering") defines a filtered value in real numbers, as the weighted mean of texels, axis after axis. It leaves two
// things to the device:
//
//  - The weights. "The number of fraction bits retained is specified by subTexelPrecisionBits": with b bits, rounded or cut, a weight errs
//    by at most 2^-b. Besides, the place may be off before: a normalized coordinate (2x + 1) / D costs the division's 2.5 ULP (5u, u =
//    2^-24) and two roundings more, times D and minus 1/2 (2u each): 9u of at most D, taken as 10u D. Unnormalized coordinates are exact,
//    and a place halfway between two texels then has the weight 1/2 exactly.
//  - The sum, of which nothing is said. Taken for granted: each axis is one stage, whose mean is rounded either way to the precision of the
//    texels: to a code (8 bits), to a half (11 bits); of floats a + (b - a) t rounds three times, 22 bits hold that. A stage of weight 0
//    gives the texel itself. What does less deviates: docs/device-deviations.md.
//
// Both are independent of the order of the axes.
#pragma once

#include <cmath>

#include "golden/image/image.h"

namespace lanewise::golden {

// The bits of weights that the bounds require of a device.
inline constexpr int kFilterWeightBits = 8;

// Of a weight at (2x + 1) / size, normalized.
inline double filterWeightError(double size) {
  return std::ldexp(1.0, -kFilterWeightBits) + 10 * 0x1p-24 * size;
}

// Of one stage over texels of this kind: of their greatest magnitude; of codes, of full light.
constexpr double filterStageError(Component component) {
  return component == Component::kU8 ? 1.0 / 255 : component == Component::kF16 ? 0x1p-10 : 0x1p-21;
}

}  // namespace lanewise::golden
