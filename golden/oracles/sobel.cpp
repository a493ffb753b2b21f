#include "golden/oracles/sobel.h"

#include <algorithm>
#include <cmath>

#include "golden/oracles/texels.h"

namespace lanewise::golden {
namespace {

// The integer nearest to the square root of n. The root of an integer is never halfway: (root + 1/2)^2 is root^2 + root + 1/4.
unsigned roundedRoot(unsigned n) {
  const auto root = static_cast<unsigned>(std::sqrt(static_cast<double>(n)));  // rounded down: n is far below 2^52
  return n - root * root > root ? root + 1 : root;
}

}  // namespace

Expected<Image> sobel(const Image& picture) {
  if (Status bad = checkRgba(picture)) return *bad;
  Image luma = makeImage(picture.extent, 1, Component::kU8), out = makeImage(picture.extent, 1, Component::kU16);
  forTexels(picture, [&](std::uint32_t x, std::uint32_t y) {
    const Rgb c = rgbAt(picture, x, y);
    luma.set(0, x, y, 0, static_cast<std::uint8_t>((299 * c.r + 587 * c.g + 114 * c.b + 500) / 1000));
  });
  const std::int64_t w = picture.extent.width, h = picture.extent.height;
  forTexels(picture, [&](std::uint32_t x, std::uint32_t y) {
    const auto at = [&](int dx, int dy) {
      const auto cx = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{x} + dx, 0, w - 1));
      const auto cy = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{y} + dy, 0, h - 1));
      return static_cast<int>(luma.get<std::uint8_t>(0, cx, cy));
    };
    const int gx = (at(1, -1) + 2 * at(1, 0) + at(1, 1)) - (at(-1, -1) + 2 * at(-1, 0) + at(-1, 1));
    const int gy = (at(-1, 1) + 2 * at(0, 1) + at(1, 1)) - (at(-1, -1) + 2 * at(0, -1) + at(1, -1));
    out.set(0, x, y, 0, static_cast<std::uint16_t>(roundedRoot(static_cast<unsigned>(gx * gx + gy * gy))));
  });
  return out;
}

Expected<Image> sobel8(const Image& picture) {
  const auto wide = sobel(picture);
  if (!wide) return wide.error();
  Image out = makeImage(picture.extent, 1, Component::kU8);
  forTexels(out, [&](std::uint32_t x, std::uint32_t y) {
    out.set(0, x, y, 0, static_cast<std::uint8_t>(std::min<std::uint16_t>(255, wide->get<std::uint16_t>(0, x, y))));
  });
  return out;
}

Expected<Moments> moments(const Image& image) {
  if ((image.component != Component::kU8 && image.component != Component::kU16) || !image.wellFormed())
    return badShape("mean and variance are taken of u8 or u16", image);
  Moments m;
  const std::size_t size = componentBytes(image.component);
  for (std::size_t at = 0; at < image.bytes.size(); at += size) {
    const std::uint64_t v = bitsAt(image, at);
    m.sum += v;
    m.sumOfSquares += v * v;
  }
  return m;
}

}  // namespace lanewise::golden
