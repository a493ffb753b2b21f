// Sizes: a sum of weights is at most 2 * 65535 + 1 per axis. So 2 * sum + divisor stays below 2^(1 + 24 + 34), in sRGB units too.
#include "golden/oracles/mean_pyramid.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/oracles/levels.h"

namespace lanewise::golden {
namespace {

constexpr std::uint32_t kMaxSide = 65535;

Status check(const PyramidForm& form, const Image& base, std::uint32_t levels) {
  const auto bad = [&](std::string what) { return Error{Outcome::kBadInput, std::move(what), shapeText(base), ""}; };
  if (base.component != Component::kU8 || base.levels != 1 || base.channels > 4 || !base.wellFormed())
    return bad("a pyramid takes a picture of 8 bits and one level");
  if (form.premultiply && base.channels != 4) return bad("colours are multiplied by alpha in pictures of four channels");
  if (std::max(base.extent.width, base.extent.height) > kMaxSide) return bad("a pyramid's side is at most 65535");
  if (levels == 0 || levels > levelCount(base.extent, LevelCount::kFull))
    return bad(fmt::format("there is no pyramid of {} levels", levels));
  return std::nullopt;
}

// The taps of one texel on both axes.
struct Window {
  Taps x, y;
};

std::uint8_t meanOf(const Image& chain, std::uint32_t level, const Window& w, std::uint32_t channel, bool srgb) {
  std::uint64_t sum = 0;
  for (std::uint32_t j = 0; j < w.y.count; ++j)
    for (std::uint32_t i = 0; i < w.x.count; ++i) {
      const std::uint8_t code = chain.get<std::uint8_t>(level, w.x.first + i, w.y.first + j, channel);
      sum += w.x.weight[i] * w.y.weight[j] * (srgb ? kSrgbDecode[code] : code);
    }
  const std::uint64_t divisor = w.x.sum * w.y.sum;
  return srgb ? srgbCode(sum, divisor) : static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor));
}

std::uint8_t extremeOf(const Image& chain, std::uint32_t level, const Window& w, std::uint32_t channel, bool greatest) {
  std::uint8_t best = chain.get<std::uint8_t>(level, w.x.first, w.y.first, channel);
  for (std::uint32_t j = 0; j < w.y.count; ++j)
    for (std::uint32_t i = 0; i < w.x.count; ++i) {
      const std::uint8_t code = chain.get<std::uint8_t>(level, w.x.first + i, w.y.first + j, channel);
      best = greatest ? std::max(best, code) : std::min(best, code);
    }
  return best;
}

}  // namespace

Taps pyramidTaps(PyramidKernel kernel, std::uint32_t j, std::uint32_t size) {
  if (size == 1) return {};
  const std::uint64_t n = size / 2;
  if (kernel == PyramidKernel::kEnergy && size % 2 == 1) return {2 * j, 3, {n - j, n, j + std::uint64_t{1}}, 2 * n + 1};
  if (kernel == PyramidKernel::kFilter && size % 2 == 1) {
    const std::uint64_t m = (2 * std::uint64_t{j} + 1) * size - n, second = m % (2 * n);
    return {static_cast<std::uint32_t>(m / (2 * n)), 2, {2 * n - second, second, 0}, 2 * n};
  }
  return {2 * j, 2, {1, 1, 0}, 2};
}

Expected<Image> pyramid(const PyramidForm& form, const Image& base, std::uint32_t levels) {
  if (Status bad = check(form, base, levels)) return *bad;
  Image chain = makeImage(base.extent, base.channels, Component::kU8, levels);
  const Image first = form.premultiply ? premultiplied(base) : base;
  std::copy(first.bytes.begin(), first.bytes.end(), chain.bytes.begin());
  for (std::uint32_t l = 1; l < levels; ++l) {
    const Extent from = chain.size(l - 1), to = chain.size(l);
    for (std::uint32_t y = 0; y < to.height; ++y)
      for (std::uint32_t x = 0; x < to.width; ++x) {
        const Window w{pyramidTaps(form.kernel, x, from.width), pyramidTaps(form.kernel, y, from.height)};
        for (std::uint32_t c = 0; c < chain.channels; ++c) {
          const bool srgb = form.encoding == Encoding::kSrgb && c < 3;
          chain.set(l, x, y, c,
                    form.reduction == Reduction::kMean ? meanOf(chain, l - 1, w, c, srgb)
                                                       : extremeOf(chain, l - 1, w, c, form.reduction == Reduction::kMax));
        }
      }
  }
  return chain;
}

Image premultiplied(const Image& picture) {
  Image out = picture;
  for (std::size_t i = 0; i + 3 < out.bytes.size(); i += 4) {
    const auto alpha = std::to_integer<unsigned>(out.bytes[i + 3]);
    for (std::size_t c = 0; c < 3; ++c)
      out.bytes[i + c] = static_cast<std::byte>((2 * std::to_integer<unsigned>(out.bytes[i + c]) * alpha + 255) / 510);
  }
  return out;
}

std::uint8_t srgbCode(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t units = numerator / denominator;  // thresholds are integers: comparing with the floor is enough
  return static_cast<std::uint8_t>(std::upper_bound(std::begin(kSrgbThreshold), std::end(kSrgbThreshold), units) -
                                   std::begin(kSrgbThreshold));
}

}  // namespace lanewise::golden
