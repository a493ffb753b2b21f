#include "golden/oracles/bilinear.h"

#include <algorithm>

#include "golden/oracles/texels.h"

namespace lanewise::golden {
namespace {

// The sample on one axis: the taps lower and upper, and the upper one's weight of `unit`.
struct Sample {
  std::uint32_t lower, upper;
  std::uint64_t weight, unit;
};

Sample sampleAt(std::int64_t x, std::int64_t from, std::int64_t to) {
  const std::int64_t unit = 2 * to, position = (2 * x + 1) * from - to;  // in units of 1 / (2 to), from the first texel's centre
  const std::int64_t floor = position >= 0 ? position / unit : -1;       // position > -unit
  const auto clamped = [&](std::int64_t i) { return static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, from - 1)); };
  return {clamped(floor), clamped(floor + 1), static_cast<std::uint64_t>(position - floor * unit), static_cast<std::uint64_t>(unit)};
}

}  // namespace

Expected<Image> bilinearScale(const Image& picture, Extent to) {
  if (picture.component != Component::kU8 || picture.levels != 1 || !picture.wellFormed())
    return badShape("scaling takes a picture of 8 bits", picture);
  if (to.width == 0 || to.height == 0 || std::max({to.width, to.height, picture.extent.width, picture.extent.height}) > 65535)
    return badShape("scaling is between sides of 1 to 65535", picture);
  Image out = makeImage(to, picture.channels, Component::kU8);
  forTexels(out, [&](std::uint32_t x, std::uint32_t y) {
    const Sample sx = sampleAt(x, picture.extent.width, to.width), sy = sampleAt(y, picture.extent.height, to.height);
    const std::uint64_t divisor = sx.unit * sy.unit;
    for (std::uint32_t c = 0; c < out.channels; ++c) {
      const auto row = [&](std::uint32_t at) {
        return (sx.unit - sx.weight) * picture.get<std::uint8_t>(0, sx.lower, at, c) +
               sx.weight * picture.get<std::uint8_t>(0, sx.upper, at, c);
      };
      const std::uint64_t sum = (sy.unit - sy.weight) * row(sy.lower) + sy.weight * row(sy.upper);
      out.set(0, x, y, c, static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor)));
    }
  });
  return out;
}

}  // namespace lanewise::golden
