// The oracle of the exact mean pyramids of 8-bit pictures (docs/contracts.md, 6), and of minima and maxima over the same texels.
//
// Along an axis of D texels with n = max(1, D >> 1) on the next level, texel j weighs
//   mean2x2  s[2j] and s[2j+1] with 1 each; an odd last texel is dropped
//   energy   D even: the same. D odd > 1: s[2j] with n - j, s[2j+1] with n, s[2j+2] with j + 1, of 2n + 1 in all
//   filter   what a linear filter takes at the middle of texel j, (2j + 1) D / 2n: of the two texels around it, i = floor(m / 2n) for
//            m = (2j + 1) D - n, s[i] with 2n - (m mod 2n) and s[i+1] with m mod 2n, of 2n. D even: mean2x2 again. (Blits; no mean where D
//            is odd: of 5 texels the third has no weight at all)
// and s[0] with 1 where D is 1. Two axes: the weights multiply. The mean is rounded to 8 bits on every level, floor(v + 1/2), and the next
// level starts from the rounded one, so the result depends on no schedule. min and max take every texel with weight.
//
// Encodings. linear: the codes themselves. srgb: channels 0 to 2 are decoded to units of 2^-24 by srgb_tables.h, averaged exactly, and
// encoded by its thresholds; channel 3 is linear. Since the curve rises, min and max need no decoding. Premultiplied: every colour code is
// floor((2 c a + 255) / 510) first, level 0 of the result too, and stays so; it needs four channels.
//
// Errors: bad input for another shape than 8 bits and one level, for a level count of 0 or beyond the full chain.
#pragma once

#include <cstdint>

#include "golden/image/image.h"
#include "golden/oracles/srgb_tables.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kMeanPyramidVersion = 1;

enum class PyramidKernel : std::uint8_t { k2x2, kEnergy, kFilter };
enum class Reduction : std::uint8_t { kMean, kMin, kMax };
enum class Encoding : std::uint8_t { kLinear, kSrgb };

struct PyramidForm {
  PyramidKernel kernel = PyramidKernel::kEnergy;
  Reduction reduction = Reduction::kMean;
  Encoding encoding = Encoding::kLinear;
  bool premultiply = false;
};

// The taps of texel j of the next level along an axis of `size` texels: `count` texels from `first` on, their weights and the sum of these.
struct Taps {
  std::uint32_t first = 0, count = 1;
  std::uint64_t weight[3] = {1, 0, 0};
  std::uint64_t sum = 1;
};
Taps pyramidTaps(PyramidKernel kernel, std::uint32_t j, std::uint32_t size);

// The base and the levels above it, `levels` in all.
Expected<Image> pyramid(const PyramidForm& form, const Image& base, std::uint32_t levels);

// Multiplies colours by alpha, as above.
Image premultiplied(const Image& picture);

// The code for a light of numerator / denominator units: the number of thresholds that are at most that.
std::uint8_t srgbCode(std::uint64_t numerator, std::uint64_t denominator);

}  // namespace lanewise::golden
