#include "golden/oracles/saturation.h"

#include <algorithm>
#include <array>

#include "golden/oracles/natural.h"
#include "golden/oracles/texels.h"

namespace lanewise::golden {
namespace {

// By max and min. Each is rounded once.
std::array<float, 256 * 256> allQuotients() {
  std::array<float, 256 * 256> quotients{};
  for (std::uint64_t max = 1; max < 256; ++max)
    for (std::uint64_t min = 0; min <= max; ++min) quotients[max * 256 + min] = nearestFloat({max - min, max});
  return quotients;
}

}  // namespace

Expected<Image> saturation(const Image& picture) {
  if (Status bad = checkRgba(picture)) return *bad;
  Image out = makeImage(picture.extent, 1, Component::kF32);
  static const std::array<float, 256 * 256> quotients = allQuotients();
  forTexels(picture, [&](std::uint32_t x, std::uint32_t y) {
    const Rgb c = rgbAt(picture, x, y);
    out.set(0, x, y, 0, quotients[c.max() * 256 + c.min()]);
  });
  return out;
}

Expected<Image> saturationSums(const Image& picture) {
  if (Status bad = checkRgba(picture)) return *bad;
  Image sums = makeImage({256, 1}, 1, Component::kU64);
  forTexels(picture, [&](std::uint32_t x, std::uint32_t y) {
    const Rgb c = rgbAt(picture, x, y);
    sums.set(0, c.max(), 0, 0, sums.get<std::uint64_t>(0, c.max(), 0) + (c.max() - c.min()));
  });
  return sums;
}

}  // namespace lanewise::golden
