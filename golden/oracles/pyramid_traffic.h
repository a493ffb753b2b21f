// What the baseline for the least time of a pyramid writes: no pyramid, but the memory traffic of one, and a result that is checked.
//
// Level 1, texel (x, y): the greatest code, a channel at a time, of the base texels that it covers: columns 2x and 2x + 1 (inside the
// base), the last texel of an odd side longer than 1 the column after as well; rows alike. Level l > 1: texel (x << (l - 1), y << (l - 1))
// of level 1.
#pragma once

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kPyramidTrafficVersion = 1;

// The base and the levels above it, `levels` in all. Bad input: another shape than 8 bits and one level, or no chain of so many levels.
Expected<Image> pyramidTraffic(const Image& base, std::uint32_t levels);

}  // namespace lanewise::golden
