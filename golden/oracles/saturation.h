// The oracle of the saturation image and of the sums of its exact mean (docs/contracts.md, 8). Pictures are RGBA of 8 bits; alpha is not
// used.
#pragma once

#include <cstdint>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kSaturationVersion = 1;

// (max - min) / max over r, g, b and 0 where max is 0, correctly rounded: one channel of f32.
Expected<Image> saturation(const Image& picture);
// Entry m: the sum of max - min over the texels whose max is m. The exact mean is the sum of entry m / m, divided by the number of texels.
// 256x1 of u64.
Expected<Image> saturationSums(const Image& picture);

}  // namespace lanewise::golden
