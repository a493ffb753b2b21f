// The oracle of the bilinear scale (docs/contracts.md, 10).
#pragma once

#include <cstdint>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kBilinearVersion = 1;

// A picture of W x H scaled to `to`. Texel x samples at (x + 1/2) * W / w - 1/2 with two taps per axis, clamped, and one rounding, floor(v
// + 1/2). Any channels of 8 bits. Bad input: sides beyond 65535.
Expected<Image> bilinearScale(const Image& picture, Extent to);

}  // namespace lanewise::golden
