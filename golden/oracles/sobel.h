// The oracle of the Sobel magnitude, its mean and its variance (docs/contracts.md, 9). Pictures are RGBA of 8 bits; alpha is not used.
#pragma once

#include <cstdint>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kSobelVersion = 1;

// Nearest integer to sqrt(Gx^2 + Gy^2) of the luma floor((299R + 587G + 114B + 500) / 1000); Gx is right minus left, Gy below minus above,
// each with the weights 1 2 1, edges clamped. At most 1443: one channel of u16.
Expected<Image> sobel(const Image& picture);
// The same clamped to 255: one channel of u8.
Expected<Image> sobel8(const Image& picture);

// The sums for the mean, sum / count, and the variance, (count * sumOfSquares - sum^2) / count^2.
struct Moments {
  std::uint64_t sum = 0, sumOfSquares = 0;
};
// Over every component of an image of u8 or u16.
Expected<Moments> moments(const Image& image);

}  // namespace lanewise::golden
