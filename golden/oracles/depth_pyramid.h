// The oracle of the depth pyramids: maxima or minima level by level, exact (docs/contracts.md, 5).
//
// Along an axis of D texels with n = max(1, D >> 1) on the next level, texel j takes
//   floor            2j and 2j + 1: an odd last row or column is dropped
//   conservative     these, and for the last j of an odd D > 1 also 2j + 2: every texel below is covered by texel min(x >> level, size - 1)
//   conservative-uv  2j, 2j + 1 and 2j + 2 for every j of an odd D > 1: covered by every texel whose share of the picture meets it
// and 0 alone where D is 1.
//
// Zeros: the contract calls +0 and -0 equal; the oracle orders -0 below +0 so that its bytes are defined. Compare with zerosEqual.
// Errors: bad input for another shape than f32 of one channel and one level, for a NaN or an infinity, and for more levels than the full
// chain or none.
#pragma once

#include <cstdint>
#include <string_view>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kDepthPyramidVersion = 1;

enum class DepthForm : std::uint8_t { kFloor, kConservative, kConservativeUv };
enum class Extreme : std::uint8_t { kMax, kMin };

// "floor", "conservative", "conservative-uv".
std::string_view depthFormName(DepthForm form);

// The base and the levels above it, `levels` in all.
Expected<Image> depthPyramid(DepthForm form, Extreme extreme, const Image& base, std::uint32_t levels);

}  // namespace lanewise::golden
