#include "golden/oracles/pyramid_traffic.h"

#include <algorithm>

#include "golden/oracles/levels.h"
#include "golden/oracles/texels.h"

namespace lanewise::golden {
namespace {

// The last base texel of an axis of `size` that texel x of level 1 covers.
std::uint32_t lastCovered(std::uint32_t x, std::uint32_t size) {
  return x + 1 == std::max(1u, size / 2) ? size - 1 : 2 * x + 1;
}

std::uint8_t greatestOf(const Image& base, std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
  std::uint8_t best = 0;
  for (std::uint32_t j = 2 * y; j <= lastCovered(y, base.extent.height); ++j)
    for (std::uint32_t i = 2 * x; i <= lastCovered(x, base.extent.width); ++i)
      best = std::max(best, base.get<std::uint8_t>(0, i, j, channel));
  return best;
}

// The texel of level 1 that texel x of level l is, along an axis: of a tile of 64 texels of the base, the one with the same place in it.
std::uint32_t pickedBy(std::uint32_t x, std::uint32_t l) {
  constexpr std::uint32_t kTile = 6;  // log2
  if (l > kTile) return x << (l - 1);
  const std::uint32_t side = 1u << (kTile - l);  // of a tile on level l
  return x / side * (1u << (kTile - 1)) + x % side;
}

}  // namespace

Expected<Image> pyramidTraffic(const Image& base, std::uint32_t levels) {
  if (base.component != Component::kU8 || base.levels != 1 || !base.wellFormed())
    return badShape("this takes a picture of 8 bits and one level", base);
  if (levels == 0 || levels > levelCount(base.extent, LevelCount::kFull)) return badShape("there is no pyramid of so many levels", base);
  Image chain = makeImage(base.extent, base.channels, Component::kU8, levels);
  std::copy(base.bytes.begin(), base.bytes.end(), chain.bytes.begin());
  for (std::uint32_t l = 1; l < levels; ++l)
    for (std::uint32_t y = 0; y < chain.size(l).height; ++y)
      for (std::uint32_t x = 0; x < chain.size(l).width; ++x)
        for (std::uint32_t c = 0; c < base.channels; ++c) chain.set(l, x, y, c, greatestOf(base, pickedBy(x, l), pickedBy(y, l), c));
  return chain;
}

}  // namespace lanewise::golden
