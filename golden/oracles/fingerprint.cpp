#include "golden/oracles/fingerprint.h"

#include "golden/oracles/texels.h"

namespace lanewise::golden {

Expected<Image> fingerprint(const Image& picture) {
  if (Status bad = checkRgba(picture)) return *bad;
  Image counts = makeImage({2048, 1}, 1, Component::kU32);
  const std::uint64_t w = picture.extent.width, h = picture.extent.height;
  forTexels(picture, [&](std::uint32_t x, std::uint32_t y) {
    const Rgb c = rgbAt(picture, x, y);
    const auto location = static_cast<std::uint32_t>(2 * (2 * std::uint64_t{y} / h) + 2 * std::uint64_t{x} / w);
    const std::uint32_t bucket = (c.r >> 5) << 8 | (c.g >> 5) << 5 | (c.b >> 5) << 2 | location;
    counts.set(0, bucket, 0, 0, counts.get<std::uint32_t>(0, bucket, 0) + 1);
  });
  return counts;
}

Expected<Cosine> cosine(const Image& a, const Image& b) {
  if (a.component != Component::kU32 || a.channels != 1 || a.levels != 1 || !a.wellFormed())
    return badShape("a vector of counts is u32", a);
  if (shapeText(a) != shapeText(b) || !b.wellFormed()) return badShape("the other vector has another shape", b);
  Cosine c;
  forTexels(a, [&](std::uint32_t x, std::uint32_t y) {
    const std::uint64_t va = a.get<std::uint32_t>(0, x, y), vb = b.get<std::uint32_t>(0, x, y);
    c.dot = c.dot + va * vb;
    c.aa = c.aa + va * va;
    c.bb = c.bb + vb * vb;
  });
  if (c.aa.isZero() || c.bb.isZero()) return Error{Outcome::kBadInput, "the cosine of a vector of zeros", "", ""};
  c.value = nearestFloatSqrt({c.dot * c.dot, c.aa * c.bb});
  return c;
}

}  // namespace lanewise::golden
