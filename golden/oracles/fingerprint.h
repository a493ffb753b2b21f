// The oracles of the fingerprint histogram and of the cosine of two (docs/contracts.md, 7).
#pragma once

#include <cstdint>

#include "golden/image/image.h"
#include "golden/oracles/natural.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kFingerprintVersion = 1;

// The number of texels in each of 2048 buckets, as a 2048x1 image of u32. The bucket is (r>>5)<<8 | (g>>5)<<5 | (b>>5)<<2 | location, with
// location = 2 * floor(2y / H) + floor(2x / W). The counts sum to W * H.
Expected<Image> fingerprint(const Image& picture);

// The cosine of two vectors of counts (one channel of u32, equal shapes): dot / sqrt(aa * bb), correctly rounded to f32 from the exact
// square. Bad input: different shapes, or a vector of zeros.
struct Cosine {
  Natural dot, aa, bb;  // the exact sums
  float value = 0;
};
Expected<Cosine> cosine(const Image& a, const Image& b);

}  // namespace lanewise::golden
