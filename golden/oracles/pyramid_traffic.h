// The result of the baseline for the least time of a pyramid. It is not a pyramid, but it has the memory traffic of one, and its result can
// be checked.
//
// Level 1, texel (x, y): for each channel the greatest code of the base texels that it covers. Those are columns 2x and 2x + 1 (inside of
// the base), and for the last texel of an odd side longer than 1 the column after them; rows alike. The levels above are copies of texels
// of level 1. Level l from 2 to 6: a tile of 64x64 base texels has (64 >> l) texels a side on it, and 32 on level 1; texel (x, y) of the
// tile on level l is its texel (x, y) on level 1. Level l > 6: texel (x << (l - 1), y << (l - 1)) of level 1.
#pragma once

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kPyramidTrafficVersion = 2;

// The base and the levels above it, `levels` in all. Bad input: a shape other than 8 bits and one level, or more levels than the chain has.
Expected<Image> pyramidTraffic(const Image& base, std::uint32_t levels);

}  // namespace lanewise::golden
