// A part of an image as a picture, as a profile decodes it: every step-th texel of a rectangle, as 8 bits of red, green, blue and alpha.
//
// Values from `low` to `high` become 0 to 255. Without them: 0 to 1 for unorm and sRGB (which stays encoded), -1 to 1 for snorm, the type's
// range for integers of 8 bits, and the least and the greatest value that is shown for all others, if floats are not all within 0 to 1.
// NaN is magenta. Alpha is 0 for a texel that nobody has written yet, as far as its bytes tell: all of them are poison.
#pragma once

#include <optional>
#include <string>

#include "model/contract/device.h"

namespace lanewise::web {

struct View {
  std::uint32_t level = 0, slice = 0;
  std::uint32_t x = 0, y = 0, width = 0, height = 0;  // cut at the image's edges
  std::uint32_t step = 1;
  std::optional<std::uint32_t> grey{};  // a component, 0 to 3, alone; none: red, green and blue
  std::optional<double> low{}, high{};
};

inline constexpr std::uint64_t kMostTexels = 1 << 21;

struct Painted {
  std::uint32_t width = 0, height = 0;
  double low = 0, high = 1;
  std::string bytes;
};

// Bad input: no such level or slice, nothing within it, or more than kMostTexels.
Expected<Painted> paint(const Resource& resource, const View& view, const TexelRules& rules = {});

}  // namespace lanewise::web
