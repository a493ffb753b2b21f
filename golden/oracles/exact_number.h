// Exact results as a person reads them: a name, a fraction in lowest terms, and its decimal; and the numbers that the photo statistics are
// about (docs/contracts.md, 7 to 9), from the sums that kernels and oracles give.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"
#include "golden/oracles/natural.h"

namespace lanewise::golden {

struct ExactNumber {
  std::string name;   // "mean saturation"
  Ratio value;        // not reduced
  bool root = false;  // the number is the square root of the value

  std::string fraction() const;  // "5/16"; of a root "the square root of 1/4"
  std::string decimal() const;   // nine places, the last rounded half up: "0.312500000"
};

// In decimal digits.
std::string numberText(const Natural& n);

// Of the 256 sums of golden/oracles/saturation.h, over so many texels.
ExactNumber meanSaturation(const Image& sums, std::uint64_t texels);
// Mean and variance from sum and sum of squares, a 2x1 image of u64, over so many texels; the variance is divided by their number.
std::vector<ExactNumber> sobelMoments(const Image& sums, std::uint64_t texels);
// dot / sqrt(aa * bb), from twelve words of u32: three sums of 128 bits, the low word first. Neither aa nor bb is 0.
ExactNumber cosineOf(const Image& sums);

}  // namespace lanewise::golden
