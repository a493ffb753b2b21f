// What the oracles of the photo statistics share: iterating over texels, and the shapes they accept.
#pragma once

#include <algorithm>
#include <cstdint>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

struct Rgb {
  unsigned r, g, b;
  unsigned max() const { return std::max({r, g, b}); }
  unsigned min() const { return std::min({r, g, b}); }
};

inline Rgb rgbAt(const Image& p, std::uint32_t x, std::uint32_t y) {
  return {p.get<std::uint8_t>(0, x, y, 0), p.get<std::uint8_t>(0, x, y, 1), p.get<std::uint8_t>(0, x, y, 2)};
}

// Calls f(x, y) for every texel of level 0, row by row.
template <class Function>
void forTexels(const Image& image, Function f) {
  for (std::uint32_t y = 0; y < image.extent.height; ++y)
    for (std::uint32_t x = 0; x < image.extent.width; ++x) f(x, y);
}

inline Error badShape(const char* what, const Image& image) {
  return Error{Outcome::kBadInput, what, shapeText(image), ""};
}

// Bad input unless it is RGBA of 8 bits and one level.
inline Status checkRgba(const Image& picture) {
  if (picture.component == Component::kU8 && picture.channels == 4 && picture.levels == 1 && picture.wellFormed()) return std::nullopt;
  return badShape("this takes an RGBA picture of 8 bits and one level", picture);
}

}  // namespace lanewise::golden
