#include "golden/oracles/depth_pyramid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "golden/oracles/levels.h"

namespace lanewise::golden {
namespace {

// The texels that texel j of the next level takes, on an axis of `from` texels: first to last.
struct Range {
  std::uint32_t first, last;
};

Range taps(DepthForm form, std::uint32_t j, std::uint32_t from) {
  if (from == 1) return {0, 0};
  const bool lastOfOdd = from % 2 == 1 && j == from / 2 - 1;
  const bool three = (form == DepthForm::kConservative && lastOfOdd) || (form == DepthForm::kConservativeUv && from % 2 == 1);
  return {2 * j, 2 * j + (three ? 2u : 1u)};
}

bool less(float a, float b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

Status check(const Image& base, std::uint32_t levels) {
  const auto bad = [&](std::string what) { return Error{Outcome::kBadInput, std::move(what), shapeText(base), ""}; };
  if (base.component != Component::kF32 || base.channels != 1 || base.levels != 1 || !base.wellFormed())
    return bad("a depth pyramid takes one channel of f32 and one level");
  if (levels == 0 || levels > levelCount(base.extent, LevelCount::kFull))
    return bad(fmt::format("there is no pyramid of {} levels", levels));
  for (std::uint32_t y = 0; y < base.extent.height; ++y)
    for (std::uint32_t x = 0; x < base.extent.width; ++x)
      if (!std::isfinite(base.get<float>(0, x, y))) return bad(fmt::format("a depth that is not finite at ({}, {})", x, y));
  return std::nullopt;
}

}  // namespace

std::string_view depthFormName(DepthForm form) {
  constexpr std::string_view kNames[] = {"floor", "conservative", "conservative-uv"};
  return kNames[static_cast<std::size_t>(form)];
}

Expected<Image> depthPyramid(DepthForm form, Extreme extreme, const Image& base, std::uint32_t levels) {
  if (Status bad = check(base, levels)) return *bad;
  Image chain = makeImage(base.extent, 1, Component::kF32, levels);
  std::copy(base.bytes.begin(), base.bytes.end(), chain.bytes.begin());
  for (std::uint32_t l = 1; l < levels; ++l) {
    const Extent from = chain.size(l - 1), to = chain.size(l);
    for (std::uint32_t y = 0; y < to.height; ++y)
      for (std::uint32_t x = 0; x < to.width; ++x) {
        const Range xs = taps(form, x, from.width), ys = taps(form, y, from.height);
        float best = chain.get<float>(l - 1, xs.first, ys.first);
        for (std::uint32_t j = ys.first; j <= ys.last; ++j)
          for (std::uint32_t i = xs.first; i <= xs.last; ++i) {
            const float v = chain.get<float>(l - 1, i, j);
            if (extreme == Extreme::kMax ? less(best, v) : less(v, best)) best = v;
          }
        chain.set(l, x, y, 0, best);
      }
  }
  return chain;
}

}  // namespace lanewise::golden
